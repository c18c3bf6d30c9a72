"""The proof book, row by row: what each check established, and what is left of it after what it rests on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from proofs_checks import CheckFailed, Statement, Status
from proofs_checks.book import Graph, capped, claims_below

FAILED = "failed"


@dataclass(frozen=True)
class StatementRow:
    """One statement of the proof book.

    ``established`` is what its own check gave, ``status`` what is left of it: never stronger than what it rests on.
    ``rejections``: for each broken twin, the reason for which the check refused it.
    """

    id: str
    title: str
    status: str
    method: str
    scope: str
    seconds: float
    ok: bool
    message: str = ""
    established: str = ""
    rejections: dict[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        own = {name: value for name, value in vars(self).items() if name != "rejections"}
        return own | {"twins": [{"name": name, "rejected": why} for name, why in self.rejections.items()]}


def check_statement(statement: Statement) -> StatementRow:
    """Run the check on the statement and on its twins; a failure is a row too."""
    start = time.perf_counter()
    try:
        review = statement.review()
    except CheckFailed as error:
        seconds = time.perf_counter() - start
        return StatementRow(statement.id, statement.title, FAILED, "", "", seconds, False, str(error), FAILED)
    seconds, found = time.perf_counter() - start, review.checked
    known = (found.status.value, found.method, found.scope, seconds, True)
    return StatementRow(
        statement.id, statement.title, *known, established=found.status.value, rejections=dict(review.rejections)
    )


def capped_rows(graph: Graph, rows: Sequence[StatementRow]) -> tuple[StatementRow, ...]:
    """The rows with the status that is left; nothing holds that rests on a failed check.

    All that a row rests on must be among the rows.
    """
    known = {status.value: status for status in Status}
    established = {row.id: known.get(row.established, Status.OPEN) for row in rows}
    left = capped(graph.subgraph(established), established)
    failed = {row.id for row in rows if not row.ok}
    return tuple(_capped(row, left[row.id], sorted(failed & claims_below(graph, row.id))) for row in rows)


def _capped(row: StatementRow, left: Status, failed: list[str]) -> StatementRow:
    if not row.ok:
        return row
    if failed:
        return replace(row, status=FAILED, ok=False, message=f"rests on {', '.join(failed)}, whose check failed")
    return replace(row, status=left.value)
