"""L4: some choice of tables keeps the density and reaches enough values: averaging and cover together, by (E_ℓ).

Of the x_ℓ tables that are drawn, (E_ℓ) makes the chance of a bad cover (at most Θ_ℓ values, L2) at most half of the
mean density (L1). Densities are at most 1, so some choice with a good cover keeps half of the mean density: that is
the 1 in D_{ℓ+1}. The t_ℓ values drawn are independent, since they are values of independent tables at different
addresses. This holds for every Θ_ℓ ≤ t_ℓ (the chosen cover of [bounds.md](bounds.md)); Θ_ℓ = t_ℓ/2 gives the theorem's
own (E_ℓ). Where there is one draw only, t_ℓ = 2 and Θ_ℓ = 1: one value is reached in any case. Coq has the binomial
itself, and that the calculator's form with 𝖾 implies it (`E_of_the_docs`).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from random import Random

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from separation.arithmetic import floor_scaled_exp
from separation.bounds import Condition, verdict

DIGITS = 60
ABOVE_E = floor_scaled_exp(DIGITS, Fraction(1)) + 1, 1 << DIGITS
"""A fraction just above 𝖾."""
DEMAND = "2 ^ (1 + x * D) * ('C(N, th.-1) * th.-1 ^ (x * k)) <= N ^ (x * k) ->"


def case(text: CoqText, rng: Random) -> Case:
    """(E_ℓ) of the calculator is the one of `E_of_the_docs`; where it holds, so does that of the lemma."""
    (num, den), N, x, k = ABOVE_E, rng.randint(2, 300), rng.randint(1, 4), rng.randint(1, 12)
    t = x * k
    theta = rng.randint(1, min(t, N))
    D, s = rng.randint(0, max(1, t * N.bit_length() // (2 * x))), t - theta
    b = 1 + x * D
    holds = verdict(Condition("E", "", b, t, N, theta, loose_binomials=((N, theta),), strict=False)).holds
    coq = text.compared("E_of_the_docs", num=num, den=den, b=b, N=N, th=theta, s=s, t=t)[-1:]
    coq += text.compared("averaging_and_cover", D=D, k=k, N=N, x=x, th=theta)
    with_e = Said(2**b * num**theta * theta**s, den**theta * N**s, holds)
    rare = Said(2**b * comb(N, theta - 1) * (theta - 1) ** t, N**t, True if holds else None)
    return f"N, x, k, Θ, D = {N}, {x}, {k}, {theta}, {D}", coq, [with_e, Said(theta, N, True), rare]


STATEMENT = Statement(
    id="L4",
    title="some choice of tables keeps density and cover",
    latex=r"\mathbb E[g]\ge2^{-xD},\ P[\text{bad}]\le\tfrac12 2^{-xD}\ \Rightarrow\ "
    r"\exists\ \text{good choice}:\ g\ge2^{-xD-1}",
    english="Because of (E_ℓ) some x tables keep half of the promised density and reach more than Θ values: "
    "D grows by the 1 in its formula.",
    subject=IN_COQ,
    check=Comparison("averaging_and_cover", case, "N up to 300"),
    twins={
        "nothing is lost": altered(DEMAND, DEMAND.replace("1 + x * D", "x * D")),
        "one set instead of all": altered(DEMAND, DEMAND.replace("'C(N, th.-1) * ", "")),
        "one draw more": altered(DEMAND, DEMAND.replace("(x * k) ->", "(x * k).+1 ->")),
        "the form in 𝖾 without its factor": altered("num ^ th * th ^ s", "den ^ th * th ^ s"),
    },
    rests_on=("L1", "L2"),
    hypotheses=(
        Hypothesis("(E_ℓ): P[bad] is at most half of E[g]", lambda held: 2 * held[1] <= held[0], outside=(0.25, 0.25)),
        Hypothesis("E[g] is a density, at most 1", lambda held: held[0] <= 1, outside=(2, 0)),
    ),
    witness=(Fraction(1, 4), Fraction(1, 8)),
)
"""The witness: E[g] and P[bad]."""
