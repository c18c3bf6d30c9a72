"""Blocks cut into pieces that stand in line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from separation.verbs.show import Block


def row_pieces(groups: Sequence[Sequence[Block]]) -> list[tuple[range, list[list[Block]]]]:
    """The coarsest pieces of rows that no block of any group cuts, each with what every group has there."""
    cuts = sorted({end for blocks in groups for block in blocks for end in (block.rows.start, block.rows.stop)})
    pieces: dict[int, list[list[Block]]] = {start: [[] for _ in groups] for start in cuts[:-1]}
    for number, blocks in enumerate(groups):
        for cell in (cell for block in blocks for cell in _cut(block, cuts)):
            pieces[cell.rows.start][number].append(cell)
    found = [(range(start, stop), pieces[start]) for start, stop in pairwise(cuts)]
    return [(piece, cells) for piece, cells in found if any(cells)]


def grid(blocks: Sequence[Block]) -> tuple[list[range], list[range], dict[tuple[int, int], Block]]:
    """Pieces of rows and of columns such that each block is cut into cells of the grid: (first row, first column)."""
    rows = {end for block in blocks for end in (block.rows.start, block.rows.stop)}
    columns = {end for block in blocks for end in (block.columns.start, block.columns.stop)}
    while True:
        size = len(rows) + len(columns)
        for block in blocks:
            if not block.is_column:
                step = block.columns.start - block.rows.start
                rows |= {cut - step for cut in columns if block.columns.start < cut < block.columns.stop}
                columns |= {cut + step for cut in rows if block.rows.start < cut < block.rows.stop}
        if len(rows) + len(columns) == size:
            break
    cuts = sorted(rows)
    cells = {(cell.rows.start, cell.columns.start): cell for block in blocks for cell in _cut(block, cuts)}
    used_rows, used_columns = {row for row, _ in cells}, {column for _, column in cells}
    return (
        [range(start, stop) for start, stop in pairwise(cuts) if start in used_rows],
        [range(start, stop) for start, stop in pairwise(sorted(columns)) if start in used_columns],
        cells,
    )


def _cut(block: Block, cuts: Sequence[int]) -> list[Block]:
    """The block in pieces, cut at these rows."""
    first = block.rows.start
    inside = cuts[bisect_right(cuts, first) : bisect_left(cuts, block.rows.stop)]
    found = []
    for start, stop in pairwise([first, *inside, block.rows.stop]):
        columns = block.columns if block.is_column else block.columns[start - first : stop - first]
        found.append(Block(range(start, stop), columns, block.coefficient.cut(start - first, stop - first)))
    return found
