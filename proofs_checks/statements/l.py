"""L: the lemmas of the induction, L1 to L7: averaging, cover, fixing, both, the free start, the end, what is hidden.

𝒬 is a set of inputs of the players ℓ, …, L of density at least 2^{-D}.

L1 (`averaging` in Coq): x tables of player ℓ, drawn independently, are all extended by a share 2^{-xD} of the z_{>ℓ}
on average, and so by some choice that is not bad.

L2 (`cover`): t draws from [N] reach at most Θ values with probability at most C(N,Θ)·(Θ/N)^t.

L3 (`fixing`): what takes at most 2^b values on 𝒬 is constant on a share 2^{-b} of it.

L4 (`averaging_and_cover`): (E_ℓ) makes a bad cover at most half as likely as the mean density is large, so some
choice keeps half of the density: that is the 1 in D_{ℓ+1}. Coq has the binomial itself, and that the calculator's
form with 𝖾 implies it (`E_of_the_docs`).

L5 (`T_A_free`, compared in T.A): with Λ_0 = 0 nothing is fixed before level 1, and the x_1 tables f_a(z) = (a·x_0 +
z) mod m may be chosen; they reach min(x_0·x_1, m) values.

L6 (`end_for_output`): (F) says that 𝒬 has more last tables than agree on the R entries that are reached.

L7 (`layers_step`): where the linear messages into player ℓ−1 and the summed soft messages into the players below ℓ
are the same for all of 𝒬, those players know nothing that tells its members apart. Lazy tokens change nothing
(`acts_causal`).
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
COVERED = "2 ^ (1 + x * D) * ('C(N, th.-1) * th.-1 ^ (x * k)) <= N ^ (x * k) ->"
ENDED = "(I : seq nat) : 2 ^ D < N ^ k"


def case(text: CoqText, rng: Random) -> Case:
    """(E_ℓ) with 𝖾 as the calculator has it, and where it holds the lemma's own; then (F) at its edge."""
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
    R = rng.randint(1, min(N, 40))
    density = max(0, (N**R).bit_length() + rng.randint(-2, 1))
    coq += text.compared("end_for_output", N=N, k=R, D=density)
    end = Said(2**density, N**R, verdict(Condition("F", "", density, R, N)).holds)
    return f"N, x, k, Θ, D, R = {N}, {x}, {k}, {theta}, {D}, {R}", coq, [with_e, Said(theta, N, True), rare, end]


STATEMENT = Statement(
    id="L",
    title="the lemmas of the induction",
    latex=r"\mathbb E[g]\ge2^{-xD},\ P[\text{bad}]\le\tfrac12 2^{-xD}\ \Rightarrow\ "
    r"\exists\ \text{good choice}:\ g\ge2^{-xD-1};\qquad D_L<R\log_2N\ \Rightarrow\ \exists z\ne z'\in\mathcal Q",
    english="Because of (E_ℓ) some x tables keep half of the promised density and reach more than Θ values; by (F) two "
    "last tables of 𝒬 differ at an entry that is reached: same output, different answers.",
    subject=IN_COQ,
    check=Comparison("averaging_and_cover and end_for_output", case, "N up to 300, (F) at its edge"),
    twins={
        "nothing is lost": altered(COVERED, COVERED.replace("1 + x * D", "x * D")),
        "one set instead of all": altered(COVERED, COVERED.replace("'C(N, th.-1) * ", "")),
        "one draw more": altered(COVERED, COVERED.replace("(x * k) ->", "(x * k).+1 ->")),
        "the form in 𝖾 without its factor": altered("num ^ th * th ^ s", "den ^ th * th ^ s"),
        "one bit more may be told": altered(ENDED, ENDED.replace("2 ^ D", "2 ^ D.-1")),
        "an entry has N − 1 values": altered(ENDED, ENDED.replace("N ^ k", "N.-1 ^ k")),
    },
    hypotheses=(
        Hypothesis("(E_ℓ): P[bad] is at most half of E[g]", lambda held: 2 * held[1] <= held[0], outside=(0.25, 0.25)),
        Hypothesis("E[g] is a density, at most 1", lambda held: held[0] <= 1, outside=(2, 0)),
    ),
    witness=(Fraction(1, 4), Fraction(1, 8)),
)
"""The witness: E[g] and P[bad]."""
