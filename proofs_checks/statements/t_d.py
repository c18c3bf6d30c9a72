"""T.D: the exact number of summary values that one sparse layer needs for 2-Sum, for every M, B, k and g.

u = M−1 values, blocks of B tokens, k blocks opened in total, g > k complete blocks before the query. With d =
⌈u(g−k)/g⌉ and V(d,B) = Σ_{t≤min(B,d)} C(d,t) a summary needs V(d,B) values if d < u and V(u,B) − 1 if d = u, and that
many are enough.

x is ambiguous in a block if two sequences with the same summary exist, one with x and one without. A layer with an
arbitrary scorer can be right iff every x is ambiguous in at most k blocks (`T_D_criterion` in Coq). If: open those.
Only if: fill the own block, window and sinks with −x, put the x-free member into every ambiguous block and anything
without x into the others; one of the ambiguous blocks stays closed, and swapping its member changes the answer and
nothing that is seen. So some block has at most ⌊uk/g⌋ ambiguous values and tells the sets of its clear ones apart:
V(d,B) − [d=u] values, d = u − ⌊uk/g⌋. Hiding ⌊uk/g⌋ values in each block, one after the other around the circle of u,
meets that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import z3

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.solvers import require_no_integers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import SparseBound, cyclic_summary, subsets, theorem_d

Count = Callable[[SparseBound], int]


def least_values(bound: SparseBound) -> int:
    """V(d,B) if d < u, V(u,B) − 1 if d = u."""
    return bound.values


def clear_rounded_down(bound: SparseBound) -> int:
    """d = ⌊u(g−k)/g⌋."""
    u = bound.modulus - 1
    clear = u * (bound.blocks - bound.opened) // bound.blocks
    return subsets(clear, bound.block) - (clear == u)


def rounded_down(whole: Any, parts: Any, quotient: Any) -> Any:
    """q = ⌊uk/g⌋."""
    return z3.And(quotient * parts <= whole, whole < (quotient + 1) * parts)


@dataclass(frozen=True)
class Every:
    """The number of summary values; how many values q a block hides, of uk over g."""

    count: Count = least_values
    hidden: Callable[[Any, Any, Any], Any] = rounded_down


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


def _cyclic(every: Every) -> None:
    """The cyclic summary counted."""
    for modulus, block, blocks in product((3, 5, 7), (1, 2), range(1, 6)):
        for opened in range(blocks):
            _require_cyclic(theorem_d(modulus, block, opened, blocks), every.count)


def _in_coq(every: Every) -> None:
    """T_D_bound supposes (d−1)·g < u(g−k), so d is at most ⌈u(g−k)/g⌉, and says Σ_{t≤B} C(d,t); or its full form."""
    for modulus, block, blocks in product((3, 5, 9), (1, 2, 3), range(1, 6)):
        for opened in range(blocks):
            bound, u = theorem_d(modulus, block, opened, blocks), modulus - 1
            theorem = "T_D_bound_full" if bound.clear == u else "T_D_bound"
            given = {"u": u, "g": blocks, "B": block, "k": opened}
            supposed = all(each.holds for each in IN_COQ.compared(theorem, d=bound.clear, **given))
            beyond = all(each.holds for each in IN_COQ.compared("T_D_bound", d=bound.clear + 1, **given))
            where = f"M, B, k, g = {modulus, block, opened, blocks}"
            require(supposed and not beyond, f"{where}: d is not {bound.clear} in Coq")
            said = IN_COQ.side(theorem, 0, d=bound.clear, **given)
            require(said == every.count(bound), f"{where}: {said} summaries in Coq, claimed {every.count(bound)}")


def _require_cyclic(bound: SparseBound, count: Count) -> None:
    values = range(1, bound.modulus)
    where = f"M, B, k, g = {bound.modulus, bound.block, bound.opened, bound.blocks}"
    for x in values:
        hidden = sum(x not in cyclic_summary(bound, index, [x]) for index in range(bound.blocks))
        require(hidden <= bound.opened, f"{where}: {x} is hidden {hidden} times")
    used = {cyclic_summary(bound, 0, block) for block in product(values, repeat=bound.block)}
    require(len(used) == count(bound), f"{where}: the cyclic summary has {len(used)} values, claimed {count(bound)}")


STATEMENT = Statement(
    id="T.D",
    title="how many summary values one sparse layer needs, for every odd M",
    latex=r"2^r\ge V(d,B)-[d=u],\quad d=\lceil u(g-k)/g\rceil,\ V(d,B)=\sum_{t\le B}\tbinom dt",
    english="One block-sparse layer solves 2-Sum only if a block's summary can take that many values, and that many "
    "are enough.",
    subject=Every(),
    check=Steps(
        "every odd M, B, g > k",
        (
            Step("not all blocks are ambiguous in q + 1 values", _too_many_ambiguous),
            Step("u − q is at least u(g−k)/g", _enough_clear),
            Step("u − q is the least such number", _no_more_clear),
            Step("around the circle no value is hidden more than k times", _around_the_circle),
            Step("cyclic summaries for M ≤ 7, B ≤ 2, g ≤ 5", _cyclic),
            Step("the numbers of T_D_bound in Coq for M ≤ 9, B ≤ 3, g ≤ 5", _in_coq),
        ),
        {
            "what 2-Sum asks": "With −x in the own block, window and sinks the answer is whether x stands in one of "
            "the g blocks; so a right layer is one in which every x is ambiguous in at most k blocks: T_D_criterion.",
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
