"""T.golden: the exponents of the golden schedule, and their growth."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import sympy as sp

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.asymptote import PHI, golden_asymptote
from separation.bounds.schedules import fibonacci

Exponents = Callable[[int], tuple[int, int]]
"""k ↦ exponents of y in x_{L-k} and n_{L-k}."""

LARGEST = 12


def golden(k: int) -> tuple[int, int]:
    """(F_{2k}, F_{2k+1})."""
    return fibonacci(2 * k), fibonacci(2 * k + 1)


def check(exponents: Exponents) -> Checked:
    """x_{L-k} = y·Π_{j>L-k} n_j and n_{L-k} = y·Π_{j≥L-k} x_j; exponents: x_k = 1 + Σ_{i<k} n_i, n_k = 1 + Σ_{i≤k} x_i.

    Two lines: x_{k+1} − x_k = n_k and n_{k+1} − n_k = x_{k+1}, with x_1 = 1 and n_1 = 2. F_{2k+2} − F_{2k} = F_{2k+1}
    and F_{2k+3} − F_{2k+1} = F_{2k+2} are the definition of Fibonacci numbers, shown with symbols for every k. Then
    Σ x + Σ n over k = 1..L−1, which is log_y N_{L-1}/(6·x_0) in theorem A, is F_{2L+1} − 2.
    """
    require(exponents(1) == (1, 2), f"x_{{L-1}}, n_{{L-1}} have the exponents {exponents(1)}, not (1, 2)")
    for k in range(1, LARGEST):
        (x, n), (next_x, next_n) = exponents(k), exponents(k + 1)
        require(next_x - x == n and next_n - n == next_x, f"k = {k}: {x}, {n} then {next_x}, {next_n}")
        total = sum(sum(exponents(i)) for i in range(1, k + 1))
        require(total == fibonacci(2 * k + 3) - 2, f"L = {k + 1}: the exponents add up to {total}")
    _require_for_all_k()
    asymptote = golden_asymptote()
    require(sp.simplify(asymptote.constant - PHI / sp.sqrt(5)) == 0, f"the constant is {asymptote.constant}")
    return Checked(Status.ALL_SIZES, "Binet's formula and recurrences with symbols (sympy)", "every L")


def _require_for_all_k() -> None:
    """Both recurrences and the sum for every k, with φ^{2k} and ψ^{2k} as letters."""
    u, v = sp.symbols("u v", positive=True)
    root = sp.sqrt(5)
    psi = 1 - PHI

    def at(shift: int) -> Any:
        """F_{2k+shift}."""
        return (PHI**shift * u - psi**shift * v) / root

    for left, right in (((2, 0), 1), ((3, 1), 2)):
        rest = sp.simplify(at(left[0]) - at(left[1]) - at(right))
        require(rest == 0, f"F_(2k+{left[0]}) − F_(2k+{left[1]}) − F_(2k+{right}) is {rest}")
    # One more table adds x_k and n_k: F_{2k+3} − F_{2k+1} = F_{2k} + F_{2k+1}.
    rest = sp.simplify(at(3) - at(1) - at(0) - at(1))
    require(rest == 0, f"the sum over k is off by {rest}")


class Schedule(NamedTuple):
    """y, x_0..x_{L-1}, n_1..n_{L-1} and m."""

    y: int
    x: tuple[int, ...]
    n: tuple[int, ...]
    m: int


def solved(L: int, y: int, first: int = 1, more_x: int = 0, more_n: int = 0, factor: int = 6) -> Schedule:
    """From level L−1 down to 1; ``more_x``, ``more_n`` and ``factor`` for schedules that are off."""
    x: list[int] = []
    n: list[int] = []
    for _ in range(L - 1):
        x.insert(0, y * prod(n) + more_x)
        n.insert(0, y * prod(x) + more_n)
    return Schedule(y, (first, *x), tuple(n), factor * first * prod(x))


def x_is_golden(schedule: Schedule) -> bool:
    """x_ℓ = y·Π_{j>ℓ} n_j for ℓ = 1..L−1."""
    y, x, n, _ = schedule
    return all(x[level] == y * prod(n[level:]) for level in range(1, len(x)))


def n_is_golden(schedule: Schedule) -> bool:
    """n_ℓ = y·Π_{j≥ℓ} x_j for ℓ = 1..L−1."""
    y, x, n, _ = schedule
    return all(n[level - 1] == y * prod(x[level:]) for level in range(1, len(x)))


STATEMENT = Statement(
    id="T.golden",
    title="golden exponents",
    latex=r"x_{L-k}=y^{F_{2k}},\ n_{L-k}=y^{F_{2k+1}},\ N_{L-1}=6x_0y^{F_{2L+1}-2},\ "
    r"F_{2L+1}-2\sim\tfrac{\varphi}{\sqrt5}\varphi^{2L}",
    english="The golden schedule reaches β about n^{1/(F_{2L+1}−2)}; the exponent grows like φ^{2L}.",
    subject=golden,
    check=check,
    twins={
        "odd and even swapped": lambda k: (fibonacci(2 * k + 1), fibonacci(2 * k)),
        "powers of two": lambda k: (2 ** (k - 1), 2**k),
        "one index late": lambda k: (fibonacci(2 * k + 1), fibonacci(2 * k + 2)),
    },
    hypotheses=(
        Hypothesis("x_ℓ = y·Π_{j>ℓ} n_j", x_is_golden, solved(3, 2, more_x=1)),
        Hypothesis("n_ℓ = y·Π_{j≥ℓ} x_j", n_is_golden, solved(3, 2, more_n=1)),
        Hypothesis("m = 6·Πx", lambda schedule: schedule.m == 6 * prod(schedule.x), solved(3, 2, factor=5)),
        Hypothesis("x_0 ≥ 1", lambda schedule: schedule.x[0] >= 1, solved(3, 2, first=0)),
        Hypothesis("L ≥ 2", lambda schedule: len(schedule.x) >= 2, solved(1, 2)),
    ),
    witness=solved(3, 2),
)
