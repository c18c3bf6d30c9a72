"""The lemmas of the induction over levels (L) and of cubes (L8), Theorem A for L−1 full layers, B for L of them.

What is checked of each is that the calculator's inequalities are those of the theorem in Coq.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, drawn_schedule, levels
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import asked, supposed
from separation.arithmetic import floor_scaled_exp
from separation.bounds import Condition, Evaluation, Parameters, Rule, evaluate, theorem_b, verdict
from separation.bounds.theorems.theorem_b2c import theorem_b2c

DIGITS = 60
ABOVE_E = floor_scaled_exp(DIGITS, Fraction(1)) + 1, 1 << DIGITS
"""A fraction just above 𝖾."""
COVERED = "2 ^ (1 + x * D) * ('C(N, th.-1) * th.-1 ^ (x * k)) <= N ^ (x * k) ->"
ENDED = "(I : seq nat) : 2 ^ D < N ^ k"


def lemmas(text: CoqText, rng: Random) -> Case:
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


LEMMAS = Statement(
    id="L",
    title="the lemmas of the induction",
    latex=r"\mathbb E[g]\ge2^{-xD},\ P[\text{bad}]\le\tfrac12 2^{-xD}\ \Rightarrow\ "
    r"\exists\ \text{good choice}:\ g\ge2^{-xD-1};\qquad D_L<R\log_2N\ \Rightarrow\ \exists z\ne z'\in\mathcal Q",
    english="Because of (E_ℓ) some x tables keep half of the promised density and reach more than Θ values; by (F) two "
    "last tables of 𝒬 differ at an entry that is reached: same output, different answers.",
    explanation="""
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
""",
    subject=IN_COQ,
    check=Comparison("averaging_and_cover and end_for_output", lemmas, "N up to 300, (F) at its edge"),
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


def of_rule(rule: Rule) -> Callable[..., Evaluation]:
    """The calculator's theorem A or B as a function of its integers."""
    return lambda m, n, x, beta, state_bits: evaluate(rule, Parameters(m, n, x), beta, state_bits)


def theorem_a(text: CoqText, rng: Random) -> Case:
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


OF_A = asked("RFR", m=108, n=(81,), x=(2, 9), beta=8, state_bits=(1, 1))
THEOREM_A = Statement(
    id="T.A",
    title="L−1 full layers and any R layers do not solve L-FuncComp",
    latex=r"D_{\ell+1}=x_\ell D_\ell+1+\Lambda_\ell+\beta\bigl[\ell x_\ell N_{\ell-1}+(W+1)x_0\cdots x_{\ell-1}"
    r"+\textstyle\sum_{i<\ell}x_i\cdots x_{\ell-1}N_{i-1}\bigr]",
    english="If x_0 ≤ m, all (E_ℓ) and (F) hold, no hybrid with L−1 full layers, messages of β bits and state bits "
    "Λ_0, …, Λ_{L-1} solves FuncComp at these sizes.",
    explanation="""
At level ℓ the players below ℓ hear the same from the players ℓ, …, L on all of 𝒬, in full layers 1..ℓ−1 and in the R
blocks 0..ℓ−1. To reach level ℓ+1 three things must become constant: the linear messages into player ℓ (a new boundary,
Λ_ℓ bits); what player ℓ hears in layers 1..ℓ, for each of its x_ℓ tables; and what the players i < ℓ hear in layer ℓ,
for each (z_i, …, z_{ℓ-1}). What they hear in earlier layers is constant already: the sum over the players from ℓ on
was, and player ℓ's own part now is. That is the bracket of D_{ℓ+1} in [bounds.md](bounds.md). The averaging and the
cover are L1 and L2, the fixing L3. With Λ_0 = 0 the start is free (L5): neither (E_1) nor 𝖾·t_1 < 2m is asked.
""",
    subject=IN_COQ,
    check=Comparison("T_A and T_A_free", theorem_a, "L up to 4"),
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
    hypotheses=supposed(
        OF_A,
        of_rule(Rule.A),
        ("the word has L−1 full layers", lambda word: word.full == 1, "RFRF"),
        ("x_0 ≤ m", "x_0", {"m": 2, "x": (3, 9)}),
        ("𝖾·t_ℓ < 2N_{ℓ-1}", "C_", {"m": 24}),
        ("(E_ℓ)", "E_", {"state_bits": (3, 3)}),
        ("(F)", "F", {"beta": 9}),
    ),
    witness=OF_A,
)


