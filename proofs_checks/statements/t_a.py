"""T.A: L−1 full layers and any R layers do not solve L-FuncComp, where the inequalities hold.

At level ℓ the players below ℓ hear the same from the players ℓ, …, L on all of 𝒬, in full layers 1..ℓ−1 and in the R
blocks 0..ℓ−1. To reach level ℓ+1 three things must become constant: the linear messages into player ℓ (a new boundary,
Λ_ℓ bits); what player ℓ hears in layers 1..ℓ, for each of its x_ℓ tables; and what the players i < ℓ hear in layer ℓ,
for each (z_i, …, z_{ℓ-1}). What they hear in earlier layers is constant already: the sum over the players from ℓ on
was, and player ℓ's own part now is. That is the bracket of D_{ℓ+1} in [bounds.md](bounds.md). The averaging and the
cover are L1 and L2, the fixing L3. With Λ_0 = 0 the start is free (L5): neither (E_1) nor 𝖾·t_1 < 2m is asked.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, drawn_schedule, levels
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement, require
from proofs_checks.kit.theorems import TheoremCase, inequality
from separation.bounds import Parameters, Rule, evaluate

SUPPOSED = TheoremCase("RFR", Rule.A, Parameters(108, (81,), (2, 9)), 8, (1, 1))


def case(text: CoqText, rng: Random) -> Case:
    return with_a_free_start(text, rng) if rng.random() < 0.5 else with_any_start(text, rng)


def with_any_start(text: CoqText, rng: Random) -> Case:
    """x_0 ≤ m, then Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ) for each level, and (F)."""
    m, n, x, beta, bits = drawn_schedule(rng, Rule.A)
    found = evaluate(Rule.A, Parameters(m, n, x), beta, bits)
    copies = list(zip(x[1:], found.recursion.theta[1:], strict=True))
    coq = text.compared("T_A", beta=beta, Lam=bits.__getitem__, m=m, ns=list(n), x0=x[0], cs=copies)
    return f"m, n, x = {m}, {n}, {x}", coq, [Said(x[0], m, x[0] <= m), *levels(found)]


def with_a_free_start(text: CoqText, rng: Random) -> Case:
    """0 < x_0 ≤ m, 0 < x_1, Λ_0 = 0; Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ) from level 2 on; (F). And the tables f_a themselves."""
    m, n, x, beta, bits = drawn_schedule(rng, Rule.A_FREE)
    found = evaluate(Rule.A_FREE, Parameters(m, n, x), beta, bits)
    reached = {(a * x[0] + z) % m for a in range(x[1]) for z in range(x[0])}
    require(len(reached) == found.recursion.theta[1], f"m, x = {m}, {x}: the tables reach {len(reached)} values")
    copies = list(zip(x[2:], found.recursion.theta[2:], strict=True))
    coq = text.compared("T_A_free", beta=beta, Lam=bits.__getitem__, m=m, ns=list(n), x0=x[0], x1=x[1], cs=copies)
    first = [Said(0, x[0], True), Said(x[0], m, x[0] <= m), Said(0, x[1], True), Said(bits[0], 0, True)]
    return f"m, n, x = {m}, {n}, {x}, Λ_0 = 0", coq, [*first, *levels(found, first=2)]


STATEMENT = Statement(
    id="T.A",
    title="L−1 full layers and any R layers do not solve L-FuncComp",
    latex=r"D_{\ell+1}=x_\ell D_\ell+1+\Lambda_\ell+\beta\bigl[\ell x_\ell N_{\ell-1}+(W+1)x_0\cdots x_{\ell-1}"
    r"+\textstyle\sum_{i<\ell}x_i\cdots x_{\ell-1}N_{i-1}\bigr]",
    english="If x_0 ≤ m, all (E_ℓ) and (F) hold, no hybrid with L−1 full layers, messages of β bits and state bits "
    "Λ_0, …, Λ_{L-1} solves FuncComp at these sizes.",
    subject=IN_COQ,
    check=Comparison("T_A and T_A_free", case, "L up to 4"),
    twins={
        "one layer less for the table itself": altered("beta * (e * x * N + T)", "beta * (e.-1 * x * N + T)"),
        "the query's messages counted once": altered("((queries ns).+1 * x0) x0 m", "(queries ns * x0) x0 m"),
        "Λ of the block before": altered("x * D + 1 + Lam e + beta", "x * D + 1 + Lam e.-1 + beta"),
        "the bit of the choice is free": altered("2 ^ (1 + x * D) * ('C(N", "2 ^ (x * D) * ('C(N"),
        "tables below are not charged": altered("(x * (N + T)) (n * th)", "(x * T) (n * th)"),
        "all pairs of a free start are different values": altered("(n1 * minn (x0 * x1) m)", "(n1 * (x0 * x1))"),
        "a bit for the choice of a free start": altered("levels beta Lam 2 (Lam 1 +", "levels beta Lam 2 (1 + Lam 1 +"),
        "one entry more is asked for": altered("| [::], _ => 2 ^ D < N ^ k", "| [::], _ => 2 ^ D < N ^ k.+1"),
    },
    rests_on=("L", "M1", "M2"),
    hypotheses=(
        Hypothesis(
            "the word has L−1 full layers",
            lambda case: case.letters.full == case.point.L - 1,
            outside=replace(SUPPOSED, word="RFRF"),
        ),
        inequality("x_0 ≤ m", "x_0", outside=replace(SUPPOSED, point=Parameters(2, (81,), (3, 9)))),
        inequality("𝖾·t_ℓ < 2N_{ℓ-1}", "C_", outside=replace(SUPPOSED, point=Parameters(24, (81,), (2, 9)))),
        inequality("(E_ℓ)", "E_", outside=replace(SUPPOSED, state_bits=(3, 3))),
        inequality("(F)", "F", outside=replace(SUPPOSED, beta=9)),
    ),
    witness=SUPPOSED,
)
