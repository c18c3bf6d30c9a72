"""The slots and the norms of C1 inside Llama, and how sharply it looks."""

from __future__ import annotations

import math
from fractions import Fraction

from constructions.stock.kit.rotary_plan import RotaryPlan
from separation.arithmetic import log_ball, upper_fraction
from separation.models import Stream
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

HEADS = 2
LEAK_NATS = 128
TEMPERATURE_UNIT = Fraction(1, 16)
BALLAST_RATIO = 1024
RMS_NORM_EPSILON = 1e-6


class LlamaPlan(RotaryPlan):
    """The residual stream, in numbers a row:

        one      1     a large constant, on every row
        last     1     1 at w, 0 elsewhere
        filler   1     brings the norm of all other rows to that of w
        value    2f    code(v): what a table token or z_0 says; never written
        digit ℓ  …     at w: code(start of table ℓ+1 − own position + w_ℓ·N_{ℓ-1}), or w_ℓ one-hot where that is shorter
        pointer  2f    at w: code(position asked next − own position); 0 elsewhere
        found    2f    at w: code(i_k), from the attention of a layer to its MLP; 0 elsewhere

    where code(x) is cos and sin of 2^{-j}·x for the f frequencies used. Width: 3 + 6f + Σ_ℓ min(n_ℓ, 2f), made even.
    """

    def __init__(self, sizes: Sizes, epsilon: float = RMS_NORM_EPSILON) -> None:
        super().__init__(sizes, "F" * (sizes.L + 1), epsilon)
        self.one_hot = [size < self.code for size in sizes.n]
        slots = [("one", 1), ("last", 1), ("filler", 1), ("value", self.code)]
        slots += [(f"digit {level}", min(size, self.code)) for level, size in enumerate(sizes.n, start=1)]
        slots += [("pointer", self.code), ("found", self.code)]
        odd = sum(width for _, width in slots) % HEADS  # stock code wants a multiple of the number of heads
        self.stream = Stream([*slots, ("padding", odd)])
        # Two units for a product of numbers, four products for one of complex numbers.
        units = {"product": 4 * self.code, "old pointer": 2 * self.code, "old found": 2 * self.code}
        self.hidden = Stream(units.items())

    @property
    def temperature(self) -> Fraction:
        """τ ≥ (ln n + 128)/gap: all other keys together weigh at most e^-128 of a match; bfloat16 needs that much."""
        nats = upper_fraction(log_ball(self.sizes.length)) + LEAK_NATS
        return TEMPERATURE_UNIT * math.ceil(nats / self.rotary.gap / TEMPERATURE_UNIT)

    @property
    def digit_norm(self) -> int:
        """Σ_ℓ |digit ℓ|²: 1 for a one-hot digit, and cos² + sin² = 1 for each frequency of a code."""
        return sum(1 if short else self.rotary.used for short in self.one_hot)

    @property
    def ballast(self) -> int:
        """The constant in `one`, a power of two so large that an error of a code hardly moves the norm of its row."""
        codes = 1 + 2 * self.rotary.used + self.digit_norm
        return 1 << bit_count(math.isqrt(BALLAST_RATIO * codes) + 1)

    @property
    def norm_before(self) -> int:
        """|x|² in front of attention, on every row: one, last, pointer and digits of w."""
        return self.ballast**2 + 1 + self.rotary.used + self.digit_norm

    @property
    def norm_between(self) -> int:
        """|x|² of w between attention and MLP, and after the last layer: `found` is there too."""
        return self.norm_before + self.rotary.used
