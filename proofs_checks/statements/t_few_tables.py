"""Two and three tables: what one or two full layers cannot compose, with R layers or windows around them.

What is checked of each is that the calculator's inequalities are those of the theorem in Coq.
"""

from __future__ import annotations

from random import Random

from proofs_checks.kit.coq.comparison import (
    IN_COQ,
    Case,
    Comparison,
    Said,
    altered,
    by_name,
    drawn_states,
    said_of_cubes,
)
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Statement
from proofs_checks.kit.theorems import asked, supposed
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.bounds.theorems.theorem_a2w import theorem_a2w
from separation.bounds.theorems.theorem_a3 import theorem_a3
from separation.bounds.theorems.theorem_a3c import theorem_a3c
from separation.bounds.theorems.theorem_b2c import theorem_b2c


def a2(text: CoqText, rng: Random) -> Case:
    m, n1, theta, beta = (rng.randint(*ends) for ends in ((2, 12), (1, 5), (1, 12), (0, 20)))
    states, totals = drawn_states(rng, 2, range(9))
    found = theorem_a2(m, (n1,), theta, beta, totals)
    coq = text.compared("T_A2", beta=beta, lam=states.__getitem__, m=m, n1=n1, Th=theta)
    return f"m, n_1, Θ, β = {m}, {n1}, {theta}, {beta}", coq, by_name(found.inequalities)


