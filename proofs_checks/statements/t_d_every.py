"""T.D.every: the exact number of summary values of theorem D, for every M, B, k and g.

If every x is ambiguous in at most k of g blocks, some block has at most ⌊uk/g⌋ ambiguous values and tells the sets of
its clear ones apart: V(d,B) − [d=u] values, d = u − ⌊uk/g⌋. Hiding ⌊uk/g⌋ values in each block, one after the other
around the circle of u, meets that.
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
from proofs_checks.statements.t_d import Count, clear_rounded_down, least_values
from separation.bounds import SparseBound, cyclic_summary, subsets, theorem_d


def rounded_down(whole: Any, parts: Any, quotient: Any) -> Any:
    """q = ⌊uk/g⌋."""
    return z3.And(quotient * parts <= whole, whole < (quotient + 1) * parts)


@dataclass(frozen=True)
class Every:
    """The number of summary values; how many values q a block hides, of uk over g; and Pascal's rule."""

    count: Count = least_values
    hidden: Callable[[Any, Any, Any], Any] = rounded_down
    pascal: Callable[[Any, Any], Any] = lambda c, t: sp.binomial(c, t) + sp.binomial(c, t - 1)


def _sizes(every: Every) -> tuple[list[z3.BoolRef], tuple[Any, Any, Any, Any]]:
    u, k, g, q = z3.Ints("u k g q")
    return [u >= 2, k >= 0, g > k, q >= 0, every.hidden(u * k, g, q)], (u, k, g, q)


def _too_many_ambiguous(every: Every) -> None:
    sizes, (u, k, g, q) = _sizes(every)
    require_no_integers([*sizes, g * (q + 1) <= u * k], "all blocks can have too many ambiguous values")


def _enough_clear(every: Every) -> None:
    sizes, (u, k, g, q) = _sizes(every)
    require_no_integers([*sizes, (u - q) * g < u * (g - k)], "u − q is below u(g−k)/g")


def _no_more_clear(every: Every) -> None:
    sizes, (u, k, g, q) = _sizes(every)
    require_no_integers([*sizes, (u - q - 1) * g >= u * (g - k)], "u − q is not the least integer above u(g−k)/g")


def _around_the_circle(every: Every) -> None:
    """q values hidden in each block, one after the other: k + 1 times the same one takes more than u·k positions."""
    sizes, (u, k, g, q) = _sizes(every)
    first, position = z3.Ints("first position")
    require_no_integers(
        [*sizes, first >= 0, position == first + k * u, position < g * q], "a value is hidden more than k times"
    )


def _pascal(every: Every) -> None:
    """C(c+1,t) = C(c,t) + C(c,t−1)."""
    c, t = sp.symbols("c t", integer=True, positive=True)
    rest = sp.combsimp(sp.binomial(c + 1, t) - every.pascal(c, t))
    require_zero(rest, "Pascal's rule is off")


def _cyclic(every: Every) -> None:
    """The cyclic summary counted, and the code's V by Pascal's rule."""
    for size, most in product(range(9), range(1, 9)):
        require(subsets(size + 1, most) == subsets(size, most) + subsets(size, most - 1), f"V({size + 1}, {most})")
    for modulus, block, blocks in product((3, 5, 7), (1, 2), range(1, 6)):
        for opened in range(blocks):
            _require_cyclic(theorem_d(modulus, block, opened, blocks), every.count)


def _require_cyclic(bound: SparseBound, count: Count) -> None:
    values = range(1, bound.modulus)
    where = f"M, B, k, g = {bound.modulus, bound.block, bound.opened, bound.blocks}"
    for x in values:
        hidden = sum(x not in cyclic_summary(bound, index, [x]) for index in range(bound.blocks))
        require(hidden <= bound.opened, f"{where}: {x} is hidden {hidden} times")
    used = {cyclic_summary(bound, 0, block) for block in product(values, repeat=bound.block)}
    require(len(used) == count(bound), f"{where}: the cyclic summary has {len(used)} values, claimed {count(bound)}")


STATEMENT = Statement(
    id="T.D.every",
    title="summary values of one sparse layer, for every odd M",
    latex=r"\min\#\text{summary values}=V(d,B)-[d=u],\quad d=u-\lfloor uk/g\rfloor",
    english="Summary maps in which every x is ambiguous in at most k blocks need exactly that many values.",
    subject=Every(),
    check=Steps(
        "every odd M, B, g > k",
        (
            Step("not all blocks are ambiguous in q + 1 values", _too_many_ambiguous),
            Step("u − q is at least u(g−k)/g", _enough_clear),
            Step("u − q is the least such number", _no_more_clear),
            Step("around the circle no value is hidden more than k times", _around_the_circle),
            Step("Pascal's rule", _pascal),
            Step("cyclic summaries for M ≤ 7, B ≤ 2, g ≤ 5", _cyclic),
        ),
        {
            "a block with clear values": "If all g blocks had q + 1 ambiguous values there would be more than u·k in "
            "all; so some block has a set C of c ≥ d = u − q clear values, and which of them stand in it is a "
            "function of its summary.",
            "what a block can hold": "Every S ⊆ C with 1 ≤ |S| ≤ B stands in some sequence (repeat an element), the "
            "empty S too if some value is outside C: V(c,B) − [c=u] summaries.",
            "d is the worst case": "V(c+1,B) = V(c,B) + V(c,B−1) ≥ V(c,B) + 1, adding up Pascal's rule, so the number "
            "for d is the least.",
            "that many are enough": "Hide q values in each block, one after the other around the circle of u; the "
            "summary is the set of the others.",
        },
    ),
    twins={
        "the empty set counted when d = u": Every(lambda bound: bound.values + (bound.clear == bound.modulus - 1)),
        "d rounded down": Every(clear_rounded_down),
        "sets of exactly B": Every(
            lambda bound: subsets(bound.clear, bound.block) - subsets(bound.clear, bound.block - 1)
        ),
        "one more is hidden": Every(hidden=lambda whole, parts, quotient: rounded_down(whole, parts, quotient - 1)),
        "one less is hidden": Every(hidden=lambda whole, parts, quotient: rounded_down(whole, parts, quotient + 1)),
        "Pascal's rule with one term twice": Every(pascal=lambda c, t: 2 * sp.binomial(c, t)),
    },
    speaks_of=("D3",),
    hypotheses=(
        Hypothesis("g > k: more blocks than are opened", lambda held: held[3] > held[2], outside=(5, 1, 2, 2)),
        Hypothesis("M is odd and at least 3", lambda held: held[0] >= 3 and held[0] % 2 == 1, outside=(4, 1, 1, 2)),
        Hypothesis("a block has at least one token", lambda held: held[1] >= 1, outside=(5, 0, 1, 2)),
    ),
    witness=(11, 3, 1, 4),
)
"""The witness: M, B, k, g."""
