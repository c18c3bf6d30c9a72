"""Theorem A_L: L−1 full layers and any R layers do not compose L ≥ 3 tables; and what A_L and B_L share."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from separation.bounds.inequality import Inequality
from separation.bounds.log_sums import LogSum, compare, compare_integers
from separation.bounds.theorems.outcome import Impossibility, block_bits, checked_linear, checked_sizes, table_sizes
from separation.files import InputError
from separation.tasks.checks import require_integer


def theorem_al(
    m: int,
    n: Sequence[int],
    g: int,
    thetas: Sequence[int],
    x: Sequence[int],
    beta: int,
    linear: Sequence[int],
) -> Impossibility:
    """(Θ_1−1)^g·2^Λ_0 < m^g, g ≤ m; (E_ℓ) for ℓ = 2..L−1; (F) 2^(P+D_L) < N_{L-1}^(n_{L-1}·Θ_{L-1}); P = Λ_0 + β·W:

    (E_ℓ) C(N_{ℓ-1}, Θ_ℓ−1)·(Θ_ℓ−1)^t_ℓ·2^(x_ℓ(P+D_ℓ)+1) ≤ N_{ℓ-1}^t_ℓ, t_ℓ = x_ℓ·n_{ℓ-1}·Θ_{ℓ-1}, Θ_ℓ ≤ N_{ℓ-1},
    with D_ℓ of `delayed_bits`.

    where ``thetas`` = (Θ_1, …, Θ_{L-1}) and ``x`` = (x_2, …, x_{L-1}). The number of tables is len(linear), one
    more than
    the full layers.
    """
    tables = len(linear)
    n = checked_sizes(m, n, max(tables, 2))
    linear = checked_linear(linear, tables)
    check_copies(tables, thetas, x, beta)
    require_integer("g", g, 1)
    first = (
        compare_integers("entries", "g ≤ m", g, m),
        compare(
            "reached",
            "g·log2(Θ_1−1) + Λ_0 < g·log2 m",
            LogSum(linear[0], ((g, thetas[0] - 1),)),
            LogSum(0, ((g, m),)),
            strict=True,
        ),
    )
    product = linear[0] + beta * prod(n[: tables - 1])
    bits = delayed_bits(m, n[: tables - 1], g, thetas[0], x, beta, linear)
    levels = level_inequalities(m, n[: tables - 1], thetas, x, product, bits)
    parameters = (("g", g), *named("Theta", 1, thetas), *named("x", 2, x))
    return Impossibility("A_L", m, n, beta, linear, parameters, (*first, *levels), tables)


def delayed_bits(
    m: int, n: Sequence[int], g: int, theta1: int, x: Sequence[int], beta: int, linear: Sequence[int]
) -> list[int]:
    """D_2 = Θ_1·λ_1, and with X_k = Θ_1·x_2⋯x_k, y_2 = 1, y_ℓ = X_{ℓ-1} for ℓ = 2..L−1:

    D_{ℓ+1} = 1 + x_ℓ·D_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓ·λ_ℓ
        + β((ℓ−1)·x_ℓ·N_{ℓ-1} + y_ℓ + x_2⋯x_{ℓ-1}(m−g+g·Θ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1} + W·X_{ℓ-1}).

    The result is [D_2, …, D_L].
    """
    N, W, states = table_sizes(m, n), prod(n), block_bits(linear)
    bits = [theta1 * states[1]]
    copies, heard_below = theta1, m - g + g * theta1
    for level in range(2, len(linear)):
        factor = x[level - 2]
        told = 1 if level == 2 else copies
        heard = (level - 1) * factor * N[level - 1] + told + heard_below + W * copies
        late = factor * copies * states[level]
        bits.append(1 + factor * bits[-1] + (linear[level - 1] - linear[0]) + late + beta * heard)
        copies, heard_below = factor * copies, factor * (heard_below + N[level - 1])
    return bits


def level_inequalities(
    m: int,
    n: Sequence[int],
    thetas: Sequence[int],
    x: Sequence[int],
    product: int,
    bits: Sequence[int],
    windows: int | None = None,
) -> list[Inequality]:
    """(E_ℓ) for ℓ = 2..L−1 and (F), from P = ``product`` and [D_2, …, D_L] = ``bits``; P_2 = P + ``windows``."""
    N = table_sizes(m, n)
    last = len(n)
    result = []
    for level in range(2, last + 1):
        size, factor, theta = N[level - 1], x[level - 2], thetas[level - 1]
        result.append(compare_integers(f"possible {level}", f"Θ_{level} ≤ N_{level - 1}", theta, size))
        if theta > size:
            continue
        tries = factor * n[level - 2] * thetas[level - 2]
        fixed, letter = (product, "P") if windows is None or level > 2 else (product + windows, "P_2")
        result.append(
            compare(
                f"E {level}",
                f"log2 C(N_{level - 1},Θ_{level}−1) + t_{level}·log2(Θ_{level}−1) + x_{level}({letter} + D_{level}) + 1"
                f" ≤ t_{level}·log2 N_{level - 1}",
                LogSum(factor * (fixed + bits[level - 2]) + 1, ((tries, theta - 1),), ((size, theta - 1),)),
                LogSum(0, ((tries, size),)),
                strict=False,
            )
        )
    result.append(
        compare(
            "F",
            f"P + D_{last + 1} < n_{last}·Θ_{last}·log2 N_{last}",
            LogSum(product + bits[-1]),
            LogSum(0, ((n[-1] * thetas[-1], N[-1]),)),
            strict=True,
        )
    )
    return result


def check_copies(tables: int, thetas: Sequence[int], x: Sequence[int], beta: int) -> None:
    """Θ_1..Θ_{L-1} and x_2..x_{L-1}, all at least 1."""
    require_integer("beta", beta, 0)
    if tables < 2 or len(thetas) != tables - 1 or len(x) != tables - 2:
        raise InputError(f"{tables} tables need {tables - 1} of Theta and {tables - 2} of x")
    for level, theta in enumerate(thetas, start=1):
        require_integer(f"Theta_{level}", theta, 1)
    for level, factor in enumerate(x, start=2):
        require_integer(f"x_{level}", factor, 1)


def named(name: str, first: int, values: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """(name_first, value), …"""
    return tuple((f"{name}_{index}", value) for index, value in enumerate(values, start=first))
