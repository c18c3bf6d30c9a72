"""Theorem A_W: Theorem A_L with a window. Table 1 has few values, so few entries of table 2 need to vary."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from separation.bounds.log_sums import LogSum, compare, compare_integers
from separation.bounds.theorems.outcome import Impossibility, block_bits, checked_linear, checked_sizes, table_sizes
from separation.bounds.theorems.theorem_al import check_copies, level_inequalities, named
from separation.tasks.checks import require_integer


def theorem_aw(
    m: int,
    n: Sequence[int],
    g: int,
    u: int,
    thetas: Sequence[int],
    x: Sequence[int],
    beta: int,
    linear: Sequence[int],
) -> Impossibility:
    """(Θ_1−1)^g·2^Λ_0 < u^g, g ≤ m, u ≤ m; (E_ℓ) and (F) of Theorem A_L with P_2 = n_1·Λ_0 + β·W in (E_2), with D_ℓ of
    `window_bits`.

    where table 1 varies on its last g entries with the last u values, and table 2 on the n_1 windows that these values
    index. The other letters are those of `theorem_al`.
    """
    tables = len(linear)
    n = checked_sizes(m, n, max(tables, 3))
    linear = checked_linear(linear, tables)
    check_copies(tables, thetas, x, beta)
    for field, value in (("g", g), ("u", u)):
        require_integer(field, value, 1)
    own = n[: tables - 1]
    first = (
        compare_integers("entries", "g ≤ m", g, m),
        compare_integers("values", "u ≤ m", u, m),
        compare(
            "reached",
            "g·log2(Θ_1−1) + Λ_0 < g·log2 u",
            LogSum(linear[0], ((g, thetas[0] - 1),)),
            LogSum(0, ((g, u),)),
            strict=True,
        ),
    )
    product = linear[0] + beta * prod(own)
    bits = window_bits(m, own, g, min(u, m), thetas[0], x, beta, linear)
    levels = level_inequalities(m, own, thetas, x, product, bits, windows=(n[0] - 1) * linear[0])
    parameters = (("g", g), ("u", u), *named("Theta", 1, thetas), *named("x", 2, x))
    return Impossibility("A_W", m, n, beta, linear, parameters, (*first, *levels), tables)


def window_bits(
    m: int, n: Sequence[int], g: int, u: int, theta1: int, x: Sequence[int], beta: int, linear: Sequence[int]
) -> list[int]:
    """D_2 = Θ_1·λ_1, and with X_k = Θ_1·x_2⋯x_k, y_2 = 1, y_ℓ = X_{ℓ-1} for ℓ = 2..L−1:

    D_{ℓ+1} = 1 + x_ℓ·D_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓ·λ_ℓ
        + β(h_ℓ + y_ℓ + x_2⋯x_{ℓ-1}(m−g+g·Θ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}·M_i + W·X_{ℓ-1}),
    h_2 = x_2·n_1·u + (n_1−1)(m−u), h_ℓ = (ℓ−1)·x_ℓ·M_ℓ for ℓ ≥ 3, and M_i = N_{i-1}, but the m−u entries in front of
    the first window count with table 3: M_2 = N_1 − (m−u), M_3 = N_2 + (m−u).

    The result is [D_2, …, D_L].
    """
    N, W, states, outside = table_sizes(m, n), prod(n), block_bits(linear), m - u
    held = [0, 0, N[1] - outside, *(N[level - 1] + (outside if level == 3 else 0) for level in range(3, len(linear)))]
    bits = [theta1 * states[1]]
    copies, heard_below = theta1, m - g + g * theta1
    for level in range(2, len(linear)):
        factor = x[level - 2]
        told = 1 if level == 2 else copies
        windows = factor * n[0] * u + (n[0] - 1) * outside
        own = windows if level == 2 else (level - 1) * factor * held[level]
        late = factor * copies * states[level]
        heard = own + told + heard_below + W * copies
        bits.append(1 + factor * bits[-1] + (linear[level - 1] - linear[0]) + late + beta * heard)
        copies, heard_below = factor * copies, factor * (heard_below + held[level])
    return bits
