"""T.golden: the exponents of the golden schedule, and their growth.

x_{L-k} = y·Π_{j>L-k} n_j and n_{L-k} = y·Π_{j≥L-k} x_j are solved by x_{L-k} = y^{F_{2k}} and n_{L-k} = y^{F_{2k+1}};
N_{L-1} = 6·x_0·y^{F_{2L+1}-2} in theorem A, and F_{2L+1} − 2 grows like (φ/√5)·φ^{2L}.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import sympy as sp

from proofs_checks.kit.solvers import require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import fibonacci
from separation.bounds.asymptote import PHI, PSI, golden_asymptote

Fibonacci = Callable[[int], Any]
"""shift ↦ F_{2k+shift}, for a number k or a letter."""

LARGEST = 12


@dataclass(frozen=True)
class Golden:
    """The exponents of y in x_{L-k} and n_{L-k}, (F_{2k}, F_{2k+1}), and lim (F_{2L+1} − 2)/φ^{2L}."""

    exponents: Callable[[Fibonacci], tuple[Any, Any]] = lambda F: (F(0), F(1))
    constant: Any = PHI / sp.sqrt(5)


def _first_exponents(golden: Golden) -> None:
    found = golden.exponents(lambda shift: fibonacci(2 + shift))
    require(found == (1, 2), f"x_{{L-1}}, n_{{L-1}} have the exponents {found}, not (1, 2)")


def _in_letters(k_later: int = 0) -> Fibonacci:
    """shift ↦ F_{2(k + k_later) + shift} with φ^{2k} and ψ^{2k} as letters."""
    u, v = sp.symbols("u v", positive=True)
    return lambda shift: (PHI ** (shift + 2 * k_later) * u - PSI ** (shift + 2 * k_later) * v) / sp.sqrt(5)


def _x_grows(golden: Golden) -> None:
    """x_{k+1} − x_k = n_k."""
    (x, n), (next_x, _) = golden.exponents(_in_letters()), golden.exponents(_in_letters(1))
    require_zero(next_x - x - n, "x_{k+1} − x_k − n_k is off")


def _n_grows(golden: Golden) -> None:
    """n_{k+1} − n_k = x_{k+1}."""
    (_, n), (next_x, next_n) = golden.exponents(_in_letters()), golden.exponents(_in_letters(1))
    require_zero(next_n - n - next_x, "n_{k+1} − n_k − x_{k+1} is off")


def _sum_grows(golden: Golden) -> None:
    """One more table adds x_k + n_k to Σ = F_{2k+1} − 2, which becomes F_{2k+3} − 2."""
    F = _in_letters()
    require_zero(F(3) - F(1) - sum(golden.exponents(F)), "the sum over k is off")


def _asymptote(golden: Golden) -> None:
    """lim (F_{2L+1} − 2)/φ^{2L}."""
    require_zero(golden_asymptote().constant - golden.constant, "the constant is off")


def _counted(golden: Golden) -> None:
    total = 0
    for k in range(1, LARGEST):
        total += sum(golden.exponents(lambda shift, k=k: fibonacci(2 * k + shift)))  # type: ignore[misc]
        require(total == fibonacci(2 * k + 3) - 2, f"L = {k + 1}: the exponents add up to {total}")


class Schedule(NamedTuple):
    """y, x_0..x_{L-1}, n_1..n_{L-1} and m."""

    y: int
    x: tuple[int, ...]
    n: tuple[int, ...]
    m: int


def solved(L: int, y: int, first: int = 1, more_x: int = 0, more_n: int = 0, factor: int = 6) -> Schedule:
    """From level L−1 down to 1; ``more_x``, ``more_n`` and ``factor`` make wrong schedules."""
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
    title="the exponents of the golden schedule",
    latex=r"x_{L-k}=y^{F_{2k}},\ n_{L-k}=y^{F_{2k+1}},\ N_{L-1}=6x_0y^{F_{2L+1}-2},\ "
    r"F_{2L+1}-2\sim\tfrac{\varphi}{\sqrt5}\varphi^{2L}",
    english="The golden schedule reaches β about n^{1/(F_{2L+1}−2)}; the exponent grows like φ^{2L}.",
    subject=Golden(),
    check=Steps(
        "every L",
        (
            Step("the first exponents", _first_exponents),
            Step("x grows by n", _x_grows),
            Step("n grows by x", _n_grows),
            Step("the sum of all exponents", _sum_grows),
            Step("the constant of the growth", _asymptote),
            Step(f"sums for L ≤ {LARGEST}", _counted),
        ),
        {
            "from products to exponents": "x_{L-k} = y·Π_{j>L-k} n_j and n_{L-k} = y·Π_{j≥L-k} x_j say x_k = 1 + "
            "Σ_{i<k} n_i, n_k = 1 + Σ_{i≤k} x_i of the exponents: differences are the two recurrences.",
            "induction over k": "(1, 2) and the recurrences have one solution, so (F_{2k}, F_{2k+1}) is it for every "
            "k.",
            "Binet's formula": "F_k = (φ^k − ψ^k)/√5: both powers obey F_{k+1} = F_k + F_{k-1}, and two values agree.",
            "geometric sequences vanish": "(ψ/φ)^{2L} and φ^{-2L} tend to 0, since both ratios are below 1.",
        },
    ),
    twins={
        "odd and even swapped": Golden(lambda F: (F(1), F(0))),
        "n twice x": Golden(lambda F: (F(0), 2 * F(0))),
        "one index late": Golden(lambda F: (F(1), F(2))),
        "a growth without φ": Golden(constant=1 / sp.sqrt(5)),
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
