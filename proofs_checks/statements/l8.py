"""L8: the cube lemma. Some values of a random entry survive what is told of a table, on average v − (v−1)·b/g.

Draw z^0 ∈ U^g, z^1(e) ≠ z^0(e) for each e, Y ∈ {0,1}^g, Z(e) = z^{Y_e}(e) and e uniformly. R is the set of values at e
of the tables that equal Z before e, have any value at e and one of z^0, z^1 behind it, and that α: U^g → {0,1}^b does
not tell from Z. *Proof.* i' = z^{1−Y_e}(e) is uniform on U∖{Z(e)} and independent of Z, e and the z^{0,1} elsewhere,
of which R is a function. If i' ∉ R then Y_e is determined by z^0, z^1, Y_{<e} and α(Z); so H(Y_e|…) ≤ Pr[i' ∈ R | e],
and summed over e H(Y | z^0, z^1, α(Z)) ≥ g − b: Pr[i' ∈ R] ≥ 1 − b/g.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require

SIZES = ((2, 2, 1), (3, 2, 1), (2, 3, 1), (2, 3, 2), (4, 2, 2))
"""v, g and b of which α are drawn; at v = g = 2, b = 1 all of them are tried."""
DRAWN, SEED = 25, 8


@dataclass(frozen=True)
class Survivors:
    """E|R| ≥ v − (v−1)·(b−less)/g."""

    less: Fraction = Fraction(0)

    def least(self, v: int, g: int, b: int) -> Fraction:
        return v - (v - 1) * (b - self.less) / g


def expected_survivors(alpha: dict[tuple[int, ...], int], v: int, g: int) -> Fraction:
    """E|R| over all z^0, z^1, Y and e, where R are the values at e of tables that α does not tell from Z."""
    total = count = 0
    for zero in product(range(v), repeat=g):
        others = [[value for value in range(v) if value != own] for own in zero]
        for one in product(*others):
            for choice in product((0, 1), repeat=g):
                Z = tuple((zero, one)[bit][place] for place, bit in enumerate(choice))
                for e in range(g):
                    total += len(survivors(alpha, Z, e, v, [(zero[k], one[k]) for k in range(g)]))
                    count += 1
    return Fraction(total, count)


def survivors(alpha: dict[tuple[int, ...], int], Z: tuple[int, ...], e: int, v: int, pairs: list[Any]) -> set[int]:
    """R: tables equal to Z before e, any value at e, one of two behind it, with the same α as Z."""
    behind = product(*pairs[e + 1 :])
    kept = ((*Z[:e], value, *rest) for rest in behind for value in range(v))
    return {table[e] for table in kept if alpha[table] == alpha[Z]}


def check(claim: Survivors) -> Checked:
    """E|R| in integers, over all z^0, z^1, Y and e."""
    rng = Random(SEED)
    for v, g, b in SIZES:
        tables = list(product(range(v), repeat=g))
        drawn = ([rng.randrange(1 << b) for _ in tables] for _ in range(DRAWN))
        maps = product(range(2), repeat=4) if (v, g, b) == SIZES[0] else drawn
        for values in maps:
            found = expected_survivors(dict(zip(tables, values, strict=True)), v, g)
            require(found >= claim.least(v, g, b), f"v, g, b = {v}, {g}, {b}, α = {values}: E|R| = {found}")
    return Checked(
        Status.TESTED, "expectations in integers; the entropies by hand", f"all α of 2 entries; {DRAWN} seeded α a size"
    )


class Case(NamedTuple):
    values: int = 2
    bits: int = 1


STATEMENT = Statement(
    id="L8",
    title="the cube lemma: values that survive what is told of a table",
    latex=r"\mathbb E|R|\ge v-(v-1)\,b/g",
    english="Of the v values of a random one of g entries, v − (v−1)·b/g are, on average, left open by any b bits told "
    "of the table, by tables that differ in one of two values behind that entry.",
    subject=Survivors(),
    check=check,
    twins={
        "half a bit less is told": Survivors(less=Fraction(1, 2)),
        "one bit less is told": Survivors(less=Fraction(1)),
    },
    hypotheses=(
        Hypothesis("two values at least", lambda case: case.values >= 2, Case(values=1)),
        Hypothesis("b bits are told", lambda case: case.bits >= 0, Case(bits=-1)),
    ),
    witness=Case(),
)
