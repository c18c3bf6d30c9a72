"""Prints Tracr's width, parameters and time over C1's, for the same pointer chase, up to where Tracr goes wrong.

The chase: L tables of N entries in [N] and a start z_0, no query; C1 gets it as FuncComp with n_1 = … = 1. Tracr
compiles two RASP programs: one for L tables, and one that reads a single table L times, whose shorter prompt it gets
right for longer. Tracr's answers are tried, on the chain trap (all entries 0 but for one chain of hops) and on random
tables; C1's are proved for all inputs.

Reference: Lindner et al., Tracr: Compiled Transformers as a Laboratory for Interpretability, 2023.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib.util import find_spec
from typing import Any

from constructions.c1 import build
from separation.bench.measuring import ProcessFailed, Report, Row, proved, python_environment
from separation.models import Declared, Model
from separation.tasks.funccomp import Sizes

L = 3
ENTRIES = (16, 32, 48, 64, 96, 128, 160, 192, 224, 256)
FAR_ENTRIES = (2**12, 2**24, 2**40)
LIMIT_SECONDS = 120
INSTALL = "Tracr is not installed; to compare with it: pip install -e '.[peer]'"
EXPLANATIONS = (
    "why: Tracr gives the selected key the score 100/√(key size) and all others 0; the key size grows with N",
    "parameters: all matrices and embeddings written out; seconds: Tracr compiles, C1 is built and proved",
)


def run(quick: bool) -> Report:
    entries, far = (ENTRIES[:1], FAR_ENTRIES[:1]) if quick else (ENTRIES, FAR_ENTRIES)
    programs = [Program(tables) for tables in ((1,) if quick else (1, L))] if find_spec("tracr") is not None else []
    rows: list[Row] = []
    for size in entries:
        if any(program.goes_on for program in programs):
            ours = our_row(size)
            theirs = [row for program in programs if program.goes_on and (row := program.try_size(size, ours))]
            rows += [ours, *theirs]
    rows += [our_row(size) for size in far]
    notes = [*(program.outcome for program in programs), *EXPLANATIONS] if programs else [INSTALL]
    notes.append(f"C1: proved for all inputs at every N above, the largest 2^{far[-1].bit_length() - 1}")
    return Report("tracr_peer", "Tracr / C1, in width, parameters and time", tuple(rows), tuple(notes))


class Program:
    """A RASP program at larger and larger N, until it is wrong on the chain trap or takes too long to compile."""

    def __init__(self, tables: int) -> None:
        self.tables = tables
        self.name = f"Tracr, {tables} table{'s' if tables > 1 else ''}"
        self.goes_on = True
        self.outcome = f"{self.name}: nothing tried"
        self.right = "no N"

    def try_size(self, size: int, ours: Row) -> Row | None:
        """The row of this N; None when there is nothing to show."""
        try:
            found = compiled(size, self.tables)
        except (ProcessFailed, subprocess.TimeoutExpired) as error:
            reason = str(error) if isinstance(error, ProcessFailed) else f"not done in {LIMIT_SECONDS} s"
            self._stop(f"N = {size}: {reason}")
            return None
        if found["chain_trap_right"] < found["trials"]:
            self._stop(f"wrong at N = {size}")
        else:
            self.right = f"N = {size}"
            self.outcome = f"{self.name}: right on the chain trap up to {self.right}, the last one tried"
        figures: Row = {}
        for figure in ("width", "parameters", "seconds"):
            figures[figure] = found[figure]
            figures[f"{figure}_times_C1"] = found[figure] / ours[figure]
        counts = {column: f"{found[column]}/{found['trials']}" for column in ("chain_trap_right", "random_right")}
        return {"system": self.name, "N": size, **figures, **counts}

    def _stop(self, reason: str) -> None:
        self.goes_on = False
        self.outcome = f"{self.name}: right on the chain trap up to {self.right}, {reason}"


def compiled(size: int, tables: int, limit: float = LIMIT_SECONDS) -> dict[str, Any]:
    """Tracr's figures at N = ``size``, from a process of its own that may take so many seconds."""
    command = [sys.executable, "-m", "separation.bench.tracr_worker", str(size), str(L), str(tables)]
    environment = {**python_environment(), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=limit, check=False)
    if done.returncode:
        raise ProcessFailed((done.stderr.strip() or "no message").splitlines()[-1])
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def our_row(size: int) -> Row:
    """C1 at N = ``size``, built and proved for all inputs, the comparison of rows included."""
    start = time.perf_counter()
    construction = build(Sizes(size, (1,) * (L - 1)))
    proved(construction)
    seconds = time.perf_counter() - start
    row: Row = {"system": "C1", "N": size}
    for figure, value in (
        ("width", construction.model.width),
        ("parameters", parameters_written_out(construction.model)),
        ("seconds", seconds),
    ):
        row |= {figure: value, f"{figure}_times_C1": 1.0}
    return {**row, "chain_trap_right": "proved", "random_right": "proved"}


def parameters_written_out(model: Model) -> int:
    """The parameters with every table as a dense matrix, as Tracr stores its own."""
    count = model.parameters
    for table in (model.positions, model.tokens, model.unembedding):
        if isinstance(table, Declared):
            count += table.height * model.width
            count -= sum(part.matrix.shape[0] * part.matrix.shape[1] for part in table.segments)
    return count
