"""Where pairs are found, where a construction solves, and what the theorems guarantee, drawn.

python examples/phase_diagram.py phase.png             # words and states; two tables of data beside it
python examples/phase_diagram.py sparse.png --sparse   # block-sparse layers; one
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from itertools import combinations, product
from math import log2
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from constructions import build
from separation.bounds import Word, theorem_d
from separation.bounds.theorems.theorem_d import cyclic_summary
from separation.figures import Figure, new_figure, require_figure_path, write_figure
from separation.files import InputError, require_writable
from separation.fooling.budget import Budget, Clock, rest
from separation.fooling.hybrids import find_hybrid_pair
from separation.fooling.random_models import random_recurrent_model
from separation.fooling.random_subjects import random_hybrid
from separation.fooling.recurrent import find_pair
from separation.fooling.sparse import SparseShape, find_sparse_pair
from separation.fooling.sparse.maps import MAX_TABLE, TableMap
from separation.pieces import Sharing, pieces_in_order, sharing
from separation.progress import Progress
from separation.tasks.funccomp import Sizes

LONGEST = 3
SIZES = {1: Sizes(4, ()), 2: Sizes(2, (2,)), 3: Sizes(2, (1, 2))}
"""256 tables z_L in each: all of them are compared, for all other inputs."""
SCORE_BITS = 2
MODELS = 3
WORD_SAMPLES = 1 << 16

TABLES = (2, 3, 4, 5, 6)
BITS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32)
STATE_SAMPLES = 1 << 17

SHARES = tuple(round(0.2 + 0.05 * step, 2) for step in range(21))
"""Bits of a summary over B·log2 M."""
INPUTS = 4000
MAX_OPENINGS = 1000
SPARSE_SAMPLES = 1 << 23

ALONE: Sharing = {"workers": 1}


@dataclass(frozen=True)
class WordRow:
    """``pairs`` of ``models`` random models of a word have one, ``compared`` of the others were searched to the end.

    where ``solves`` names the construction (L ≤ depth) or ``theorem`` the one that forbids the word at some sizes;
    ``built``: the construction whose exact weights were searched too, ``built_pair`` whether it has a pair (None if
    nothing was built, or not all of it was compared).
    """

    word: str
    L: int
    m: int
    n: str
    depth: int
    models: int
    pairs: int
    compared: int
    solves: str
    theorem: str
    built: str
    built_pair: bool | None

    @property
    def contradicts_theorem(self) -> bool:
        """A pair of what is proved to be right."""
        return self.built_pair is True


def words() -> list[Word]:
    """All words over F and R with at most LONGEST layers, the shorter ones first."""
    return [Word(letters) for length in range(1, LONGEST + 1) for letters in product("FR", repeat=length)]


def word_rows(seed: int, clock: Clock, **shared: Unpack[Sharing]) -> Iterator[WordRow]:
    """One row for each word and L."""
    cells = (
        ("".join(word.layers), L, sizes, seed, MODELS, _left(clock))
        for word, (L, sizes) in product(words(), SIZES.items())
    )
    return pieces_in_order(_word_row, cells, **(shared or ALONE), until=clock.deadline)


def _left(clock: Clock) -> Budget:
    """For whoever starts now, on whatever machine."""
    return rest(clock, clock.budget.samples)


def _word_row(cell: tuple[str, int, Sizes, int, int, Budget]) -> WordRow:
    letters, L, sizes, seed, models, budget = cell
    word, clock = Word.parse(letters), budget.start()
    searches = []
    for number in range(models):
        model = random_hybrid(word, sizes, seed + number, score_bits=SCORE_BITS).model
        searches.append(find_hybrid_pair(model, sizes, seed=seed + number, budget=rest(clock, WORD_SAMPLES)).search)
    found = sum(search.found for search in searches)
    solvable = word.depth >= L
    built = _built(letters, L, solvable)
    return WordRow(
        word=letters,
        L=L,
        m=sizes.m,
        n=" ".join(map(str, sizes.n)),
        depth=word.depth,
        models=models,
        pairs=found,
        compared=sum(search.exhaustive for search in searches),
        solves=("C1" if word.full > L else "C2") if solvable else "",
        theorem="" if solvable else "C" if not word.full else "B" if word.full == L else "A",
        built=built,
        built_pair=_built_pair(built, sizes, clock) if built else None,
    )


def _built(word: str, L: int, solvable: bool) -> str:
    """What is built for a word: the construction of the word, or C3, whose states are large enough at these sizes."""
    return word if solvable else "C3" if word == "R" * (L + 1) else ""


def _built_pair(name: str, sizes: Sizes, clock: Clock) -> bool | None:
    """Whether the search fools the construction; None if it neither does nor has compared all."""
    search = find_hybrid_pair(build(name, sizes).model, sizes, budget=rest(clock, WORD_SAMPLES)).search
    return search.found if search.found or search.exhaustive else None


@dataclass(frozen=True)
class StateRow:
    """A random R layer whose state has ``bits`` bits (at most ``asked``), and a table of m entries; or C3, built.

    where ``compared`` says that all tables were; ``least_bits``: m·log2 m, below which Theorem C guarantees a pair;
    ``stored_bits``: m·⌈log2 m⌉, with which C3 stores the table.
    """

    kind: str
    m: int
    asked: int
    bits: int
    found: bool
    compared: bool
    least_bits: float
    stored_bits: int

    @property
    def contradicts_theorem(self) -> bool:
        """No pair though Theorem C guarantees one, or a pair of C3."""
        missing = self.compared and not self.found and self.bits < self.least_bits
        return missing or (self.kind == "C3" and self.found)


def state_rows(seed: int, clock: Clock, **shared: Unpack[Sharing]) -> Iterator[StateRow | None]:
    """None where no random layer of so few bits was found at that size; then C3, which is built."""
    asked = [*product(TABLES, BITS), *((m, None) for m in TABLES)]
    cells = ((m, bits, seed, _left(clock)) for m, bits in asked)
    return pieces_in_order(_state_row, cells, **(shared or ALONE), until=clock.deadline)


def _state_row(cell: tuple[int, int | None, int, Budget]) -> StateRow | None:
    m, asked, seed, budget = cell
    clock, sizes, stored = budget.start(), Sizes(m, ()), m * (m - 1).bit_length()
    if asked is None:
        kind, model, asked, bits = "C3", build("C3", sizes).model, stored, stored
    else:
        try:
            made = random_recurrent_model(1, sizes, asked, seed)
        except InputError:
            return None
        kind, model, bits = "random", made.model, sum(made.state_bits)
    search = find_pair(model, sizes, seed=seed, budget=rest(clock, STATE_SAMPLES))
    return StateRow(kind, m, asked, bits, search.found, search.exhaustive, round(m * log2(m), 4), stored)


@dataclass(frozen=True)
class SparseRow:
    """A map of ``values`` values; ``share`` = log2(values) / (B·log2 M); ``accuracy`` of the best layer that has it.

    where ``kind`` is "random", or "best": the map that attains the exact bound, its values merged if there are fewer;
    ``guaranteed``: fewer values than Theorem D asks for, so there is a pair; ``right``: no x is in doubt in more blocks
    than are opened, so a layer that is right on every input was built.
    """

    kind: str
    values: int
    share: float
    accuracy: float
    found: bool
    right: bool
    guaranteed: bool

    @property
    def contradicts_theorem(self) -> bool:
        """No pair though Theorem D guarantees one; or both a pair and a layer that is always right, or neither."""
        return (self.guaranteed and not self.found) or self.found == self.right


def sparse_rows(shape: SparseShape, seed: int, clock: Clock, **shared: Unpack[Sharing]) -> Iterator[SparseRow]:
    if shape.sequences * shape.blocks > MAX_TABLE:
        raise InputError(f"{shape.sequences} sequences in each of {shape.blocks} blocks; at most {MAX_TABLE} in all")
    bound, whole = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks), _whole(shape)
    used = sorted({max(2, round(2 ** (share * whole))) for share in SHARES} | {bound.values - 1, bound.values})
    cells = ((shape, values, kind, seed, _left(clock)) for values in used for kind in ("random", "best"))
    return pieces_in_order(_sparse_row, cells, **(shared or ALONE), until=clock.deadline)


def _sparse_row(cell: tuple[SparseShape, int, str, int, Budget]) -> SparseRow:
    shape, values, kind, seed, budget = cell
    clock = budget.start()
    bound = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks)
    random = np.random.default_rng([seed, values])
    drawn = random.integers(values, size=(shape.blocks, shape.sequences))
    table = drawn if kind == "random" else _best_map(shape) % values
    search = find_sparse_pair(TableMap(shape, table), shape, seed=seed, budget=rest(clock, SPARSE_SAMPLES))
    accuracy = round(best_accuracy(shape, table, seed), 6)
    guaranteed, share = values < bound.values, round(log2(values) / _whole(shape), 4)
    return SparseRow(kind, values, share, accuracy, search.search.found, search.right is not None, guaranteed)


def bound_share(shape: SparseShape) -> float:
    """log2 of the exact bound over B·log2 M."""
    return log2(theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks).values) / _whole(shape)


def _whole(shape: SparseShape) -> float:
    return shape.block * log2(shape.modulus)


@lru_cache(maxsize=1)
def _best_map(shape: SparseShape) -> NDArray[np.int64]:
    """For each block the number of each sequence's summary in the map that attains the bound."""
    bound = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks)
    sequences = shape.numbered(np.arange(shape.sequences)).tolist()
    tables = []
    for index in range(shape.blocks):
        sets = [tuple(sorted(cyclic_summary(bound, index, block))) for block in sequences]
        numbers = {elements: number for number, elements in enumerate(sorted(set(sets)))}
        tables.append([numbers[elements] for elements in sets])
    return np.array(tables)


