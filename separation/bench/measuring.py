"""What benchmarks share: seconds of a call, rows of ratios, a report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

from separation.verbs import report as verbs
from separation.verbs.report import table_of

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = dict[str, Cell]
Actions: TypeAlias = Mapping[str, tuple[Callable[[], object], int]]
"""By name: what is timed, and how many prompts it answers."""


def best_seconds(
    *actions: Callable[[], object], repeats: int = 3, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """The least time of each action: what else the machine does can only add to it.

    The actions take turns, so that a change of the machine's load meets all of them.
    """
    best = [float("inf")] * len(actions)
    for _ in range(repeats):
        for place, action in enumerate(actions):
            start = clock()
            action()
            best[place] = min(best[place], clock() - start)
    return best


def compared(seconds: Mapping[str, float], baseline: str, name: str) -> list[Row]:
    """A row for each: its seconds, and how many times those of the baseline they are."""
    return [
        {"what": what, "seconds": took, f"times_{name}": took / seconds[baseline]} for what, took in seconds.items()
    ]


def ratio_rows(
    tokens: int,
    actions: Actions,
    repeats: int = 3,
    clock: Callable[[], float] = time.process_time,
) -> list[Row]:
    """A row for each action and how many prompts it answers: seconds, prompts a second, times the first action."""
    times = best_seconds(*(action for action, _ in actions.values()), repeats=repeats, clock=clock)
    each = [seconds / prompts for seconds, (_, prompts) in zip(times, actions.values(), strict=True)]
    return [
        {
            "what": what,
            "tokens": tokens,
            "prompts": prompts,
            "seconds": seconds,
            "prompts_per_second": prompts / seconds,
            "times_baseline": one / each[0],
        }
        for (what, (_, prompts)), seconds, one in zip(actions.items(), times, each, strict=True)
    ]


class Report(verbs.Report):
    """``ratio`` says what is divided by what; a row maps the name of a column to its value."""

    name: str
    ratio: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def parts(self) -> verbs.Parts:
        """One table, its columns in the order in which rows first name them, and the notes below."""
        yield f"{self.name}: {self.ratio}"
        columns = list(dict.fromkeys(column for row in self.rows for column in row))
        cells = ([written(row.get(column)) for column in columns] for row in self.rows)
        if self.rows:
            yield table_of(*(column.replace("_", " ") for column in columns), rows=cells)
        for note in self.notes:
            yield f"  {note}"
        yield ""


def written(cell: Cell) -> str:
    """Three digits of a float, all of an integer unless it is long."""
    if cell is None:
        return "–"
    if isinstance(cell, int):
        is_power = cell > 0 and cell & (cell - 1) == 0
        return f"{cell:,}" if abs(cell) < 10**9 else f"2^{cell.bit_length() - 1}" if is_power else f"{cell:.3g}"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.3g}"
    return cell
