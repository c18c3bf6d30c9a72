"""The inequalities of theorems A_L and B_L over log_y of all numbers: linear programs for the least log_y N_{L-1}.

Logarithms and constant factors do not count: a sum of powers of y is its largest term, and (E_ℓ) is x_ℓ·(P + D_ℓ) ≤
t_ℓ with Θ_ℓ ≤ min(t_ℓ, N_{ℓ-1}). Λ_t = 0; y stands for β.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import inf

import numpy as np
from scipy.optimize import linprog

Powers = Sequence[str]


class Program:
    """Variables named by strings, all at least 0; ``at_most(left, right, more)`` is Σ left + more ≤ Σ right."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.rows: list[tuple[list[int], list[int], int]] = []

    def at_most(self, left: Powers, right: Powers, more: int = 0) -> None:
        row = ([self._place(name) for name in left], [self._place(name) for name in right], more)
        self.rows.append(row)

    def least(self, target: Powers) -> float:
        matrix, bounds = np.zeros((len(self.rows), len(self.places))), np.zeros(len(self.rows))
        for number, (left, right, more) in enumerate(self.rows):
            np.add.at(matrix[number], left, 1)
            np.add.at(matrix[number], right, -1)
            bounds[number] = -more
        costs = np.zeros(len(self.places))
        np.add.at(costs, [self.places[name] for name in target], 1)
        found = linprog(costs, A_ub=matrix, b_ub=bounds, method="highs")
        return float(found.fun) if found.success else inf

    def _place(self, name: str) -> int:
        return self.places.setdefault(name, len(self.places))


def least_exponent(kind: str, L: int, windows: bool = False) -> float:
    """log_y of the least N_{L-1}: kind "A_L" or "B_L"; with windows the least over which of the n_ℓ are 1.

    ``windows``: table ℓ varies on the n_{ℓ-1}·u_{ℓ-1} entries whose index the table below can reach, u_ℓ its number of
    values; entries between windows are charged once in layer 1, and for each draw in later layers.
    """
    if not windows:
        return _program(kind, L, None).least(_table(L - 1))
    choices = product((True, False), repeat=L - 1)
    return min(_program(kind, L, ones).least(_table(L - 1)) for ones in choices)


def _table(level: int) -> list[str]:
    """N_level = m·n_1⋯n_level."""
    return ["m", *(f"n{i}" for i in range(1, level + 1))]


def _copies(first: int, last: int) -> list[str]:
    return [f"x{i}" for i in range(first, last + 1)]


def _program(kind: str, L: int, ones: Sequence[bool] | None) -> Program:
    program, queries, full = Program(), _table(L - 1)[1:], kind == "B_L"
    for level in range(1, L):
        values = [f"u{level}"] if ones else _table(level - 1)
        program.at_most([f"t{level}"], values)
        program.at_most(values, _table(level - 1))
        if level >= 2:
            program.at_most([f"t{level}"], [f"x{level}", f"n{level - 1}", f"t{level - 1}"])
        if ones and ones[level - 1]:
            program.at_most([f"n{level}"], [])
    fixed: list[Powers] = [queries]
    if full:
        program.at_most(["x0"], ["m"])
        program.at_most(queries, ["x0"], 1)
        program.at_most(["t1"], ["x0", "x1"])
        program.at_most([*queries, "x0"], ["D2"], 1)
        fixed += [["m"], ["x0", "x1"]]
    else:
        program.at_most([], ["D2"])
    for level in range(2, L + 1):
        asked = [f"n{level - 1}", f"t{level - 1}"]
        for heard in fixed:
            program.at_most(heard, asked, 1)
        program.at_most([f"D{level}"], asked)
    for level in range(2, L):
        _step(program, level, queries, full, ones)
    return program


def _step(program: Program, level: int, queries: Powers, full: bool, ones: Sequence[bool] | None) -> None:
    """D_{ℓ+1} is at least each of its terms."""
    told, before = [f"D{level + 1}"], _copies(2, level - 1)
    program.at_most([f"x{level}", f"D{level}"], told)
    for table in range(2, level + 1):
        copies = _copies(table, level) if table == level else _copies(table, level - 1)
        if ones is None:
            program.at_most([*copies, *_table(table - 1)], told, 1)
            continue
        program.at_most([*copies, f"n{table - 1}", f"u{table - 1}"], told, 1)
        if not ones[table - 2]:
            once = table == level == 2
            program.at_most([*([] if once else copies), f"n{table - 1}", *_table(table - 2)], told, 1)
    for heard in (["t1"], ["m"], ["x0", "x1"] if full else ["t1"], [*queries, "t1"]):
        program.at_most([*before, *heard], told, 1)
