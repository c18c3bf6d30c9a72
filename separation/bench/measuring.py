"""What benchmarks share: seconds of a call, seconds and memory of a process, a proof that must hold, a report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import separation
from separation.proving import Construction, Proof, embedding, prove

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
    """`SETTINGS python ARGUMENTS` in a process of its own, the quickest of several."""
    environment = {**python_environment(), **(settings or {})}
    return min((_process(arguments, environment) for _ in range(repeats)), key=lambda process: process.seconds)


def python_environment() -> dict[str, str]:
    """The environment for a child that imports this very package, installed or not."""
    root = str(Path(separation.__file__).resolve().parents[1])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _process(arguments: Sequence[str], environment: Mapping[str, str]) -> Process:
    command = [sys.executable, "-c", _WATCHER, sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise ProcessFailed((done.stderr.strip() or "no message").splitlines()[-1])
    return Process(**json.loads(done.stdout))


def rows_in_one_thread(measure: Callable[..., list[Row]], *numbers: int) -> list[Row]:
    """The rows of ``measure(*numbers)``, in a process of its own whose matrix products stay on one thread.

    In two threads small products mostly wait for each other, which costs more than the products and shows nothing but
    the load of the machine.
    """
    rows: list[Row] = json.loads(called_alone(measure, *numbers).output)
    return rows


def called_alone(function: Callable[..., object], *numbers: int) -> Process:
    """A function of a module, in a process of its own and one thread; what it returns is printed as JSON."""
    name = function.__name__
    program = f"import json; from {function.__module__} import {name}; print(json.dumps({name}(*{numbers})))"
    return best_process(["-c", program], settings=ONE_THREAD)


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


def process_row(what: str, process: Process, baseline: Process, name: str) -> Row:
    """Seconds and peak of a process, and both over those of a baseline."""
    return {
        "what": what,
        "seconds": process.seconds,
        f"times_{name}": process.seconds / baseline.seconds,
        "peak_MB": process.megabytes,
        f"MB_times_{name}": process.megabytes / baseline.megabytes,
    }


def proved(construction: Construction, path: str = "closed") -> Proof:
    """The proof; a benchmark of a proof that does not hold would mean nothing, so that is an error."""
    proof = prove(construction.model, construction.stages, construction.shape, path)
    if not proof.ok:
        raise RuntimeError(f"{construction.name} is not proved: {'; '.join(map(str, proof.failures))}")
    return proof


@contextmanager
def rows_not_compared() -> Iterator[None]:
    """Leave out the comparison of a declared code with the rows of its table, one after the other.

    It takes time in proportion to the prompt, up to 2^20 rows, and guards the code that reads tables, not the proof:
    a declared code *is* the weights.
    """
    kept = embedding.ROWS_CHECKED
    embedding.ROWS_CHECKED = 0
    try:
        yield
    finally:
        embedding.ROWS_CHECKED = kept


@dataclass(frozen=True)
class Report:
    """``ratio`` says what is divided by what; a row maps the name of a column to its value."""

    name: str
    ratio: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        return {"name": self.name, "ratio": self.ratio, "rows": list(self.rows), "notes": list(self.notes)}

    def text(self) -> str:
        """One table, its columns in the order in which rows first name them, and the notes below."""
        columns = list(dict.fromkeys(column for row in self.rows for column in row))
        cells = [[column.replace("_", " ") for column in columns]]
        cells += [[written(row.get(column)) for column in columns] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
        table = [line.rstrip() for line in lines if self.rows]
        return "\n".join([f"{self.name}: {self.ratio}", *table, *(f"  {note}" for note in self.notes), ""])


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
