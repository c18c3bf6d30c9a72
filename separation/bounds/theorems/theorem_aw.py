"""Theorem A_W: Theorem A_L with a window. Table 1 has few values, so few entries of table 2 need to vary."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from separation.bounds.condition import Condition, Conditions, Number, Order
from separation.bounds.recursion import fibonacci
from separation.bounds.theorem import (
    Impossibility,
    Theorem,
    block_bits,
    checked_state_bits,
    named,
    one_table_more,
    table_sizes,
)
from separation.bounds.theorems.theorem_al import level_conditions, with_later_levels
from separation.bounds.word import Word


class TheoremAW(Theorem):
    """(Θ_1−1)^g·2^Λ_0 < u^g, g ≤ m, u ≤ m; (E_ℓ) and (F) of Theorem A_L with P_2 = n_1·Λ_0 + β·W in (E_2), with D_ℓ of
    `window_bits`.

    where table 1 varies on its last g entries with the last u values, and table 2 on the n_1 windows that these values
    index. The other letters are those of Theorem A_L.
    """

    name = "A_W"
    shape = "fewer full layers than L, and any R layers,"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_more(word, L, 3)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("g", "u", *named("Theta", 1, tables - 1), *named("x", 2, tables - 1))

    def exponents(self, tables: int) -> dict[str, int]:
        """The same but n_2 = y^F_{2L-5}, u = Θ_1 = y^F_{2L-3}, m = 8·y^(2F_{2L-3}−1): N_{L-1} = 8·y^(3F_{2L-3}−2)."""
        values = fibonacci(2 * tables - 3)
        first = {"n_2": fibonacci(2 * tables - 5), "u": values, "Theta_1": values, "m": 2 * values - 1}
        return with_later_levels(tables, first)

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        g, u, *rest = chosen
        thetas, x = rest[: len(n)], rest[len(n) :]
        first: Conditions = [
            Order("entries", "g ≤ m", g, m),
            Order("values", "u ≤ m", u, m),
            Condition("reached", "Λ_0 < g·log2(u/(Θ_1−1))", state_bits[0], g, u, thetas[0] - 1),
        ]
        product = state_bits[0] + beta * prod(n)
        bits = window_bits(m, n, g, u, thetas[0], x, beta, state_bits)
        return [*first, *level_conditions(m, n, thetas, x, product, bits, (n[0] - 1) * state_bits[0])]


def theorem_aw(
    m: int,
    n: Sequence[int],
    g: int,
    u: int,
    thetas: Sequence[int],
    x: Sequence[int],
    beta: int,
    state_bits: Sequence[int],
) -> Impossibility:
    """The theorem at integers, with the arguments of `theorem_al` and u."""
    return TheoremAW().at(m, n, (g, u, *thetas, *x), beta, checked_state_bits(state_bits), max(len(state_bits), 3))


def window_bits(
    m: Number,
    n: Sequence[Number],
    g: Number,
    u: Number,
    theta1: Number,
    x: Sequence[Number],
    beta: Number,
    state_bits: Sequence[Number],
) -> list[Number]:
    """D_2 = Θ_1·λ_1, and with X_k = Θ_1·x_2⋯x_k, y_2 = 1, y_ℓ = X_{ℓ-1} for ℓ = 2..L−1:

    D_{ℓ+1} = 1 + x_ℓ·D_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓ·λ_ℓ
        + β(h_ℓ + y_ℓ + x_2⋯x_{ℓ-1}(m−g+g·Θ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}·M_i + W·X_{ℓ-1}),
    h_2 = x_2·n_1·u + (n_1−1)(m−u), h_ℓ = (ℓ−1)·x_ℓ·M_ℓ for ℓ ≥ 3, and M_i = N_{i-1}, but the m−u entries in front of
    the first window count with table 3: M_2 = (n_1−1)·m + u, M_3 = N_2 + (m−u).

    The result is [D_2, …, D_L].
    """
    N, W, states, outside = table_sizes(m, n), prod(n), block_bits(state_bits), m - u
    bits = [theta1 * states[1]]
    copies, heard_below = theta1, m + g * (theta1 - 1)
    for level in range(2, len(state_bits)):
        factor = x[level - 2]
        if level == 2:
            held, own, told = (n[0] - 1) * m + u, factor * n[0] * u + (n[0] - 1) * outside, 1
        else:
            held = N[level - 1] + outside if level == 3 else N[level - 1]
            own, told = (level - 1) * factor * held, copies
        late = factor * copies * states[level]
        heard = own + told + heard_below + W * copies
        bits.append(1 + factor * bits[-1] + (state_bits[level - 1] - state_bits[0]) + late + beta * heard)
        copies, heard_below = factor * copies, factor * (heard_below + held)
    return bits
