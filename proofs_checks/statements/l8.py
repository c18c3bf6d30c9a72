"""L8: the cube lemma. Some values of a random entry survive what is told of a table, on average v − (v−1)·b/g.

Draw z^0 ∈ U^g, z^1(e) ≠ z^0(e) for each e, Y ∈ {0,1}^g, Z(e) = z^{Y_e}(e) and e uniformly. R is the set of values at e
of the tables that equal Z before e, have any value at e and one of z^0, z^1 behind it, and that α: U^g → {0,1}^b does
not tell from Z. *Proof.* i' = z^{1−Y_e}(e) is uniform on U∖{Z(e)} and independent of Z, e and the z^{0,1} elsewhere,
of which R is a function. If i' ∉ R then Y_e is determined by z^0, z^1, Y_{<e} and α(Z); so H(Y_e|…) ≤ Pr[i' ∈ R | e],
and summed over e H(Y | z^0, z^1, α(Z)) ≥ g − b: Pr[i' ∈ R] ≥ 1 − b/g.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.theorems.theorem_b2c import theorem_b2c

CASES, SEED = 200, 8
LEFT = "g * v - v.-1 * b."


def check(text: CoqText) -> Checked:
    """The values that the lemma `cube` of Coq leaves open are those with which the calculator counts in B2c."""
    rng = Random(SEED)
    for _ in range(CASES):
        m, b = rng.randint(2, 30), rng.randint(1, 20)
        g, v = rng.randint(1, m), rng.randint(2, m)
        found = {each.name: each for each in theorem_b2c(m, (1,), (g, v), b, (0, 0, 0)).inequalities}["survive"]
        said, coq = max(0, found.right + 1 - found.left), text.function("cube_values")(g)(v)(b)
        require(said == coq, f"v, g, b = {v}, {g}, {b}: {coq} values in Coq, {said} by the calculator")
    method = "cube in Coq; its number, read from the Coq files, against the calculator's"
    return Checked(Status.TESTED, method, f"{CASES} seeded cases")


class Case(NamedTuple):
    values: int = 2
    bits: int = 1


STATEMENT = Statement(
    id="L8",
    title="the cube lemma: values that survive what is told of a table",
    latex=r"\mathbb E|R|\ge v-(v-1)\,b/g",
    english="Of the v values of a random one of g entries, v − (v−1)·b/g are, on average, left open by any b bits told "
    "of the table, by tables that differ in one of two values behind that entry.",
    subject=IN_COQ,
    check=check,
    twins={
        "one bit less is told": altered(LEFT, "g * v - v.-1 * b.-1."),
        "a bit rules out one value": altered(LEFT, "g * v - b."),
        "one value more": altered(LEFT, "g * v.+1 - v.-1 * b."),
    },
    hypotheses=(
        Hypothesis("two values at least", lambda case: case.values >= 2, Case(values=1)),
        Hypothesis("b bits are told", lambda case: case.bits >= 0, Case(bits=-1)),
    ),
    witness=Case(),
)
