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

from flint import arb

from constructions.stock.kit.rotary_bound import HALF, ROOT, RotaryBound
from constructions.stock.kit.target import Certificate, NoBound, float_above
from constructions.stock.llama.plan import LlamaPlan
from separation.arithmetic import ball

LARGEST_SCORE = 2**15  # before the division by √head_dim; no dtype overflows there
MARGIN_STEPS = 1000


@dataclass(frozen=True)
class Errors:
    """Bounds on |slot − exact code|, in each frequency as a complex number.

    where ``pointer`` and ``found`` are at w, and ``noise`` is what the two heads failed to cancel on other rows.
    """

    pointer: arb
    found: arb
    noise: arb


def certify_plan(plan: LlamaPlan, dtype: str) -> Certificate:
    """Every logit is within a bound of Σ_j a_j·cos(2^{-j}·(v − i_L)) (0 for the id of a query).

    The errors are those after the attention of each layer, as far as the argument goes.
    """
    bound, layers = _Bound(plan, dtype), []
    margin = math.floor(plan.rotary.gap * MARGIN_STEPS) / MARGIN_STEPS  # the gap, rounded down
    errors, logit, lead, reason = Errors(bound.unit, arb(0), arb(0)), None, None, ""
    try:
        for _ in plan.reads[1:]:
            layers.append(bound.after_attention(errors))
            errors = bound.after_mlp(layers[-1])
        layers.append(bound.after_attention(errors))
        logit, lead = map(float_above, bound.logits(layers[-1]))
    except NoBound as failure:
        reason = f"{failure}, layer {min(len(layers), plan.sizes.L) + 1}"
    told = tuple({name: float_above(error) for name, error in vars(layer).items()} for layer in layers)
    return Certificate(margin, logit, told, reason, lead, dtype, {"lead_bound": lead})


class _Bound(RotaryBound):
    """The steps of one layer."""

    def __init__(self, plan: LlamaPlan, dtype: str) -> None:
        super().__init__(plan.rotary, dtype)
        self.plan = plan

    def after_attention(self, errors: Errors) -> Errors:
        """found = old rest + look-up − look at itself; on other rows twice the error of an average of n codes."""
        average = self.rounded(4, self.tokens + 8)
        row = self.normalised(self.plan.norm_before, self.rest(errors.noise))
        leak = self.leak(errors, row)
        # Rounded: the weight of the match, what a head gives, the difference of the heads, the new stream. The error of
        # adding small terms to a large one is at most those terms.
        found = row * (1 + self.rounded(4, 8)) * (1 + errors.found) - 1 + 12 * row * leak
        return Errors(errors.pointer, found.upper(), (errors.noise + 2 * row * average).upper())

    def leak(self, errors: Errors, row: arb) -> arb:
        """(n − 1)·e^{−τ·(gap − moved)}: all other weights over that of the match, with all that moves a score."""
        plan = self.plan
        at_w = self.normalised(plan.norm_before, self.drift(errors.pointer) + self.rest(errors.found))
        # Each coordinate of a turned vector is a sum of two rounded products; cos and sin are rounded too.
        turned = (1 + self.rounded(1) + 2 * ROOT * self.inner) * (1 + ROOT * self.unit) * (1 + self.rounded(1))
        query = (1 + errors.pointer) * at_w * (1 + self.rounded(2)) * turned - 1
        key = row * turned * (1 + self.rounded(2, plan.code + 2)) - 1
        moved = self.moved(query, key * (1 + query))
        if (plan.temperature * plan.rotary.total) ** 2 * plan.head_dim > LARGEST_SCORE**2:
            raise NoBound("scores may leave the range of float16")
        if not moved <= self.gap:
            raise NoBound("rounding moves a score by more than the gap")
        return self.others(ball(plan.temperature) * (moved - self.gap) + self.rounded(0, 8))

    def after_mlp(self, errors: Errors) -> Errors:
        """pointer − pointer·1 + found·digit and found − found·1, each product by two units of the same sign."""
        # Rounded: the stored digit, `up`, silu, their product. A unit is off by this factor, less 1.
        product = self.between(errors) ** 2 * (1 + self.rounded(4, 6)) - 1
        pointer, found = 1 + errors.pointer, 1 + errors.found
        new = errors.found + ROOT * product * found + product * pointer
        inside = self.rounded(0, 6) * ROOT
        new += inside * (ROOT * found + pointer) + self.rounded(2) * (found + pointer) * (1 + product)
        rest = product * found + (inside + self.rounded(2)) * found * (1 + product)
        return Errors(new.upper(), rest.upper(), errors.noise)

    def logits(self, errors: Errors) -> tuple[arb, arb]:
        """How far a logit Σ_j a_j·(code_j(v)·found_j) can be off, and the distance of two: they share `found`."""
        found = (1 + errors.found) * self.between(errors) - 1
        own = self.rounded(2, self.plan.code)
        logit = self.total * (found + own * (1 + found))
        if not logit < self.total:
            raise NoBound("the right logit is not known to be above those of queries")
        return logit, self.moved(found, own * (1 + found))

    def between(self, errors: Errors) -> arb:
        """The row of w after attention, normalised."""
        return self.normalised(self.plan.norm_between, self.drift(errors.pointer) + self.drift(errors.found))

    def drift(self, error: arb) -> arb:
        """| |x|² − f | for a code that is off by ``error`` in each of f frequencies."""
        return self.circles * (2 * error + error**2)

    def rest(self, error: arb) -> arb:
        """|x|² of a slot that should be empty."""
        return self.circles * error**2

    def normalised(self, norm: int, drift: arb) -> arb:
        """The factor of a coordinate after RMSNorm when |x|² should be ``norm`` and is off by ``drift``."""
        # `one` is a power of two, so it is stored as it is; all else is stored rounded.
        stored = 3 * self.unit * ball(1 - Fraction(self.plan.ballast**2, norm))
        square = (1 + drift / norm + stored) * (1 + self.rounded(0, self.plan.stream.width + 6)) - 1
        if not square <= HALF:
            raise NoBound("the norm of a row is not known")
        # (1 − s)^(−1/2) ≤ 1 + s/2·(1 + 2s) for 0 ≤ s ≤ 1/2. A float64 row is cut to float32 first.
        return (1 + square / 2 * (1 + 2 * square)) * (1 + self.rounded(3, 4))
