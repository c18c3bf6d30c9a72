"""L5: with Λ_0 = 0 nothing has to be drawn: x_1 shifted tables reach min(x_0·x_1, m) values.

With Λ_0 = 0 nothing is fixed before level 1, so 𝒬 is everything, and the x_1 tables may be chosen: f_a(z) = (a·x_0 +
z) mod m on Z_0 = [x_0] for a ∈ [x_1]. They reach min(x_0·x_1, m) values if x_0 ≤ m. No draw is needed, so neither
(E_1) nor 𝖾·t_1 < 2m, and D_2 has no 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_integers, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.kit.theorems import recursion_symbols
from separation.bounds import Rule, conditions, run_recursion
from separation.bounds.symbolic import BETA, M

Family = Callable[[Any, Any, Any, Any], Any]
"""(a, x_0, m, z) ↦ f_a(z)."""
LARGEST, LEVELS = 7, 6


def shifted(a: Any, x_0: Any, m: Any, z: Any) -> Any:
    """(a·x_0 + z) mod m."""
    return (a * x_0 + z) % m


@dataclass(frozen=True)
class FreeStart:
    """The tables f_a, and by how many bits D_2 is smaller than in the general form."""

    family: Family = shifted
    saved: int = 1


def _every_value(start: FreeStart) -> None:
    """Each v below x_0·x_1 and m is the value of a = v div x_0 and z = v mod x_0."""
    v, a, z, x_0, x_1, m = z3.Ints("v a z x_0 x_1 m")
    known = [x_0 >= 1, x_1 >= 1, x_0 <= m, v >= 0, v < m, v < x_0 * x_1, v == a * x_0 + z, z >= 0, z < x_0]
    known += [z3.Implies(z3.And(v >= 0, v < m), v % m == v)]  # what mod is; z3 does not see it for letters
    missed = z3.Or(a < 0, a >= x_1, start.family(a, x_0, m, z) != v)
    require_no_integers([*known, missed], "a value is not reached")


def _no_other(start: FreeStart) -> None:
    """A value of (a, z) is below m, and not above a·x_0 + z < x_0·x_1."""
    a, z, x_0, x_1, m, rest, times = z3.Ints("a z x_0 x_1 m rest times")
    whole = a * x_0 + z
    known = [x_0 >= 1, x_1 >= 1, x_0 <= m, a >= 0, a < x_1, z >= 0, z < x_0]
    known += [whole == times * m + rest, rest >= 0, rest < m, times >= 0, whole % m == rest]
    value = start.family(a, x_0, m, z)
    require_no_integers([*known, z3.Or(value < 0, value >= m, value >= x_0 * x_1)], "another value is reached")


def _small_sizes(start: FreeStart) -> None:
    for first, kept, size in product(range(1, LARGEST + 1), repeat=3):
        if first <= size:
            reached = {start.family(number, first, size, z) for number in range(kept) for z in range(first)}
            expected = set(range(min(first * kept, size)))
            require(reached == expected, f"x_0, x_1, m = {first}, {kept}, {size}: reached are {sorted(reached)}")


def _calculator(start: FreeStart) -> None:
    for L in range(2, LEVELS + 1):
        _require_calculator(L, start)


def _require_calculator(L: int, start: FreeStart) -> None:
    """The free form against the general one at Λ_0 = 0, with Θ_1 as a letter of its own in the general form."""
    n, x, (_, *later) = recursion_symbols(Rule.A, L)
    linear = [sp.Integer(0), *later]
    reached = sp.Symbol("Theta", positive=True)

    def cover(level: int, draws: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
        return (draws, reached) if level == 1 else (draws, draws / 2)

    free = run_recursion(Rule.A_FREE, BETA, linear, M, n, x, cover, lambda _draws, _size: reached)
    general = run_recursion(Rule.A, BETA, linear, M, n, x, cover)
    require(general.D[0] == free.D[0] == 0, f"L = {L}: D_1 is {free.D[0]}, not 0")
    require_zero(general.D[1] - free.D[1] - start.saved, f"L = {L}: the bits that the free start saves are off")
    require(general.theta == free.theta, f"L = {L}: later covers differ")
    lost = {demand.name for demand in conditions(Rule.A, general, n, x)}
    lost -= {demand.name for demand in conditions(Rule.A_FREE, free, n, x)}
    require(lost == {"C_1", "E_1"}, f"L = {L}: the free start drops {sorted(lost)}")


def _cut_off(a: Any, x_0: Any, m: Any, z: Any) -> Any:
    """min(a·x_0 + z, m)."""
    value = a * x_0 + z
    return min(value, m) if isinstance(value, int) else z3.If(value < m, value, m)


STATEMENT = Statement(
    id="L5",
    title="with Λ_0 = 0 the start is free",
    latex=r"x_0\le m\ \Rightarrow\ |\{(a x_0+z)\bmod m: a\in[x_1],z\in[x_0]\}|=\min(x_0x_1,m)",
    english="With Λ_0 = 0 the x_1 tables are chosen, not drawn: they reach min(x_0·x_1, m) values without (E_1).",
    subject=FreeStart(),
    check=Steps(
        "every x_0 ≤ m and x_1",
        (
            Step("every value is reached", _every_value),
            Step("no other value is", _no_other),
            Step(f"all sizes up to {LARGEST}", _small_sizes),
            Step(f"the calculator's symbols for L ≤ {LEVELS}", _calculator, finite=True),
        ),
        {
            "division with remainder": "Every v has a = v div x_0 and z = v mod x_0 with v = a·x_0 + z and 0 ≤ z < "
            "x_0.",
            "nothing is drawn": "Λ_0 = 0 makes D_1 = 0, so 𝒬 is everything and all z_{>1} extend every x_1 tables: no "
            "(E_1), no 1 in D_2.",
            "the calculator for every L": "Levels 2 and above are those of the general form, whatever L is.",
        },
    ),
    twins={
        "shifted by a": FreeStart(lambda a, _x_0, m, z: (a + z) % m),
        "shifted by x_0 + 1": FreeStart(lambda a, x_0, m, z: (a * (x_0 + 1) + z) % m),
        "cut off instead of mod m": FreeStart(_cut_off),
        "two bits are saved": FreeStart(saved=2),
    },
    hypotheses=(Hypothesis("x_0 ≤ m", lambda held: held[0] <= held[2], outside=(5, 1, 3)),),
    witness=(2, 3, 5),
)
"""The witness: x_0, x_1, m."""
