"""T.AL.exponents: how the prompts of theorems A_L and B_L grow with β, by schedules in powers of y = c·β.

With y = c·β, x_ℓ = y^{L−ℓ}, ν_ℓ = y (in A_L ν_1 = 1), n_ℓ = 8·x_{ℓ+1}·ν_ℓ for ℓ ≤ L−2 and n_{L-1} = y; Θ_1 = m =
y^{L−1} in A_L, m = 8y^{2L−1} and Θ_1 = m/16 in B_L; Θ_ℓ = x_ℓ·ν_{ℓ-1}·Θ_{ℓ-1}/2. Then β·x_ℓ·M_ℓ and β·W·X_{ℓ-1} are
both of the order of ν_ℓ·Θ_ℓ, and no other term of D_{ℓ+1} is larger. So N_{L-1} is y^{(L²+L−4)/2} in A_L, 4, 8, 13, 19,
26 for L = 3..7, and in B_L that of one table more, up to a constant. If all rows are asked these are 4, 13, 37 in A_L.
With three tables A3c has 2, and by C9 no theorem can have less than L−1, or L with one more full layer.
"""

from __future__ import annotations

from dataclasses import dataclass

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.schedules import delayed_exponent, delayed_schedule
from separation.bounds.theorem import table_sizes

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


def check(schedule: Schedule) -> Checked:
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


STATEMENT = Statement(
    id="T.AL.exponents",
    title="the prompts of theorems A_L and B_L as powers of β, up to 7 tables",
    latex=r"N_{L-1}=8^{L-2}y^{(L^2+L-4)/2}\ (A_L),\quad 8^{L-1}y^{(L^2+3L-2)/2}\ (B_L),\quad y=c_L\beta",
    english="With the sizes of a schedule in powers of y = c·β all inequalities of A_L and B_L with unused rows hold, "
    "and the last table has 8^(L−2)·y^((L²+L−4)/2) entries in A_L, and in B_L those of one table more.",
    subject=Schedule(),
    check=check,
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
