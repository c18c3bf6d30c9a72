"""T.B: L full layers, no R layer before the second, do not solve L-FuncComp, where the inequalities hold.

As T.A with one more full layer, when no R comes before the second. Level 1 is about the query alone, in the first
layer: D_1 = β·W (plus Λ_1 for R heads inside that layer). z_0's token may know z_1(z_0) after layer 1, so in layer 2
it counts once for each (z_0, z_1). An R layer before the second F would pass that on to w: the count breaks there, and
C2 shows that it must. With one table, w hears β bits about it, and Λ_1 more through R heads next to F, and must know
every entry, since z_0 can ask for any: 2^{β+Λ_1} ≥ m^m.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, drawn_schedule, levels
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import TheoremCase, inequality
from separation.bounds import Parameters, Rule, evaluate, theorem_b

HEARD = "2 ^ (beta + Lam 1) < m ^ m ->"
SUPPOSED = TheoremCase("[FR]FR", Rule.B, Parameters(60_000, (100,), (1000, 10)), 8, (0, 1, 1))


def case(text: CoqText, rng: Random) -> Case:
    return with_one_table(text, rng) if rng.random() < 0.25 else with_more_tables(text, rng)


def with_one_table(text: CoqText, rng: Random) -> Case:
    """At the edge, with the bits split into β and Λ_1."""
    m = rng.randint(2, 40)
    bits = max(1, (m**m - 1).bit_length() + rng.randint(-2, 1))
    beta = rng.randint(1, bits)
    found = theorem_b(Parameters(m, (), ()), beta, (0, bits - beta))
    coq = text.compared("T_B_one", beta=beta, Lam=(0, bits - beta).__getitem__, m=m)
    return f"m, β, Λ_1 = {m}, {beta}, {bits - beta}", coq, [Said(2**bits, m**m, found.certified)]


def with_more_tables(text: CoqText, rng: Random) -> Case:
    """x_0 ≤ m, then Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ) for each level, and (F)."""
    m, n, x, beta, bits = drawn_schedule(rng, Rule.B)
    found = evaluate(Rule.B, Parameters(m, n, x), beta, bits)
    theta = found.recursion.theta
    later = {"x1": x[1], "th1": theta[1], "cs": list(zip(x[2:], theta[2:], strict=True))}
    coq = text.compared("T_B", beta=beta, Lam=bits.__getitem__, m=m, ns=list(n), x0=x[0], **later)
    return f"m, n, x = {m}, {n}, {x}", coq, [Said(x[0], m, x[0] <= m), *levels(found)]


STATEMENT = Statement(
    id="T.B",
    title="L full layers without an early R do not solve L-FuncComp",
    latex=r"D_1=\beta W+\Lambda_1,\quad D_2=x_1D_1+1+\Lambda_2+\beta[2x_1N_0+Wx_0+x_0+x_0x_1],\quad D_{\ell+1}=\dots",
    english="If x_0 ≤ m, all (E_ℓ) and (F) hold, no hybrid with L full layers, no R layer before the second of them, "
    "messages of β bits and state bits Λ_1, …, Λ_L solves FuncComp at these sizes; for L = 1 they need m·log2 m "
    "bits together.",
    subject=IN_COQ,
    check=Comparison("T_B and T_B_one", case, "L up to 4"),
    twins={
        "z_0's token stays blind": altered("W * x0 + x0 + x0 * x1", "W * x0 + x0"),
        "one layer less for table 1": altered("beta * (2 * x1 * m", "beta * (x1 * m"),
        "the states beside the first layer are free": altered("let D1 := beta * W + Lam 1", "let D1 := beta * W"),
        "the states of one block less": altered("x1 * D1 + 1 + Lam 2 +", "x1 * D1 + 1 + Lam 1 +"),
        "the first draw is free of what was told": altered("2 ^ (1 + x1 * D1) * ('C(m", "2 ^ 1 * ('C(m"),
        "one table: the states beside F are free": altered(HEARD, HEARD.replace("(beta + Lam 1)", "beta")),
        "one table: one entry is known": altered(HEARD, HEARD.replace("m ^ m", "m ^ m.-1")),
    },
    rests_on=("M2", "T.A"),
    hypotheses=(
        Hypothesis(
            "the word has L full layers",
            lambda case: case.letters.full == case.point.L,
            outside=replace(SUPPOSED, word="FR"),
        ),
        Hypothesis(
            "no R layer stands before the second full one",
            lambda case: not case.letters.early,
            outside=replace(SUPPOSED, word="FRF"),
        ),
        inequality("x_0 ≤ m", "x_0", outside=replace(SUPPOSED, point=Parameters(900, (100,), (1000, 10)))),
        inequality("𝖾·t_ℓ < 2N_{ℓ-1}", "C_", outside=replace(SUPPOSED, point=Parameters(10000, (100,), (1000, 10)))),
        inequality("(E_ℓ)", "E_", outside=replace(SUPPOSED, beta=16)),
        inequality("(F)", "F", outside=replace(SUPPOSED, beta=9)),
    ),
    witness=SUPPOSED,
)
