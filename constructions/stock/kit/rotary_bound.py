"""What bounds on models of rotations share: roundings, leaks, and how far two scores or logits can move apart."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from constructions.stock.kit.rotations import Rotary
from constructions.stock.kit.target import NoBound
from separation.arithmetic import ball

ROOT = arb(2).sqrt()
"""From two coordinates to a complex number."""
HALF, LARGEST_LEAK = ball(Fraction(1, 2)), ball(Fraction(1, 8))
# Whatever the dtype of a model, stock code computes RMSNorm, the angles of RoPE and its own softmax in float32.
INNER = Fraction(1, 2**24)
UNITS = {
    "float64": INNER,
    "float32": INNER,
    # Coordinates of a code may fall below the normal range of float16, by at most 2^-25 where the code is 2^-8 or more.
    "float16": Fraction(1, 2**11) + Fraction(1, 2**16),
    "bfloat16": Fraction(1, 2**8),
}
"""The roundoff of what an operation hands on, by the dtype of a model; INNER is that inside an operation."""


class RotaryBound:
    """The steps that hold for every stock class: nothing depends on the input."""

    def __init__(self, rotary: Rotary, dtype: str) -> None:
        self.unit, self.inner = ball(UNITS[dtype]), ball(INNER)
        self.total, self.gap, self.circles = ball(rotary.total), ball(rotary.gap), rotary.used
        self.tokens = rotary.tokens

    def rounded(self, handed_on: int, inside: int = 0) -> arb:
        """(1 + γ)(1 + γ') − 1 for that many roundings of what is handed on, and inside; γ_k = k·u / (1 − k·u)."""
        outer, inner = handed_on * self.unit, inside * self.inner
        if not outer.max(inner) < HALF:
            raise NoBound(f"sums of {max(handed_on, inside)} terms have no bound at this roundoff")
        return 1 / ((1 - outer) * (1 - inner)) - 1

    def moved(self, shared: arb, own: arb) -> arb:
        """How far Σ_j a_j·(x_j·y_j) and Σ_j a_j·(x_j·z_j) can move against each other.

        An error e of x, which they share, counts a_j·e·|1 − e^{iθ}| in each frequency, in all at most e·√(2·Σa_j·gap),
        as |1 − e^{iθ}|² = 2·(1 − cos θ), for the gap of y and z: what is left of a gap grows with it. What is wrong
        with y or z alone counts in full.
        """
        return shared * (2 * self.total * self.gap).sqrt() + 2 * self.total * own

    def others(self, exponent: arb) -> arb:
        """(n − 1)·e^exponent: all other weights over that of the match."""
        leak = (self.tokens - 1) * exponent.exp()
        if not leak <= LARGEST_LEAK:
            raise NoBound("a softmax is not known to be sharp")
        return leak
