"""`fool --phase`: where pairs were found, where a construction solves, and what the theorems guarantee, drawn."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from separation.figures import Figure, new_figure, require_figure_path, write_figure
from separation.files import require_writable
from separation.fooling import phase_rows
from separation.fooling.budget import Budget, Clock
from separation.fooling.phase_rows import SparseRow, StateRow, WordRow, bound_share, sparse_rows, state_rows, word_rows
from separation.fooling.sparse import SparseShape
from separation.pieces import sharing
from separation.progress import Progress

DEFAULT_SHAPE = SparseShape(modulus=11, block=3, blocks=4, opened=1)
SOLVED, FORBIDDEN, PAIR, NONE, LINE = "#dbe7f3", "#f6dccb", "#b5442e", "#2b5d8a", "#444444"
BELOW: dict[str, Any] = {
    "loc": "upper center",
    "bbox_to_anchor": (0.5, -0.09),
    "ncols": 1,
    "frameon": False,
    "fontsize": 8,
}
"""Where the legend is."""

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
        return [row for row in self.rows if row.contradicts_theorem]

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
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> PhaseReport:
    """Words against L and state bits against tables, or (``sparse``) summary bits against accuracy.

    where ``seconds`` are for all searches together; if they are gone, the rest is left out, and ``complete`` is false.
    The samples of each search are fixed, so that a seed is one figure, whoever searches: this process, several
    ``workers``, the Dask cluster at the address ``dask``, or an ``executor``.
    """
    shared = sharing(workers, dask, executor, usual=1)
    start, clock = time.perf_counter(), Budget(seconds).start()
    path = require_figure_path(figure, "--phase")
    kinds: dict[str, type[Row]] = {"sparse": SparseRow} if sparse else {"words": WordRow, "states": StateRow}
    data = [path.with_name(f"{path.stem}.{name}.csv") for name in kinds]
    require_writable(path, *data)
    if sparse:
        asked = {"block": block, "opened": opened, "blocks": blocks, "modulus": modulus}
        of = replace(DEFAULT_SHAPE, **{name: value for name, value in asked.items() if value is not None})
        rows = [
            _collected(
                sparse_rows(of, seed, clock, **shared), 2 * len(phase_rows.SHARES) + 4, (0.0, 1.0), clock, progress
            )
        ]
        drawn = _sparse_figure(rows[0], of, bound_share(of))
    else:
        words = len(phase_rows.words()) * len(phase_rows.SIZES)
        states = len(phase_rows.TABLES) * (len(phase_rows.BITS) + 1)
        rows = [
            _collected(word_rows(seed, clock, **shared), words, (0.0, 0.7), clock, progress),
            _collected(state_rows(seed, clock, **shared), states, (0.7, 1.0), clock, progress),
        ]
        drawn = _phase_figure(*rows)
    tables = {file: _csv(kind, part) for file, kind, part in zip(data, kinds.values(), rows, strict=True)}
    write_figure(drawn, path, tables)
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


def _csv(kind: type[Row], rows: Sequence[Row]) -> str:
    text = io.StringIO()
    names = [field.name for field in fields(kind)]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return text.getvalue()


def _phase_figure(words: Sequence[WordRow], states: Sequence[StateRow]) -> Figure:
    """Words against L, for weights that were built and for untrained ones; bits of one R layer's state against m."""
    figure = new_figure(15, 6.8)
    left, middle, right = figure.subplots(1, 3, width_ratios=(1, 0.75, 1))
    _draw_built(left, words)
    _draw_untrained(middle, words)
    _draw_states(right, states)
    return figure


def _draw_cells(axes: Any, rows: Sequence[WordRow], named: bool) -> Iterator[tuple[WordRow, float, float]]:
    """A coloured cell for each word and L; yields where each of them is."""
    from matplotlib.patches import Rectangle

    names, levels = list(dict.fromkeys(row.word for row in rows)), sorted({row.L for row in rows})
    sizes = {
        row.L: f"L = {row.L}\nm = {row.m}" + (f", n = {row.n.replace(' ', ', ')}" if row.n else "") for row in rows
    }
    axes.set(xlim=(0, max(1, len(levels))), ylim=(max(1, len(names)), 0))
    axes.set_xticks([index + 0.5 for index in range(len(levels))], [sizes[level] for level in levels])
    axes.set_yticks([index + 0.5 for index in range(len(names))], names if named else [""] * len(names))
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    for row in rows:
        x, y = levels.index(row.L), names.index(row.word)
        axes.add_patch(Rectangle((x, y), 1, 1, fc=SOLVED if row.solves else FORBIDDEN, ec="white", lw=2))
        yield row, x, y + 0.5


