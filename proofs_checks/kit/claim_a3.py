"""Theorem A3 in integers, on all inputs and on families of them; charges may be left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from proofs_checks.kit.products import covers, is_less, reaches
from separation.bounds.log_sums import LogSum


class Numbers(NamedTuple):
    """m, n_1, n_2; g, u, Θ_1, x_2, Θ_2; β, λ_0, λ_1, λ_2; on a family also v_2 and q, else 0."""

    m: int
    n1: int
    n2: int
    g: int
    u: int
    theta1: int
    x2: int
    theta2: int
    beta: int
    early: int
    middle: int
    late: int
    second: int = 0
    answers: int = 0

    @property
    def second_values(self) -> int:
        """v_2: the values of table 2."""
        return self.second or self.m * self.n1

    @property
    def last_values(self) -> int:
        """q: the values of table 3."""
        return self.answers or self.m * self.n1 * self.n2


FIRST, WINDOWS, TO_W = "the state behind table 1", "the states behind the windows", "layer 1, table 2 to w"
MIDDLE, BOUNDARY, STATE, LATE = "states into w", "the new boundary", "the first state", "late states"
INTO_W, INTO_Z0, LAST = "layer 1 into w", "layer 1 into z_0", "last layer into w"
INTO_1, INTO_2 = "layer 1 into table 1", "layer 1 into table 2"
NAMES = (FIRST, WINDOWS, TO_W, MIDDLE, BOUNDARY, STATE, LATE, INTO_W, INTO_Z0, INTO_1, INTO_2, LAST)


@dataclass(frozen=True)
class Claim:
    """(a), (b), (c) exclude every solver; the charges named in ``free`` are left out, and ``guard`` is Θ_2 ≤ N_1."""

    free: frozenset[str] = frozenset()
    guard: bool = True

    def forbids(self, of: Numbers) -> bool:
        return self.fits(of) and self.reaches(of) and self.covers(of) and self.asks(of)

    def fits(self, of: Numbers) -> bool:
        return of.g <= of.m and of.u <= of.m and (not self.guard or of.theta2 <= of.second_values <= of.m * of.n1)

    def before(self, of: Numbers) -> dict[str, int]:
        """What is fixed of tables 1 and 2 before table 2 is drawn, by name."""
        charges = {FIRST: of.early, WINDOWS: of.n1 * of.early, TO_W: of.beta * of.n1 * of.n2}
        return {name: 0 if name in self.free else bits for name, bits in charges.items()}

    def told(self, of: Numbers) -> dict[str, int]:
        """What is fixed of table 3, by name; of the states of block 1 into w, those for one draw of table 2."""
        W = of.n1 * of.n2
        heard = {
            INTO_W: W,
            INTO_Z0: 1,
            INTO_1: of.m - of.g + of.g * of.theta1,
            INTO_2: of.x2 * of.n1 * of.u + (of.n1 - 1) * (of.m - of.u),
            LAST: W * of.theta1,
        }
        charges = {
            STATE: of.early,
            BOUNDARY: of.middle,
            MIDDLE: of.theta1 * of.middle,
            LATE: of.x2 * of.theta1 * of.late,
            **{name: of.beta * tokens for name, tokens in heard.items()},
        }
        return {name: 0 if name in self.free else bits for name, bits in charges.items()}

    def reaches(self, of: Numbers) -> bool:
        """(a)"""
        return reaches(of.u, of.theta1, of.g, self.before(of)[FIRST])

    def covers(self, of: Numbers) -> bool:
        """(b); beyond Θ_2 = v_2 the binomial is 0."""
        before = self.before(of)
        told = of.x2 * (before[WINDOWS] + before[TO_W] + self.told(of)[MIDDLE]) + (of.middle > 0)
        tries, beyond = of.x2 * of.n1 * of.theta1, of.theta2 > of.second_values + 1
        return beyond or covers(of.second_values, of.theta2, tries, told, strict=not of.middle, guard=False)

    def asks(self, of: Numbers) -> bool:
        """(c)"""
        told = self.told(of)
        bits = sum(told.values()) + (of.x2 - 1) * told[MIDDLE] + (of.middle > 0)
        return is_less(LogSum(bits), LogSum(0, ((of.n2 * of.theta2, of.last_values),)))
