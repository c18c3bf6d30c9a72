"""The rows of a phase diagram, its figure, and the data as CSV beside it."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from separation.figures import require_figure_path, write_figure
from separation.files import require_writable, write_whole
from separation.fooling.budget import Budget, Clock
from separation.fooling.sparse import SparseShape
from separation.verbs.fool_phase.drawing import phase_figure, sparse_figure
from separation.verbs.fool_phase.sparse import SHARES, SparseRow, bound_share, sparse_rows
from separation.verbs.fool_phase.states import BITS, TABLES, StateRow, state_rows
from separation.verbs.fool_phase.words import SIZES, WordRow, word_rows, words

DEFAULT_SHAPE = SparseShape(modulus=11, block=3, blocks=4, opened=1)

Progress = Callable[[float, str], None]
Row = WordRow | StateRow | SparseRow


@dataclass(frozen=True)
class PhaseReport:
    """What was searched; ``files``: the figure, then the data. A row that contradicts a theorem is not ok."""

    rows: tuple[Row, ...]
    files: tuple[Path, ...]
    seed: int
    complete: bool
    seconds: float

    @property
    def broken(self) -> list[Row]:
        """No pair though a theorem guarantees one, or a pair of what is proved to be right."""
        return [row for row in self.rows if _contradicts(row)]

    @property
    def ok(self) -> bool:
        return self.complete and not self.broken

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "figure": str(self.files[0]),
            "data": [str(path) for path in self.files[1:]],
            "seed": self.seed,
            "complete": self.complete,
            "rows": [asdict(row) for row in self.rows],
            "seconds": round(self.seconds, 3),
        }


def fool_phase(
    figure: str | Path,
    *,
    sparse: bool = False,
    block: int | None = None,
    opened: int | None = None,
    blocks: int | None = None,
    modulus: int | None = None,
    seed: int = 0,
    seconds: float = 60.0,
    progress: Progress | None = None,
) -> PhaseReport:
    """Words against L and state bits against tables, or (``sparse``) summary bits against accuracy.

    where ``seconds`` are for all searches together; if they are gone, the rest is left out, and ``complete`` is false.
    The samples of each search are fixed, so that a seed is one figure.
    """
    start, clock = time.perf_counter(), Budget(seconds).start()
    path = require_figure_path(figure, "--phase")
    kinds: dict[str, type[Row]] = {"sparse": SparseRow} if sparse else {"words": WordRow, "states": StateRow}
    data = [path.with_name(f"{path.stem}.{name}.csv") for name in kinds]
    for file in data:
        require_writable(file)
    if sparse:
        asked = {"block": block, "opened": opened, "blocks": blocks, "modulus": modulus}
        of = replace(DEFAULT_SHAPE, **{name: value for name, value in asked.items() if value is not None})
        rows = [_collected(sparse_rows(of, seed, clock), 2 * len(SHARES) + 4, (0.0, 1.0), clock, progress)]
        drawn = sparse_figure(rows[0], of, bound_share(of))
    else:
        cells = len(words()) * len(SIZES)
        rows = [
            _collected(word_rows(seed, clock), cells, (0.0, 0.7), clock, progress),
            _collected(state_rows(seed, clock), len(TABLES) * (len(BITS) + 1), (0.7, 1.0), clock, progress),
        ]
        drawn = phase_figure(*rows)
    write_figure(drawn, path)
    for file, kind, part in zip(data, kinds.values(), rows, strict=True):
        write_whole(file, _csv(kind, part))
    together = tuple(row for part in rows for row in part)
    return PhaseReport(together, (path, *data), seed, clock.left > 0, time.perf_counter() - start)


def _collected(
    rows: Iterator[Any], count: int, share: tuple[float, float], clock: Clock, progress: Progress | None
) -> list[Any]:
    """The rows that there was time for."""
    found = []
    for number, row in enumerate(rows, 1):
        if clock.left <= 0:
            break
        if row is not None:
            found.append(row)
        if progress is not None:
            progress(share[0] + (share[1] - share[0]) * min(1.0, number / count), "searches")
    return found


def _contradicts(row: Row) -> bool:
    if isinstance(row, WordRow):
        return row.built_pair is True
    if isinstance(row, StateRow):
        too_few = row.compared and not row.found and row.bits < row.least_bits
        return too_few or (row.kind == "C3" and row.found)
    return (row.guaranteed and not row.found) or row.found == row.right


def _csv(kind: type[Row], rows: Sequence[Row]) -> str:
    text = io.StringIO()
    names = [field.name for field in fields(kind)]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return text.getvalue()
