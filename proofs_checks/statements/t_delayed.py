"""Every number of tables, with the delayed charges: Theorems A_L and B_L, and how their prompts grow with β."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from random import Random

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, by_name, drawn_states
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import asked, supposed
from separation.bounds.schedules import delayed_exponent, delayed_schedule
from separation.bounds.theorem import Impossibility, table_sizes
from separation.bounds.theorems.theorem_al import theorem_al
from separation.bounds.theorems.theorem_bl import theorem_bl

STEP = r"(1 + x * D + \sum_(s.+1 <= t < e.+2) lam t + x * B * lam e.+2 + beta * (e.+1 * (x * (a + p)) + T + W * B))"
UNUSED = {
    "more rows are asked than there are": altered("v <= n, th <= N", "0 <= n, th <= N"),
    "unused rows hear for nothing": altered("(N * v) (N - a) (N * n)", "(N * v) 0 (N * n)"),
}


def drawn_rows(rng: Random, n: Sequence[int]) -> list[int]:
    """ν_1..ν_{L-2}: some rows, all, or one more than there are."""
    return [rng.choice((*range(1, size + 1), size, size, size + 1)) for size in n[:-1]]


def by_level(found: Impossibility, n: Sequence[int], *first: str) -> list[Said]:
    """In Coq's order: the ``first`` ones, around ν_1 ≤ n_1, and of each level ν_ℓ ≤ n_ℓ, Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ);
    Coq also asks for ν_{L-1} ≤ n_{L-1} and for all entries of table L."""
    known, whole = {each.name: each for each in found.inequalities}, Said(n[-1], n[-1], True)
    names = [first[0], "rows 1", *first[1:]]
    for level in range(2, len(n) + 1):
        names += [f"rows {level}", f"possible {level}", f"E {level}"]
    last = f"rows {len(n)}"
    if not {*names, "F"} - {last} <= set(known):
        return by_name(found.inequalities)
    said = [whole if name == last else by_name([known[name]])[0] for name in names]
    every = Said(prod(n), prod(n), True)
    return [*said, every, *by_name([known["F"]])]


def a_l(text: CoqText, rng: Random) -> Case:
    """g ≤ m, what table 1 reaches, ν_ℓ ≤ n_ℓ, Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ) for each level, (F)."""
    L, m = rng.choice((2, 3, 4, 5)), rng.randint(2, 5)
    n = (*(rng.choice((1, 1, 2, 3)) for _ in range(L - 2)), 2 ** rng.randint(0, 6))
    states, totals = drawn_states(rng, L)
    x, thetas = [rng.choice((1, 1, 2)) for _ in range(L - 2)], [rng.choice((1, 1, 2)) for _ in range(L - 1)]
    g, beta, rows = rng.randint(1, m), rng.choice((1, 2)), drawn_rows(rng, n)
    found = theorem_al(m, n, g, thetas, x, beta, totals, rows)
    shape = {"ns": list(n), "nus": [*rows, n[-1]], "cs": list(zip(x, thetas[1:], strict=True))}
    coq = text.compared("T_A_L_rows", beta=beta, lam=states.__getitem__, m=m, g=g, Th1=thetas[0], **shape)
    return f"m, n, ν, g, Θ, x = {m}, {n}, {rows}, {g}, {thetas}, {x}", coq, by_level(found, n, "entries", "reached")


OF_A_L = asked("RFF", m=2, n=(1, 64), g=1, thetas=(1, 1), x=(1,), beta=1, state_bits=(1, 1, 1))
A_L = Statement(
    id="T.AL",
    title="L−1 full layers do not compose L tables, with one layer of delay",
    latex=r"(\Theta_1-1)^g2^{\Lambda_0}<m^g,\quad \tbinom{N_{\ell-1}}{\Theta_\ell-1}(\Theta_\ell-1)^{t_\ell}"
    r"2^{x_\ell(P+D_\ell)+1}\le N_{\ell-1}^{t_\ell},\quad 2^{P+D_L}<N_{L-1}^{n_{L-1}\Theta_{L-1}}",
    english="If these hold for some g, Θ_ℓ ≤ N_{ℓ-1}, x_ℓ and 1 ≤ ν_ℓ ≤ n_ℓ, with P = Λ_0 + β·W and D_ℓ the delayed "
    "charges, no model with L−1 full layers and these bits solves FuncComp with L tables.",
    explanation="""
