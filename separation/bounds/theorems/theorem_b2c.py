"""Theorem B2c: two full layers, no R layer before the second, do not compose two tables; by the cube lemma."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.condition import Condition, Conditions, Number, Order
from separation.bounds.theorem import Impossibility, Theorem, checked_state_bits, one_table_each
from separation.bounds.word import Word
from separation.files import InputError


class TheoremB2c(Theorem):
    """g, v ≤ m, n_1 ≤ ω·γ, A = g·v − (v−1)(ω·β+Λ_1) ≥ 1, and
    g·(Λ_1 + β(2n_1 + g + v)) + γ·A·λ_2 < n_1·A·log2 N, N = m·n_1.

    where the last g entries of table 1 have v values, and the n_1 queries are in γ groups of at most ω; without late R
    (λ_2 = 0) ω = 1. By the cube lemma A/g values of a random entry survive, on average, what a group hears of table 1
    in layer 1; entries before it have one variant, it has v, entries behind it two. Λ_0 = 0; Λ_1 counts R heads beside
    the first full layer, λ_2 = Λ_2 − Λ_1 the R beside or after the second.
    """

    name = "B2c"
    shape = "two full layers, and no R layer before the second,"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_each(word, L, 2, 2)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("g", "v", *grouped(state_bits))

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        (n1,), (g, v, *grouping), (_, beside, all_bits) = n, chosen, state_bits
        size, groups = grouping or (1, n1)
        heard = size * beta + beside
        survive = g * v - (v - 1) * heard
        received = g * (beside + beta * (2 * n1 + g + v)) + groups * (all_bits - beside) * survive
        return [
            Order("entries", "g ≤ m", g, m),
            Order("values", "v ≤ m", v, m),
            *([Order("groups", "n_1 ≤ ω·γ", n1, size * groups)] if grouping else []),
            Order("survive", "1 ≤ A", 1 + (v - 1) * heard, g * v),
            Condition(
                "asked",
                "g·(Λ_1 + β·(2n_1 + g + v)) + γ·A·λ_2 < n_1·A·log2 N_1, A = g·v − (v−1)(ω·β + Λ_1)",
                received,
                n1 * survive,
                m * n1,
            ),
        ]


def grouped(state_bits: Sequence[int]) -> tuple[str, ...]:
    """Queries share what late states tell of them in groups; without late states there is nothing to share."""
    return ("omega", "groups") if state_bits[-1] > state_bits[-2] else ()


def theorem_b2c(m: int, n: Sequence[int], chosen: Sequence[int], beta: int, state_bits: Sequence[int]) -> Impossibility:
    """The theorem at integers, ``chosen`` = (g, v) or (g, v, ω, γ); further tables than two are the identity."""
    if checked_state_bits(state_bits, 3)[0] != 0:
        raise InputError("Theorem B2c is about words without an R layer before the second full layer: Lambda_0 is 0")
    return TheoremB2c().at(m, n, chosen, beta, state_bits, 2)
