"""`sweep`: one question of `bound` or of `decide` at every combination of values, shared out over processes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from concurrent.futures import Executor
from itertools import product
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypedDict, Unpack

from separation.files import InputError, csv_text, require_writable, write_whole
from separation.pieces import pieces_in_order, sharing
from separation.progress import Progress, silent
from separation.verbs.commands import command_of
from separation.verbs.decide import VERDICTS
from separation.verbs.hard_sizes import log2_text, long_number
from separation.verbs.options import Argument, Dask, Effort, File, Theorem, Workers, only_given, ranges
from separation.verbs.report import Parts, Report, count, shortened, styled, table_of, timed, written

EXAMPLES = (
    "sweep bound --L 2..3 --beta 8,64 --lambda 0,8 --workers 2",
    "sweep decide --word RF,FR,FF --L 1..3 --out words.csv",
)
MOST_CELLS = 100_000
LONGEST_WORD, SHOWN_ROWS = 24, 100
QUESTIONS = ("bound", "decide")
ANSWERS = ("ok", "solvable", "construction", "theorem", "m", "n", "tokens", "tokens_log2", "assumed", "error")
"""``assumed``: no β was given, and the prompt is that of an example, β = Λ = 8."""


def _words(text: str, _option: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


Values: TypeAlias = int | str | Iterable[int] | Iterable[str] | None
Numbers = Annotated[Values, "Numbers like 8,64 or 2..4.", ranges]
Row: TypeAlias = dict[str, Any]


class Axes(TypedDict, total=False):
    """Options of `bound` and `decide` that may have several values each."""

    word: Annotated[Values, "Words like RF,FR,F3.", _words]
    L: Annotated[Values, "Numbers of tables, like 2..4.", ranges]
    beta: Numbers
    state_bits: Annotated[Values, "Bits of all recurrent states, like 0,8.", ranges]
    heads: Numbers
    dim: Numbers
    bits: Numbers
    linear_layers: Numbers
    layer_state_bits: Numbers
    full_layers: Numbers


@timed
def sweep(
    question: Annotated[str, Argument(metavar="QUESTION", help="bound or decide.")],
    *,
    theorem: Theorem = None,
    effort: Effort = "quick",
    out: Annotated[File, "Write the rows here, as CSV."] = None,
    workers: Workers = None,
    dask: Dask = None,
    executor: Executor | None = None,
    progress: Progress = silent,
    **values: Unpack[Axes],
) -> SweepReport:
    """`bound` or `decide` (the ``question``) at all combinations of the values, each given as one or as several.

    The rows do not depend on who computes them. A combination that is refused is a row with its error, unless all
    are.

    >>> sweep("bound", L=2, word="RF", beta=[4, 8], state_bits=0, workers=1).rows[1]["tokens"]
    12
    """
    if question not in QUESTIONS:
        raise InputError(f"{question!r} cannot be swept; {' and '.join(QUESTIONS)} can")
    (csv,) = require_writable(out)
    shared = sharing(workers, dask, executor)
    given = only_given(values)
    axes = {name: [given[name]] if isinstance(given[name], int | str) else list(given[name]) for name in given}
    _require_axes(question, axes)
    fixed = {"theorem": theorem, "effort": effort}
    cells = [(question, dict(zip(axes, cell, strict=True)), fixed) for cell in product(*axes.values())]
    found: list[Row] = []
    progress(0.0, f"{question}: {len(cells)} combinations")
    for row in pieces_in_order(answered, cells, **shared):
        found.append(row)
        progress(len(found) / len(cells), f"{question}: {len(found)} of {len(cells)}")
    if all(row["error"] for row in found):
        raise InputError(found[0]["error"])
    if out is not None:
        lines = ((" ".join(map(str, v)) if isinstance(v, list) else v for v in row.values()) for row in found)
        write_whole(out, csv_text(found[0], lines))
    varied = tuple(name for name, several in axes.items() if len(several) > 1)
    return SweepReport(question, varied, tuple(found), csv)


def _require_axes(question: str, axes: dict[str, list[Any]]) -> None:
    """What the verb itself must be given, and no more than it takes."""
    verb = command_of(question)
    for name in ("word", "L") if question == "decide" else ("L",):
        if name not in axes:
            raise InputError(f"{name} is missing: {question} needs it")
    for name, several in axes.items():
        if name not in verb.takes[verb.usual]:
            raise InputError(f"{name} has no meaning for {question}")
        if not several:
            raise InputError(f"{name} has no value")
    if (cells := math.prod(map(len, axes.values()))) > MOST_CELLS:
        raise InputError(f"{cells:,} combinations; at most {MOST_CELLS:,} are tried")


def answered(cell: tuple[str, dict[str, Any], dict[str, Any]]) -> Row:
    """The row of one combination: a question, what varies and what does not."""
    question, asked, fixed = cell
    found: Row = {"ok": False, "error": ""}
    try:
        facts = command_of(question).usual(**asked, **fixed).document()
        found |= {"solvable": False, **(facts.get("ours", facts.get("hard_sizes")) or {}), **facts}
    except InputError as error:
        found["error"] = str(error)
    return {**asked, **{name: found.get(name) for name in ANSWERS}}


class SweepReport(Report):
    """A row for each combination, in the order of the values: what was asked, the answer, or why there is none."""

    question: str
    varied: tuple[str, ...]
    rows: tuple[Row, ...]
    csv: Path | None = None

    @property
    def ok(self) -> bool:
        return all(row["ok"] for row in self.rows)

    def parts(self) -> Parts:
        """What varies, then the answer; the first rows if there are many."""
        names = {"state_bits": "Λ", "beta": "β"}
        columns = [names.get(name, name.replace("_", " ")) for name in self.varied]
        rows = []
        for row in self.rows[:SHOWN_ROWS]:
            answer = [styled("red", row["error"]), "", "", ""]
            if not row["error"]:
                by = row["construction"] or row["theorem"]
                answer = [VERDICTS[row["solvable"]], by, long_number(row["tokens"]), log2_text(row["tokens_log2"])]
            rows.append([*(shortened(str(row[name]), LONGEST_WORD) for name in self.varied), *answer])
        yield table_of(*columns, "answer", "by", "prompt", "log2 n", right_from=len(columns) + 2, rows=rows)
        if len(self.rows) > SHOWN_ROWS:
            yield f"{count(len(self.rows) - SHOWN_ROWS, 'row')} more: --json and --out have all"
        if any(row["assumed"] for row in self.rows):
            yield "Prompts are those of an example, β = Λ = 8, where no β was given."
        if failed := sum(not row["ok"] for row in self.rows):
            yield f"{count(failed, 'combination')} without an answer"
        yield written("table", self.csv)
