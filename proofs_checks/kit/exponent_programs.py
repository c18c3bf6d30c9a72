"""The inequalities of theorems A_L, A_W and B_L over log_y of all numbers: linear programs for the least log_y N_{L-1}.

Logarithms and constant factors do not count: a sum of powers of y is its largest term, and (E_ℓ) is x_ℓ·(P + D_ℓ) ≤
t_ℓ with Θ_ℓ ≤ min(t_ℓ, N_{ℓ-1}). Λ_t = 0; y stands for β.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def least_exponent(kind: str, L: int) -> float:
    """log_y of the least N_{L-1}: kind "A_L", "A_W" or "B_L"; in A_W the lesser with n_1 = 1 and with n_1 free."""
    if kind != "A_W":
        return _program(kind, L, None).least(_table(L - 1))
    return min(_program(kind, L, one).least(_table(L - 1)) for one in (True, False))


def _table(level: int) -> list[str]:
    """N_level = m·n_1⋯n_level."""
    return ["m", *(f"n{i}" for i in range(1, level + 1))]


def _copies(first: int, last: int) -> list[str]:
    return [f"x{i}" for i in range(first, last + 1)]


def _program(kind: str, L: int, one: bool | None) -> Program:
    """``one`` is for A_W, with u_1 values of table 1: n_1 is 1, and nothing stands between windows."""
    program, queries, full = Program(), _table(L - 1)[1:], kind == "B_L"
    for level in range(1, L):
        values = ["u1"] if one is not None and level == 1 else _table(level - 1)
        program.at_most([f"t{level}"], values)
        program.at_most(values, _table(level - 1))
        if level >= 2:
            program.at_most([f"t{level}"], [f"x{level}", f"n{level - 1}", f"t{level - 1}"])
    if one:
        program.at_most(["n1"], [])
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
        _step(program, level, queries, full, one)
    return program


def _step(program: Program, level: int, queries: Powers, full: bool, one: bool | None) -> None:
    """D_{ℓ+1} is at least each of its terms; m − u_1 entries of table 2, at most m, count with table 3."""
    told, before = [f"D{level + 1}"], _copies(2, level - 1)
    program.at_most([f"x{level}", f"D{level}"], told)
    for table in range(2, level + 1):
        copies = _copies(table, level) if table == level else _copies(table, level - 1)
        if one is None or table > 2:
            program.at_most([*copies, *_table(table - 1)], told, 1)
            continue
        program.at_most([*copies, "n1", "u1"], told, 1)
        if not one:
            program.at_most([*([] if level == 2 else copies), "n1", "m"], told, 1)
    for heard in (["t1"], ["m"], ["x0", "x1"] if full else ["t1"], [*queries, "t1"]):
        program.at_most([*before, *heard], told, 1)
