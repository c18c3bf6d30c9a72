"""T.AL.exponents: how the least prompts of theorems A_L, A_W and B_L grow with β, for every L.

With y = c·β, k = L−ℓ and T = F_{2L} (A_L), 3F_{2L-3} (A_W) or 3F_{2L-1} (B_L) the schedule is x_ℓ = y^{F_{2k}}, n_ℓ =
y^{F_{2k+1}} for ℓ ≥ 2; in A_L n_1 = 1, Θ_1 = y^{F_{2L-2}}, m = 8y^{F_{2L-1}−1}; in A_W n_1 = 1, n_2 = y^{F_{2L-5}},
u = Θ_1 = y^{F_{2L-3}}, m = 8y^{2F_{2L-3}−1}; in B_L n_1 = y^{F_{2L-3}}, x_1 = y^{F_{2L-2}}, x_0 = y^{F_{2L-1}}, m =
8y^{2F_{2L-1}−1}. Then n_ℓΘ_ℓ = y^{T−F_{2k+1}} and N_{ℓ-1} = y^{T−1−F_{2k+2}} (in A_W for ℓ ≥ 3), up to constants, and
β·x_ℓN_{ℓ-1} and β·W·X_{ℓ-1} are both of the order of n_ℓΘ_ℓ, in A_W also what table 1 hears; no other term of D_{ℓ+1}
is larger. So N_{L-1} = 8y^{T−2}. A_L has 6, 19, 53 at L = 3, 4, 5, because all of table 2 hears the tables above it; a
window in table 2 alone, as in A3, makes that 4, 13, 37.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from proofs_checks.kit.solvers import require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import fibonacci
from separation.bounds.delayed_schedule import delayed_schedule

KINDS = {"A_L": range(3, 7), "A_W": range(3, 7), "B_L": range(2, 6)}
BETAS = (1, 8, 10**6)


@dataclass(frozen=True)
class Schedule:
    """log_y of m, n_ℓ, x_ℓ in `delayed_schedule`, each with something added; ``constant``: c = 2^(L+constant)."""

    more_in_m: int = 0
    more_in_n: int = 0
    more_in_x: int = 0
    constant: int = 2
    claimed: int = 0
    """Added to the exponents that are claimed."""


@dataclass(frozen=True)
class Letters:
    """a = F_{2k-1}, b = F_{2k}, k = L−ℓ; e = F_{2j-1}, f = F_{2j}, j = L−i ≥ k; c = F_{2L-1}, d = F_{2L}."""

    kind: str
    schedule: Schedule
    a, b, c, d, e, f = sp.symbols("a b c d e f", positive=True)

    @property
    def top(self) -> Any:
        """log_y of N_{L-1}, and 2: F_{2L} in A_L, 3·F_{2L-3} in A_W, 3·F_{2L-1} in B_L."""
        return {"A_L": self.d, "A_W": 3 * self.before, "B_L": 3 * self.c}[self.kind]

    @property
    def before(self) -> Any:
        """F_{2L-3}."""
        return 2 * self.c - self.d

    @property
    def first(self) -> Any:
        """m."""
        own = {"A_L": self.c, "A_W": 2 * self.before, "B_L": 2 * self.c}[self.kind]
        return own - 1 + self.schedule.more_in_m

    @property
    def queries(self) -> Any:
        """W: F_{2L-2} − 1 by the sum of F_3, F_5, …, F_{2L-3}; in B_L also n_1 = y^F_{2L-3}.

        In A_W n_2 has F_{2L-5} = F_{2L-3} − F_{2L-4} in place of F_{2L-3}: together F_{2L-3} − 1.
        """
        later = (self.d - self.c) - 1 + self.schedule.more_in_n
        return later + {"A_L": 0, "A_W": -(2 * self.d - 3 * self.c), "B_L": self.before}[self.kind]

    @property
    def reached(self) -> Any:
        """Θ_1."""
        return {"A_L": self.d - self.c, "A_W": self.before, "B_L": self.d}[self.kind]

    def copies(self, last: Any) -> Any:
        """x_2⋯x_{L-q}, ``last`` = F_{2q-1}: F_{2L-3} − F_{2q-1}."""
        return self.before - last

    @property
    def own(self) -> Any:
        """x_ℓ."""
        return self.b + self.schedule.more_in_x

    def table(self, following: Any) -> Any:
        """N_{ℓ-1} = m·n_1⋯n_{ℓ-1}, ``following`` = F_{2k+2}: the n up to n_{ℓ-1} are W without F_3, …, F_{2k+1}."""
        return self.first + self.queries - (following - 1)

    @property
    def asked(self) -> Any:
        """R_ℓ = n_ℓ·Θ_ℓ, Θ_ℓ = Θ_1·x_2⋯x_ℓ·n_1⋯n_{ℓ-1}."""
        before = self.queries - (self.a + 2 * self.b - 1)
        return self.reached + self.copies(self.a) + before + (self.a + self.b) + self.schedule.more_in_n


def _all(schedule: Schedule) -> list[Letters]:
    return [Letters(kind, schedule) for kind in KINDS]


def _sums(schedule: Schedule) -> None:
    """F_3 + F_5 + … + F_{2k+1} = F_{2k+2} − 1 and F_2 + F_4 + … + F_{2k} = F_{2k+1} − 1: by one term more."""
    a, b = sp.symbols("a b")
    one, two, three, four = a + b, a + 2 * b, 2 * a + 3 * b, 3 * a + 5 * b  # F_{2k+1}, …, F_{2k+4}
    require_zero(four - two - three - schedule.more_in_n, "the sum of odd ones is off")
    require_zero(three - one - two - schedule.more_in_x, "the sum of even ones is off")
    require((fibonacci(3), fibonacci(2)) == (fibonacci(4) - 1, fibonacci(3) - 1), "the sums begin differently")


def _size(schedule: Schedule) -> None:
    for of in _all(schedule):
        require_zero(of.first + of.queries - (of.top - 2 + schedule.claimed), f"{of.kind}: log_y N_{{L-1}} is off")


def _asked(schedule: Schedule) -> None:
    for of in _all(schedule):
        require_zero(of.asked - (of.top - (of.a + of.b)), f"{of.kind}: R_ℓ is not y^(T − F_{{2k+1}})")


def _table_heard(schedule: Schedule) -> None:
    """β·x_ℓ·N_{ℓ-1} is R_ℓ, up to c."""
    for of in _all(schedule):
        require_zero(1 + of.own + of.table(of.a + 2 * of.b) - of.asked, f"{of.kind}: β·x_ℓ·N_{{ℓ-1}}/R_ℓ is off")


def _queries_heard(schedule: Schedule) -> None:
    """β·W·Θ_1·x_2⋯x_{ℓ-1} is R_ℓ, up to c."""
    for of in _all(schedule):
        heard = 1 + of.queries + of.reached + of.copies(of.a + of.b)
        require_zero(heard - of.asked, f"{of.kind}: β·W·X_{{ℓ-1}}/R_ℓ is off")


def _copied(schedule: Schedule) -> None:
    """x_ℓ·R_{ℓ-1} is less than R_ℓ by y^F_{2k+1}."""
    for of in _all(schedule):
        before = of.top - (2 * of.a + 3 * of.b)  # R_{ℓ-1} = y^(T − F_{2k+3})
        require_zero(of.asked - (of.own + before) - (of.a + of.b), f"{of.kind}: R_ℓ/(x_ℓ·R_{{ℓ-1}}) is off")


def _tables_below(schedule: Schedule) -> None:
    """β·x_i⋯x_{ℓ-1}·N_{i-1} is less than R_ℓ by y^F_{2j}; of m in front of it the same with j = L−1 or less."""
    for of in _all(schedule):
        between = (of.e + of.f) - (of.a + of.b)  # F_{2k+2} + … + F_{2j}
        heard = 1 + between + of.table(of.e + 2 * of.f)
        require_zero(of.asked - heard - of.f, f"{of.kind}: what table i hears is off")
        first = 1 + of.copies(of.a + of.b) + of.first
        spare = {"A_L": of.d - of.c - of.before, "A_W": 0, "B_L": of.d - of.c}[of.kind]
        require_zero(of.asked - first - spare, f"{of.kind}: what table 1 hears is off")


def _fixed_before(schedule: Schedule) -> None:
    """β·W is R_1 = Θ_1 in A_L and A_W and x_0 in B_L; β·m and β·W·x_0 are R_1 in B_L, up to c."""
    one, window, two = _all(schedule)
    for of in (one, window):
        require_zero(of.queries + 1 - of.reached, f"{of.kind}: β·W/R_1 is off")
    require_zero(two.queries + 1 - two.c, "B_L: β·W/x_0 is off")
    for heard in (two.first + 1, two.queries + 1 + two.c):
        require_zero(heard - 2 * two.c, "B_L: β·m/R_1 or β·W·x_0/R_1 is off")


def _certified(schedule: Schedule) -> None:
    """The calculator certifies y = 2^(L+2)·β."""
    for kind, levels in KINDS.items():
        for L in levels:
            for beta in BETAS:
                found = delayed_schedule(kind, L, beta << (L + schedule.constant), beta)
                broken = [inequality.name for inequality in found.inequalities if not inequality.holds]
                require(not broken, f"{kind}, L = {L}, β = {beta}: {', '.join(broken)} does not hold")


def _window_heard(schedule: Schedule) -> None:
    """In A_W β·x_2·u is less than R_2 by y^(F_{2L-5}−1), and R_2 = y^(2F_{2L-3}) is β·m up to c."""
    _, of, _ = _all(schedule)
    second, below = 2 * of.d - 3 * of.c, 5 * of.c - 3 * of.d  # F_{2L-4} and F_{2L-5}: x_2 and n_2
    asked = of.reached + second + schedule.more_in_x + below
    require_zero(asked - 2 * of.before, "A_W: R_2 is not y^(2F_{2L-3})")
    require_zero(asked - (1 + second + schedule.more_in_x + of.reached) - (below - 1), "A_W: β·x_2·u/R_2 is off")
    require_zero(1 + of.first - asked, "A_W: β·m/R_2 is off")


STATEMENT = Statement(
    id="T.AL.exponents",
    title="the least prompts of theorems A_L, A_W and B_L as powers of β",
    latex=r"N_{L-1}=8y^{F_{2L}-2}\ (A_L),\quad 8y^{3F_{2L-3}-2}\ (A_W),\quad 8y^{3F_{2L-1}-2}\ (B_L),\quad y=c_L\beta",
    english="With the sizes of a schedule in powers of y = c·β all terms of A_L, A_W and B_L balance, for every L, and "
    "the last table has 8·y^(F_{2L}−2) entries in A_L, 8·y^(3F_{2L-3}−2) in A_W and 8·y^(3F_{2L-1}−2) in B_L.",
    subject=Schedule(),
    check=Steps(
        "exponents for every L; c = 2^(L+2) for L ≤ 6 (A_L, A_W) and L ≤ 5 (B_L)",
        (
            Step("sums of Fibonacci numbers", _sums),
            Step("log_y N_{L-1}", _size),
            Step("R_ℓ = n_ℓ·Θ_ℓ", _asked),
            Step("what table ℓ hears", _table_heard),
            Step("what w hears last", _queries_heard),
            Step("what is copied", _copied),
            Step("what the tables below hear", _tables_below),
            Step("what is fixed before", _fixed_before),
            Step("points that the calculator certifies", _certified),
            Step("what the windows of A_W hear", _window_heard),
        ),
        {
            "sums over tables": "The sums of exponents over tables telescope, by the first step.",
            "constants": "Each term is a power of y with a factor β = y/c, or falls short by a power of y; so a c that "
            "depends on L alone makes D_{ℓ+1} ≤ R_ℓ and x_ℓ(P + D_ℓ) + … ≤ t_ℓ·log2(N_{ℓ-1}/Θ_ℓ) from level to level.",
        },
    ),
    twins={
        "m too small by y": Schedule(more_in_m=-1),
        "n_ℓ too large by y": Schedule(more_in_n=1),
        "x_ℓ too large by y": Schedule(more_in_x=1),
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
