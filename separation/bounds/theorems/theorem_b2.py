"""Theorem B2: two full layers, no R layer before the second, do not compose two tables."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.condition import Condition, Conditions, Number, Order
from separation.bounds.theorem import Impossibility, Theorem, checked_state_bits, one_table_each
from separation.bounds.word import Word
from separation.files import InputError


class TheoremB2(Theorem):
    """x_0·v ≤ m; (Θ−1)^x_0·2^(β·n_1+Λ_1) < (x_0·v)^x_0; 2^(Λ_1 + β(n_1+x_0+x_0·v+n_1·x_0) + Θ·λ_2) < N^(n_1·Θ).

    where the last x_0 entries of table 1 have v values each, in disjoint sets, and Θ pairs (entry, value) survive what
    every w hears of table 1 in layer 1. Λ_0 = 0; Λ_1 counts R heads beside the first full layer, λ_2 = Λ_2 − Λ_1 the R
    after the first full layer, beside or after the second.
    """

    name = "B2"
    shape = "two full layers, and no R layer before the second,"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_each(word, L, 2, 2)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("x_0", "v", "Theta")

    def exponents(self, tables: int) -> dict[str, int]:  # noqa: ARG002
        return {"m": 3, "n_1": 1, "x_0": 2, "v": 1, "Theta": 3}

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        (n1,), (x0, v, theta), (_, beside, all_bits) = n, chosen, state_bits
        told = beside + beta * (n1 + x0 + x0 * v + n1 * x0) + theta * (all_bits - beside)
        return [
            Order("fits", "x_0·v ≤ m", x0 * v, m),
            Condition("reached", "β·n_1 + Λ_1 < x_0·log2(x_0·v/(Θ−1))", beta * n1 + beside, x0, x0 * v, theta - 1),
            Condition(
                "asked",
                "Λ_1 + β·(n_1 + x_0 + x_0·v + n_1·x_0) + Θ·λ_2 < n_1·Θ·log2 N_1",
                told,
                n1 * theta,
                m * n1,
            ),
        ]


def theorem_b2(
    m: int, n: Sequence[int], x0: int, v: int, theta: int, beta: int, state_bits: Sequence[int]
) -> Impossibility:
    """The theorem at integers; only n_1 is used, further tables are the identity."""
    if checked_state_bits(state_bits, 3)[0] != 0:
        raise InputError("Theorem B2 is about words without an R layer before the second full layer: Lambda_0 is 0")
    return TheoremB2().at(m, n, (x0, v, theta), beta, state_bits, 2)
