"""Theorem A2: one full layer and any R layers do not compose two tables; linear in the model's bits."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.condition import Condition, Conditions, Number
from separation.bounds.theorem import Impossibility, Theorem, checked_state_bits, one_table_more
from separation.bounds.word import Word


class TheoremA2(Theorem):
    """(Θ−1)^m·2^Λ_0 < m^m and 2^(Λ_0 + Θ·(Λ_1−Λ_0) + β·n_1) < N^(n_1·Θ), N = m·n_1.

    where Λ_1 counts blocks 0 and 1 and R heads beside F. Some z_0 reaches Θ values i of table 1 behind one common
    state; about table 2 the answer token hears β bits for each w, and the late states λ_1 bits for each i; n_1·Θ
    entries of table 2 are asked. `one_full_layer` has the shortest prompt of all.
    """

    name = "A2"
    shape = "one full layer and any R layers"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_more(word, L, 1, 1)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("Theta",)

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        (n1,), (theta,), (early, both) = n, chosen, state_bits
        told = early + theta * (both - early) + beta * n1
        return [
            Condition("reached", "Λ_0 < m·log2(m/(Θ−1))", early, m, m, theta - 1),
            Condition("asked", "Λ_0 + Θ·(Λ_1−Λ_0) + β·n_1 < n_1·Θ·log2 N_1", told, n1 * theta, m * n1),
        ]


def theorem_a2(m: int, n: Sequence[int], theta: int, beta: int, state_bits: Sequence[int]) -> Impossibility:
    """The theorem at integers; only n_1 is used, further tables are the identity."""
    return TheoremA2().at(m, n, (theta,), beta, checked_state_bits(state_bits, 2), 2)
