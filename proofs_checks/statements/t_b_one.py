"""T.B.one: one full layer and one table: β bits must tell all m^m tables apart.

With L = 1 and one full layer, w hears β bits about the table, and Λ_1 more through R heads next to F. Both are
functions of the table alone, and it must know every entry, since z_0 can ask for any: 2^{β+Λ_1} ≥ m^m. z_0's own token
knows z_1(z_0), but w hears of it only what it held before the layer.
"""

from __future__ import annotations

from random import Random

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from separation.bounds import Parameters, theorem_b

HEARD = "2 ^ (beta + Lam 1) < m ^ m ->"


def case(text: CoqText, rng: Random) -> Case:
    """At the edge, with the bits split into β and Λ_1."""
    m = rng.randint(2, 40)
    bits = max(1, (m**m - 1).bit_length() + rng.randint(-2, 1))
    beta = rng.randint(1, bits)
    found = theorem_b(Parameters(m, (), ()), beta, (0, bits - beta))
    coq = text.compared("T_B_one", beta=beta, Lam=(0, bits - beta).__getitem__, m=m)
    return f"m, β, Λ_1 = {m}, {beta}, {bits - beta}", coq, [Said(2**bits, m**m, found.certified)]


STATEMENT = Statement(
    id="T.B.one",
    title="theorem B for one table",
    latex=r"L=1:\quad 2^{\beta+\Lambda_1}<m^m\ \Rightarrow\ \text{no}\ F\ \text{or}\ [FR]\ \text{solves it}",
    english="One full layer solves L = 1 only if its message, together with the states of the R heads next to it, has "
    "m·log2 m bits.",
    subject=IN_COQ,
    check=Comparison("T_B_one", case, "m up to 40, at the edge"),
    twins={
        "the states beside F are free": altered(HEARD, HEARD.replace("(beta + Lam 1)", "beta")),
        "one entry is known": altered(HEARD, HEARD.replace("m ^ m", "m ^ m.-1")),
    },
    speaks_of=("D1",),
    rests_on=("L3", "M1"),
    hypotheses=(
        Hypothesis("2^{β+Λ_1} < m^m", lambda held: 2 ** (held[1] + held[2]) < held[0] ** held[0], outside=(2, 1, 1)),
    ),
    witness=(3, 4, 0),
)
"""The witness: m, β, Λ_1."""
