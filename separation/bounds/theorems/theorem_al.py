"""Theorem A_L: L−1 full layers and any R layers do not compose L ≥ 2 tables; and what B_L shares with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod

from separation.bounds.condition import BINOMIAL, REACHED, Condition, Conditions, Number, Order, largest
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

    (E_ℓ) C(N_{ℓ-1}, Θ_ℓ−1)·(Θ_ℓ−1)^t_ℓ·2^(x_ℓ(P+D_ℓ)+1) ≤ N_{ℓ-1}^t_ℓ, t_ℓ = x_ℓ·ν_{ℓ-1}·Θ_{ℓ-1}, Θ_ℓ ≤ N_{ℓ-1},
    with D_ℓ of `delayed_bits`, W = ν_1⋯ν_{L-1}.

    where table 1 varies on its last g entries, Λ_0..Λ_{L-1} are the state bits, and w_ℓ takes its last ν_ℓ ≤ n_ℓ values
    alone, ν_{L-1} = n_{L-1}: the other rows of table ℓ+1 are constant, stand in front of it and count with table ℓ+2.
    """

    name = "A_L"
    shape = "fewer full layers than L, and any R layers,"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_more(word, L, 3)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("g", *later_variables(tables))

    def exponents(self, tables: int) -> dict[str, int]:
        """Θ_1 = m = y^(L−1) and x_ℓ = y^(L−ℓ); ν_1 = 1, else ν_ℓ = y: N_{L-1} = y^((L²+L−4)/2)."""
        return later_exponents(tables, {"nu_1": 0, "m": tables - 1})

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        g, *rest = chosen
        thetas, x, rows = split_later(n, rest)
        thetas = [largest(thetas[0], state_bits[0], g, m, REACHED), *thetas[1:]]
        first: Conditions = [
            Order("entries", "g ≤ m", g, m),
            Condition("reached", "Λ_0 < g·log2(m/(Θ_1−1))", state_bits[0], g, m, thetas[0] - 1),
        ]
        product = state_bits[0] + beta * prod(rows)
        bits = delayed_bits(0, m, n, rows, (g, thetas[0]), thetas[0], x, beta, state_bits)
        return [*first, *level_conditions(m, n, rows, thetas, x, product, bits)]


def theorem_al(
    m: int,
    n: Sequence[int],
    g: int,
    thetas: Sequence[int],
    x: Sequence[int],
    beta: int,
    state_bits: Sequence[int],
    rows: Sequence[int] | None = None,
) -> Impossibility:
    """The theorem at integers, ``thetas`` = (Θ_1, …, Θ_{L-1}), ``x`` = (x_2, …, x_{L-1}) and ``rows`` = (ν_1, …,
    ν_{L-2}), all rows if None; L = len(state_bits)."""
    chosen = (g, *thetas, *x, *(n[:-1] if rows is None else rows))
    return TheoremAL().at(m, n, chosen, beta, checked_state_bits(state_bits), len(state_bits))


def later_variables(tables: int) -> tuple[str, ...]:
    """Θ_1..Θ_{L-1}, x_2..x_{L-1} and ν_1..ν_{L-2}."""
    return (*named("Theta", 1, tables - 1), *named("x", 2, tables - 1), *named("nu", 1, tables - 2))


def split_later(n: Sequence[Number], chosen: Sequence[Number]) -> tuple[Sequence[Number], ...]:
    """(Θ, x, ν) with ν_1..ν_{L-1}, the last of which is n_{L-1}."""
    last = len(n)
    return chosen[:last], chosen[last : 2 * last - 1], [*chosen[2 * last - 1 :], n[-1]]


def later_exponents(L: int, first: dict[str, int]) -> dict[str, int]:
    """x_ℓ = y^(L−ℓ), ν_ℓ = y, n_ℓ = x_{ℓ+1}·ν_ℓ, n_{L-1} = y, Θ_1 = m, Θ_ℓ = x_ℓ·ν_{ℓ-1}·Θ_{ℓ-1}, unless given."""
    found = {"x_0": L, "x_1": L - 1, "nu_1": 1, "Theta_1": first["m"], **first}
    for level in range(1, L):
        rows = found.setdefault(f"nu_{level}", 1)
        found[f"n_{level}"] = L - 1 - level + rows
        if level > 1:
            found[f"x_{level}"] = L - level
            found[f"Theta_{level}"] = found[f"Theta_{level - 1}"] + found[f"nu_{level - 1}"] + L - level
    return found


