"""T.D.criterion: when a sparse layer can be right, against every scorer and every reader of tiny layers.

x is ambiguous in a block if two sequences with the same summary exist, one with x and one without. A layer with an
arbitrary scorer can be right iff every x is ambiguous in at most k blocks. If: open those. Only if: fill the own
block, window and sinks with −x, put the x-free member into every ambiguous block and anything without x into the
others; one of the ambiguous blocks stays closed, and swapping its member changes the answer and nothing that is seen.
At tiny sizes it was compared with all scorers and all readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product

from proofs_checks.kit.solvers import is_function
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import can_be_right

Block = tuple[int, ...]
Partition = tuple[tuple[Block, ...], ...]
"""A summary map, as its classes: the sequences with the same summary."""
Criterion = Callable[[Sequence[frozenset[int]], int], bool]

CASES = ((3, 1, 0, 1), (3, 1, 0, 2), (3, 1, 1, 2), (3, 1, 1, 3), (3, 2, 0, 1), (3, 2, 1, 2), (3, 2, 1, 3), (5, 1, 1, 2))
"""(M, B, k, g)."""


def ambiguous(summary: Mapping[Block, object], values: Iterable[int]) -> frozenset[int]:
    """The x for which two sequences have the same summary, one with x and one without."""
    classes: dict[object, list[Block]] = {}
    for sequence, value in summary.items():
        classes.setdefault(value, []).append(sequence)
    return frozenset(x for x in values for own in classes.values() if len({x in sequence for sequence in own}) == 2)


def check(criterion: Criterion) -> Checked:
    """For all summary maps of all blocks: some choice of k blocks settles every question iff the criterion says so.

    The own block, window and sinks hold −x alone, so the answer is whether x stands in one of the g blocks. A layer
    sees all summaries, opens k blocks that an arbitrary scorer chooses from them and from x, and answers by any
    function of the summaries and of what it opened. It can be right iff for every x and all summaries some k blocks
    leave no doubt: with their contents and all summaries given, x stands somewhere in all contents or in none. That is
    tried by brute force, without using the notion of ambiguity.
    """
    count = 0
    for modulus, block, opened, blocks in CASES:
        values = range(1, modulus)
        sequences = list(product(values, repeat=block))
        maps = list(_partitions(sequences))
        doubts = {chosen: ambiguous(_as_map(chosen), values) for chosen in maps}
        for chosen in combinations_with_replacement(maps, blocks):
            said = criterion([doubts[one] for one in chosen], opened)
            found = all(_settled(chosen, x, opened) for x in values)
            require(said == found, f"M, B, k, g = {modulus, block, opened, blocks}, {chosen}: can be right is {found}")
            count += 1
    scope = f"all {count} families of summary maps of {len(CASES)} layers, M up to 5"
    return Checked(Status.EXHAUSTIVE, "all scorers and readers, all contents", scope)


def _settled(chosen: Sequence[Partition], x: int, opened: int) -> bool:
    """For all summaries some ``opened`` blocks leave no doubt about x."""
    sets = list(combinations(range(len(chosen)), opened))
    return all(any(_no_doubt(classes, x, shown) for shown in sets) for classes in product(*chosen))


def _no_doubt(classes: Sequence[tuple[Block, ...]], x: int, shown: tuple[int, ...]) -> bool:
    return is_function(
        (tuple(contents[block] for block in shown), any(x in content for content in contents))
        for contents in product(*classes)
    )


def _partitions(sequences: list[Block]) -> Iterator[Partition]:
    """All set partitions: the first sequence joins a class of the others or makes one of its own."""
    if not sequences:
        yield ()
        return
    first, *rest = sequences
    for smaller in _partitions(rest):
        yield ((first,), *smaller)
        for index, own in enumerate(smaller):
            yield (*smaller[:index], (first, *own), *smaller[index + 1 :])


def _as_map(partition: Partition) -> dict[Block, int]:
    return {sequence: number for number, own in enumerate(partition) for sequence in own}


STATEMENT = Statement(
    id="T.D.criterion",
    title="when a small sparse layer can be right",
    latex=r"\text{right for some scorer}\iff\forall x:\ \#\{b: x\ \text{ambiguous in block}\ b\}\le k",
    english="A layer with an arbitrary scorer can be right at a query iff every x is ambiguous in at most k blocks.",
    subject=can_be_right,
    check=check,
    twins={
        "one block more": lambda doubts, opened: can_be_right(doubts, opened + 1),
        "one block less": lambda doubts, opened: can_be_right(doubts, max(0, opened - 1)),
        "at most k values in each block": lambda doubts, opened: all(len(doubt) <= opened for doubt in doubts),
    },
    speaks_of=("D3",),
    hypotheses=(
        Hypothesis(
            "no x is its own −x: M is odd",
            lambda held: all((2 * x) % held[0] for x in range(1, held[0])),
            outside=(4, 1, 1, 2),
        ),
        Hypothesis("there are more blocks than are opened", lambda held: held[3] > held[2], outside=(5, 1, 2, 2)),
    ),
    witness=(5, 1, 1, 2),
)
"""The witness: M, B, k, g."""
