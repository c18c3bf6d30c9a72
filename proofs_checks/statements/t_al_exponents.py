"""T.AL.exponents: how the prompts of theorems A_L, A_W and B_L grow with β, by schedules in powers of y = c·β.

With y = c·β, k = L−ℓ and T = F_{2L} (A_L), 3F_{2L-3} (A_W) or 3F_{2L-1} (B_L) the schedule is x_ℓ = y^{F_{2k}}, n_ℓ =
y^{F_{2k+1}} for ℓ ≥ 2; in A_L n_1 = 1, Θ_1 = y^{F_{2L-2}}, m = 8y^{F_{2L-1}−1}; in A_W n_1 = 1, n_2 = y^{F_{2L-5}},
u = Θ_1 = y^{F_{2L-3}}, m = 8y^{2F_{2L-3}−1}; in B_L n_1 = y^{F_{2L-3}}, x_1 = y^{F_{2L-2}}, x_0 = y^{F_{2L-1}}, m =
8y^{2F_{2L-1}−1}. Then n_ℓΘ_ℓ = y^{T−F_{2k+1}} and N_{ℓ-1} = y^{T−1−F_{2k+2}} (in A_W for ℓ ≥ 3), up to constants, and
β·x_ℓN_{ℓ-1} and β·W·X_{ℓ-1} are both of the order of n_ℓΘ_ℓ, in A_W also what table 1 hears; no other term of D_{ℓ+1}
is larger. So N_{L-1} = 8y^{T−2}. A_L has 6, 19, 53 at L = 3, 4, 5, because all of table 2 hears the tables above it; a
window in table 2 alone, as in A3, makes that 4, 13, 37.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import fibonacci
from separation.bounds.schedules import delayed_exponent, delayed_schedule
from separation.bounds.theorem import table_sizes

KINDS = {"A_L": range(3, 7), "A_W": range(3, 7), "B_L": range(2, 6)}
BETAS = (1, 8, 10**6)


@dataclass(frozen=True)
class Schedule:
    """y = 2^(L+constant)·β; the last table has 8·y^(T−2+claimed) entries; m, n_ℓ may be off."""

    constant: int = 2
    claimed: int = 0
    more_in_m: int = 0
    more_in_n: int = 0

    def exponents(self, kind: str, L: int) -> tuple[int, Sequence[int]]:
        """log_y of m/8 and of n_1, n_2, …"""
        F = fibonacci
        n = [F(2 * (L - level) + 1) for level in range(1, L)]
        n[0] = F(2 * L - 3) if kind == "B_L" else 0
        if kind == "A_W":
            n[1] = F(2 * L - 5)
        m = {"A_L": F(2 * L - 1), "A_W": 2 * F(2 * L - 3), "B_L": 2 * F(2 * L - 1)}[kind] - 1
        return m + self.more_in_m, [each + self.more_in_n for each in n]


def check(schedule: Schedule) -> Checked:
    """The sizes have the exponents of the text, these add up to the claimed one, and the calculator certifies them."""
    for kind, levels in KINDS.items():
        for L in levels:
            first, later = schedule.exponents(kind, L)
            top = {"A_L": fibonacci(2 * L), "A_W": 3 * fibonacci(2 * L - 3), "B_L": 3 * fibonacci(2 * L - 1)}[kind]
            where = f"{kind}, L = {L}"
            total = first + sum(later)
            require(total == top - 2 + schedule.claimed, f"{where}: N_{{L-1}} has the exponent {total}")
            require(total == delayed_exponent(kind, L), f"{where}: the calculator says {delayed_exponent(kind, L)}")
            for beta in BETAS:
                y = beta << (L + schedule.constant)
                found = delayed_schedule(kind, L, y, beta)
                require(
                    table_sizes(found.m, found.n)[-1] == 8 * y**total,
                    f"{where}, β = {beta}: N_{{L-1}} is not 8·y^{total}",
                )
                require(found.n == tuple(y**each for each in later), f"{where}, β = {beta}: other n_ℓ")
                broken = [inequality.name for inequality in found.inequalities if not inequality.holds]
                require(not broken, f"{where}, β = {beta}: {', '.join(broken)} does not hold")
    return Checked(
        Status.EXHAUSTIVE,
        "exponents counted, and points that the calculator certifies",
        f"y = 2^(L+2)·β, β = {', '.join(map(str, BETAS))}; L up to 6 (A_L, A_W) and 5 (B_L)",
    )


STATEMENT = Statement(
    id="T.AL.exponents",
    title="the prompts of theorems A_L, A_W and B_L as powers of β, up to 6 tables",
    latex=r"N_{L-1}=8y^{F_{2L}-2}\ (A_L),\quad 8y^{3F_{2L-3}-2}\ (A_W),\quad 8y^{3F_{2L-1}-2}\ (B_L),\quad y=c_L\beta",
    english="With the sizes of a schedule in powers of y = c·β all inequalities of A_L, A_W and B_L hold, and the last "
    "table has 8·y^(F_{2L}−2) entries in A_L, 8·y^(3F_{2L-3}−2) in A_W and 8·y^(3F_{2L-1}−2) in B_L.",
    subject=Schedule(),
    check=check,
    twins={
        "m too small by y": Schedule(more_in_m=-1),
        "n_ℓ too large by y": Schedule(more_in_n=1),
        "y = 2^(L−1)·β": Schedule(constant=-1),
        "exponents less by one": Schedule(claimed=-1),
    },
    rests_on=("T.AL", "T.AW", "T.BL"),
    hypotheses=(
        Hypothesis("β is an integer ≥ 1", lambda held: held[0] >= 1, outside=(0, 3)),
        Hypothesis("A_L and A_W have at least three tables", lambda held: held[1] >= 3, outside=(8, 2)),
        Hypothesis("no R layers: Λ_t = 0", lambda held: len(held) == 2, outside=(8, 3, 1)),
    ),
    witness=(8, 3),
)
"""The witness: β and L."""
