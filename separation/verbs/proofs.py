"""`proofs`: the proof book, every statement checked just now, and what rests on what."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from proofs_checks import FILES, Statement, Status, statement, table_of
from proofs_checks.book import Graph, claims_below, dependency_graph
from proofs_checks.in_words import in_words
from separation.figures import require_figure_path, write_figure
from separation.files import InputError
from separation.tasks.checks import shown
from separation.verbs.book_figure import book_figure
from separation.verbs.book_rows import StatementRow, capped_rows
from separation.verbs.verify import run_jobs

Progress = Callable[[float, str], None]

FEW = 8
"""So many statements are checked in this process, before another one has even started."""


@dataclass(frozen=True)
class BookRow:
    """A statement, what its check said with what is left of it, and the statements that rest on it."""

    statement: Statement
    checked: StatementRow
    rested_on_by: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """The check holds, and so do those of all that it rests on."""
        return self.checked.ok

    @property
    def status(self) -> Status | None:
        """None if a check failed."""
        return {status.value: status for status in Status}.get(self.checked.status)

    def document(self) -> dict[str, Any]:
        own = self.statement
        return {
            **self.checked.document(),
            "latex": own.latex,
            "english": own.english,
            "rests_on": list(own.rests_on),
            "rested_on_by": list(self.rested_on_by),
            "speaks_of": list(own.speaks_of),
            "hypotheses": [{"text": each.text, "excludes": in_words(each.outside)} for each in own.hypotheses],
            "witness": in_words(own.witness) if own.hypotheses else None,
        }


@dataclass(frozen=True)
class ProofsReport:
    """All statements, or the one that was asked for; ``graph`` has an edge from what is rested on to what rests.

    ``statuses``: of all that was checked; of one statement, that is all it rests on.
    """

    rows: tuple[BookRow, ...]
    graph: Graph
    statuses: dict[str, str]
    figure: Path | None
    seconds: float

    @property
    def ok(self) -> bool:
        return all(row.ok for row in self.rows)

    def markdown(self) -> str:
        """The table of the README."""
        found = [row.checked for row in self.rows]
        return table_of((row.id, row.title, row.status, row.scope) for row in found)

    def document(self) -> dict[str, Any]:
        figure = None if self.figure is None else str(self.figure)
        return {"ok": self.ok, "rows": [row.document() for row in self.rows], "figure": figure, "seconds": self.seconds}


def proofs(
    id: str | None = None,
    graph: str | Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ProofsReport:
    """Check every statement and its twins; with an ``id`` that one alone, and what it rests on, which caps its status.

    ``graph`` is a file for a picture of what rests on what.
    """
    figure = None if graph is None else require_figure_path(graph, "--graph")
    start = time.perf_counter()
    book = [statement(file) for file in FILES]
    links = dependency_graph(book)
    wanted = {own.id for own in book} if id is None else {id, *claims_below(links, _known(id, book))}
    places = [place for place, own in enumerate(book) if own.id in wanted]
    if workers is None and len(places) <= FEW:
        workers = 1
    found = run_jobs([("statement", place) for place in places], workers=workers, progress=progress)
    checked = capped_rows(links, [found["statement", place] for place in places])
    rows = tuple(
        BookRow(book[place], row, _resting_on(book, row.id))
        for place, row in zip(places, checked, strict=True)
        if id in (None, row.id)
    )
    statuses = {row.id: row.status for row in checked}
    report = ProofsReport(rows, links, statuses, figure, time.perf_counter() - start)
    if figure is not None:
        write_figure(book_figure(report), figure)
    return report


def _resting_on(book: list[Statement], id: str) -> tuple[str, ...]:
    return tuple(other.id for other in book if id in other.rests_on)


def _known(id: str, book: list[Statement]) -> str:
    ids = {own.id.casefold(): own.id for own in book}
    if id in ids.values():
        return id
    near = [ids[name] for name in get_close_matches(id.casefold(), list(ids), n=5, cutoff=0.4)]
    hint = f"near it are {', '.join(near)}" if near else f"there are {', '.join(ids.values())}"
    raise InputError(f"the book has no statement {shown(id)}; {hint}")
