"""Theorem A2_W: one full layer and windows do not compose two tables; a window costs its reach, not its state."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.budget import Budget
from separation.bounds.condition import Condition, Conditions, Number, Order, least_that
from separation.bounds.theorem import (
    Impossibility,
    Theorem,
    checked_sizes,
    one_table_more,
    verdicts_until_a_guard_fails,
)
from separation.bounds.word import Word
from separation.tasks.checks import require_integer


class TheoremA2W(Theorem):
    """2r_0 + r_1 ≤ m and β·(n_1 + r_1) < N·log2 N, N = m·n_1.

    where r_0 and r_1 are the sums of k−1 over the windows of k tokens before and after the full layer. z_0 = r_0, and
    table 1 is constant but for z_1(z_0) = i. Entries before that one count with table 2; those from it on do not see
    table 2 before the full layer, and the last r_1 tokens see neither it nor i. So all that w learns of table 2 is what
    it hears itself, β for each w, and what each of these r_1 tokens hears; all N entries are asked.
    """

    name = "A2_W"
    shape = "one full layer and windows"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_more(word, L, 1, 1) if word.windows_alone else None

    def state_bits(self, word: Word, L: int, budget: Budget) -> tuple[int, ...]:  # noqa: ARG002
        """(r_0, r_1): all that its inequalities contain of the windows."""
        return word.reaches

    def conditions(
        self,
        m: Number,
        n: Sequence[Number],
        chosen: Sequence[Number],  # noqa: ARG002
        beta: Number,
        state_bits: Sequence[Number],
    ) -> Conditions:
        (n1,), (before, after) = n, state_bits
        return [
            Order("room", "2r_0 + r_1 ≤ m", 2 * before + after, m),
            Condition("asked", "β·(n_1 + r_1) < N_1·log2 N_1", beta * (n1 + after), m * n1, m * n1),
        ]

    def at(
        self, m: int, n: Sequence[int], chosen: Sequence[int], beta: int, state_bits: Sequence[int], tables: int
    ) -> Impossibility:
        n = checked_sizes(m, n, tables)
        require_integer("beta", beta, 0)
        before, after = (require_integer("reach", reach, 0) for reach in state_bits)
        found = verdicts_until_a_guard_fails(self.conditions(m, n[:1], chosen, beta, (before, after)))
        return Impossibility(self.name, m, n, beta, (), (), found, tables, (before, after))


def theorem_a2w(m: int, n: Sequence[int], beta: int, reaches: Sequence[int]) -> Impossibility:
    """The theorem at integers; only n_1 is used, further tables are the identity."""
    return TheoremA2W().at(m, n, (), beta, reaches, 2)


def shortest_a2w(beta: int, reaches: Sequence[int], identity_tables: int) -> Impossibility:
    """The least m·(1 + k·n_1), k = 1 + ``identity_tables``: for each n_1 the least m, as long as it can be shorter."""
    least, weight = max(2, 2 * reaches[0] + reaches[1]), 1 + identity_tables

    def at(m: int, n1: int) -> Impossibility:
        return theorem_a2w(m, (n1, *(1,) * identity_tables), beta, reaches)

    best: tuple[int, int, int] | None = None
    n1 = 1
    while best is None or least * (1 + weight * n1) < best[0]:
        m = least_that(lambda m, n1=n1: at(m, n1).certified, least)  # type: ignore[misc]
        if best is None or m * (1 + weight * n1) < best[0]:
            best = (m * (1 + weight * n1), m, n1)
        n1 += 1 + n1 // 8
    return at(*best[1:])
