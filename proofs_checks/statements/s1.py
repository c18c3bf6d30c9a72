"""S1: two ±1 codes of b bits that differ in h positions have the scalar product b − 2h.

An index is a vector of b bits ±1. Two codes that differ in h bits have the scalar product b − 2h; with temperature τ a
query that equals a key scores τ·b, any other at most τ·(b−2).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import z3

from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require

BITS = 5
Rule = Callable[[Any], Any]
"""Whether a position differs (1 or 0) ↦ what it adds."""


def contribution(differs: Any) -> Any:
    """What one position adds to the scalar product."""
    return 1 - 2 * differs


class Scored(NamedTuple):
    """A query's code, a key's code, and the temperature τ."""

    query: tuple[int, ...]
    key: tuple[int, ...]
    temperature: int


def _one_position(rule: Rule) -> None:
    x, y = z3.Ints("x y")
    signs = [z3.Or(each == 1, each == -1) for each in (x, y)]
    require_no_numbers(
        [*signs, x * y != rule(z3.If(x != y, 1, 0))], "the product at one position is not what the rule says"
    )


def _all_pairs(rule: Rule) -> None:
    for first, second in product(product((1, -1), repeat=BITS), repeat=2):
        differs = [x != y for x, y in zip(first, second, strict=True)]
        score = sum(x * y for x, y in zip(first, second, strict=True))
        said = sum(map(rule, differs))
        require(score == said == BITS - 2 * sum(differs), f"{first} and {second} score {score}, the rule says {said}")


WITNESS = Scored((1, -1, 1), (-1, 1, 1), 2)


STATEMENT = Statement(
    id="S1",
    title="scores of ±1 codes",
    latex=r"\langle c,c'\rangle=b-2\,d_H(c,c')",
    english="A query that equals a key scores τ·b, any other at most τ·(b−2).",
    subject=contribution,
    check=Steps(
        "every b",
        (Step("one position", _one_position), Step(f"all pairs of {BITS}-bit codes", _all_pairs)),
        {
            "the positions add up": "A scalar product is a sum over positions: b − h that agree and h that differ "
            "give (b − h) − h = b − 2h.",
        },
    ),
    twins={"1 − h": lambda differs: 1 - differs, "sign turned": lambda differs: 2 * differs - 1},
    hypotheses=(
        Hypothesis("both codes have b positions", lambda s: len(s.query) == len(s.key), WITNESS._replace(key=(-1, 1))),
        Hypothesis(
            "every position is 1 or −1", lambda s: {*s.query, *s.key} <= {1, -1}, WITNESS._replace(key=(-1, 0, 1))
        ),
        Hypothesis("τ ≥ 0", lambda s: s.temperature >= 0, WITNESS._replace(temperature=-1)),
    ),
    witness=WITNESS,
)
