"""Theorem A_L: L−1 full layers and any R layers do not compose L ≥ 2 tables; and what A_W and B_L share with it."""

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
from separation.bounds.word import Word


class TheoremAL(Theorem):
    """(Θ_1−1)^g·2^Λ_0 < m^g, g ≤ m; (E_ℓ) for ℓ = 2..L−1; (F) 2^(P+D_L) < N_{L-1}^(n_{L-1}·Θ_{L-1}); P = Λ_0 + β·W:

    (E_ℓ) C(N_{ℓ-1}, Θ_ℓ−1)·(Θ_ℓ−1)^t_ℓ·2^(x_ℓ(P+D_ℓ)+1) ≤ N_{ℓ-1}^t_ℓ, t_ℓ = x_ℓ·n_{ℓ-1}·Θ_{ℓ-1}, Θ_ℓ ≤ N_{ℓ-1},
    with D_ℓ of `delayed_bits`.

    where table 1 varies on its last g entries, and Λ_0..Λ_{L-1} are the state bits.
    """

    name = "A_L"
    shape = "fewer full layers than L, and any R layers,"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_more(word, L, 3)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("g", *named("Theta", 1, tables - 1), *named("x", 2, tables - 1))

    def exponents(self, tables: int) -> dict[str, int]:
        """n_1 = 1, Θ_1 = y^F_{2L-2}, m = 8·y^(F_{2L-1}−1): N_{L-1} = 8·y^(F_{2L}−2)."""
        first = {"Theta_1": fibonacci(2 * tables - 2), "m": fibonacci(2 * tables - 1) - 1}
        return with_later_levels(tables, first)

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        g, *rest = chosen
        thetas, x = rest[: len(n)], rest[len(n) :]
        first: Conditions = [
            Order("entries", "g ≤ m", g, m),
            Condition("reached", "Λ_0 < g·log2(m/(Θ_1−1))", state_bits[0], g, m, thetas[0] - 1),
        ]
        product = state_bits[0] + beta * prod(n)
        bits = delayed_bits(m, n, g, thetas[0], x, beta, state_bits)
        return [*first, *level_conditions(m, n, thetas, x, product, bits)]


def theorem_al(
    m: int,
    n: Sequence[int],
    g: int,
    thetas: Sequence[int],
    x: Sequence[int],
    beta: int,
    state_bits: Sequence[int],
) -> Impossibility:
    """The theorem at integers, ``thetas`` = (Θ_1, …, Θ_{L-1}) and ``x`` = (x_2, …, x_{L-1}), L = len(state_bits)."""
    return TheoremAL().at(m, n, (g, *thetas, *x), beta, checked_state_bits(state_bits), len(state_bits))


def with_later_levels(L: int, first: dict[str, int]) -> dict[str, int]:
    """n_ℓ = y^F_{2(L-ℓ)+1}, x_ℓ = y^F_{2(L-ℓ)} for ℓ ≥ 2, unless given; n_1 = 1; Θ_ℓ = x_ℓ·n_{ℓ-1}·Θ_{ℓ-1}/2."""
    found = {"n_1": 0, **first}
    for level in range(2, L):
        found.setdefault(f"n_{level}", fibonacci(2 * (L - level) + 1))
        found.setdefault(f"x_{level}", fibonacci(2 * (L - level)))
        found[f"Theta_{level}"] = found[f"Theta_{level - 1}"] + found[f"n_{level - 1}"] + found[f"x_{level}"]
    return found


def delayed_bits(
    m: Number,
    n: Sequence[Number],
    g: Number,
    theta1: Number,
    x: Sequence[Number],
    beta: Number,
    state_bits: Sequence[Number],
) -> list[Number]:
    """D_2 = Θ_1·λ_1, and with X_k = Θ_1·x_2⋯x_k, y_2 = 1, y_ℓ = X_{ℓ-1} for ℓ = 2..L−1:

    D_{ℓ+1} = 1 + x_ℓ·D_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓ·λ_ℓ
        + β((ℓ−1)·x_ℓ·N_{ℓ-1} + y_ℓ + x_2⋯x_{ℓ-1}(m−g+g·Θ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1} + W·X_{ℓ-1}).

    The result is [D_2, …, D_L].
    """
    N, W, states = table_sizes(m, n), prod(n), block_bits(state_bits)
    bits = [theta1 * states[1]]
    copies, heard_below = theta1, m + g * (theta1 - 1)
    for level in range(2, len(state_bits)):
        factor = x[level - 2]
        told = 1 if level == 2 else copies
        heard = (level - 1) * factor * N[level - 1] + told + heard_below + W * copies
        late = factor * copies * states[level]
        bits.append(1 + factor * bits[-1] + (state_bits[level - 1] - state_bits[0]) + late + beta * heard)
        copies, heard_below = factor * copies, factor * (heard_below + N[level - 1])
    return bits


def level_conditions(
    m: Number,
    n: Sequence[Number],
    thetas: Sequence[Number],
    x: Sequence[Number],
    product: Number,
    bits: Sequence[Number],
    windows: Number = 0,
) -> Conditions:
    """(E_ℓ) for ℓ = 2..L−1 and (F), from P = ``product`` and [D_2, …, D_L] = ``bits``; P_2 = P + ``windows``."""
    N, last = table_sizes(m, n), len(n)
    result: Conditions = []
    for level in range(2, last + 1):
        size, factor, theta = N[level - 1], x[level - 2], thetas[level - 1]
        fixed = product + windows if level == 2 else product
        result.append(Order(f"possible {level}", f"Θ_{level} ≤ N_{level - 1}", theta, size))
        result.append(
            Condition(
                f"E {level}",
                f"log2 C(N_{level - 1},Θ_{level}−1) + x_{level}({'P_2' if level == 2 else 'P'} + D_{level}) + 1"
                f" ≤ t_{level}·log2(N_{level - 1}/(Θ_{level}−1))",
                factor * (fixed + bits[level - 2]) + 1,
                factor * n[level - 2] * thetas[level - 2],
                size,
                theta - 1,
                ((size, theta - 1),),
                strict=False,
            )
        )
    formula = f"P + D_{last + 1} < n_{last}·Θ_{last}·log2 N_{last}"
    result.append(Condition("F", formula, product + bits[-1], n[-1] * thetas[-1], N[-1]))
    return result
