"""T.D: the exact number of summary values that one sparse layer needs for 2-Sum, for every M, B, k and g.

u = M−1 values, blocks of B tokens, k blocks opened in total, g > k complete blocks before the query. With d =
⌈u(g−k)/g⌉ and V(d,B) = Σ_{t≤min(B,d)} C(d,t) a summary needs V(d,B) values if d < u and V(u,B) − 1 if d = u, and that
many are enough (`T_D_two_sum` in Coq, of all layers that know the tokens near the query, all summaries and the blocks
that they open).

x is ambiguous in a block if two sequences with the same summary exist, one with x and one without. A layer with an
arbitrary scorer can be right iff every x is ambiguous in at most k blocks (`T_D_criterion`). If: open those. Only if:
fill the own block, window and sinks with −x, put the x-free member into every ambiguous block and anything without x
into the others; one of the ambiguous blocks stays closed, and swapping its member changes the answer and nothing that
is seen. So some block has at most ⌊uk/g⌋ ambiguous values and tells the sets of its clear ones apart: V(d,B) − [d=u]
values, d = u − ⌊uk/g⌋. Hiding ⌊uk/g⌋ values in each block, one after the other around the circle of u, meets that.
"""

from __future__ import annotations

from itertools import product

from proofs_checks.kit.coq.comparison import IN_COQ, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import SparseBound, cyclic_summary, theorem_d


def check(text: CoqText) -> Checked:
    """Coq's least_summaries is the calculator's number, and that of the cyclic summaries, counted."""
    least = text.function("least_summaries")
    for modulus, block, blocks in product((3, 5, 9), (1, 2, 3), range(1, 6)):
        for opened in range(blocks):
            bound, said = theorem_d(modulus, block, opened, blocks), least(modulus - 1)(blocks)(block)(opened)
            where = f"M, B, k, g = {modulus}, {block}, {opened}, {blocks}"
            require(said == bound.values, f"{where}: {said} summaries in Coq, {bound.values} by the calculator")
            if modulus < 9 and block < 3:
                _require_cyclic(bound, where)
    method = (
        "T_D_two_sum in Coq; its number, read from the Coq files, against the calculator's and the cyclic summaries'"
    )
    return Checked(Status.TESTED, method, "M ≤ 9, B ≤ 3, g ≤ 5")


def _require_cyclic(bound: SparseBound, where: str) -> None:
    values = range(1, bound.modulus)
    for x in values:
        hidden = sum(x not in cyclic_summary(bound, index, [x]) for index in range(bound.blocks))
        require(hidden <= bound.opened, f"{where}: {x} is hidden {hidden} times")
    used = {cyclic_summary(bound, 0, block) for block in product(values, repeat=bound.block)}
    require(len(used) == bound.values, f"{where}: the cyclic summary has {len(used)} values, not {bound.values}")


STATEMENT = Statement(
    id="T.D",
    title="how many summary values one sparse layer needs, for every odd M",
    latex=r"2^r\ge V(d,B)-[d=u],\quad d=\lceil u(g-k)/g\rceil,\ V(d,B)=\sum_{t\le B}\tbinom dt",
    english="One block-sparse layer solves 2-Sum only if a block's summary can take that many values, and that many "
    "are enough.",
    subject=IN_COQ,
    check=check,
    twins={
        "the empty set counted when d = u": altered(r"\sum_(1 <= t < B.+1) 'C(u, t).", r"\sum_(t < B.+1) 'C(u, t)."),
        "d rounded down": altered("let d := u - (u * k) %/ g in", "let d := (u * (g - k)) %/ g in"),
        "sets of exactly B": altered(r"then \sum_(t < B.+1) 'C(d, t) else", "then 'C(d, B) else"),
        "one more is hidden": altered("let d := u - (u * k) %/ g in", "let d := u - ((u * k) %/ g).+1 in"),
        "one less is hidden": altered("let d := u - (u * k) %/ g in", "let d := u - ((u * k) %/ g).-1 in"),
    },
    applies_to=("D3",),
    hypotheses=(
        Hypothesis("g > k: more blocks than are opened", lambda held: held[3] > held[2], outside=(5, 1, 2, 2)),
        Hypothesis("M is odd and at least 3", lambda held: held[0] >= 3 and held[0] % 2 == 1, outside=(4, 1, 1, 2)),
        Hypothesis("a block has at least one token", lambda held: held[1] >= 1, outside=(5, 0, 1, 2)),
    ),
    witness=(11, 3, 1, 4),
)
"""The witness: M, B, k, g."""
