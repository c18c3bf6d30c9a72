"""Theorem C: the states of R layers alone must hold all bits of the last table; and its form on average, C'."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from separation.bounds.budget import Budget
from separation.bounds.condition import Condition, Conditions, Number, least_table
from separation.bounds.entropy import union_share
from separation.bounds.theorem import Impossibility, Theorem, checked_sizes, table_sizes, verdicts_until_a_guard_fails
from separation.bounds.theorems.ceiling import Ceiling, Term
from separation.bounds.word import Word
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes


class TheoremC(Theorem):
    """Λ < N_{L-1}·log2 N_{L-1}: then no word in R alone with Λ state bits solves FuncComp at these sizes.

    With tables z_1..z_{L-1} the identity, (z_0, w) can ask for every entry of z_L, so N^N ≤ 2^Λ, N = N_{L-1}. Any
    number of tokens of a chain of thought does not help: all that is known of table L passes one boundary.
    """

    name = "C"
    shape = "R layers alone"

    def tables(self, word: Word, L: int) -> int | None:
        return L if word.full == 0 else None

    def state_bits(self, word: Word, L: int, budget: Budget) -> tuple[int, ...]:  # noqa: ARG002
        return (budget.state_bits_at_most(word)[-1],)

    def conditions(
        self,
        m: Number,
        n: Sequence[Number],
        chosen: Sequence[Number],  # noqa: ARG002
        beta: Number,  # noqa: ARG002
        state_bits: Sequence[Number],
    ) -> Conditions:
        N, last = table_sizes(m, n)[-1], len(n)
        return [Condition("G", f"Λ < N_{last}·log2 N_{last}", state_bits[0], N, N)]

    def reason(self, word: Word, L: int) -> str:  # noqa: ARG002
        return (
            "no full layer: the state must hold the last table; R alone (C3) solves only sizes that its state can hold"
        )


def theorem_c(sizes: Sizes, state_bits: int) -> Impossibility:
    """The theorem at integers.

    >>> [theorem_c(Sizes(4, (2,)), bits).certified for bits in (23, 24)]  # 8·log2 8 = 24
    [True, False]
    """
    require_integer("lambda", state_bits, 0)
    verdicts = verdicts_until_a_guard_fails(TheoremC().conditions(sizes.m, sizes.n, (), 0, (state_bits,)))
    return Impossibility("C", sizes.m, sizes.n, None, (state_bits,), (), verdicts, sizes.L)


def shortest_for_recurrent_only(L: int, state_bits: int) -> Impossibility:
    """The shortest prompt with N_{L-1}·log2 N_{L-1} > Λ.

    With L = 1 it is the least m. With L ≥ 2 all tables but the last have two entries: m = a instead of 2 makes each of
    the L−1 tables longer by a−2 ≥ 1, and the last, a multiple of a, at most 1 shorter than the least even number.
    """
    require_integer("L", L, 1)
    least = least_table(state_bits)
    if L == 1:
        return theorem_c(Sizes(least, ()), state_bits)
    return theorem_c(Sizes(2, (1,) * (L - 2) + (-(-least // 2),)), state_bits)


def theorem_c_union(m: int, n: Sequence[int], bits: int) -> Ceiling:
    """accuracy ≤ (1/N)·Σ_{a=1..N} min(1, 2^Λ·Pr[Bin(N, 1/N) ≥ a]), N = N_{L-1}, Λ = ``bits``.

    For one full layer and one table (L = 1) Λ stands for β + Λ_1.
    """
    checked_sizes(m, n, 1)
    require_integer("bits", bits, 0)
    return Ceiling(union_share(table_sizes(m, n)[-1], bits), "C' union", (("bits", bits),))


def theorem_c_average(m: int, n: Sequence[int], bits: int) -> Ceiling:
    """accuracy ≤ ⟨1/N; Λ/N⟩, N = N_{L-1}: a little weaker than the sum, and computed at any size."""
    checked_sizes(m, n, 1)
    require_integer("bits", bits, 0)
    N = table_sizes(m, n)[-1]
    return Ceiling.from_terms("C' average", (("bits", bits),), (Term.of(Fraction(1, N), Fraction(bits, N)),))
