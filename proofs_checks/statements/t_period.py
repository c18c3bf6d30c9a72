"""T.period: with gates from 0 on and finite precision no recurrence without positions computes parity at every length.

On ones alone all tokens are embedded alike. A number of a state in the first layer is moved by one map from a chain of
g values to itself, and the map is non-decreasing: s ↦ round(a·s + b) with a ≥ 0 and any rounding that keeps the order,
in fixed or floating point. So the number rises or falls until it stands still, after at most g − 1 steps; then the
layer's output stands still, and the next layer's states do so g − 1 steps later. After ℓ layers, from token ℓ(g−1) + 1
on, all outputs are the same, and parity is not. Whatever the tokens compute for themselves, gates that depend on them,
MLPs, several numbers, normalisation, is allowed. Full layers and windows without positions change nothing but the
number of steps: the share of the ones that look alike in an average is monotone in their number, and its floor has
finitely many values. With eigenvalues in [0, 1] in place of single numbers (delta rule, β·|k|² in [0, 1]) the same
holds for states kept exactly and outputs rounded: sums of powers of positive numbers are monotone from some length on
(Grazzi et al., 2024, Theorem 1).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.capacity import Asked, forbids

Step = tuple[int, ...]


def monotone(g: int) -> list[Step]:
    return [step for step in product(range(g), repeat=g) if all(a <= b for a, b in pairwise(step))]


def any_map(g: int) -> list[Step]:
    return list(product(range(g), repeat=g))


def agrees_up_to(trace: list[object], most: int) -> int:
    """The largest n ≤ most such that some reading of the trace says the parity of the first 1, 2, …, n tokens."""
    said: dict[object, int] = {}
    for place, seen in enumerate(trace[:most]):
        if said.setdefault(seen, place % 2) != place % 2:
            return place
    return most


def longest(layers: int, g: int, steps: list[Step], most: int) -> int:
    """The longest ones-only prompt on which some model of so many layers is right: a token reads the state before it,
    and in the second layer the map is chosen by what the first one reads."""
    best = 0
    for step, first in product(steps, range(g)):
        states = [first]
        for _ in range(most):
            states.append(step[states[-1]])
        if layers == 1:
            best = max(best, agrees_up_to(list(states), most))
            continue
        for maps, start in product(product(steps, repeat=len(set(states))), range(g)):
            number, second = {seen: index for index, seen in enumerate(dict.fromkeys(states))}, [start]
            for seen in states[:most]:
                second.append(maps[number[seen]][second[-1]])
            best = max(best, agrees_up_to(list(zip(states, second, strict=True)), most))
    return best


def check(claim: tuple[Callable[[int], list[Step]], int]) -> Checked:
    """All models of one layer with up to 5 values, and of two layers with up to 3."""
    maps, more = claim
    cases = [(1, 2), (1, 3), (1, 4), (1, 5), (2, 2), (2, 3)]
    for layers, g in cases:
        wrong_at = layers * (g - 1) + more
        found = longest(layers, g, maps(g), wrong_at + 2)
        require(found < wrong_at, f"{layers} layers, {g} values: right on all of {found} tokens")
        room = {"layers": layers, "values": g}
        verdicts = [forbids(Asked("parity", (n,)), "period", room).holds for n in (wrong_at - 1, wrong_at)]
        require(verdicts == [False, True], f"{layers} layers, {g} values: the calculator says {verdicts}")
    return Checked(Status.EXHAUSTIVE, "all models of a chain of values, on ones alone", "up to 5 values, 2 layers")


STATEMENT = Statement(
    id="T.period",
    title="gates from 0 on do not compute parity beyond a length",
    latex=r"n\ge\ell(g-1)+2",
    english="No model of ℓ recurrent layers in which each number of a state is one of g values and what a token makes "
    "of it is a non-decreasing function of what it was, without positions, says the parity of n bits at every token.",
    subject=(monotone, 2),
    check=check,
    twins={"gates of any sign": (any_map, 2), "one token earlier": (monotone, 1)},
    hypotheses=(
        Hypothesis(
            "ℓ(g−1) + 2 ≤ n",
            lambda n: forbids(Asked("parity", (n,)), "period", {"layers": 2, "values": 4}).holds is True,
            outside=7,
        ),
    ),
    witness=8,
)
"""The witness: n, for two layers and four values."""