Only w must be blind through layer ℓ, the tables' tokens only through ℓ−1. w_ℓ takes its last ν_ℓ ≤ n_ℓ values alone,
ν_{L-1} = n_{L-1}, W = ν_1⋯ν_{L-1}: constant rows stand in front of those that are asked, behind all of table ℓ+2, so
their tokens count with player ℓ+2: M_2 = ν_1m, M_ℓ = ν_{ℓ-1}N_{ℓ-2} + (n_{ℓ-2}−ν_{ℓ-2})N_{ℓ-3}. P = Λ_0+βW, x_1 = Θ_1,
X_k = x_1⋯x_k; (Θ_1−1)^g·2^{Λ_0} < m^g for some g ≤ m; D_2 = Θ_1λ_1; for ℓ = 2..L−1, t_ℓ = x_ℓν_{ℓ-1}Θ_{ℓ-1}: (E_ℓ)
C(N_{ℓ-1},Θ_ℓ−1)·(Θ_ℓ−1)^{t_ℓ}·2^{x_ℓ(P+D_ℓ)+1} ≤ N_{ℓ-1}^{t_ℓ}, D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓλ_ℓ +
β[(ℓ−1)x_ℓM_ℓ + y_ℓ + x_2⋯x_{ℓ-1}(m−g+gΘ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}M_i + W·X_{ℓ-1}], y_2 = 1, y_ℓ = X_{ℓ-1};
(F) 2^{P+D_L} < N_{L-1}^{n_{L-1}Θ_{L-1}}.
""",
    subject=IN_COQ,
    check=Comparison("T_A_L_rows", a_l, "L up to 5, all rows or some"),
    twins={
        **UNUSED,
        "the state behind table 1 free": altered("Th1.-1 ^ g * 2 ^ lam 0 < m ^ g", "Th1.-1 ^ g < m ^ g"),
        "layer 1, tables to w free": altered("lam 0 (lam 0 + beta * W) W", "lam 0 (lam 0) W"),
        "the bit of the choice free": altered(STEP, STEP.replace("1 + x * D", "x * D")),
        "the new boundary free": altered(STEP, STEP.replace(r" + \sum_(s.+1 <= t < e.+2) lam t", "")),
        "late states once": altered(STEP, STEP.replace("x * B * lam", "lam")),
        "one layer less into the table itself": altered(STEP, STEP.replace("e.+1 * (x * (a", "e * (x * (a")),
        "into z_0 and the tables below free": altered(STEP, STEP.replace(" + T + W * B", " + W * B")),
        "last layer into w once": altered(STEP, STEP.replace("W * B", "W")),
        "states into w free": altered("W 0 (Th1 * lam 1) (1 + t1)", "W 0 0 (1 + t1)"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=supposed(
        OF_A_L,
        theorem_al,
        ("the word has L−1 full layers", lambda word: word.full == 2, "RFFF"),
        ("the inequalities of every level, and of the end", "", {"beta": 9}),
    ),
    witness=OF_A_L,
)


def b_l(text: CoqText, rng: Random) -> Case:
    """x_0 ≤ m, Θ_1 ≤ m and what table 1 reaches; ν_ℓ ≤ n_ℓ, Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ) for each level; (F)."""
    L, m = rng.choice((2, 3, 4)), rng.randint(2, 5)
    n = (*(rng.choice((1, 1, 2, 3)) for _ in range(L - 2)), rng.choice((1, 3, 20, 90)))
    later, _ = drawn_states(rng, L, (0, 0, 1, 3))
    states, totals = (0, *later), (0, *(sum(later[: block + 1]) for block in range(L)))
    x, thetas = [rng.choice((1, 1, 2)) for _ in range(L - 2)], [rng.choice((1, 1, 2)) for _ in range(L - 1)]
    x0, x1, beta = rng.randint(1, m), rng.randint(1, 3), rng.choice((1, 2))
    rows = drawn_rows(rng, n)
    found = theorem_bl(m, n, x0, x1, thetas, x, beta, totals, rows)
    shape = {"ns": list(n), "nus": [*rows, n[-1]], "cs": list(zip(x, thetas[1:], strict=True))}
    coq = text.compared("T_B_L_rows", beta=beta, lam=states.__getitem__, m=m, x0=x0, x1=x1, Th1=thetas[0], **shape)
    said = by_level(found, n, "entries", "possible 1", "E 1")
    return f"m, n, ν, x_0, x_1, Θ, x = {m}, {n}, {rows}, {x0}, {x1}, {thetas}, {x}", coq, said


OF_B_L = asked("FFF", m=2, n=(1, 512), x0=1, x1=1, thetas=(1, 1), x=(1,), beta=1, state_bits=(0, 0, 0, 0))
B_L = Statement(
    id="T.BL",
    title="L full layers without an early R do not compose L tables, with one layer of delay",
    latex=r"\tbinom{m}{\Theta_1-1}(\Theta_1-1)^{x_0x_1}2^{x_1P_1}<m^{x_0x_1},\ P_1=\beta W+\Lambda_1,\quad "
    r"P=P_1+\beta(m+x_0x_1),\quad 2^{P+D_L}<N_{L-1}^{n_{L-1}\Theta_{L-1}}",
    english="If these and (E_ℓ) hold for some x_0 ≤ m, x_1, Θ_ℓ, x_ℓ and ν_ℓ ≤ n_ℓ, no model with L full layers, no R "
    "layer before the second of them and these bits solves FuncComp with L tables.",
    explanation="""
