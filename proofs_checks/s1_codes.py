"""S1: two ±1 codes of b bits that differ in h places have the scalar product b − 2h."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require

BITS = 5


def contribution(differs: bool) -> int:
    """What one place adds to the scalar product."""
    return 1 - 2 * differs


class Scored(NamedTuple):
    """A query's code, a key's code, and the temperature τ."""

    query: tuple[int, ...]
    key: tuple[int, ...]
    temperature: int


def check(rule: Callable[[bool], int]) -> Checked:
    """One place has four cases, and a scalar product is the sum of its places: with the four, all b follow."""
    for x, y in product((1, -1), repeat=2):
        require(x * y == rule(x != y), f"the product of {x} and {y} is {x * y}, the rule says {rule(x != y)}")
    codes = list(product((1, -1), repeat=BITS))
    for first, second in product(codes, repeat=2):
        distance = sum(x != y for x, y in zip(first, second, strict=True))
        score = sum(x * y for x, y in zip(first, second, strict=True))
        require(score == BITS - 2 * distance, f"codes at distance {distance} score {score}")
    return Checked(
        Status.ALL_SIZES, "four cases a place, linear in the places; all pairs of 5-bit codes beside", "every b"
    )


WITNESS = Scored((1, -1, 1), (-1, 1, 1), 2)

STATEMENT = Statement(
    id="S1",
    title="scores of ±1 codes",
    latex=r"\langle c,c'\rangle=b-2\,d_H(c,c')",
    english="A query that equals a key scores τ·b, any other at most τ·(b−2).",
    subject=contribution,
    check=check,
    twins={"1 − h": lambda differs: 1 - differs, "sign turned": lambda differs: 2 * differs - 1},
    hypotheses=(
        Hypothesis("both codes have b places", lambda s: len(s.query) == len(s.key), WITNESS._replace(key=(-1, 1))),
        Hypothesis("every place is 1 or −1", lambda s: {*s.query, *s.key} <= {1, -1}, WITNESS._replace(key=(-1, 0, 1))),
        Hypothesis("τ ≥ 0", lambda s: s.temperature >= 0, WITNESS._replace(temperature=-1)),
    ),
    witness=WITNESS,
)
