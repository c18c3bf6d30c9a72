"""Prints the time of a run as players over that of the exact forward pass of all rows, and the memory of both.

All times are seconds of one processor; every figure is of a process of its own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from constructions import NAMES, build
from separation.bench.measuring import (
    ONE_THREAD,
    Report,
    Row,
    best_process,
    best_seconds,
    print_rows,
    rows_in_one_thread,
)
from separation.bounds import Word
from separation.models import Model
from separation.models import run as run_exactly
from separation.protocol import Cut, Protocol, RandomShape, random_model, seats, simulate
from separation.tasks.funccomp import Sizes, sample, token_ids

LONG, QUICK_LONG = Sizes(16, (15, 16)), Sizes(8, (8, 8))
"""4,098 tokens; 586 tokens."""
LENGTHS = (Sizes(8, (11, 11)), Sizes(8, (15, 16)), Sizes(8, (22, 22)))
"""For memory: 1,066, 2,050 and 4,058 tokens."""
PIECE = 64
CASES = (("C1", None), ("C2", None), ("C2", "delta"), ("RFR", "gla"))
"""Constructions, and a random model of a word with states that are rounded."""


def run(quick: bool) -> Report:
    rows = rows_in_one_thread(__name__, int(quick))
    notes = [] if quick else _memory()
    return Report("protocol", "time as players / time of the forward pass of all rows", tuple(rows), tuple(notes))


def compared(quick: int) -> list[Row]:
    """Each model: the forward pass, FuncComp's L + 2 players, and players of 64 tokens each."""
    rows: list[Row] = []
    for name, family in CASES:
        sizes = QUICK_LONG if quick else LONG
        model, ids = _subject(name, family, sizes)
        cuts = _cuts(sizes)
        if not all(simulate(model, ids, cut).ok for cut in cuts.values()):
            raise RuntimeError("a run as players is not the forward pass")
        actions: list[Callable[[], object]] = [partial(run_exactly, model, ids, all_rows=True)]
        actions += [partial(_as_players, model, ids, cut) for cut in cuts.values()]
        forward, *others = best_seconds(*actions, clock=time.process_time)
        rows.append(_row(name, family, "forward pass", sizes, 1, forward, forward))
        for (what, cut), seconds in zip(cuts.items(), others, strict=True):
            rows.append(_row(name, family, what, sizes, len(cut.lengths), seconds, forward))
    return rows


def _as_players(model: Model, ids: np.ndarray[tuple[int, ...], np.dtype[np.int64]], cut: Cut) -> None:
    Protocol(seats(model, ids, cut), cut).finish()


def _cuts(sizes: Sizes) -> dict[str, Cut]:
    full, rest = divmod(sizes.length, PIECE)
    return {"z_L, …, z_0, w": Cut.of_task(sizes), f"{PIECE} tokens each": Cut.of([PIECE] * full + [rest] * (rest > 0))}


def _subject(
    name: str, family: str | None, sizes: Sizes
) -> tuple[Model, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    ids = np.asarray(token_ids(sample(sizes, 0)))
    if name in NAMES:
        return build(name, sizes, family=family).model, ids
    shape = RandomShape(Word.parse(name), sizes.length, sizes.vocabulary, sizes.N[-1], family=family or "linear")
    return random_model(shape, 0), ids


def _memory() -> list[str]:
    """The peak of a process that runs C1 as players, less that of one that only builds it."""
    notes = []
    for number, sizes in enumerate(LENGTHS):
        run_it, build_it = (
            best_process(["-m", __name__, "memory", str(number), mode], settings=ONE_THREAD).megabytes
            for mode in ("run", "build")
        )
        notes.append(f"memory of C1 as players at {sizes.length} tokens: {run_it - build_it:.0f} MB")
    return notes


def _row(name: str, family: str | None, what: str, sizes: Sizes, players: int, seconds: float, forward: float) -> Row:
    return {
        "model": name if family is None else f"{name} {family}",
        "as": what,
        "tokens": sizes.length,
        "players": players,
        "seconds": seconds,
        "times_forward": seconds / forward,
    }


if __name__ == "__main__":
    if sys.argv[1] == "memory":
        chosen = LENGTHS[int(sys.argv[2])]
        weights, tokens = _subject("C1", None, chosen)
        if sys.argv[3] == "run":
            _as_players(weights, tokens, Cut.of_task(chosen))
    else:
        print_rows(compared(int(sys.argv[1])))
