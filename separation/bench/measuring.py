"""What benchmarks share: seconds of a call, seconds and memory of a process, rows of ratios, a report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import separation
from separation.verbs import report as verbs
from separation.verbs.report import table_of

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = dict[str, Cell]
Actions: TypeAlias = Mapping[str, tuple[Callable[[], object], int]]
"""By name: what is timed, and how many prompts it answers."""


# A child's peak counts the memory of whoever forked it, so a small process stands between this one and the measured.
_WATCHER = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
seconds = time.perf_counter() - start
if done.returncode:
    sys.exit(done.stderr.strip() or f"exit code {done.returncode}")
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
unit = 2**20 if sys.platform == "darwin" else 2**10
print(json.dumps({"seconds": seconds, "megabytes": peak / unit, "output": done.stdout}))
"""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Settings for a process whose matrix products stay on one core."""


@dataclass(frozen=True)
class Process:
    """What a finished process took, and what it printed."""

    seconds: float
    megabytes: float
    output: str


class ProcessFailed(RuntimeError):
    """A measured process ended with an error; the text is the last line that it wrote about it."""


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


def best_process(arguments: Sequence[str], repeats: int = 1, settings: Mapping[str, str] | None = None) -> Process:
    """`SETTINGS python ARGUMENTS` in a process that imports this very package, installed or not; the quickest."""
    root = str(Path(separation.__file__).resolve().parents[1])
    paths = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths, **(settings or {})}
    found = []
    for _ in range(repeats):
        command = [sys.executable, "-c", _WATCHER, sys.executable, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if done.returncode:
            raise ProcessFailed((done.stderr.strip() or "no message").splitlines()[-1])
        found.append(Process(**json.loads(done.stdout)))
    return min(found, key=lambda process: process.seconds)


def called_alone(function: Callable[..., object], *numbers: int) -> Process:
    """A function of a module, in a process of its own; what it returns is printed as JSON.

    Its matrix products stay on one thread: in two, small products mostly wait for each other, which costs more than the
    products and shows nothing but the load of the machine.
    """
    name = function.__name__
    program = f"import json; from {function.__module__} import {name}; print(json.dumps({name}(*{numbers})))"
    return best_process(["-c", program], settings=ONE_THREAD)


def rows_in_one_thread(measure: Callable[..., list[Row]], *numbers: int) -> list[Row]:
    """The rows of ``measure(*numbers)``, called alone."""
    rows: list[Row] = json.loads(called_alone(measure, *numbers).output)
    return rows


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


@dataclass(frozen=True)
class Report(verbs.Report):
    """``ratio`` says what is divided by what; a row maps the name of a column to its value."""

    name: str
    ratio: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        return vars(self)

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
