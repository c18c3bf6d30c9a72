"""Theorem A: L−1 full layers, and any R layers, do not solve L-FuncComp."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.budget import Budget, padded_state_bits
from separation.bounds.condition import Conditions, Number, Order
from separation.bounds.evaluation import Evaluation, Parameters, evaluate
from separation.bounds.powers import Size
from separation.bounds.recursion import Rule, chosen_cover, conditions, fibonacci, run_recursion
from separation.bounds.theorem import Theorem, named
from separation.bounds.word import Word


class TheoremA(Theorem):
    """The recursion with Θ_1..Θ_{L-1} chosen; idle full layers are put in front of a word with fewer than L−1 of them.

    If Λ_0 = 0 the first level needs no probability, and Θ_1 = x_0·x_1 ≤ m.
    """

    name = "A"
    shape = "from 1 to L−1 full layers, and any R layers"

    def tables(self, word: Word, L: int) -> int | None:
        return L if 1 <= word.full <= L - 1 and word.depth < L else None

    def state_bits(self, word: Word, L: int, budget: Budget) -> tuple[int, ...]:
        return padded_state_bits(L, word.full, budget.state_bits_at_most(word))

    def rule(self, state_bits: Sequence[Number]) -> Rule:
        return Rule.A_FREE if state_bits[0] == 0 else Rule.A

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:
        first = 2 if self.rule(state_bits) is Rule.A_FREE else 1
        return (*named("x", 0, tables - 1), *named("Theta", first, tables - 1))

    def exponents(self, tables: int) -> dict[str, int]:
        """The golden schedule: x_0 = 1, m = 6·Πx; with one more layer x_0 = y·W."""
        L = tables
        first = fibonacci(2 * L) if self.name == "B" else 0
        found, reached = {"x_0": first, "m": first + fibonacci(2 * L - 1) - 1}, first
        for level in range(1, L):
            x, n = fibonacci(2 * (L - level)), fibonacci(2 * (L - level) + 1)
            found |= {f"x_{level}": x, f"n_{level}": n, f"Theta_{level}": reached + x}
            reached += x + n
        return found

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        L, rule = len(n) + 1, self.rule(state_bits)
        x, reached = chosen[:L], list(chosen[L:])
        first: Conditions = []
        if rule is Rule.A_FREE and L > 1:
            reached = [x[0] * x[1], *reached]
            first = [Order("Θ_1", "x_0·x_1 ≤ m", x[0] * x[1], m)]
        cover = chosen_cover(reached)
        recursion = run_recursion(rule, beta, state_bits, m, n, x, cover, lambda product, _: product)
        return [*first, *conditions(rule, recursion, n, x, chosen=True)]

    def at(
        self, m: int, n: Sequence[int], chosen: Sequence[int], beta: int, state_bits: Sequence[int], tables: int
    ) -> Evaluation:
        rule = self.rule(state_bits)
        x, reached = tuple(chosen[:tables]), tuple(chosen[tables:])
        if rule is Rule.A_FREE and tables > 1:
            reached = (min(x[0] * x[1], m), *reached)
        return evaluate(rule, Parameters(m, tuple(n), x, reached), beta, state_bits)

    def reason(self, word: Word, L: int) -> str:
        return f"L = {L} > depth {word.depth}: at most L − 1 full layers, and any R layers, cannot, at hard sizes"


def theorem_a(parameters: Parameters, beta: int, state_bits: Sequence[Size]) -> Evaluation:
    """x_0 ≤ m; 𝖾·t_ℓ < 2N_{ℓ-1} and (E_ℓ) for ℓ = 1..L−1; (F): see `recursion.conditions`.

    If all hold, no hybrid with L−1 full layers, messages of at most β bits for a token and state bits at most
    Λ_0, …, Λ_{L-1} solves FuncComp at the sizes of the parameters. With fewer full layers, pad with idle ones in front:
    then Λ_0 = 0. If Λ_0 = 0 the first level needs no probability, and that form is tried first; it reaches more values,
    which can break 𝖾·t_2 < 2N_1, so the general form is tried after it.

    >>> [theorem_a(Parameters(2, (n,), (1, 2)), 8, (0, 0)).certified for n in (17, 18)]
    [False, True]
    """
    if not state_bits or state_bits[0] != 0:
        return evaluate(Rule.A, parameters, beta, state_bits)
    free = evaluate(Rule.A_FREE, parameters, beta, state_bits)
    if free.certified:
        return free
    general = evaluate(Rule.A, parameters, beta, state_bits)
    return general if general.certified else free
