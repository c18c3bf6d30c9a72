"""S4: the clip returns a ±1 bit exactly when its input is within 1/2 of it.

relu(2x+1) − relu(2x−1) − 1 = s for s = ±1 and |x − s| ≤ 1/2: an output bit that is off by at most 1/2 snaps back
exactly, and no error is carried to the next layer.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import z3

from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require

Units = tuple[tuple[int, int, int], ...]
"""ReLU units (a, c, out): out·relu(a·x + c); the clip is their sum minus 1."""

CLIP: Units = ((2, 1, 1), (2, -1, -1))
TOLERANCE = Fraction(1, 2)


class Clipped(NamedTuple):
    """What is clipped, and the bit that it should be."""

    x: Fraction
    bit: int


def clip(units: Units, x: Fraction) -> Fraction:
    return sum((out * max(Fraction(0), a * x + c) for a, c, out in units), Fraction(0)) - 1


def clipped(units: Units, x: z3.ArithRef) -> z3.ArithRef:
    """The clip of a letter."""
    inner = [(out, a * x + c) for a, c, out in units]
    return z3.Sum([out * z3.If(sum_ > 0, sum_, 0) for out, sum_ in inner]) - 1


def _every_input(subject: tuple[Units, Fraction]) -> None:
    units, tolerance = subject
    x, bit, most = z3.Real("x"), z3.Real("s"), z3.RealVal(str(tolerance))
    near = [z3.Or(bit == 1, bit == -1), x - bit <= most, bit - x <= most]
    require_no_numbers([*near, clipped(units, x) != bit], "the clip does not return the bit")


def _break_points(subject: tuple[Units, Fraction]) -> None:
    """A piecewise linear function is known from its break points and the ends."""
    units, tolerance = subject
    breaks = sorted({Fraction(-c, a) for a, c, _ in units})
    for bit in (1, -1):
        ends = (bit - tolerance, bit + tolerance)
        points = [*ends, *(x for x in breaks if ends[0] < x < ends[1])]
        for x in points:
            require(clip(units, x) == bit, f"clip({x}) is {clip(units, x)}, expected {bit}")


STATEMENT = Statement(
    id="S4",
    title="the clip snaps a bit back",
    latex=r"|x-s|\le\tfrac12,\ s=\pm1\ \Rightarrow\ {\rm relu}(2x+1)-{\rm relu}(2x-1)-1=s",
    english="An output bit that is off by at most 1/2 snaps back exactly: no error is carried to the next layer.",
    subject=(CLIP, TOLERANCE),
    check=Steps(
        "every x within 1/2 of a bit",
        (Step("every real x", _every_input), Step("exact values at all break points", _break_points)),
    ),
    twins={
        "tolerance 3/4": (CLIP, Fraction(3, 4)),
        "shifted": (((2, 2, 1), (2, 0, -1)), TOLERANCE),
        "slope 1": (((1, 1, 1), (1, -1, -1)), TOLERANCE),
    },
    hypotheses=(
        Hypothesis("|x − s| ≤ 1/2", lambda c: abs(c.x - c.bit) <= TOLERANCE, Clipped(Fraction(7, 16), 1)),
        Hypothesis("s is 1 or −1", lambda c: c.bit in (1, -1), Clipped(Fraction(5, 2), 2)),
    ),
    witness=Clipped(Fraction(1, 2), 1),
)
