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

from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.table import Table

import separation
from separation.proving import Construction, Proof, embedding, prove

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Cell]


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


def rows_in_one_thread(module: str, *numbers: int) -> list[Row]:
    """What `python -m MODULE NUMBERS` hands to print_rows, its matrix products on one thread.

    In two threads small products mostly wait for each other, which costs more than the products and shows nothing but
    the load of the machine.
    """
    rows: list[Row] = json.loads(best_process(["-m", module, *map(str, numbers)], settings=ONE_THREAD).output)
    return rows


def print_rows(rows: Sequence[Row]) -> None:
    """The other end of rows_in_one_thread."""
    print(json.dumps(rows))


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


def show(report: Report, console: Console) -> None:
    """One table, its columns in the order in which rows first name them, and the notes below."""
    columns = list(dict.fromkeys(column for row in report.rows for column in row))
    table = Table(title=f"{report.name}: {report.ratio}", title_justify="left", show_edge=False, pad_edge=False)
    for column in columns:
        is_number = any(isinstance(row.get(column), int | float) for row in report.rows)
        justify: JustifyMethod = "right" if is_number else "left"
        table.add_column(column.replace("_", " "), justify=justify, overflow="fold", no_wrap=column == columns[0])
    for row in report.rows:
        table.add_row(*(escape(written(row.get(column))) for column in columns))
    if report.rows:
        console.print(table)
    else:
        console.print(f"{report.name}: {report.ratio}", markup=False)
    for note in report.notes:
        console.print(f"  {note}", markup=False)
    console.print()


def written(cell: Cell) -> str:
    """Three digits of a float, all of an integer unless it is long."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        is_power = cell > 0 and cell & (cell - 1) == 0
        return f"{cell:,}" if abs(cell) < 10**9 else f"2^{cell.bit_length() - 1}" if is_power else f"{cell:.3g}"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.3g}"
    return cell
