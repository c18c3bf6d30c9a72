"""How far the logits of the stock Llama can be from the exact ones, and the sizes at which every answer is certain.

Nothing here depends on the input. Per row the norm is known up to what the slots can be off; a look-up depends on its
pointer only through the scores, so an error of one layer does not add to that of the next: softmax absorbs it.

What is assumed of the machine: rounding to nearest; sums in any order, in float32 at least; cos and sin of a float32
within 2 units of its roundoff (a test measures it), exp, rsqrt and the sigmoid within 4; 0 times a number is 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from constructions.stock.kit.rotations import INNER, UNITS
from constructions.stock.kit.target import Certificate, NoBound
from constructions.stock.llama.plan import LlamaPlan
from separation.arithmetic import exp_ball, upper_fraction

ROOT_OF_TWO = Fraction(14143, 10000)  # above √2: from two coordinates to a complex number
LARGEST_LEAK = Fraction(1, 8)
LARGEST_SHIFT = Fraction(1, 2)
LARGEST_SCORE = 2**15  # before the division by √head_dim; no dtype overflows there
KEPT_BITS = 80
MARGIN_STEPS = 1000


@dataclass(frozen=True)
class Errors:
    """Bounds on |slot − exact code|, in each frequency as a complex number.

    where ``pointer`` and ``found`` are at w, and ``noise`` is what the two heads failed to cancel on other rows.
    """

    pointer: Fraction
    found: Fraction
    noise: Fraction


def certify_plan(plan: LlamaPlan, dtype: str) -> Certificate:
    """Every logit is within a bound of Σ_j a_j·cos(2^{-j}·(v − i_L)) (0 for the id of a query).

    The errors are those after the attention of each layer, as far as the argument goes.
    """
    bound, layers = _Bound(plan, UNITS[dtype]), []
    margin = math.floor(plan.rotary.gap * MARGIN_STEPS) / MARGIN_STEPS  # the gap, rounded down
    errors, logit, lead, reason = Errors(bound.unit, Fraction(0), Fraction(0)), None, None, ""
    try:
        for _ in plan.reads[1:]:
            layers.append(bound.after_attention(errors))
            errors = bound.after_mlp(layers[-1])
        layers.append(bound.after_attention(errors))
        logit, lead = map(_float, bound.logits(layers[-1]))
    except NoBound as failure:
        reason = f"{failure}, layer {min(len(layers), plan.sizes.L) + 1}"
    told = tuple({name: float(error) for name, error in vars(layer).items()} for layer in layers)
    return Certificate(margin, logit, told, reason, lead, dtype, {"lead_bound": lead})


class _Bound:
    """The steps of one layer.

    where a number that is stored or handed on is rounded to the model's dtype, or to float32 if that is coarser
    (``rounded``), and sums and the insides of functions are computed in float32 at least (``inside``).
    """

    def __init__(self, plan: LlamaPlan, unit: Fraction) -> None:
        self.plan = plan
        self.unit = unit

    def rounded(self, times: int, inside: int = 0) -> Fraction:
        """The factor at most of ``times`` roundings to the dtype and ``inside`` of them to float32."""
        # 1 + γ_k = 1/(1 − k·u).
        return 1 / ((1 - times * self.unit) * (1 - inside * INNER))

    def after_attention(self, errors: Errors) -> Errors:
        """found = old rest + look-up − look at itself; on other rows twice the error of an average of n codes."""
        if 2 * INNER * (self.plan.sizes.length + 8) >= 1:
            raise NoBound("an average of that many terms is not known")
        row = self.normalised(self.plan.norm_before, self.rest(errors.noise))
        leak = self.leak(errors, row)
        # Rounded: the weight of the match, what a head gives, the difference of the heads, the new stream. The error of
        # adding small terms to a large one is at most those terms.
        found = row * self.rounded(4, 8) * (1 + errors.found) - 1 + 12 * row * leak
        fresh = 2 * row * (self.rounded(4, self.plan.sizes.length + 8) - 1)
        return _rounded_up(Errors(errors.pointer, found, errors.noise + fresh))

    def leak(self, errors: Errors, row: Fraction) -> Fraction:
        """(n − 1)·e^{−τ·(gap − moved)}: all other weights over that of the match, with all that moves a score."""
        plan, gap = self.plan, self.plan.rotary.gap
        at_w = self.normalised(plan.norm_before, self.drift(errors.pointer) + self.rest(errors.found))
        # Each coordinate of a turned vector is a sum of two rounded products; cos and sin are rounded too.
        turned = (self.rounded(1) + 2 * ROOT_OF_TWO * INNER) * (1 + ROOT_OF_TWO * self.unit) * self.rounded(1)
        query = (1 + errors.pointer) * at_w * self.rounded(2) * turned - 1
        key = row * turned * self.rounded(2, plan.code + 2) - 1
        moved = self.moved(query, key)
        if plan.temperature * plan.rotary.total * _root(Fraction(plan.head_dim)) > LARGEST_SCORE:
            raise NoBound("scores may leave the range of float16")
        if moved > gap:
            raise NoBound("rounding moves a score by more than the gap")
        weight = upper_fraction(exp_ball(_up(plan.temperature * (moved - gap))))
        leak = (plan.sizes.length - 1) * weight * self.rounded(0, 8)
        if leak > LARGEST_LEAK:
            raise NoBound("a softmax is not known to be sharp")
        return leak

    def after_mlp(self, errors: Errors) -> Errors:
        """pointer − pointer·1 + found·digit and found − found·1, each product by two units of the same sign."""
        # Rounded: the stored digit, `up`, silu, their product. A unit is off by this factor, less 1.
        product = self.between(errors) ** 2 * self.rounded(4, 6) - 1
        pointer, found = 1 + errors.pointer, 1 + errors.found
        new = errors.found + ROOT_OF_TWO * product * found + product * pointer
        inside = (self.rounded(0, 6) - 1) * ROOT_OF_TWO
        new += inside * (ROOT_OF_TWO * found + pointer) + (self.rounded(2) - 1) * (found + pointer) * (1 + product)
        rest = product * found + (inside + self.rounded(2) - 1) * found * (1 + product)
        return _rounded_up(Errors(new, rest, errors.noise))

    def logits(self, errors: Errors) -> tuple[Fraction, Fraction]:
        """How far a logit Σ_j a_j·(code_j(v)·found_j) can be off, and the distance of two: they share `found`."""
        found = (1 + errors.found) * self.between(errors) - 1
        own = self.rounded(2, self.plan.code) - 1
        logit = self.plan.rotary.total * (found + own * (1 + found))
        if logit >= self.plan.rotary.total:
            raise NoBound("the right logit is not known to be above those of queries")
        return logit, self.moved(found, own)

    def moved(self, shared: Fraction, own: Fraction) -> Fraction:
        """How far Σ_j a_j·(x_j·y_j) and Σ_j a_j·(x_j·z_j) can move against each other.

        An error e of x, which they share, counts a_j·e·|1 − e^{iθ}| in each frequency, in all at most e·√(2·Σa_j·gap),
        as |1 − e^{iθ}|² = 2·(1 − cos θ). What is wrong with y or z alone counts in full.
        """
        total, gap = self.plan.rotary.total, self.plan.rotary.gap
        return shared * _root(2 * total * gap) + 2 * total * own * (1 + shared)

    def between(self, errors: Errors) -> Fraction:
        """The row of w after attention, normalised."""
        return self.normalised(self.plan.norm_between, self.drift(errors.pointer) + self.drift(errors.found))

    def drift(self, error: Fraction) -> Fraction:
        """| |x|² − f | for a code that is off by ``error`` in each of f frequencies."""
        return self.plan.rotary.used * (2 * error + error**2)

    def rest(self, error: Fraction) -> Fraction:
        """|x|² of a slot that should be empty."""
        return self.plan.rotary.used * error**2

    def normalised(self, norm: int, drift: Fraction) -> Fraction:
        """The factor of a coordinate after RMSNorm when |x|² should be ``norm`` and is off by ``drift``."""
        # `one` is a power of two, so it is stored as it is; all else is stored rounded.
        stored = 3 * self.unit * (1 - Fraction(self.plan.ballast**2, norm))
        square = (1 + drift / norm + stored) * self.rounded(0, self.plan.stream.width + 6) - 1
        if square > LARGEST_SHIFT:
            raise NoBound("the norm of a row is not known")
        # (1 − s)^(−1/2) ≤ 1 + s/2·(1 + 2s) for 0 ≤ s ≤ 1/2. A float64 row is cut to float32 first.
        return (1 + square / 2 * (1 + 2 * square)) * self.rounded(3, 4)


def _float(number: Fraction) -> float:
    """A float above the number."""
    return math.nextafter(float(number), math.inf)


def _rounded_up(errors: Errors) -> Errors:
    return Errors(_up(errors.pointer), _up(errors.found), _up(errors.noise))


def _root(number: Fraction) -> Fraction:
    """At least √number."""
    return Fraction(math.isqrt(math.ceil(number * 4**KEPT_BITS)) + 1, 2**KEPT_BITS)


def _up(number: Fraction) -> Fraction:
    """The next multiple of 2^-KEPT_BITS: exact fractions would grow with every layer."""
    return Fraction(-((-number.numerator << KEPT_BITS) // number.denominator), 1 << KEPT_BITS)
