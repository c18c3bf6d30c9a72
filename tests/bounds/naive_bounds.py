"""Theorems A and B once more, written down from the formulas alone, and the true minimum for two tables.

Nothing is imported from the project. Logarithms are those of mpmath, with 60 digits.
"""

from __future__ import annotations

import math
from typing import Any

import mpmath

mpmath.mp.dps = 60
E = mpmath.e


def log2(x: Any) -> Any:
    return mpmath.log(mpmath.mpf(x), 2)


def prod(values: Any) -> int:
    return math.prod(values)


def inequalities(
    theorem: str,
    beta: int,
    lam: list[int],
    m: int,
    n: list[int],
    x: list[int],
    free: bool = False,
    reached: list[int] | None = None,
) -> dict[str, tuple[Any, bool]]:
    """name -> (left side, holds); n and reached are given without their 0-th entries."""
    L = len(x)
    n = [1, *n]
    N = [m * prod(n[1 : k + 1]) for k in range(L)]
    W = prod(n[1:])
    t, theta = [None], [x[0]]
    for ell in range(1, L):
        draws = x[ell] * n[ell - 1] * theta[ell - 1]
        if free and ell == 1:
            t.append(draws)
            theta.append(min(x[0] * x[1], m))
        elif reached is None:
            even = max(2, draws - draws % 2)
            t.append(even)
            theta.append(even // 2 if isinstance(even, int) else even / 2)  # a float stands for an even number
        else:
            t.append(draws)
            theta.append(reached[ell - 1])
    D: dict[int, int] = {}
    if theorem == "A":
        D[1] = lam[0]
        for ell in range(1, L):
            inner = ell * x[ell] * N[ell - 1] + (W + 1) * prod(x[:ell])
            inner += sum(prod(x[i:ell]) * N[i - 1] for i in range(1, ell))
            D[ell + 1] = x[ell] * D[ell] + (0 if free and ell == 1 else 1) + lam[ell] + beta * inner
    else:
        D[1] = beta * W + lam[1]
        for ell in range(1, L):
            if ell == 1:
                inner = 2 * x[1] * N[0] + W * x[0] + x[0] + x[0] * x[1]
            else:
                inner = (ell + 1) * x[ell] * N[ell - 1] + (W + 1) * prod(x[:ell])
                inner += sum(prod(x[i:ell]) * N[i - 1] for i in range(1, ell))
            D[ell + 1] = x[ell] * D[ell] + 1 + lam[ell + 1] + beta * inner
    found: dict[str, tuple[Any, bool]] = {"x_0": (x[0], x[0] <= m)}
    for ell in range(2 if free else 1, L):
        left = 1 + x[ell] * D[ell]
        size, draws, values = N[ell - 1], t[ell], theta[ell]
        if reached is None:
            found[f"C_{ell}"] = (values, E * draws < 2 * size)
            right = mpmath.mpf(draws) / 2 * log2(mpmath.mpf(2 * size) / (E * draws))
        else:
            found[f"C_{ell}"] = (values, values <= draws)
            right = (draws - values) * log2(mpmath.mpf(size) / values) - values * log2(E)
        found[f"E_{ell}"] = (left, bool(left <= right))
    right = n[L - 1] * theta[L - 1] * log2(N[L - 1])
    if isinstance(N[L - 1], int) and N[L - 1] & (N[L - 1] - 1) == 0:
        right = n[L - 1] * theta[L - 1] * (N[L - 1].bit_length() - 1)
    found["F"] = (D[L], bool(D[L] < right))
    return found


def certified(*arguments: Any, **options: Any) -> bool:
    return all(holds for _, holds in inequalities(*arguments, **options).values())
