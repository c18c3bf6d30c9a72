"""T.D.every: the exact number of summary values of theorem D, for every M, B, k and g."""

from __future__ import annotations

from itertools import product

import sympy as sp
import z3

from proofs_checks.integers import require_no_integers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.t_d import Count, _clear_rounded_down, least_values
from separation.bounds.theorem_d import SparseBound, cyclic_summary, subsets, theorem_d


def check(count: Count) -> Checked:
    """If every x is ambiguous in at most k of g blocks, some block has V(d,B) − [d=u] summary values; and that many do.

    At least that many. If all g blocks had q+1 = ⌊uk/g⌋+1 ambiguous values there would be g(q+1) > uk in all (z3); so
    some block has a set C of c ≥ d = u − q = ⌈u(g−k)/g⌉ clear values (z3). Which of them stand in the block is a
    function of its summary. By hand: every S ⊆ C with 1 ≤ |S| ≤ B stands in some sequence (repeat one element), the
    empty S too if some value is outside C. That is V(c,B) − [c=u] values, and V(c+1,B) = V(c,B) + V(c,B−1) ≥ V(c,B) + 1
    by Pascal's rule (sympy), so the number for d is the least.
    That many do. Hide q values in each block, one after the other around the circle of u: g·q ≤ uk places in a row meet
    a value at most k times, since k+1 times take more than uk of them (z3). The summary is the set of the others.
    Beside: the cyclic summary counted for M ≤ 7, B ≤ 2, g ≤ 5.
    """
    u, k, g, q, rest, first, place = z3.Ints("u k g q rest first place")
    sizes = [u >= 2, k >= 0, g > k, q >= 0, rest >= 0, rest < g, u * k == q * g + rest]
    require_no_integers([*sizes, g * (q + 1) <= u * k], "all blocks can have too many ambiguous values")
    require_no_integers([*sizes, (u - q) * g < u * (g - k)], "u − q is below u(g−k)/g")
    require_no_integers([*sizes, (u - q - 1) * g >= u * (g - k)], "u − q is not the least whole number above u(g−k)/g")
    around = [first >= 0, place == first + k * u, place < g * q]
    require_no_integers([*sizes, *around], "a value is hidden more than k times")
    _require_pascal()
    cases = 0
    for modulus, block, blocks in product((3, 5, 7), (1, 2), range(1, 6)):
        for opened in range(blocks):
            _require_cyclic(theorem_d(modulus, block, opened, blocks), count)
            cases += 1
    method = f"counting by hand, whole numbers by z3, Pascal's rule by sympy; {cases} cyclic summaries beside"
    return Checked(Status.ALL_SIZES, method, "every odd M, B, g > k")


def _require_pascal() -> None:
    """C(c+1,t) = C(c,t) + C(c,t−1), so V(c+1,B) − V(c,B) = V(c,B−1) ≥ 1 for B ≥ 1; and the code's V obeys it."""
    c, t = sp.symbols("c t", integer=True, positive=True)
    rest = sp.simplify(sp.combsimp(sp.binomial(c + 1, t) - sp.binomial(c, t) - sp.binomial(c, t - 1)))
    require(rest == 0, f"Pascal's rule is off by {rest}")
    for size, most in product(range(9), range(1, 9)):
        require(subsets(size + 1, most) == subsets(size, most) + subsets(size, most - 1), f"V({size + 1}, {most})")


def _require_cyclic(bound: SparseBound, count: Count) -> None:
    values = range(1, bound.modulus)
    where = f"M, B, k, g = {bound.modulus, bound.block, bound.opened, bound.blocks}"
    for x in values:
        hidden = sum(x not in cyclic_summary(bound, place, [x]) for place in range(bound.blocks))
        require(hidden <= bound.opened, f"{where}: {x} is hidden {hidden} times")
    used = {cyclic_summary(bound, 0, block) for block in product(values, repeat=bound.block)}
    require(len(used) == count(bound), f"{where}: the cyclic summary has {len(used)} values, said {count(bound)}")


STATEMENT = Statement(
    id="T.D.every",
    title="summary values at every size",
    latex=r"\min\#\text{summary values}=V(d,B)-[d=u],\quad d=u-\lfloor uk/g\rfloor",
    english="Summary maps in which every x is ambiguous in at most k blocks need exactly that many values.",
    subject=least_values,
    check=check,
    twins={
        "the empty set counted when d = u": lambda bound: bound.values + (bound.clear == bound.modulus - 1),
        "d rounded down": _clear_rounded_down,
        "sets of exactly B": lambda bound: subsets(bound.clear, bound.block) - subsets(bound.clear, bound.block - 1),
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