As T.AL with one more layer: P_1 = βW+Λ_1, C(m,Θ_1−1)(Θ_1−1)^{x_0x_1}·2^{x_1P_1} < m^{x_0x_1} with Θ_1 ≤ m, P =
P_1+β(m+x_0x_1), D_2 = βWx_0+Θ_1λ_2, Y_k = Θ_1x_2⋯x_k, and D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_ℓ−Λ_1) + Y_ℓλ_{ℓ+1} +
β[ℓx_ℓM_ℓ + Y_{ℓ-1} + x_2⋯x_{ℓ-1}(m−x_0+x_0x_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}M_i + W·Y_{ℓ-1}], W and M_ℓ of used rows.
""",
    subject=IN_COQ,
    check=Comparison("T_B_L_rows", b_l, "L up to 4, all rows or some"),
    twins={
        **UNUSED,
        "layer 1, tables to w free": altered("let P1 := beta * W + lam 1", "let P1 := lam 1"),
        "the state behind a table free": altered("let P1 := beta * W + lam 1", "let P1 := beta * W"),
        "what table 1 was told is free": altered("* 2 ^ (x1 * P1) < m ^ (x1 * x0)", "< m ^ (x1 * x0)"),
        "layer 1, tables to tokens free": altered("(P1 + beta * (m + x0 * x1)) W 1", "P1 W 1"),
        "layer 2 into w free": altered("W 1 (beta * (W * x0) + Th1 * lam 2)", "W 1 (Th1 * lam 2)"),
        "states into w once": altered("W 1 (beta * (W * x0) + Th1 * lam 2)", "W 1 (beta * (W * x0) + lam 2)"),
        "the new boundary free": altered(STEP, STEP.replace(r" + \sum_(s.+1 <= t < e.+2) lam t", "")),
        "one layer less into the table itself": altered(STEP, STEP.replace("e.+1 * (x * (a", "e * (x * (a")),
        "last layer into w once": altered(STEP, STEP.replace("W * B", "W")),
    },
    applies_to=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=supposed(
        OF_B_L,
        theorem_bl,
        (
            "the word has L full layers, and no R layer before the second",
            lambda word: word.full == 3 == word.depth + 1,
            "FRFF",
        ),
        ("the inequalities of every level, and of the end", "", {"beta": 9}),
    ),
    witness=OF_B_L,
)


KINDS = {"A_L": range(3, 8), "B_L": range(2, 7)}
BETAS = (1, 8, 10**6)


@dataclass(frozen=True)
class Schedule:
    """y = 2^(2L+constant)·β; the last table has 8^k·y^(exponent+claimed) entries; m, n_ℓ may be off."""

    constant: int = 0
    claimed: int = 0
    more_in_m: int = 0
    more_in_n: int = 0

    def exponents(self, kind: str, L: int) -> tuple[int, list[int]]:
        """log_y of m and of n_1, n_2, …, up to constants."""
        b = kind == "B_L"
        n = [L - 1 - level + (b or level > 1) for level in range(1, L - 1)]
        return (2 * L - 1 if b else L - 1) + self.more_in_m, [each + self.more_in_n for each in (*n, 1)]


def check_exponents(schedule: Schedule) -> Checked:
    """The sizes have the exponents of the text, these add up to the claimed one, and the calculator certifies them."""
    for kind, levels in KINDS.items():
        for L in levels:
            first, later = schedule.exponents(kind, L)
            tables = L + (kind == "B_L")
            where, total = f"{kind}, L = {L}", first + sum(later)
            closed = (tables * tables + tables - 4) // 2
            require(total == closed + schedule.claimed, f"{where}: N_{{L-1}} has the exponent {total}")
            require(total == delayed_exponent(kind, L), f"{where}: the calculator says {delayed_exponent(kind, L)}")
            for beta in BETAS:
                y = beta << (2 * L + schedule.constant)
                found = delayed_schedule(kind, L, y, beta)
                last = 8 ** (tables - 2) * y**total
                require(table_sizes(found.m, found.n)[-1] == last, f"{where}, β = {beta}: N_{{L-1}} is another")
                broken = [inequality.name for inequality in found.inequalities if not inequality.holds]
                require(not broken, f"{where}, β = {beta}: {', '.join(broken)} does not hold")
    return Checked(
        Status.EXHAUSTIVE,
        "exponents counted, and points that the calculator certifies",
        f"y = 4^L·β, β = {', '.join(map(str, BETAS))}; L up to 7 (A_L) and 6 (B_L)",
    )


EXPONENTS = Statement(
    id="T.AL.exponents",
    title="the prompts of theorems A_L and B_L as powers of β, up to 7 tables",
    latex=r"N_{L-1}=8^{L-2}y^{(L^2+L-4)/2}\ (A_L),\quad 8^{L-1}y^{(L^2+3L-2)/2}\ (B_L),\quad y=c_L\beta",
    english="With the sizes of a schedule in powers of y = c·β all inequalities of A_L and B_L with unused rows hold, "
    "and the last table has 8^(L−2)·y^((L²+L−4)/2) entries in A_L, and in B_L those of one table more.",
    explanation="""
