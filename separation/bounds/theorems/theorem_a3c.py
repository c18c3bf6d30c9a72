"""Theorem A3c: two full layers, no R layer before the first, do not compose three tables; by the cube lemma."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.condition import Condition, Conditions, Number, Order
from separation.bounds.theorem import Impossibility, Theorem, checked_state_bits, one_table_more
from separation.bounds.theorems.theorem_b2c import grouped
from separation.bounds.word import Word
from separation.files import InputError


class TheoremA3c(Theorem):
    """g ≤ m, v ≤ N_1, n_2 ≤ ω·γ, A = n_1·g·v − (v−1)(ω·n_1·β + g·λ_1) ≥ 1, and n_1·g·(2λ_1
    + β(4n_2 + 2m + 2v + 2n_1·g + (n_1−1)(m−g))) + 2γ·A·λ_2 < 2n_2·A·log2 N_2, N_1 = m·n_1, N_2 = N_1·n_2.

    where the last g entries of each of the n_1 rows of table 2 have v values; table 1 is constant but for one entry. By
    the cube lemma A/(n_1·g) values of a random entry survive what a group of queries hears of table 2 in layer 1, and
    the state behind it. The n_2 values of w_2 are in γ groups of at most ω; without late R (λ_2 = 0) ω = 1. Λ_0 = 0.
    """

    name = "A3c"
    shape = "two full layers, and no R layer before the first,"

    def tables(self, word: Word, L: int) -> int | None:
        return None if word.blocks[0] else one_table_more(word, L, 2, 2)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("g", "v", *grouped(state_bits))

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        (n1, n2), (g, v, *grouping), (_, middle, all_bits) = n, chosen, state_bits
        size, groups = grouping or (1, n2)
        heard = size * n1 * beta + g * middle
        survive = n1 * g * v - (v - 1) * heard
        messages = 4 * n2 + 2 * m + 2 * v + 2 * n1 * g + (n1 - 1) * (m - g)
        received = n1 * g * (2 * middle + beta * messages) + 2 * groups * (all_bits - middle) * survive
        return [
            Order("entries", "g ≤ m", g, m),
            Order("values", "v ≤ N_1", v, m * n1),
            *([Order("groups", "n_2 ≤ ω·γ", n2, size * groups)] if grouping else []),
            Order("survive", "1 ≤ A", 1 + (v - 1) * heard, n1 * g * v),
            Condition(
                "asked",
                "n_1·g·(2λ_1 + β·(4n_2 + 2m + 2v + 2n_1·g + (n_1−1)(m−g))) + 2γ·A·λ_2 < 2n_2·A·log2 N_2"
                ", A = n_1·g·v − (v−1)(ω·n_1·β + g·λ_1)",
                received,
                2 * n2 * survive,
                m * n1 * n2,
            ),
        ]


def theorem_a3c(m: int, n: Sequence[int], chosen: Sequence[int], beta: int, state_bits: Sequence[int]) -> Impossibility:
    """The theorem at integers, ``chosen`` = (g, v) or (g, v, ω, γ); further tables than three are the identity."""
    if checked_state_bits(state_bits, 3)[0] != 0:
        raise InputError("Theorem A3c is about words without an R layer before the first full layer: Lambda_0 is 0")
    return TheoremA3c().at(m, n, chosen, beta, state_bits, 3)
