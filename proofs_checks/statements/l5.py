"""L5: with Λ_0 = 0 nothing has to be drawn: x_1 shifted tables reach min(x_0·x_1, m) values.

With Λ_0 = 0 nothing is fixed before level 1, so 𝒬 is everything, and the x_1 tables may be chosen: f_a(z) = (a·x_0 +
z) mod m on Z_0 = [x_0] for a ∈ [x_1]. They reach min(x_0·x_1, m) values if x_0 ≤ m. No draw is needed, so neither
(E_1) nor 𝖾·t_1 < 2m, and D_2 has no 1.
"""

from __future__ import annotations

from random import Random

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, drawn_schedule, levels
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement, require
from separation.bounds import Parameters, Rule, evaluate


def case(text: CoqText, rng: Random) -> Case:
    """0 < x_0 ≤ m, 0 < x_1, Λ_0 = 0; Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ) from level 2 on; (F). And the tables f_a themselves."""
    m, n, x, beta, bits = drawn_schedule(rng, Rule.A_FREE)
    found = evaluate(Rule.A_FREE, Parameters(m, n, x), beta, bits)
    reached = {(a * x[0] + z) % m for a in range(x[1]) for z in range(x[0])}
    require(len(reached) == found.recursion.theta[1], f"m, x = {m}, {x}: the tables reach {len(reached)} values")
    copies = list(zip(x[2:], found.recursion.theta[2:], strict=True))
    coq = text.compared("T_A_free", beta=beta, Lam=bits.__getitem__, m=m, ns=list(n), x0=x[0], x1=x[1], cs=copies)
    first = [Said(0, x[0], True), Said(x[0], m, x[0] <= m), Said(0, x[1], True), Said(bits[0], 0, True)]
    return f"m, n, x = {m}, {n}, {x}", coq, [*first, *levels(found, first=2)]


STATEMENT = Statement(
    id="L5",
    title="with Λ_0 = 0 the start is free",
    latex=r"x_0\le m\ \Rightarrow\ |\{(a x_0+z)\bmod m: a\in[x_1],z\in[x_0]\}|=\min(x_0x_1,m)",
    english="With Λ_0 = 0 the x_1 tables are chosen, not drawn: they reach min(x_0·x_1, m) values without (E_1).",
    subject=IN_COQ,
    check=Comparison("T_A_free", case, "L up to 4"),
    twins={
        "all pairs are different values": altered("(n1 * minn (x0 * x1) m)", "(n1 * (x0 * x1))"),
        "a bit for a choice": altered("levels beta Lam 2 (Lam 1 + beta", "levels beta Lam 2 (1 + Lam 1 + beta"),
        "the query's messages counted once": altered("x1 * m + (queries ns).+1 * x0", "x1 * m + queries ns * x0"),
    },
    hypotheses=(Hypothesis("x_0 ≤ m", lambda held: held[0] <= held[2], outside=(5, 1, 3)),),
    witness=(2, 3, 5),
)
"""The witness: x_0, x_1, m."""