OF_A2 = asked("RF", m=10, n=(1,), theta=6, beta=8, state_bits=(8, 8))
A2 = Statement(
    id="T.A2",
    title="one full layer does not compose two tables, linear in β and Λ",
    latex=r"(\Theta-1)^m2^{\Lambda_0}<m^m,\quad 2^{\Lambda_0+\Theta(\Lambda_1-\Lambda_0)+\beta n_1}<(mn_1)^{n_1\Theta}",
    english="If both inequalities hold for some Θ, no model with one full layer, messages of β bits, λ_0 = Λ_0 "
    "state bits before it and λ_1 = Λ_1 − Λ_0 beside it and after it, each block for itself, solves FuncComp with two "
    "tables of m and m·n_1 entries.",
    explanation="""
If for some Θ ≥ 1 (Θ−1)^m·2^{Λ_0} < m^m and 2^{Λ_0 + Θ(Λ_1−Λ_0) + β·n_1} < N^{n_1Θ}, N = m·n_1, no model with one full
layer solves FuncComp with two tables; λ_0 = Λ_0 are the bits of the R layers before F, λ_1 = Λ_1 − Λ_0 those of the R
layers after F and of R heads beside it, and each of the two is bounded for itself. Fix the
commonest state behind table 2, then the commonest behind table 1, a function of z_1 alone now: some z_0 reaches Θ
values, by tables T_i. With them fixed w's messages from table 2 depend on w alone (β·n_1), and the late states into w
on T_i alone (λ_1 each); n_1·Θ entries of table 2 are asked. β = Λ = 8 is certified at 22 tokens.
""",
    subject=IN_COQ,
    check=Comparison("T_A2", a2, "m up to 12"),
    twins={
        "the state behind table 1 is free": altered("Th.-1 ^ m * 2 ^ lam 0 < m ^ m", "Th.-1 ^ m < m ^ m"),
        "the state behind table 2 is free": altered("lam 0 + Th * lam 1 + beta * n1", "Th * lam 1 + beta * n1"),
        "late states are paid once": altered("lam 0 + Th * lam 1 + beta * n1", "lam 0 + lam 1 + beta * n1"),
        "what w hears is paid once": altered("lam 0 + Th * lam 1 + beta * n1", "lam 0 + Th * lam 1 + beta"),
        "z_0's token is charged too": altered("Th * lam 1 + beta * n1", "Th * lam 1 + beta * n1.+1"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=supposed(
        OF_A2,
        theorem_a2,
        ("the word has at most one full layer", lambda word: word.full <= 1, "RFF"),
        ("some z_0 reaches Θ values behind one state", "reached", {"theta": 8}),
        ("more is asked of table 2 than told", "asked", {"theta": 4}),
    ),
    witness=OF_A2,
)


def a2w(text: CoqText, rng: Random) -> Case:
    """m ≥ 1, 2r_0 + r_1 ≤ m, and less is heard than asked."""
    m, n1, beta, before, after = (rng.randint(*ends) for ends in ((2, 12), (1, 3), (1, 20), (0, 4), (0, 4)))
    found = theorem_a2w(m, (n1,), beta, (before, after))
    coq = text.compared("T_A2_W", beta=beta, m=m, n1=n1, r0=before, r1=after)
    return f"m, n_1, β = {m}, {n1}, {beta}", coq, [Said(0, m, True), *by_name(found.inequalities)]


OF_A2W = asked("W(4)FW(3)", m=14, n=(2,), beta=33, reaches=(3, 2))
A2W = Statement(
    id="T.A2W",
    title="one full layer and windows do not compose two tables",
    latex=r"2r_0+r_1\le m,\qquad 2^{\beta(n_1+r_1)}<N^N",
    english="If these hold, no model with one full layer, messages of β bits and, besides, windows whose reaches add "
    "up to r_0 before and r_1 behind it solves FuncComp with two tables of m and N = m·n_1 entries.",
    explanation="""
r_0 and r_1 are the reaches of all windows before and after the full layer, added up. z_0 = r_0, and table 1 is
constant but for z_1(z_0) = i. What stands before that entry counts with table 2. From it on no token sees table 2
before the full layer, and the last r_1 tokens before w, and w, see neither it nor i (2r_0 + r_1 ≤ m). So in the full
layer w hears β bits for each w, each of the r_1 tokens before it β bits, whatever i is; all else is known. All N
entries (w, i) are asked: β(n_1 + r_1) < N·log2 N contradicts.
""",
    subject=IN_COQ,
    check=Comparison("T_A2_W", a2w, "m up to 12"),
    twins={
        "w hears for nothing": altered("beta * (n1 + r1)", "beta * r1"),
        "the last tokens hear for nothing": altered("beta * (n1 + r1)", "beta * n1"),
        "table 1 one entry shorter": altered("2 * r0 + r1 <= m", "2 * r0 + r1 <= m.+1"),
    },
    applies_to=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=supposed(
        OF_A2W,
        theorem_a2w,
        ("one full layer and windows alone", lambda word: word.windows_alone, "RW(4)F"),
        ("2r_0 + r_1 ≤ m", "room", {"m": 7}),
        ("w and the last tokens hear too little", "asked", {"beta": 34}),
    ),
    witness=OF_A2W,
)

TOLD_B2C = "g * (lam 1 + beta * (2 * n1 + g + v)) + gamma * cube_values g v (omega * beta + lam 1) * lam 2"


def b2c(text: CoqText, rng: Random) -> Case:
    m, n1, beta = rng.randint(2, 40), rng.randint(1, 12), rng.randint(1, 3)
    beside, late = rng.choice((0, 0, 2)), rng.choice((0, 3))
    size, groups = (rng.randint(1, 3), rng.randint(1, n1)) if late else (1, n1)
    g, v = rng.randint(1, m + 1), rng.randint(1, m + 1)
    grouping = (size, groups) if late else ()
    found = theorem_b2c(m, (n1,), (g, v, *grouping), beta, (0, beside, beside + late)).inequalities
    lam = (0, beside, late).__getitem__
    coq = text.compared("T_B2c", beta=beta, lam=lam, m=m, n1=n1, g=g, v=v, omega=size, gamma=groups)
    return f"m, n_1, g, v, ω, γ = {m}, {n1}, {g}, {v}, {size}, {groups}", coq, said_of_cubes(found, n1)


OF_B2C = asked("FF", m=17, n=(6,), chosen=(16, 17), beta=8, state_bits=(0, 0, 0))
B2C = Statement(
    id="T.B2c",
    title="two full layers without an early R do not compose two tables: β²/log n tokens",
    latex=r"A=gv-(v-1)(\omega\beta+\Lambda_1)\ge1,\quad g(\Lambda_1+\beta(2n_1+g+v))+\gamma A\lambda_2"
    r"<n_1A\log_2(mn_1)",
    english="If these hold for some g, v ≤ m and n_1 ≤ ω·γ, no model with two full layers, no R layer before the "
    "second, messages of β bits and these state bits solves FuncComp with two tables of m and m·n_1 entries.",
    explanation="""
G is the last g entries of table 1, with values in U, |U| = v; table 1 is constant before. The n_1 queries are in γ
groups of at most ω. α_c of a group c: what each w ∈ c hears of G in layer 1, and the state beside the first full layer
behind G; the state in front of G is fixed, Λ_1 bits about z_2. For each c and i ∈ R_c (L8) there is a table T with
T(e) = i and α_c(T) = α_c(Z): ask (z_0 = e, T, w), w ∈ c. Charged about z_2: layer 1 into w (n_1), z_0's token (1),
table 1 from e on (v at e, two at each later entry); layer 2 into w from z_2 and from what stands before e (n_1, as w
knows only itself); the late states into w, λ_2 for each T. With equal charges all answers are equal, so Σ_c
|R_c|·(ω_c·log2 N − λ_2) ≤ Λ_1 + β(2n_1 + 1 + v + 2·#later). Groups whose bracket is negative are not asked; the
average over e and Z contradicts.
""",
    subject=IN_COQ,
    check=Comparison("T_B2c", b2c, "m up to 40"),
    twins={
        "layer 1 into w free": altered(TOLD_B2C, TOLD_B2C.replace("2 * n1", "n1")),
        "layer 1 into the entry free": altered(TOLD_B2C, TOLD_B2C.replace("n1 + g + v", "n1 + g")),
        "layer 1 into later entries free": altered(TOLD_B2C, TOLD_B2C.replace("n1 + g + v", "n1 + v")),
        "the state before the entries free": altered(TOLD_B2C, TOLD_B2C.replace("lam 1 + beta * (2", "beta * (2")),
        "late states into w once": altered(TOLD_B2C, TOLD_B2C.replace("gamma * cube_values", "1 * cube_values")),
        "a group of one query": altered("v (omega * beta + lam 1)", "v (beta + lam 1)"),
        "all values survive": altered("g * v - v.-1 * b", "g * v"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L8", "M2"),
    hypotheses=supposed(
        OF_B2C,
        theorem_b2c,
        (
            "two full layers, and no R layer before the second",
            lambda word: (word.full, word.depth) == (2, 1),
            "FRF",
        ),
        ("v ≤ m", "values", {"m": 16}),
        ("values survive", "survive", {"beta": 17}),
        ("more is asked of table 2 than told", "asked", {"beta": 9}),
    ),
    witness=OF_B2C,
)

TOLD = "x2 * (n1 * lam 0 + beta * (n1 * n2) + Th1 * lam 1) + 1"
HEARD = "beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1)"


def a3(text: CoqText, rng: Random) -> Case:
    """One of two forms of Coq: with states between the full layers, and without them."""
    m, n1, n2 = (rng.randint(*ends) for ends in ((2, 8), (1, 2), (1, 60)))
    theta1 = rng.randint(1, min(m, 4))
    sizes = {"beta": rng.randint(1, 2), "m": m, "n1": n1, "n2": n2, "Th1": theta1}
    g, u, x2, theta2 = rng.randint(1, m), rng.randint(1, m), rng.randint(1, 3), rng.randint(1, m * n1)
    states, totals = drawn_states(rng, 3)
    found = theorem_a3(m, (n1, n2), g, u, theta1, x2, theta2, sizes["beta"], totals)
    theorem = "T_A3" if states[1] else "T_A3_quiet"
    coq = text.compared(theorem, lam=states.__getitem__, g=g, u=u, x2=x2, Th2=theta2, **sizes)
    first, rest = by_name(found.inequalities, "values", "entries"), ("possible", "reached", "covered", "asked")
    quiet = [] if states[1] else [Said(0, 0, True)]
    said = [*quiet, *first, Said(0, theta2, True), *by_name(found.inequalities, *rest)]
    return f"{theorem}: {sizes}", coq, said


OF_A3 = asked("RFF", m=874, n=(1, 10), g=10, u=209, theta1=121, x2=11, theta2=342, beta=8, state_bits=(8, 8, 8))
A3 = Statement(
    id="T.A3",
    title="two full layers do not compose three tables",
    latex=r"(\Theta_1-1)^g2^{\Lambda_0}<u^g,\quad "
    r"\tbinom{N_1}{\Theta_2-1}(\Theta_2-1)^t2^{x_2(n_1\Lambda_0+\beta W+\Theta_1\lambda_1)+1}\le N_1^t,\quad "
    r"2^D<N_2^{n_2\Theta_2}",
    english="If (a), (b), (c) hold for some g, u, Θ_1, x_2 and Θ_2 ≤ N_1, no model with two full layers, any R layers "
    "and these bits solves FuncComp with three tables.",
    explanation="""
W = n_1n_2, t = x_2n_1Θ_1. (a) (Θ_1−1)^g·2^{Λ_0} < u^g; (b) C(N_1,Θ_2−1)·(Θ_2−1)^t·2^{x_2(n_1Λ_0+βW+Θ_1λ_1)+1} ≤ N_1^t
with Θ_2 ≤ N_1 (λ_1 = 0: strict, no +1); (c) 2^D < N_2^{n_2Θ_2}, D = Λ_0 + λ_1 + [λ_1>0]·(1+x_2Θ_1λ_1) + x_2Θ_1λ_2 +
β[W + 1 + (m−g+gΘ_1) + x_2n_1u + (n_1−1)(m−u) + WΘ_1]. The guard Θ_2 ≤ N_1 matters: beyond it the
binomial is 0. Table 1 varies on g entries with u values, table 2 only on the windows that these index.
""",
    subject=IN_COQ,
    check=Comparison("T_A3 and T_A3_quiet", a3, "m up to 8, n_2 up to 60", cases=400),
    twins={
        "the state behind table 1 free": altered("Th1.-1 ^ g * 2 ^ lam 0 < u ^ g", "Th1.-1 ^ g < u ^ g"),
        "one state behind all windows": altered(TOLD, TOLD.replace("n1 * lam 0", "lam 0")),
        "layer 1, table 2 to w free": altered(TOLD, TOLD.replace(" + beta * (n1 * n2)", "")),
        "states into w free": altered(TOLD, TOLD.replace(" + Th1 * lam 1", "")),
        "the new boundary free": altered("lam 0 + lam 1 + (1 + x2", "lam 0 + (1 + x2"),
        "layer 1 into w free": altered(HEARD, HEARD.replace("n1 * n2 + 1", "1")),
        "layer 1 into z_0 free": altered(HEARD, HEARD.replace(" + 1 +", " +")),
        "layer 1 into table 1 once": altered(HEARD, HEARD.replace("g * Th1", "g")),
        "layer 1 into table 2 once": altered(HEARD, HEARD.replace("x2 * n1 * u", "n1 * u")),
        "last layer into w once": altered(HEARD, HEARD.replace("n1 * n2 * Th1", "n1 * n2")),
        "late states once": altered("+ x2 * Th1 * lam 2", "+ lam 2"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=supposed(
        OF_A3,
        theorem_a3,
        ("the word has two full layers", lambda word: word.full == 2, "RFFF"),
        ("g ≤ m", "entries", {"g": 875}),
        ("Θ_2 ≤ N_1", "possible", {"theta2": 875}),
        ("(a)", "reached", {"theta1": 122}),
        ("(b)", "covered", {"theta2": 343}),
        ("(c)", "asked", {"beta": 9}),
    ),
    witness=OF_A3,
)

HEARD_A3C = "4 * n2 + 2 * m + 2 * v + 2 * (n1 * g) + n1.-1 * (m - g)"


def a3c(text: CoqText, rng: Random) -> Case:
    m, n1, n2, beta = rng.randint(2, 16), rng.randint(1, 3), rng.randint(1, 12), rng.randint(1, 3)
    middle, late = rng.choice((0, 0, 1)), rng.choice((0, 2))
    size, groups = (rng.randint(1, 3), rng.randint(1, n2)) if late else (1, n2)
    g, v = rng.randint(1, m + 1), rng.randint(1, m * n1 + 1)
    grouping = (size, groups) if late else ()
    found = theorem_a3c(m, (n1, n2), (g, v, *grouping), beta, (0, middle, middle + late)).inequalities
    lam = (0, middle, late).__getitem__
    coq = text.compared("T_A3c", beta=beta, lam=lam, m=m, n1=n1, n2=n2, g=g, v=v, omega=size, gamma=groups)
    # Coq's first equation, λ_0 = 0, is part of the calculator's input
    return f"m, n, g, v, ω, γ = {m}, {(n1, n2)}, {g}, {v}, {size}, {groups}", coq[1:], said_of_cubes(found, n2)


OF_A3C = asked("FF", m=17, n=(1, 8), chosen=(17, 17), beta=8, state_bits=(0, 0, 0))
A3C = Statement(
    id="T.A3c",
    title="two full layers do not compose three tables: β²/log n tokens",
    latex=r"A=n_1gv-(v-1)(\omega n_1\beta+g\lambda_1)\ge1,\quad n_1g(2\lambda_1+\beta(4n_2+2m+2v+2n_1g+(n_1-1)(m-g)))"
    r"+2\gamma A\lambda_2<2n_2A\log_2N_2",
    english="If these hold for some g ≤ m, v ≤ N_1 and n_2 ≤ ω·γ, no model with two full layers, no R layer before the "
    "first, messages of β bits and these state bits solves FuncComp with three tables.",
    explanation="""
The proof of B2c one table later. The n_1·g entries (w_1, i) of table 2, i in the last g of [m], vary with v values;
T_i is table 1, constant but for T_i(z_0) = i. α of a group c of values of w_2: what every w = (w_1', w_2), w_2 ∈ c,
hears of table 2 in layer 1, and the block-1 state into w for each T_i': ω·n_1·β + g·λ_1 bits over n_1·g entries. The
states depend on z_3, so L8 is used for each z_3 and averaged. Charged about z_3: the block-1 state in front of e
(λ_1); layer 1 into w (n_2), z_0's token (1), table 1 (m), table 2 from e on (v at e, two at later entries that vary,
one at others); layer 2 into w (n_2); late states, λ_2 for each copy.
""",
    subject=IN_COQ,
    check=Comparison("T_A3c", a3c, "m up to 16"),
    twins={
        "table 1 hears for nothing": altered(HEARD_A3C, HEARD_A3C.replace("2 * m + ", "")),
        "layer 2 into w free": altered(HEARD_A3C, HEARD_A3C.replace("4 * n2", "2 * n2")),
        "the entry hears for nothing": altered(HEARD_A3C, HEARD_A3C.replace("2 * v + ", "")),
        "rows behind the entry hear for nothing": altered(HEARD_A3C, HEARD_A3C.replace("n1.-1 * (m - g)", "0")),
        "the state before the entry free": altered("2 * lam 1 + beta * (4", "beta * (4"),
        "the state into w tells nothing": altered("omega * n1 * beta + g * lam 1", "omega * n1 * beta"),
        "late states into w once": altered("2 * gamma * cube_values", "2 * cube_values"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L8", "M2", "T.B2c"),
    hypotheses=supposed(
        OF_A3C,
        theorem_a3c,
        (
            "two full layers, and no R layer before the first",
            lambda word: word.full == 2 and not word.blocks[0],
            "RFF",
        ),
        ("g ≤ m", "entries", {"m": 16}),
        ("values survive", "survive", {"beta": 19}),
        ("more is asked of table 3 than told", "asked", {"beta": 9}),
    ),
    witness=OF_A3C,
)

STATEMENTS = (A2, A2W, B2C, A3, A3C)
