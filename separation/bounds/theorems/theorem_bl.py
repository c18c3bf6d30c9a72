"""Theorem B_L: L full layers, no R layer before the second of them, do not compose L ≥ 2 tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from separation.bounds.condition import BINOMIAL, Condition, Conditions, Number, Order, largest
from separation.bounds.theorem import Impossibility, Theorem, checked_state_bits, one_table_each
from separation.bounds.theorems.theorem_al import (
    delayed_bits,
    later_exponents,
    later_variables,
    level_conditions,
    split_later,
)
from separation.bounds.word import Word
from separation.files import InputError


class TheoremBL(Theorem):
    """C(m, Θ_1−1)·(Θ_1−1)^(x_0·x_1)·2^(x_1·P_1) < m^(x_0·x_1), x_0 ≤ m, Θ_1 ≤ m, P_1 = β·W + Λ_1; then (E_ℓ) and (F) of
    A_L with P = P_1 + β(m + x_0·x_1), and D_ℓ of `delayed_bits` with b = 1.

    where x_1 copies of table 1 vary on its last x_0 entries; Λ_0..Λ_L are the state bits. Rows are as in A_L.
    """

    name = "B_L"
    shape = "at most L full layers, and no R layer before the second,"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_each(word, L, 3)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("x_0", "x_1", *later_variables(tables))

    def exponents(self, tables: int) -> dict[str, int]:
        """Θ_1 = m = y^(2L−1), x_ℓ = y^(L−ℓ) for all ℓ, ν_ℓ = y: N_{L-1} = y^((L²+3L−2)/2), A_L's with a table more."""
        return later_exponents(tables, {"m": 2 * tables - 1})

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        x0, x1, *rest = chosen
        thetas, x, rows = split_later(n, rest)
        heard = beta * prod(rows) + state_bits[1]
        theta = largest(thetas[0], x1 * heard, x0 * x1, m, BINOMIAL)
        thetas = [theta, *thetas[1:]]
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
        bits = delayed_bits(1, m, n, rows, (x0, x1), theta, x, beta, state_bits)
        return [*first, *level_conditions(m, n, rows, thetas, x, heard + beta * (m + x0 * x1), bits)]


def theorem_bl(
    m: int,
    n: Sequence[int],
    x0: int,
    x1: int,
    thetas: Sequence[int],
    x: Sequence[int],
    beta: int,
    state_bits: Sequence[int],
    rows: Sequence[int] | None = None,
) -> Impossibility:
    """The theorem at integers, with the arguments of `theorem_al`; L = len(state_bits) − 1."""
    if checked_state_bits(state_bits)[0] != 0:
        raise InputError("Theorem B_L is about words without an R layer before the second full layer: Lambda_0 is 0")
    tables, chosen = max(len(state_bits) - 1, 2), (x0, x1, *thetas, *x, *(n[:-1] if rows is None else rows))
    return TheoremBL().at(m, n, chosen, beta, state_bits, tables)
