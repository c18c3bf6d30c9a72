"""`proofs`: the proof book, every statement checked just now, and what rests on what."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs_checks import FILES, Statement, Status, statement, table_of
from proofs_checks.book import Graph, capped, dependency_graph
from separation.figures import require_figure_path, write_figure
from separation.verbs.book_figure import book_figure
from separation.verbs.verify import StatementRow, run_jobs

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class BookRow:
    """A statement, what its check said, and the status that is left after what it rests on (None if a check failed)."""

    statement: Statement
    checked: StatementRow
    status: Status | None

    @property
    def ok(self) -> bool:
        """The check holds, and it does not claim more than what it rests on."""
        return self.checked.ok and self.status is not None and self.status.value == self.checked.status

    def document(self) -> dict[str, Any]:
        own = self.statement
        return {
            **vars(self.checked),
            "ok": self.ok,
            "latex": own.latex,
            "english": own.english,
            "rests_on": list(own.rests_on),
            "speaks_of": list(own.speaks_of),
            "twins": list(own.twins),
            "hypotheses": [hypothesis.text for hypothesis in own.hypotheses],
        }


@dataclass(frozen=True)
class ProofsReport:
    """All statements; ``graph`` has an edge from what is rested on, or spoken of, to the statement."""

    rows: tuple[BookRow, ...]
    graph: Graph
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
    graph: str | Path | None = None, workers: int | None = None, progress: Progress | None = None
) -> ProofsReport:
    """Check every statement and its twins; ``graph`` is a file for a picture of what rests on what."""
    figure = None if graph is None else require_figure_path(graph, "--graph")
    start = time.perf_counter()
    found = run_jobs([("statement", place) for place in range(len(FILES))], workers=workers, progress=progress)
    book = [statement(file) for file in FILES]
    checked: list[StatementRow] = [found["statement", place] for place in range(len(FILES))]
    links = dependency_graph(book)
    by_value = {status.value: status for status in Status}
    established = {row.id: by_value.get(row.status, Status.OPEN) for row in checked}
    statuses = capped(links, established)
    rows = tuple(
        BookRow(own, row, statuses[own.id] if row.ok else None) for own, row in zip(book, checked, strict=True)
    )
    report = ProofsReport(rows, links, figure, time.perf_counter() - start)
    if figure is not None:
        write_figure(book_figure(report), figure)
    return report
