"""What a look-up returns: the match's value up to the leaked share (S3), and, clipped, the bit itself (S4)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_numbers, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require

Bound = Callable[[Any, Any, Any], Any]
"""(λ, D, η) ↦ how far a look-up can be off."""


class LookUp(NamedTuple):
    """Weights and values of the match and of other keys, λ, D and η, and what came out."""

    match_weight: int
    match_value: int
    other_weights: tuple[int, ...]
    other_values: tuple[int, ...]
    leak: Fraction
    length: int
    step: Fraction
    out: Fraction


def error_bound(leak: Any, length: Any, step: Any) -> Any:
    """D·λ/(1+λ) + η."""
    return length * leak / (1 + leak) + step


def _any_leak(bound: Bound) -> None:
    """(1+λ')·e = λ'·(V − v*) is the error before rounding, λ' ≤ λ and |V − v*| ≤ D; rounding down takes less than η."""
    part, apart, error, lost, leak, length, step = z3.Reals("part apart error lost leak length step")
    held = [leak >= 0, length >= 0, step > 0, part >= 0, part <= leak, -length <= apart, apart <= length]
    held += [(1 + part) * error == part * apart, lost >= 0, lost < step]
    said, off = bound(leak, length, step), error - lost
    require_no_numbers([*held, z3.Or(off > said, -off > said)], "a look-up is off by more")


def _met(bound: Bound) -> None:
    """At λ' = λ and |V − v*| = D, the rounding aside: a larger bound would be true but loose."""
    leak, length, step = sp.symbols("lambda D eta", positive=True)
    value = sp.Symbol("v", real=True)
    out = (value + leak * (value + length)) / (1 + leak)
    require_zero(bound(leak, length, step) - step - (out - value), "the bound is off")


def others_leak_little(seen: LookUp) -> bool:
    return sum(seen.other_weights) <= seen.leak * seen.match_weight


def values_are_near(seen: LookUp) -> bool:
    values = (seen.match_value, *seen.other_values)
    return max(values) - min(values) <= seen.length


def is_rounded_down(seen: LookUp) -> bool:
    total = seen.match_weight + sum(seen.other_weights)
    pairs = zip(seen.other_weights, seen.other_values, strict=True)
    numerator = seen.match_weight * seen.match_value + sum(weight * value for weight, value in pairs)
    mean = Fraction(numerator, total) if total else Fraction(0)
    return seen.out == floor(mean / seen.step) * seen.step


WITNESS = LookUp(8, 1, (1,), (-1,), Fraction(1, 8), 2, Fraction(1, 16), Fraction(12, 16))


LOOK_UP = Statement(
    id="S3",
    title="error of a look-up",
    latex=r"|{\rm out}-v^*|\le D\,\lambda/(1+\lambda)+\eta",
    english="If the other keys together weigh at most λ times the match, a coordinate is off by at most D·λ/(1+λ), "
    "plus η for rounding.",
    explanation="""
If other keys weigh at most λ times the match and values lie in an interval of length D, a coordinate of the output is
off by at most D·λ/(1+λ), plus the rounding step η = 2^-f.
""",
    subject=error_bound,
    check=Steps(
        "every λ, D, η",
        (Step("any leak up to λ", _any_leak), Step("the bound is attained", _met)),
        {
            "all other keys are one": "Together they weigh λ' matches, and their weighted mean V is a mean of numbers "
            "in an interval of length D that holds v*, so |V − v*| ≤ D; the mean of all is (v* + λ'·V)/(1 + λ').",
        },
    ),
    twins={
        "rounding forgotten": lambda leak, length, step: length * leak / (1 + leak),  # noqa: ARG005
        "half the length": lambda leak, length, step: length * leak / (1 + leak) / 2 + step,
        "leak of 1 − λ": lambda leak, length, step: length * leak / (1 - leak) + step,
    },
    # Each of the four excluded look-ups is off by more than the bound.
    hypotheses=(
        Hypothesis(
            "the match has some weight",
            lambda seen: seen.match_weight > 0,
            WITNESS._replace(match_weight=0, other_weights=(0,), out=Fraction(0)),
        ),
        Hypothesis(
            "other keys weigh together at most λ matches",
            others_leak_little,
            WITNESS._replace(other_weights=(2,), out=Fraction(9, 16)),
        ),
        Hypothesis(
            "all values lie in an interval of length D",
            values_are_near,
            WITNESS._replace(other_values=(-2,), out=Fraction(10, 16)),
        ),
        Hypothesis(
            "the mean is rounded down to a multiple of η", is_rounded_down, WITNESS._replace(out=Fraction(11, 16))
        ),
    ),
    witness=WITNESS,
    rests_on=("S2",),
)

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


CLIPPED = Statement(
    id="S4",
    title="the clip snaps a bit back",
    latex=r"|x-s|\le\tfrac12,\ s=\pm1\ \Rightarrow\ {\rm relu}(2x+1)-{\rm relu}(2x-1)-1=s",
    english="An output bit that is off by at most 1/2 snaps back exactly: no error is carried to the next layer.",
    explanation="""
relu(2x+1) − relu(2x−1) − 1 = s for s = ±1 and |x − s| ≤ 1/2: an output bit that is off by at most 1/2 snaps back
exactly, and no error is carried to the next layer.
""",
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

STATEMENTS = (LOOK_UP, CLIPPED)
