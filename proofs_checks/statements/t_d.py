"""T.D: how many summary values one sparse layer needs for 2-Sum, against all maps of tiny layers.

u = M−1 values, blocks of B tokens, k blocks opened in total, g > k complete blocks before the query. With d =
⌈u(g−k)/g⌉ and V(d,B) = Σ_{t≤min(B,d)} C(d,t) a summary needs V(d,B) values if d < u and V(u,B) − 1 if d = u, and that
many are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import SparseBound, can_be_right, cyclic_summary, subsets, theorem_d

CASES = ((3, 1, 1, 2), (3, 2, 1, 2), (3, 2, 1, 3), (3, 2, 0, 1), (3, 1, 0, 2), (5, 1, 1, 2), (5, 1, 1, 3), (5, 1, 2, 3))

Count = Callable[[SparseBound], int]
Sequence = tuple[int, ...]


class SparseLayer(NamedTuple):
    """M, B, k and g."""

    modulus: int
    block: int
    opened: int
    blocks: int


def least_values(bound: SparseBound) -> int:
    """V(d,B) if d < u, V(u,B) − 1 if d = u."""
    return bound.values


def ambiguous(summary: Mapping[Sequence, object], values: Iterable[int]) -> frozenset[int]:
    """The x for which two sequences have the same summary, one with x and one without."""
    classes: dict[object, list[Sequence]] = {}
    for sequence, value in summary.items():
        classes.setdefault(value, []).append(sequence)
    return frozenset(x for x in values for own in classes.values() if len({x in sequence for sequence in own}) == 2)


def check(count: Count) -> Checked:
    """Every map of a block to fewer summary values, for every block: none passes the criterion; the cyclic one does.

    The criterion itself, by hand: if some x is ambiguous in more than k blocks, fill the own block with −x and put the
    x-free member in every ambiguous block; one of them stays closed, and swapping its member changes the answer and
    nothing that is seen. If not, opening for each x the blocks where it is ambiguous leaves no doubt.
    """
    for case in CASES:
        bound, (modulus, block, opened, blocks) = theorem_d(*case), case
        values = range(1, modulus)
        sequences = list(product(values, repeat=block))
        least = next(
            size for size in range(1, len(sequences) + 1) if _some_map_is_right(sequences, values, size, blocks, opened)
        )
        require(least == count(bound), f"M, B, k, g = {case}: the least number is {least}, claimed {count(bound)}")
        summaries = [{s: cyclic_summary(bound, index, s) for s in sequences} for index in range(blocks)]
        right = can_be_right([ambiguous(summary, values) for summary in summaries], opened)
        require(right, f"M, B, k, g = {case}: the cyclic summary leaves a doubt")
        used = max(len(set(summary.values())) for summary in summaries)
        require(used == count(bound), f"M, B, k, g = {case}: the cyclic summary has {used} values")
    return Checked(
        Status.EXHAUSTIVE, "all summary maps, all blocks", f"{len(CASES)} layers, M up to 5, both cases of d"
    )


def _some_map_is_right(sequences: list[Sequence], values: range, size: int, blocks: int, opened: int) -> bool:
    sets = {
        ambiguous(dict(zip(sequences, images, strict=True)), values)
        for images in product(range(size), repeat=len(sequences))
    }
    return any(can_be_right(chosen, opened) for chosen in combinations_with_replacement(sets, blocks))


def clear_rounded_down(bound: SparseBound) -> int:
    """d = ⌊u(g−k)/g⌋."""
    u = bound.modulus - 1
    clear = u * (bound.blocks - bound.opened) // bound.blocks
    return subsets(clear, bound.block) - (clear == u)


STATEMENT = Statement(
    id="T.D",
    title="summary values of small sparse layers",
    latex=r"2^r\ge V(d,B)-[d=u],\quad d=\lceil u(g-k)/g\rceil,\ V(d,B)=\sum_{t\le B}\tbinom dt",
    english="One block-sparse layer solves 2-Sum only if a block's summary can take that many values, and that many "
    "are enough.",
    subject=least_values,
    check=check,
    twins={
        "the empty set counted when d = u": lambda bound: bound.values + (bound.clear == bound.modulus - 1),
        "the empty set never counted": lambda bound: bound.values - (bound.clear < bound.modulus - 1),
        "d rounded down": clear_rounded_down,
    },
    speaks_of=("D3",),
    hypotheses=(
        # If every block is opened nothing needs to be summarised.
        Hypothesis("g > k", lambda layer: layer.blocks > layer.opened, SparseLayer(3, 2, 2, 2)),
        Hypothesis("M is odd", lambda layer: layer.modulus % 2 == 1, SparseLayer(4, 2, 1, 2)),
        Hypothesis("B ≥ 1", lambda layer: layer.block >= 1, SparseLayer(3, 0, 1, 2)),
        Hypothesis(
            "the layer is among those whose maps are listed", lambda layer: layer in CASES, SparseLayer(5, 2, 1, 2)
        ),
    ),
    witness=SparseLayer(3, 2, 1, 2),
)
