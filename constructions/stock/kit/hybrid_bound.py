"""How far the stock forward pass of a hybrid can be from exact arithmetic: a bound for all inputs, not a measurement.

What w holds in a slot is s·(code + e) with |s − 1| ≤ `scale` and each |e_j| ≤ `error`; the bound follows these two
from the hand-over through the layers. The scale hardly matters, since RMSNorm divides queries by their norm and an
argmax does not see it; the error moves scores. The argument is written out in docs/stock_hybrid.md.

What is assumed of the machine: rounding to nearest; what an operation of torch hands on is rounded to the dtype of the
model, at most; inside it sums come in any order and count, like exp, σ, cos, sin and 1/√x within 8 units, with the
roundoff 2^-24 of float32, also in a float64 model: stock norms, softmax and delta rule compute in float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from constructions.stock.kit.hybrid_plan import SATURATION, VALUE_SCALE, HybridPlan
from constructions.stock.kit.layouts import EPSILON
from constructions.stock.kit.rotary_bound import HALF, ROOT, RotaryBound
from constructions.stock.kit.target import Certificate, NoBound, float_above
from separation.arithmetic import ball


@dataclass(frozen=True)
class Near:
    """s·(code + e) with |s − 1| ≤ scale and |e_j| ≤ error."""

    scale: arb
    error: arb

    @property
    def norm(self) -> arb:
        """How far its norm is from √c, relatively: |e| ≤ √(2c)·error."""
        return self.scale + ROOT * self.error * (1 + self.scale)


def certify_plan(plan: HybridPlan, dtype: str, norms_behind: bool) -> Certificate:
    """Logits over a positive number near 1 that all share are within a bound of Σ_j a_j·cos(2^-j·(i_L − v)).

    ``norms_behind``: full layers normalise what a block writes (Olmo-hybrid), or what it reads (Qwen3-Next).
    ``handed_over_error`` bounds the error of the recurrent layer, an entry of what it hands over against code(z_0);
    the errors after layers are of what each full layer found.
    """
    margin, open_factor = float(plan.rotary.gap), " but for a factor that all share"
    run, unknown = _Run(plan, norms_behind, dtype), {"handed_over_error": None}
    try:
        handed, *found = run.layers()
        return Certificate(
            margin,
            float_above(run.logit(found[-1])),
            tuple(float_above(each.error) for each in found),
            further={"handed_over_error": float_above(handed.scale + handed.error * (1 + handed.scale))},
            up_to=open_factor,
        )
    except NoBound as failure:
        return Certificate(margin, None, reason=str(failure), further=unknown, up_to=open_factor)


class _Run(RotaryBound):
    """The steps of a forward pass at w, each for all inputs."""

    def __init__(self, plan: HybridPlan, norms_behind: bool, dtype: str) -> None:
        super().__init__(plan.rotary, dtype)
        self.plan, self.norms_behind = plan, norms_behind
        self.width, self.head = plan.stream.width, plan.head_dim
        self.epsilon = ball(Fraction(EPSILON))
        self.temperature = arb(plan.temperature)

    @property
    def norm_rounding(self) -> arb:
        """The common factor of RMSNorm: a mean square over the row, and a few operations more."""
        return self.rounded(4, self.width + 16)

    def layers(self) -> list[Near]:
        """What w is handed over, and what it has found after each full layer."""
        found = [self.hand_over()]
        pointers: list[Near] = []
        for read in self.plan.reads[1:]:
            behind = (
                self.norms_behind and read.hop.number > 1
            )  # the recurrent layer has its norms in front in both families
            pointers.append(self.advance(found[-1], None if behind else [*found, *pointers]))
            found.append(self.look_up(pointers[-1]))
        return found

    def hand_over(self) -> Near:
        """silu(x) − silu(−x) = x and |silu(x)| + |silu(−x)| = |x|: an entry is handed on 10 times, 30 roundings inside.

        ‖(silu(gx), silu(−gx))‖² = g²c − 2·Σ t²σ(t)σ(−t) at t = g·x_j, where t²σ(t)σ(−t) < 0.44: off by less than 1.8·c.
        Gates leave at most 2·e^-128 of anything else.
        """
        gates = 4 * (-arb(SATURATION)).exp()
        scale = 1 / arb(VALUE_SCALE) ** 2 + 3 * self.norm_rounding + self.rounded(16, 2 * self.plan.code + 64)
        return Near(scale + gates, self.rounded(10, 30) + gates)

    def look_up(self, pointer: Near) -> Near:
        """Attention at w."""
        leak = self.leak(pointer)
        # Others' values; adding one of them rounds by no more than its own size. An entry of the match is handed on 6
        # times at most, weighed, added and divided inside; factors that all entries share belong to the scale.
        entry = 4 * leak + self.rounded(6, 6)
        share = 4 * leak + self.rounded(4, 16)  # how far the weight of the match is from 1
        if self.norms_behind:
            moved = 2 * ROOT * entry + 2 * share * self.epsilon * self.width / self.circles
            scale = moved + self.norm_rounding
        else:
            scale = share + self.norm_rounding
        return Near(scale.upper(), (entry / (1 - scale)).upper())

    def leak(self, pointer: Near) -> arb:
        """RMSNorm divides the scale of the query out; its error moves the match against a key."""
        # ε in RMSNorm is not divided out: of a mean square of at least (1/8)²·c/2h it is at most the part 64·ε·2h/c.
        norm = ROOT * pointer.error + 64 * self.epsilon * self.head / self.circles + self.rounded(4, self.head + 16)
        query = pointer.error + self.rounded(8, 24)
        turned = ROOT * self.rounded(3, 12) + self.rounded(2, self.head + 8)  # keys, and sums of products
        moved = self.moved(ROOT * query, turned)
        if not (moved < self.gap and norm < HALF):
            raise NoBound("roundings can move scores by more than the gap")
        inside = self.rounded(2, 16) + 8 * self.temperature * self.total * self.inner
        return self.others(inside - self.temperature * (1 - norm) * (self.gap - moved)).upper()

    def advance(self, found: Near, held: list[Near] | None) -> Near:
        """The MLP: the pointer, from what was found and the codes ``held`` by a normalised row; None: norm behind.

        In front: a product of two normalised numbers is off by the mean square of the row, of which these codes are a
        part. Behind: the product has the norm of what was found, times 1 + γ.
        """
        if held is None:
            norm = found.norm + ROOT * self.rounded(8, 24)
            if not norm < HALF:
                raise NoBound("the norm of what a block writes is not known")
            factor = norm / (1 - norm) + self.norm_rounding
        else:
            squares = sum((2 * code.norm + code.norm**2 for code in held), arb(0))
            moved = self.circles * squares / self.plan.last_norm(len(held)) + self.rounded(4, 8)
            if not moved < HALF:
                raise NoBound("the norm of a row is not known")
            factor = moved / (1 - moved) + 2 * self.norm_rounding
        scale = (1 + found.scale) * (1 + factor) - 1
        if not scale < ball(Fraction(7, 8)):
            raise NoBound("the scale of a pointer is not known")
        # |ac| + |bd| ≤ 1 for the entries of two codes, so that roundings of products are relative to 1.
        return Near(scale.upper(), (ROOT * found.error + self.rounded(8, 24)).upper())

    def logit(self, found: Near) -> arb:
        """Σ_j a_j times the error of an entry of each kind, and the roundings of the sum."""
        return self.total * (ROOT * found.error + self.rounded(4, self.plan.code + 4))