def best_accuracy(shape: SparseShape, tables: NDArray[np.int64], seed: int) -> float:
    """How often the best layer with this map is right, for uniform inputs: the mean over INPUTS random ones of

    max over the sets O of k blocks of P(x in O) + P(x not in O) · max(q, 1 − q), q = P(x in no other block),

    where x = −query and all is given the summaries: a layer sees whether x is in O and knows the probabilities else.
    """
    random = np.random.default_rng([seed, 21])
    openings = list(combinations(range(shape.blocks), min(shape.opened, shape.blocks)))
    if len(openings) > MAX_OPENINGS:
        raise InputError(f"{len(openings)} ways to open blocks; at most {MAX_OPENINGS} are compared")
    sequences = shape.numbered(np.arange(shape.sequences))
    wanted = random.integers(1, shape.modulus, size=INPUTS)
    blocks = random.integers(shape.sequences, size=(INPUTS, shape.blocks))
    absent = np.empty((INPUTS, shape.blocks))
    for index in range(shape.blocks):
        own = tables[index]
        size = np.bincount(own)
        for x in range(1, shape.modulus):
            rows = np.flatnonzero(wanted == x)
            having = np.bincount(own, weights=(sequences == x).any(axis=1), minlength=len(size))
            seen = own[blocks[rows, index]]
            absent[rows, index] = 1 - having[seen] / size[seen]
    chances = []
    for opening in openings:
        clear = absent[:, list(opening)].prod(axis=1)
        q = np.delete(absent, list(opening), axis=1).prod(axis=1)
        chances.append(1 - clear + clear * np.maximum(q, 1 - q))
    return float(np.max(chances, axis=0).mean())


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
        rows = [_collected(sparse_rows(of, seed, clock, **shared), 2 * len(SHARES) + 4, (0.0, 1.0), clock, progress)]
        drawn = _sparse_figure(rows[0], of, bound_share(of))
    else:
        cells = len(words()) * len(SIZES)
        states = len(TABLES) * (len(BITS) + 1)
        rows = [
            _collected(word_rows(seed, clock, **shared), cells, (0.0, 0.7), clock, progress),
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


def main() -> None:
    """Draw the diagram that the command line asks for; a row that contradicts a theorem is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figure", type=Path)
    parser.add_argument("--sparse", action="store_true")
    for name in ("block", "modulus", "blocks", "opened", "seed", "workers"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--seconds", type=float)
    asked = {name: value for name, value in vars(parser.parse_args()).items() if value is not None}
    report = fool_phase(asked.pop("figure"), **asked)
    print(f"{len(report.rows)} cells, {len(report.broken)} against a theorem: {', '.join(map(str, report.files))}")
    sys.exit(0 if report.ok else 1)


if __name__ == "__main__":
    main()