HEARD = "2 ^ (beta + Lam 1) < m ^ m ->"


def full_theorem_b(text: CoqText, rng: Random) -> Case:
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


OF_B = asked("[FR]FR", m=60_000, n=(100,), x=(1000, 10), beta=8, state_bits=(0, 1, 1))
THEOREM_B = Statement(
    id="T.B",
    title="L full layers without an early R do not solve L-FuncComp",
    latex=r"D_1=\beta W+\Lambda_1,\quad D_2=x_1D_1+1+\Lambda_2+\beta[2x_1N_0+Wx_0+x_0+x_0x_1],\quad D_{\ell+1}=\dots",
    english="If x_0 ≤ m, all (E_ℓ) and (F) hold, no hybrid with L full layers, no R layer before the second of them, "
    "messages of β bits and state bits Λ_1, …, Λ_L solves FuncComp at these sizes; for L = 1 they need m·log2 m "
    "bits together.",
    explanation="""
As T.A with one more full layer, when no R comes before the second. Level 1 is about the query alone, in the first
layer: D_1 = β·W (plus Λ_1 for R heads inside that layer). z_0's token may know z_1(z_0) after layer 1, so in layer 2
it counts once for each (z_0, z_1). An R layer before the second F would pass that on to w: the count breaks there, and
C2 shows that it must. With one table, w hears β bits about it, and Λ_1 more through R heads next to F, and must know
every entry, since z_0 can ask for any: 2^{β+Λ_1} ≥ m^m.
""",
    subject=IN_COQ,
    check=Comparison("T_B and T_B_one", full_theorem_b, "L up to 4"),
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
    hypotheses=supposed(
        OF_B,
        of_rule(Rule.B),
        ("the word has L full layers", lambda word: word.full == 2, "FR"),
        ("no R layer stands before the second full one", lambda word: not word.early, "FRF"),
        ("x_0 ≤ m", "x_0", {"m": 900}),
        ("𝖾·t_ℓ < 2N_{ℓ-1}", "C_", {"m": 10_000}),
        ("(E_ℓ)", "E_", {"beta": 16}),
        ("(F)", "F", {"beta": 9}),
    ),
    witness=OF_B,
)

CASES, SEED = 200, 8
LEFT = "g * v - v.-1 * b."


def check_cube(text: CoqText) -> Checked:
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


class Entry(NamedTuple):
    values: int = 2
    bits: int = 1


CUBE = Statement(
    id="L8",
    title="the cube lemma: values that survive what is told of a table",
    latex=r"\mathbb E|R|\ge v-(v-1)\,b/g",
    english="Of the v values of a random one of g entries, v − (v−1)·b/g are, on average, left open by any b bits told "
    "of the table, by tables that differ in one of two values behind that entry.",
    explanation="""
Draw z^0 ∈ U^g, z^1(e) ≠ z^0(e) for each e, Y ∈ {0,1}^g, Z(e) = z^{Y_e}(e) and e uniformly. R is the set of values at e
of the tables that equal Z before e, have any value at e and one of z^0, z^1 behind it, and that α: U^g → {0,1}^b does
not tell from Z. *Proof.* i' = z^{1−Y_e}(e) is uniform on U∖{Z(e)} and independent of Z, e and the z^{0,1} elsewhere,
of which R is a function. If i' ∉ R then Y_e is determined by z^0, z^1, Y_{<e} and α(Z); so H(Y_e|…) ≤ Pr[i' ∈ R | e],
and summed over e H(Y | z^0, z^1, α(Z)) ≥ g − b: Pr[i' ∈ R] ≥ 1 − b/g.
""",
    subject=IN_COQ,
    check=check_cube,
    twins={
        "one bit less is told": altered(LEFT, "g * v - v.-1 * b.-1."),
        "a bit rules out one value": altered(LEFT, "g * v - b."),
        "one value more": altered(LEFT, "g * v.+1 - v.-1 * b."),
    },
    hypotheses=(
        Hypothesis("two values at least", lambda case: case.values >= 2, Entry(values=1)),
        Hypothesis("b bits are told", lambda case: case.bits >= 0, Entry(bits=-1)),
    ),
    witness=Entry(),
)

STATEMENTS = (CUBE, LEMMAS, THEOREM_A, THEOREM_B)
