"""The recursion of theorems A_L and B_L a second time, in integers, as it is proved in Coq; charges may be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb, prod
from random import Random

from proofs_checks.kit.solving_protocols import Solver
from proofs_checks.kit.verdict import require
from separation.bounds.theorems.outcome import Impossibility


@dataclass(frozen=True)
class Sharper:
    """Sizes, β and λ_0, λ_1, …; Θ_1 and (x_ℓ, Θ_ℓ) for ℓ = 2..L−1; g of A_L, or x_0 and x_1 of B_L."""

    m: int
    n: tuple[int, ...]
    beta: int
    states: tuple[int, ...]
    theta1: int
    copies: tuple[tuple[int, int], ...]
    g: int = 1
    x0: int = 1
    x1: int = 1

    @property
    def linear(self) -> tuple[int, ...]:
        """Λ_0, Λ_1, …"""
        return tuple(sum(self.states[: block + 1]) for block in range(len(self.states)))


@dataclass(frozen=True)
class Recursion:
    """hardAL and hardBL of SharperDefinitions.v; the charges whose names are in ``free`` are not paid.

    "first state": λ_0 of A_L or Λ_1 of B_L where a first table is kept; "product": what is fixed of every table before
    the levels; "new boundary": the states into a table; "late states": those into w, for each copy; "messages": all
    soft messages of the levels.
    """

    free: frozenset[str] = frozenset()

    def a_l(self, of: Sharper) -> bool:
        W, first = prod(of.n), of.m - of.g + of.g * of.theta1
        product = self._paid("product", of.states[0] + of.beta * W)
        start = self._paid("late states", of.theta1 * of.states[1])
        return self.a_l_first(of) and self._levels(of, 0, product, start, 1 + first, of.theta1 + first)

    def a_l_first(self, of: Sharper) -> bool:
        """g ≤ m and (Θ_1−1)^g·2^Λ_0 < m^g."""
        told = self._paid("first state", of.states[0])
        return of.g <= of.m and bool((of.theta1 - 1) ** of.g * 2**told < of.m**of.g)

    def b_l(self, of: Sharper) -> bool:
        W, first, tries = prod(of.n), of.m - of.x0 + of.x0 * of.x1, of.x0 * of.x1
        product = self._paid("product", of.beta * W + of.states[1] + of.beta * (of.m + tries))
        start = self._paid("messages", of.beta * W * of.x0) + self._paid("late states", of.theta1 * of.states[2])
        return self.b_l_first(of) and self._levels(of, 1, product, start, of.theta1 + first, of.theta1 + first)

    def b_l_first(self, of: Sharper) -> bool:
        """x_0 ≤ m, Θ_1 ≤ m and C(m, Θ_1−1)·(Θ_1−1)^(x_0·x_1)·2^(x_1(β·W+Λ_1)) < m^(x_0·x_1)."""
        if of.x0 > of.m or of.theta1 > of.m:
            return False
        heard, tries = of.beta * prod(of.n) + self._paid("first state", of.states[1]), of.x0 * of.x1
        return bool(comb(of.m, of.theta1 - 1) * (of.theta1 - 1) ** tries * 2 ** (of.x1 * heard) < of.m**tries)

    def _levels(self, of: Sharper, skipped: int, product: int, told: int, below: int, later_below: int) -> bool:
        """Levels ℓ = 2..L−1 with e = ℓ − 2, then the end: N^(n_{L-1}·Θ_{L-1}) > 2^(P + D_L)."""
        W, ways = prod(of.n), of.theta1
        asked, size = of.n[0] * of.theta1, of.m * of.n[0]
        for e, (n, (x, theta)) in enumerate(zip(of.n[1:], of.copies, strict=True)):
            tries = x * asked
            left = (
                comb(size, theta - 1) * (theta - 1) ** tries * 2 ** (x * (product + told) + 1) if theta <= size else 0
            )
            if theta > size or left > size**tries:
                return False
            boundary = sum(of.states[skipped + 1 : skipped + e + 2])
            heard = (skipped + e + 1) * x * size + below + W * ways
            late = x * ways * of.states[skipped + e + 2]
            told = (
                1
                + x * told
                + self._paid("new boundary", boundary)
                + self._paid("late states", late)
                + self._paid("messages", of.beta * heard)
            )
            below = later_below = x * (size + later_below)
            ways, asked, size = x * ways, n * theta, size * n
        return bool(size**asked > 2 ** (product + told))

    def _paid(self, name: str, bits: int) -> int:
        return 0 if name in self.free else bits


def numbers_of(solver: Solver) -> Sharper:
    """A solver's sizes and bits, with one copy and one value of everything."""
    states = tuple(bits - before for before, bits in zip((0, *solver.linear), solver.linear, strict=False))
    copies = ((1, 1),) * (solver.sizes.L - 2)
    return Sharper(solver.sizes.m, solver.sizes.n, solver.beta, states, 1, copies)


def require_allowed(forbidden: Callable[[Sharper], bool], solvers: Iterable[Solver]) -> None:
    """Nothing that exists is forbidden: no solver's sizes and counted bits."""
    for solver in solvers:
        of = numbers_of(solver)
        require(not forbidden(of), f"{solver.name}: solves {of}, which is called impossible")


def require_same_verdicts(
    case: Callable[[Random], Sharper],
    calculated: Callable[[Sharper], Impossibility],
    first_names: Sequence[str],
    forbidden_first: Callable[[Sharper], bool],
    forbidden: Callable[[Sharper], bool],
    rng: Random,
    count: int,
) -> None:
    """On seeded cases the calculator says what the recursion says: of table 1 alone, and of all; both yes and no."""
    verdicts = set()
    for _ in range(count):
        of = case(rng)
        outcome = calculated(of)
        first = all(found.holds for found in outcome.inequalities if found.name in first_names)
        for what, said, ours in (("first", first, forbidden_first(of)), ("all", outcome.holds, forbidden(of))):
            require(said == ours, f"{of}: the calculator says {said} ({what})")
            verdicts.add((what, said))
    require(len(verdicts) == 4, f"the seeded cases have these verdicts only: {sorted(verdicts)}")
