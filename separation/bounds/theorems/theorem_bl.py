"""Theorem B_L: L full layers, no R layer before the second of them, do not compose L ≥ 2 tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from separation.bounds.log_sums import LogSum, compare, compare_integers
from separation.bounds.theorems.outcome import Impossibility, block_bits, checked_linear, checked_sizes, table_sizes
from separation.bounds.theorems.theorem_al import check_copies, level_inequalities, named
from separation.files import InputError
from separation.tasks.checks import require_integer


def theorem_bl(
    m: int,
    n: Sequence[int],
    x0: int,
    x1: int,
    thetas: Sequence[int],
    x: Sequence[int],
    beta: int,
    linear: Sequence[int],
) -> Impossibility:
    """C(m, Θ_1−1)·(Θ_1−1)^(x_0·x_1)·2^(x_1·P_1) < m^(x_0·x_1), x_0 ≤ m, Θ_1 ≤ m, P_1 = β·W + Λ_1; then (E_ℓ) and
    (F) of A_L
    with P = P_1 + β(m + x_0·x_1) and D_ℓ of `later_bits`.

    where x_1 copies of table 1 vary on its last x_0 entries, ``thetas`` = (Θ_1, …, Θ_{L-1}), ``x`` = (x_2, …, x_{L-1}).
    The number of tables is len(linear) − 1, the number of full layers.
    """
    tables = len(linear) - 1
    n = checked_sizes(m, n, max(tables, 2))
    linear = checked_linear(linear, tables + 1)
    if linear[0] != 0:
        raise InputError("Theorem B_L speaks of words without an R layer before the second full layer: Lambda_0 is 0")
    check_copies(tables, thetas, x, beta)
    for field, value in (("x_0", x0), ("x_1", x1)):
        require_integer(field, value, 1)
    own = n[: tables - 1]
    heard, theta = beta * prod(own) + linear[1], thetas[0]
    first = [
        compare_integers("entries", "x_0 ≤ m", x0, m),
        compare_integers("possible 1", "Θ_1 ≤ m", theta, m),
    ]
    if theta <= m:
        first.append(
            compare(
                "E 1",
                "log2 C(m,Θ_1−1) + x_0·x_1·log2(Θ_1−1) + x_1(β·W + Λ_1) < x_0·x_1·log2 m",
                LogSum(x1 * heard, ((x0 * x1, theta - 1),), ((m, theta - 1),)),
                LogSum(0, ((x0 * x1, m),)),
                strict=True,
            )
        )
    product = heard + beta * (m + x0 * x1)
    bits = later_bits(m, own, x0, x1, theta, x, beta, linear)
    levels = level_inequalities(m, own, thetas, x, product, bits)
    parameters = (("x_0", x0), ("x_1", x1), *named("Theta", 1, thetas), *named("x", 2, x))
    return Impossibility("B_L", m, n, beta, linear, parameters, (*first, *levels), tables)


def later_bits(
    m: int, n: Sequence[int], x0: int, x1: int, theta1: int, x: Sequence[int], beta: int, linear: Sequence[int]
) -> list[int]:
    """D_2 = β·W·x_0 + Θ_1·λ_2, and with Y_k = Θ_1·x_2⋯x_k for ℓ = 2..L−1:

    D_{ℓ+1} = 1 + x_ℓ·D_ℓ + (Λ_ℓ−Λ_1) + Y_ℓ·λ_{ℓ+1}
        + β(ℓ·x_ℓ·N_{ℓ-1} + Y_{ℓ-1} + x_2⋯x_{ℓ-1}(m−x_0+x_0·x_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1} + W·Y_{ℓ-1}).

    The result is [D_2, …, D_L].
    """
    N, W, states = table_sizes(m, n), prod(n), block_bits(linear)
    bits = [beta * W * x0 + theta1 * states[2]]
    copies, heard_below = theta1, m - x0 + x0 * x1
    for level in range(2, len(linear) - 1):
        factor = x[level - 2]
        heard = level * factor * N[level - 1] + copies + heard_below + W * copies
        late = factor * copies * states[level + 1]
        bits.append(1 + factor * bits[-1] + (linear[level] - linear[1]) + late + beta * heard)
        copies, heard_below = factor * copies, factor * (heard_below + N[level - 1])
    return bits
