"""`sweep`: one question of `bound` or of `decide` at every combination of values, shared out over processes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from separation.files import InputError, csv_text, require_writable, write_whole
from separation.pieces import results_as_finished, sharing
from separation.progress import Progress, silent
from separation.verbs.bound import bound
from separation.verbs.decide import VERDICTS, decide, log2_text, long_number
from separation.verbs.options import Dask, Effort, File, Theorem, Workers, only_given, ranges
from separation.verbs.report import Parts, Report, count, escape, shortened, table_of, timed, written
from separation.verbs.typed import Argument, Option

HELP = """
Example: separation sweep bound --L 2..3 --beta 8,64 --lambda 0,8 --workers 2

Example: separation sweep decide --word RF,FR,FF --L 1..3 --out words.csv
"""
MOST_CELLS = 100_000
LONGEST_WORD, SHOWN_ROWS = 24, 100


def _words(text: str, _option: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


Values: TypeAlias = int | str | Iterable[int] | Iterable[str] | None
Numbers = Annotated[Values, Option(help="Numbers like 8,64 or 2..4."), ranges]
Cell: TypeAlias = tuple[str, dict[str, Any]]
"""A question, and the options with which it is asked."""
Row: TypeAlias = dict[str, Any]


@timed
def sweep(
    question: Annotated[str, Argument(metavar="QUESTION", help="bound or decide.")],
    *,
    word: Annotated[Values, Option(help="Words like RF,FR,F3."), _words] = None,
    L: Annotated[Values, Option(help="Numbers of tables, like 2..4."), ranges] = None,
    beta: Numbers = None,
    state_bits: Annotated[Values, Option(help="Bits of all recurrent states, like 0,8."), ranges] = None,
    heads: Numbers = None,
    dim: Numbers = None,
    bits: Numbers = None,
    linear_layers: Numbers = None,
    layer_state_bits: Numbers = None,
    full_layers: Numbers = None,
    theorem: Theorem = None,
    effort: Effort = "quick",
    out: Annotated[File, Option(help="Write the rows here, as CSV.")] = None,
    workers: Workers = None,
    dask: Dask = None,
    executor: Executor | None = None,
    progress: Progress = silent,
) -> SweepReport:
    """`bound` or `decide` (the ``question``) at all combinations of the values, each given as one or as several.

    The rows are the same whoever shares the work. A combination that is refused is a row with its error, unless all
    are.

    >>> sweep("bound", L=2, word="RF", beta=[4, 8], state_bits=0, workers=1).rows[1]["tokens"]
    12
    """
    if question not in QUESTIONS:
        raise InputError(f"{question!r} cannot be swept; {' and '.join(QUESTIONS)} can")
    require_writable(out)
    shared = sharing(workers, dask, executor)
    given = {"word": word, "L": L, "beta": beta, "state_bits": state_bits, "heads": heads, "dim": dim, "bits": bits}
    given |= {"linear_layers": linear_layers, "layer_state_bits": layer_state_bits, "full_layers": full_layers}
    axes = {name: _values(name, values) for name, values in only_given(given).items()}
    cells = _cells(question, axes, {"theorem": theorem, "effort": effort})
    rows: dict[int, Row] = {}
    progress(0.0, f"{question}: {len(cells)} combinations")
    for place, row in results_as_finished(answered, cells, **shared):
        rows[place] = row
        progress(len(rows) / len(cells), f"{question}: {len(rows)} of {len(cells)}")
    found = tuple(rows[place] for place in range(len(cells)))
    if all(row["error"] for row in found):
        raise InputError(found[0]["error"])
    varied = tuple(name for name, values in axes.items() if len(values) > 1)
    report = SweepReport(question, varied, found, None if out is None else Path(out))
    if out is not None:
        write_whole(out, report.csv())
    return report


@dataclass(frozen=True)
class SweepReport(Report):
    """A row for each combination, in the order of the values: what was asked, the answer, or why there is none."""

    question: str
    varied: tuple[str, ...]
    rows: tuple[Row, ...]
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return all(row["ok"] for row in self.rows)

    def facts(self) -> dict[str, Any]:
        return {"question": self.question, "varied": self.varied, "rows": self.rows, "csv": self.out}

    def csv(self) -> str:
        """One line for each combination; sizes n are separated by spaces."""
        rows = ((" ".join(map(str, v)) if isinstance(v, list) else v for v in row.values()) for row in self.rows)
        return csv_text(self.rows[0], rows)

    def parts(self) -> Parts:
        """What varies, then the answer; the first rows if there are many."""
        names = {"state_bits": "Λ", "beta": "β", "word": "word", "L": "L"}
        columns = [names.get(name, name.replace("_", " ")) for name in self.varied]
        rows = []
        for row in self.rows[:SHOWN_ROWS]:
            answer = [f"[red]{escape(row['error'])}[/red]", "", "", ""]
            if not row["error"]:
                by = row["construction"] or row["theorem"]
                answer = [VERDICTS[row["solvable"]], by, long_number(row["tokens"]), log2_text(row["tokens_log2"])]
            rows.append([*(escape(shortened(str(row[name]), LONGEST_WORD)) for name in self.varied), *answer])
        yield table_of(*columns, "answer", "by", "prompt", "log2 n", right_from=len(columns) + 2, rows=rows)
        if len(self.rows) > SHOWN_ROWS:
            yield f"{count(len(self.rows) - SHOWN_ROWS, 'row')} more: --json and --out have all"
        if any(row["assumed"] for row in self.rows):
            yield "Prompts are those of an example, β = Λ = 8, where no β was given."
        if failed := sum(not row["ok"] for row in self.rows):
            yield f"{count(failed, 'combination')} without an answer"
        yield written("table", self.out)


def _values(name: str, values: Any) -> list[Any]:
    found = [values] if isinstance(values, int | str) else list(values)
    if not found:
        raise InputError(f"{name} has no value")
    return found


def _cells(question: str, axes: Mapping[str, list[Any]], fixed: Mapping[str, Any]) -> list[Cell]:
    for name in QUESTIONS[question][1]:
        if name not in axes:
            raise InputError(f"{name} is missing: {question} needs it")
    for name in axes:
        if name in QUESTIONS[question][2]:
            raise InputError(f"{name} has no meaning for {question}")
    count = math.prod(map(len, axes.values()))
    if count > MOST_CELLS:
        raise InputError(f"{count:,} combinations; at most {MOST_CELLS:,} are tried")
    return [(question, {**dict(zip(axes, values, strict=True)), **fixed}) for values in product(*axes.values())]


def answered(cell: Cell) -> Row:
    """The row of one combination."""
    question, asked = cell
    shown = {name: value for name, value in asked.items() if name not in ("theorem", "effort")}
    try:
        found = {**QUESTIONS[question][0](asked), "error": ""}
    except InputError as error:
        found = {**dict.fromkeys(ANSWERS), "ok": False, "error": str(error)}
    return {**shown, **{name: found[name] for name in ANSWERS}}


ANSWERS = ("ok", "solvable", "construction", "theorem", "m", "n", "tokens", "tokens_log2", "assumed", "error")
"""``assumed``: no β was given, and the prompt is that of an example, β = Λ = 8."""


def _bound(asked: dict[str, Any]) -> Row:
    facts = bound(**asked).document()
    return {**dict.fromkeys(ANSWERS), **facts["ours"], "ok": facts["ok"], "solvable": False}


def _decide(asked: dict[str, Any]) -> Row:
    facts = decide(**asked).document()
    named = {name: facts[name] for name in ("ok", "solvable", "construction", "theorem")}
    return {**dict.fromkeys(ANSWERS), **(facts["hard_sizes"] or {}), **named}


QUESTIONS: dict[str, tuple[Callable[[dict[str, Any]], Row], tuple[str, ...], tuple[str, ...]]] = {
    "bound": (_bound, ("L",), ()),
    "decide": (_decide, ("word", "L"), ("full_layers", "linear_layers")),
}
"""How a question is answered; what it needs; what has no meaning for it."""
