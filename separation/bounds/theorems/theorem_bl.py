"""Theorem B_L: L full layers, no R layer before the second of them, do not compose L ≥ 2 tables."""

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
    one_table_each,
    table_sizes,
)
from separation.bounds.theorems.theorem_al import level_conditions, with_later_levels
from separation.bounds.word import Word
from separation.files import InputError


class TheoremBL(Theorem):
    """C(m, Θ_1−1)·(Θ_1−1)^(x_0·x_1)·2^(x_1·P_1) < m^(x_0·x_1), x_0 ≤ m, Θ_1 ≤ m, P_1 = β·W + Λ_1; then (E_ℓ) and (F) of
    A_L with P = P_1 + β(m + x_0·x_1) and D_ℓ of `later_bits`.

    where x_1 copies of table 1 vary on its last x_0 entries; Λ_0..Λ_L are the state bits.
    """

    name = "B_L"
    shape = "at most L full layers, and no R layer before the second,"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_each(word, L, 3)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("x_0", "x_1", *named("Theta", 1, tables - 1), *named("x", 2, tables - 1))

    def exponents(self, tables: int) -> dict[str, int]:
        """n_1 = y^F_{2L-3}, x_1 = y^F_{2L-2}, x_0 = y^F_{2L-1}, Θ_1 = y^F_{2L}/2, m = 8·y^(2F_{2L-1}−1).

        The others are A_L's, so N_{L-1} = 8·y^(3F_{2L-1}−2).
        """
        L = tables
        first = {"n_1": fibonacci(2 * L - 3), "x_1": fibonacci(2 * L - 2), "x_0": fibonacci(2 * L - 1)}
        return with_later_levels(L, {**first, "Theta_1": fibonacci(2 * L), "m": 2 * fibonacci(2 * L - 1) - 1})

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        x0, x1, *rest = chosen
        thetas, x = rest[: len(n)], rest[len(n) :]
        heard, theta = beta * prod(n) + state_bits[1], thetas[0]
        first: Conditions = [
            Order("entries", "x_0 ≤ m", x0, m),
            Order("possible 1", "Θ_1 ≤ m", theta, m),
            Condition(
                "E 1",
                "log2 C(m,Θ_1−1) + x_1(β·W + Λ_1) < x_0·x_1·log2(m/(Θ_1−1))",
                x1 * heard,
                x0 * x1,
                m,
                theta - 1,
                ((m, theta - 1),),
            ),
        ]
        bits = later_bits(m, n, x0, x1, theta, x, beta, state_bits)
        return [*first, *level_conditions(m, n, thetas, x, heard + beta * (m + x0 * x1), bits)]


def theorem_bl(
    m: int,
    n: Sequence[int],
    x0: int,
    x1: int,
    thetas: Sequence[int],
    x: Sequence[int],
    beta: int,
    state_bits: Sequence[int],
) -> Impossibility:
    """The theorem at integers, ``thetas`` = (Θ_1, …, Θ_{L-1}), ``x`` = (x_2, …, x_{L-1}), L = len(state_bits) − 1."""
    if checked_state_bits(state_bits)[0] != 0:
        raise InputError("Theorem B_L is about words without an R layer before the second full layer: Lambda_0 is 0")
    return TheoremBL().at(m, n, (x0, x1, *thetas, *x), beta, state_bits, max(len(state_bits) - 1, 2))


def later_bits(
    m: Number,
    n: Sequence[Number],
    x0: Number,
    x1: Number,
    theta1: Number,
    x: Sequence[Number],
    beta: Number,
    state_bits: Sequence[Number],
) -> list[Number]:
    """D_2 = β·W·x_0 + Θ_1·λ_2, and with Y_k = Θ_1·x_2⋯x_k for ℓ = 2..L−1:

    D_{ℓ+1} = 1 + x_ℓ·D_ℓ + (Λ_ℓ−Λ_1) + Y_ℓ·λ_{ℓ+1}
        + β(ℓ·x_ℓ·N_{ℓ-1} + Y_{ℓ-1} + x_2⋯x_{ℓ-1}(m−x_0+x_0·x_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1} + W·Y_{ℓ-1}).

    The result is [D_2, …, D_L].
    """
    N, W, states = table_sizes(m, n), prod(n), block_bits(state_bits)
    bits = [beta * W * x0 + theta1 * states[2]]
    copies, heard_below = theta1, m + x0 * (x1 - 1)
    for level in range(2, len(state_bits) - 1):
        factor = x[level - 2]
        heard = level * factor * N[level - 1] + copies + heard_below + W * copies
        late = factor * copies * states[level + 1]
        bits.append(1 + factor * bits[-1] + (state_bits[level] - state_bits[1]) + late + beta * heard)
        copies, heard_below = factor * copies, factor * (heard_below + N[level - 1])
    return bits