With y = c·β, x_ℓ = y^{L−ℓ}, ν_ℓ = y (in A_L ν_1 = 1), n_ℓ = 8·x_{ℓ+1}·ν_ℓ for ℓ ≤ L−2 and n_{L-1} = y; Θ_1 = m =
y^{L−1} in A_L, m = 8y^{2L−1} and Θ_1 = m/16 in B_L; Θ_ℓ = x_ℓ·ν_{ℓ-1}·Θ_{ℓ-1}/2. Then β·x_ℓ·M_ℓ and β·W·X_{ℓ-1} are
both of the order of ν_ℓ·Θ_ℓ, and no other term of D_{ℓ+1} is larger. So N_{L-1} is y^{(L²+L−4)/2} in A_L, 4, 8, 13, 19,
26 for L = 3..7, and in B_L that of one table more, up to a constant. If all rows are asked these are 4, 13, 37 in A_L.
With three tables A3c has 2, and by C9 no theorem can have less than L−1, or L with one more full layer.
""",
    subject=Schedule(),
    check=check_exponents,
    twins={
        "m too small by y": Schedule(more_in_m=-1),
        "n_ℓ too large by y": Schedule(more_in_n=1),
        "y = 2^(2L−3)·β": Schedule(constant=-3),
        "exponents less by one": Schedule(claimed=-1),
    },
    rests_on=("T.AL", "T.BL"),
    hypotheses=(
        Hypothesis("β is an integer ≥ 1", lambda held: held[0] >= 1, outside=(0, 3)),
        Hypothesis("A_L has at least three tables", lambda held: held[1] >= 3, outside=(8, 2)),
        Hypothesis("no R layers: Λ_t = 0", lambda held: len(held) == 2, outside=(8, 3, 1)),
    ),
    witness=(8, 3),
)
"""The witness: β and L."""

STATEMENTS = (A_L, B_L, EXPONENTS)