def _draw_built(axes: Any, rows: Sequence[WordRow]) -> None:
    from matplotlib.patches import Patch

    for row, x, y in _draw_cells(axes, rows, named=True):
        text = row.solves or ("C3" if row.built else f"Theorem {row.theorem}")
        axes.text(x + 0.08, y, text, va="center", fontsize=8)
        if row.built:
            marker, colour = (
                ("X", PAIR) if row.built_pair else ("*", NONE) if row.built_pair is False else ("$?$", NONE)
            )
            axes.plot(x + 0.85, y, marker, c=colour, ms=10)
    axes.set_title("Built weights: right wherever depth allows")
    marks = [
        Patch(fc=SOLVED, label="L ≤ depth: some weights are right, at every size"),
        Patch(fc=FORBIDDEN, label="L > depth: at some sizes no weights are (at these, C3 is)"),
        axes.plot([], [], "*", c=NONE, ms=10, ls="", label="built; all inputs compared, no pair")[0],
    ]
    axes.legend(handles=marks, **BELOW)


def _draw_untrained(axes: Any, rows: Sequence[WordRow]) -> None:
    for row, x, y in _draw_cells(axes, rows, named=False):
        for number in range(row.models):
            marker = "o" if number < row.pairs + row.compared else "$?$"
            face = PAIR if number < row.pairs else "white"
            axes.plot(x + 0.5 + 0.2 * (number - (row.models - 1) / 2), y, marker, ms=6, mfc=face, mec=PAIR, ls="")
    axes.set_title("Untrained weights: fooled nearly everywhere")
    axes.plot([], [], "o", mfc=PAIR, mec=PAIR, ls="", label="a random model with a pair")
    axes.plot([], [], "o", mfc="white", mec=PAIR, ls="", label="a random model; all inputs compared, no pair")
    axes.legend(**BELOW)


def _draw_states(axes: Any, rows: Sequence[StateRow]) -> None:
    kinds = (
        (True, PAIR, "x", "untrained: pair found"),
        (False, "white", "o", "untrained: all tables compared, no pair"),
    )
    for found, colour, marker, label in kinds:
        chosen = [r for r in rows if r.kind == "random" and r.found == found and (found or r.compared)]
        axes.plot(
            [r.m for r in chosen], [r.bits for r in chosen], marker, mfc=colour, mec=PAIR, ms=6, ls="", label=label
        )
    open_rows = [row for row in rows if not row.found and not row.compared]
    if open_rows:
        axes.plot(
            [r.m for r in open_rows], [r.bits for r in open_rows], "s", c="#999999", label="untrained: not decided"
        )
    tables = sorted({row.m for row in rows})
    least = {row.m: row.least_bits for row in rows}
    stored = {row.m: row.stored_bits for row in rows}
    axes.plot(tables, [least[m] for m in tables], c=LINE, label="m·log2 m: below, Theorem C guarantees a pair")
    axes.plot(tables, [stored[m] for m in tables], c=LINE, ls="--", label="m·⌈log2 m⌉: C3 holds the table")
    built = [row for row in rows if row.kind == "C3" and row.compared]
    axes.plot(
        [r.m for r in built],
        [r.bits for r in built],
        "*",
        c=NONE,
        ms=13,
        label="built (C3): all tables compared, no pair",
    )
    axes.set(xlabel="m, entries of the table", ylabel="bits of the state", title="One R layer, one table")
    axes.set_xticks(tables)
    axes.legend(**BELOW)


def _sparse_figure(rows: Sequence[SparseRow], shape: SparseShape, bound: float) -> Figure:
    """Accuracy of the best layer against bits of a summary over B·log2 M; filled where a pair was found."""
    figure = new_figure(8, 5)
    axes = figure.add_subplot()
    for kind, colour, label in (
        ("random", PAIR, "random map"),
        ("best", NONE, "the map that attains the bound, merged"),
    ):
        own = [row for row in rows if row.kind == kind]
        axes.plot([r.share for r in own], [r.accuracy for r in own], c=colour, lw=1.2, label=label)
        for found in (True, False):
            chosen = [row for row in own if row.found == found]
            face = colour if found else "white"
            axes.plot([r.share for r in chosen], [r.accuracy for r in chosen], "o", mec=colour, mfc=face, ls="")
    axes.axvline(bound, c=LINE, ls="--", label=f"exact bound of Theorem D ({bound:.3f}): on the left, always a pair")
    axes.plot([], [], "o", mec=LINE, mfc=LINE, ls="", label="pair found")
    axes.plot([], [], "o", mec=LINE, mfc="white", ls="", label="no pair: a layer that is always right was built")
    axes.set(xlabel="bits of a summary / (B·log2 M)", ylabel="accuracy of the best layer, uniform inputs")
    axes.set_title(f"2-Sum, M = {shape.modulus}: blocks of {shape.block}, {shape.opened} of {shape.blocks} opened")
    axes.legend(frameon=False, fontsize=8)
    return figure
