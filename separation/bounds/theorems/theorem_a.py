"""Theorem A: L−1 full layers, and any R layers, do not solve L-FuncComp."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.evaluation import Evaluation, evaluate
from separation.bounds.parameters import Parameters
from separation.bounds.powers import Size
from separation.bounds.recursion import Rule


def theorem_a(parameters: Parameters, beta: int, linear: Sequence[Size]) -> Evaluation:
    """x_0 ≤ m; 𝖾·t_ℓ < 2N_{ℓ-1} and (E_ℓ) for ℓ = 1..L−1; (F): see `recursion.conditions`.

    If all hold, no hybrid with L−1 full layers, messages of at most β bits for a token and linear bits at most
    Λ_0, …, Λ_{L-1} solves FuncComp at the sizes of the parameters. With fewer full layers, pad with idle ones in front:
    then Λ_0 = 0. If Λ_0 = 0 the first level needs no probability, and that form is tried first; it reaches more values,
    which can break 𝖾·t_2 < 2N_1, so the general form is tried after it.

    >>> [theorem_a(Parameters(2, (n,), (1, 2)), 8, (0, 0)).certified for n in (17, 18)]
    [False, True]
    """
    if not linear or linear[0] != 0:
        return evaluate(Rule.A, parameters, beta, linear)
    free = evaluate(Rule.A_FREE, parameters, beta, linear)
    if free.certified:
        return free
    general = evaluate(Rule.A, parameters, beta, linear)
    return general if general.certified else free