def own_tokens(m: Number, n: Sequence[Number], rows: Sequence[Number]) -> list[Number]:
    """[M_1, …, M_L]: the used rows of table ℓ, and the unused ones of table ℓ−1, which stand behind them.

    M_1 = m, M_2 = ν_1·m, M_ℓ = ν_{ℓ-1}·N_{ℓ-2} + (n_{ℓ-2}−ν_{ℓ-2})·N_{ℓ-3}.
    """
    N = table_sizes(m, n)
    found = [m, *(used * size for used, size in zip(rows, N, strict=False))]
    for level in range(2, len(found)):
        found[level] = found[level] + (n[level - 2] - rows[level - 2]) * N[level - 2]
    return found


def delayed_bits(
    b: int,
    m: Number,
    n: Sequence[Number],
    rows: Sequence[Number],
    varied: tuple[Number, Number],
    theta1: Number,
    x: Sequence[Number],
    beta: Number,
    state_bits: Sequence[Number],
) -> list[Number]:
    """D_2 = Θ_1·λ_{1+b} + b·β·W·x_0, and with Y_k = Θ_1·x_2⋯x_k for ℓ = 2..L−1:

    D_{ℓ+1} = 1 + x_ℓ·D_ℓ + (Λ_{ℓ-1+b}−Λ_b) + Y_ℓ·λ_{ℓ+b}
        + β((ℓ−1+b)·x_ℓ·M_ℓ + y_ℓ + x_2⋯x_{ℓ-1}(m−g+g·c) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}·M_i + W·Y_{ℓ-1}),
    y_ℓ = Y_{ℓ-1}, but y_2 = 1 if b = 0, and M_ℓ of `own_tokens`.

    where ``varied`` = (g, c): table 1 varies on its last g entries, in c copies; A_L is b = 0, c = Θ_1; B_L is b = 1,
    g = x_0, c = x_1. The result is [D_2, …, D_L].
    """
    own, W, states = own_tokens(m, n, rows), prod(rows), block_bits(state_bits)
    g, variants = varied
    bits = [theta1 * states[1 + b] + (beta * W * g if b else 0)]
    copies, heard_below = theta1, m + g * (variants - 1)
    for level in range(2, len(n) + 1):
        factor = x[level - 2]
        starts = 1 if level == 2 and not b else copies
        heard = (level - 1 + b) * factor * own[level - 1] + starts + heard_below + W * copies
        late = factor * copies * states[level + b]
        bits.append(1 + factor * bits[-1] + (state_bits[level - 1 + b] - state_bits[b]) + late + beta * heard)
        copies, heard_below = factor * copies, factor * (heard_below + own[level - 1])
    return bits


@lru_cache
def level_texts(level: int) -> tuple[str, str, str]:
    """The order of level ℓ, and the name and the formula of (E_ℓ): a search asks for them thousands of times."""
    N, theta = f"N_{level - 1}", f"Θ_{level}"
    formula = f"log2 C({N},{theta}−1) + x_{level}(P + D_{level}) + 1 ≤ t_{level}·log2({N}/({theta}−1))"
    return f"{theta} ≤ {N}", f"E {level}", formula


def level_conditions(
    m: Number,
    n: Sequence[Number],
    rows: Sequence[Number],
    thetas: Sequence[Number],
    x: Sequence[Number],
    product: Number,
    bits: Sequence[Number],
) -> Conditions:
    """ν_ℓ ≤ n_ℓ, (E_ℓ) for ℓ = 2..L−1 and (F), from P = ``product`` and [D_2, …, D_L] = ``bits``."""
    N, last, reached = table_sizes(m, n), len(n), thetas[0]
    result: Conditions = [Order(f"rows {k}", f"ν_{k} ≤ n_{k}", rows[k - 1], n[k - 1]) for k in range(1, last)]
    for level in range(2, last + 1):
        size, factor = N[level - 1], x[level - 2]
        received, tries = factor * (product + bits[level - 2]) + 1, factor * rows[level - 2] * reached
        theta = reached = largest(thetas[level - 1], received, tries, size, BINOMIAL)
        possible, name, formula = level_texts(level)
        result.append(Order(f"possible {level}", possible, theta, size))
        drawn = ((size, theta - 1),)
        result.append(Condition(name, formula, received, tries, size, theta - 1, drawn, strict=False))
    formula = f"P + D_{last + 1} < n_{last}·Θ_{last}·log2 N_{last}"
    result.append(Condition("F", formula, product + bits[-1], n[-1] * reached, N[-1]))
    return result
