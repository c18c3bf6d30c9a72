"""The recursion of theorems A_L and B_L a second time, in integers, as it is proved in Coq; charges may be left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

from proofs_checks.kit.products import covers, is_less, reaches
from proofs_checks.kit.solving_protocols import Solver
from separation.bounds.log_sums import LogSum


@dataclass(frozen=True)
class Sharper:
    """Sizes, β and λ_0, λ_1, …; Θ_1 and (x_ℓ, Θ_ℓ) for ℓ = 2..L−1; g of A_L, or x_0 and x_1 of B_L.

    ``values``: how many values tables 1..L have on the inputs that are spoken of; none given: all, N_{ℓ-1}.
    """

    m: int
    n: tuple[int, ...]
    beta: int
    states: tuple[int, ...]
    theta1: int
    copies: tuple[tuple[int, int], ...]
    g: int = 1
    x0: int = 1
    x1: int = 1
    values: tuple[int, ...] = ()

    def values_of(self, table: int) -> int:
        return self.values[table - 1] if self.values else self.m * prod(self.n[: table - 1])

    @property
    def linear(self) -> tuple[int, ...]:
        """Λ_0, Λ_1, …"""
        return tuple(sum(self.states[: block + 1]) for block in range(len(self.states)))


FIRST, TABLE_STATE, TABLE_TO_W = "the state behind table 1", "the state behind a table", "layer 1, a table to w"
TABLE_1_TO_W, TABLE_TO_TOKENS = "layer 1, table 1 to w", "layer 1, a table to table 1 and z_0"
LAST_STATE, INTO_W, INTO_TOKENS = "the first state", "layer 1 into w", "layer 1 into table 1 and z_0"
STATES_INTO_W, LAYER_2_INTO_W = "states into w", "layer 2 into w"
BOUNDARY, LATE, LAST_INTO_W = "the new boundary", "late states", "last layer into w"
INTO_TABLE, INTO_Z0, INTO_BELOW = "into the table itself", "into z_0", "into the tables below"

CHARGES_AL = (FIRST, TABLE_STATE, TABLE_TO_W, LAST_STATE, INTO_W, STATES_INTO_W)
CHARGES_BL = (FIRST, TABLE_1_TO_W, *CHARGES_AL[1:], TABLE_TO_TOKENS, INTO_TOKENS, LAYER_2_INTO_W)
CHARGES_OF_LEVELS = (BOUNDARY, LATE, INTO_TABLE, INTO_Z0, INTO_BELOW, LAST_INTO_W)


@dataclass(frozen=True)
class Recursion:
    """hardAL and hardBL of SharperDefinitions.v; the charges whose names are in ``free`` are not paid.

    A name with "a table" is what is fixed of table ℓ < L before its level; the same of table L has a name without.
    The proof never uses that a table takes all its values: where table ℓ has v_ℓ of them and table 1 varies on its last
    g (or x_0) entries alone, the same inequalities with v_ℓ for N_{ℓ-1} in the places of values exclude every model.
    """

    free: frozenset[str] = frozenset()

    def a_l(self, of: Sharper) -> bool:
        below = of.m - of.g + of.g * of.theta1
        return self.a_l_first(of) and self._levels(of, 0, self.a_l_start(of), 1, below)

    def a_l_first(self, of: Sharper) -> bool:
        """g ≤ m and (Θ_1−1)^g·2^Λ_0 < v_1^g."""
        return of.g <= of.m and reaches(of.values_of(1), of.theta1, of.g, self._paid(FIRST, of.states[0]))

    def a_l_start(self, of: Sharper) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        """P of a table before its level, P of table L, and D_2, by name."""
        heard = of.beta * prod(of.n)
        return (
            self._all_paid({TABLE_STATE: of.states[0], TABLE_TO_W: heard}),
            self._all_paid({LAST_STATE: of.states[0], INTO_W: heard}),
            self._all_paid({STATES_INTO_W: of.theta1 * of.states[1]}),
        )

    def b_l(self, of: Sharper) -> bool:
        below = of.m - of.x0 + of.x0 * of.x1
        return self.b_l_first(of) and self._levels(of, 1, self.b_l_start(of), of.theta1, below)

    def b_l_first(self, of: Sharper) -> bool:
        """x_0 ≤ m, Θ_1 ≤ v_1 and C(v_1, Θ_1−1)·(Θ_1−1)^(x_0·x_1)·2^(x_1(β·W+Λ_1)) < v_1^(x_0·x_1)."""
        heard = self._paid(TABLE_1_TO_W, of.beta * prod(of.n)) + self._paid(FIRST, of.states[1])
        return of.x0 <= of.m and covers(of.values_of(1), of.theta1, of.x0 * of.x1, of.x1 * heard, strict=True)

    def b_l_start(self, of: Sharper) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        heard, tokens = of.beta * prod(of.n), of.beta * (of.m + of.x0 * of.x1)
        return (
            self._all_paid({TABLE_STATE: of.states[1], TABLE_TO_W: heard, TABLE_TO_TOKENS: tokens}),
            self._all_paid({LAST_STATE: of.states[1], INTO_W: heard, INTO_TOKENS: tokens}),
            self._all_paid({STATES_INTO_W: of.theta1 * of.states[2], LAYER_2_INTO_W: heard * of.x0}),
        )

    def level_charges(
        self, of: Sharper, skipped: int, e: int, x: int, size: int, ways: int, z0: int, below: int
    ) -> dict[str, int]:
        """What is fixed of the tables above in the step from level ℓ = e + 2 to ℓ + 1, by name."""
        heard = {
            INTO_TABLE: (skipped + e + 1) * x * size,
            INTO_Z0: z0,
            INTO_BELOW: below,
            LAST_INTO_W: prod(of.n) * ways,
        }
        return self._all_paid(
            {
                BOUNDARY: sum(of.states[skipped + 1 : skipped + e + 2]),
                LATE: x * ways * of.states[skipped + e + 2],
                **{name: of.beta * tokens for name, tokens in heard.items()},
            }
        )

    def _levels(self, of: Sharper, skipped: int, start: tuple[dict[str, int], ...], first_z0: int, below: int) -> bool:
        """Levels ℓ = 2..L−1 with e = ℓ − 2, then the end: v_L^(n_{L-1}·Θ_{L-1}) > 2^(P + D_L)."""
        table, last, joint = (sum(charges.values()) for charges in start)
        told, ways = joint, of.theta1
        asked, size = of.n[0] * of.theta1, of.m * of.n[0]
        for e, (n, (x, theta)) in enumerate(zip(of.n[1:], of.copies, strict=True)):
            if not covers(of.values_of(e + 2), theta, x * asked, x * (table + told) + 1, strict=False):
                return False
            z0 = first_z0 if e == 0 else ways
            told = 1 + x * told + sum(self.level_charges(of, skipped, e, x, size, ways, z0, below).values())
            below = x * (size + below)
            ways, asked, size = x * ways, n * theta, size * n
        return is_less(LogSum(last + told), LogSum(0, ((asked, of.values_of(len(of.n) + 1)),)))

    def _paid(self, name: str, bits: int) -> int:
        return 0 if name in self.free else bits

    def _all_paid(self, charges: dict[str, int]) -> dict[str, int]:
        return {name: self._paid(name, bits) for name, bits in charges.items()}


def numbers_of(solver: Solver, **chosen: Any) -> Sharper:
    """A solver's sizes, values and bits, with one copy and one value of everything that is not chosen."""
    values = solver.family.values if solver.family else ()
    states = tuple(bits - before for before, bits in zip((0, *solver.linear), solver.linear, strict=False))
    copies = ((1, 1),) * (solver.sizes.L - 2)
    return replace(Sharper(solver.sizes.m, solver.sizes.n, solver.beta, states, 1, copies, values=values), **chosen)
