"""Theorems B2c and A3c on average: how often two full layers compose two, or three, random tables rightly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from separation.bounds.entropy import cube_excess, cube_excess_factors, largest_share
from separation.bounds.theorem import checked_sizes, checked_state_bits, table_sizes
from separation.bounds.theorems.ceiling import Ceiling, Term
from separation.files import InputError
from separation.tasks.checks import require_integer

if TYPE_CHECKING:
    import numpy as np

MOST_TAU_BITS = 4.0  # of τ − 1: c'_τ is then 1.00002, and κ only grows
MOST_GRID = 10**90  # beyond, floats would overflow, and the best τ does not change


def theorem_cube_average(
    m: int, n: Sequence[int], tau: Fraction, groups: int, beta: int, state_bits: Sequence[int]
) -> Ceiling:
    """B2c: accuracy ≤ c'_τ·(ω·β+Λ_1)/m + ⟨1/N_1; γ·λ_2/n_1 + τ·(Λ_1 + β·(2n_1+2m))/N_1⟩; A3c, with Λ_0 = 0:
    accuracy ≤ c'_τ·(ω·β/m + λ_1/n_1) + ⟨1/N_2; γ·λ_2/n_2 + τ·(λ_1 + β·(2n_2+m+2N_1))/N_2⟩, for every τ > 1.

    where the values of the last digit of w are in γ = ``groups`` groups of at most ω = ⌈n/γ⌉, and c'_τ = sup_{a>τ}
    (1−τ/a)/(1−h(1/(1+a))), h the binary entropy. (n) is B2c, (n_1, n_2) A3c.
    """
    n = checked_sizes(m, n, 2)
    require_integer("beta", beta, 0)
    require_integer("groups", groups, 1, n[-1])
    early, middle, late = checked_state_bits(state_bits, 3)
    if early or len(n) > 2 or tau <= 1:
        raise InputError("two or three tables, no R layer before the first full one, and tau above 1 are needed")
    first, received, N = _numbers(m, n, -(-n[-1] // groups), beta, middle)
    kappa = Fraction(groups * (late - middle), n[-1]) + tau * Fraction(received, N)
    factor, point = cube_excess(tau)
    parameters = (("tau", tau), ("groups", groups), ("excess", factor), ("point", point))
    return Ceiling.from_terms(_name(n), parameters, (Term.of(Fraction(1, N), kappa),), factor * Fraction(*first))


def _name(n: Sequence[int]) -> str:
    return "B2c average" if len(n) == 1 else "A3c average"


def _numbers(m: int, n: Sequence[int], size: int, beta: int, middle: int) -> tuple[tuple[int, int], int, int]:
    """What the group hears per entry as a fraction, what is received of the last table, and its number of entries."""
    N = table_sizes(m, n)
    if len(n) == 1:
        return (size * beta + middle, m), middle + beta * (2 * n[0] + 2 * m), N[-1]
    return (size * n[0] * beta + m * middle, N[1]), middle + beta * (2 * n[1] + m + 2 * N[1]), N[-1]


def cube_average_values(
    tau: np.ndarray, m: float, n: Sequence[int], beta: float, state_bits: Sequence[float]
) -> np.ndarray:
    """The ceilings for some τ with the best number of groups, in floats."""
    import numpy as np

    middle, late = state_bits[1], state_bits[2]
    sizes = [float(min(size, MOST_GRID)) for size in (m, *n)]
    found = []
    for groups in group_counts(n[-1], late > middle):
        (top, bottom), received, N = _numbers(sizes[0], sizes[1:], -(-n[-1] // groups), beta, middle)  # type: ignore[arg-type]
        kappa = groups * (late - middle) / n[-1] + tau * (received / N)
        found.append(cube_excess_factors(tau) * (top / bottom) + largest_share(np.full_like(tau, 1 / N), kappa))
    return np.asarray(np.min(found, axis=0))


def group_counts(last: int, late: bool) -> list[int]:
    """⌈n/ω⌉ for ω = 1, 2, 4, …; without late states ω = 1 is best."""
    return sorted({-(-last // (1 << k)) for k in range(last.bit_length() if late else 1)}, reverse=True)


def best_cube_average(m: int, n: Sequence[int], beta: int, state_bits: Sequence[int]) -> Ceiling:
    """The best number of groups and τ on grids of floats, each finer than the one before; certified."""
    import numpy as np

    low, high, bits = -6.0, MOST_TAU_BITS, [float(value) for value in state_bits]
    for _ in range(3):
        above = np.linspace(low, high, 100)
        values = cube_average_values(1 + np.exp2(above), m, n, float(min(beta, 10**300)), bits)
        best = int(np.argmin(values))
        low, high = above[max(best - 1, 0)], above[min(best + 1, len(above) - 1)]
    tau = max(Fraction(1 + 2.0 ** float(above[best])).limit_denominator(1000), Fraction(1001, 1000))
    counts = group_counts(n[-1], state_bits[2] > state_bits[1])
    found = (theorem_cube_average(m, n, tau, groups, beta, state_bits) for groups in counts)
    return min(found, key=lambda ceiling: ceiling.value)
