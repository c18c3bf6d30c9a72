"""L5: with Λ_0 = 0 nothing has to be drawn: x_1 shifted tables reach min(x_0·x_1, m) values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import sympy as sp
import z3

from proofs_checks.integers import require_no_integers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Rule
from separation.bounds.ladder import climb, demands
from separation.bounds.symbolic import BETA, M, linear_symbol, n_symbol, x_symbol

Family = Callable[[int, int, int, int], int]
"""(a, x_0, m, z) ↦ f_a(z)."""
LARGEST, LEVELS = 7, 6


def shifted(a: int, x_0: int, m: int, z: int) -> int:
    """(a·x_0 + z) mod m."""
    return (a * x_0 + z) % m


def check(family: Family) -> Checked:
    """{(a·x_0 + z) mod m : a ∈ [x_1], z ∈ [x_0]} = [min(x_0·x_1, m)] if x_0 ≤ m.

    z3, over all integers: each v below both x_0·x_1 and m is reached by a = v div x_0 and z = v mod x_0, since a < x_1;
    and no value is m or more. There are no more than x_0·x_1 pairs. By hand: Λ_0 = 0 makes D_1 = 0, so 𝒬 is everything
    and all z_{>1} extend every x_1 tables: no draw, no (E_1), no 1 in D_2. The calculator's recursion is compared with
    its general form: D_2 smaller by 1, Θ_1 the minimum, the demands C_1 and E_1 gone, all else equal. Beside: all
    x_0 ≤ m ≤ 7, x_1 ≤ 7.
    """
    v, a, z, x_0, x_1, m = z3.Ints("v a z x_0 x_1 m")
    sizes = [x_0 >= 1, x_1 >= 1, x_0 <= m, v >= 0, v == a * x_0 + z, z >= 0, z < x_0]
    require_no_integers([*sizes, v < x_0 * x_1, a >= x_1], "a value needs a table that there is not")
    require_no_integers([*sizes, a < 0], "a value needs a table before the first")
    require_no_integers([*sizes, v < m, v % m != v], "a value below m is not reached as itself")
    for first, kept, size in product(range(1, LARGEST + 1), repeat=3):
        if first <= size:
            reached = {family(number, first, size, start) for number in range(kept) for start in range(first)}
            wanted = set(range(min(first * kept, size)))
            require(reached == wanted, f"x_0, x_1, m = {first}, {kept}, {size}: reached are {sorted(reached)}")
    for L in range(2, LEVELS + 1):
        _require_calculator(L)
    method = f"division with remainder (z3), sizes up to {LARGEST}; the calculator's symbols for L ≤ {LEVELS}"
    return Checked(Status.ALL_SIZES, method, "every x_0 ≤ m and x_1")


def _require_calculator(L: int) -> None:
    """The free form against the general one at Λ_0 = 0, with Θ_1 as a letter of its own in the general form."""
    n, x = [n_symbol(k) for k in range(1, L)], [x_symbol(k) for k in range(L)]
    linear = [sp.Integer(0), *(linear_symbol(t) for t in range(1, L))]
    reached = sp.Symbol("Theta", positive=True)

    def cover(level: int, draws: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
        return (draws, reached) if level == 1 else (draws, draws / 2)

    free = climb(Rule.A_FREE, BETA, linear, M, n, x, cover, lambda _draws, _size: reached)
    general = climb(Rule.A, BETA, linear, M, n, x, cover)
    require(general.D[0] == free.D[0] == 0, f"L = {L}: D_1 is {free.D[0]}, not 0")
    require(sp.expand(general.D[1] - free.D[1]) == 1, f"L = {L}: the free start saves more or less than 1 bit")
    require(general.theta == free.theta, f"L = {L}: later covers differ")
    lost = {demand.name for demand in demands(Rule.A, general, n, x)}
    lost -= {demand.name for demand in demands(Rule.A_FREE, free, n, x)}
    require(lost == {"C_1", "E_1"}, f"L = {L}: the free start drops {sorted(lost)}")


STATEMENT = Statement(
    id="L5",
    title="the free start",
    latex=r"x_0\le m\ \Rightarrow\ |\{(a x_0+z)\bmod m: a\in[x_1],z\in[x_0]\}|=\min(x_0x_1,m)",
    english="With Λ_0 = 0 the x_1 tables are chosen, not drawn: they reach min(x_0·x_1, m) values without (E_1).",
    subject=shifted,
    check=check,
    twins={
        "shifted by a": lambda a, x_0, m, z: (a + z) % m,  # noqa: ARG005
        "shifted by x_0 + 1": lambda a, x_0, m, z: (a * (x_0 + 1) + z) % m,
        "cut off instead of mod m": lambda a, x_0, m, z: min(a * x_0 + z, m),
    },
    hypotheses=(Hypothesis("x_0 ≤ m", lambda held: held[0] <= held[2], outside=(5, 1, 3)),),
    witness=(2, 3, 5),
)
"""The witness: x_0, x_1, m."""
