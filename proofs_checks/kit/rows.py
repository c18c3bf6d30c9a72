"""The proof book, row by row: what each check established, and its status after the claims that it rests on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from proofs_checks import ByHand, CheckFailed, Done, Statement, Status
from proofs_checks.kit.book import Graph, capped, claims_below
from proofs_checks.kit.coq.record import proved_in_coq

FAILED = "failed"


@dataclass(frozen=True)
class StatementRow:
    """One statement of the proof book.

    ``established`` is the result of its own check; ``status`` is never stronger than what it rests on.
    ``steps`` were done by a machine just now, ``by_hand`` are left to the reader. ``rejections``: for each broken twin,
    the reason for which the check refused it; ``refused_by``: the steps that were seen to refuse it on their own.
    ``in_coq``: the theorems, each with its file, that prove it in Coq, by a record of the Coq files as they are.
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
    steps: tuple[Done, ...] = ()
    by_hand: tuple[ByHand, ...] = ()
    rejections: dict[str, str] = field(default_factory=dict)
    refused_by: dict[str, tuple[str, ...]] = field(default_factory=dict)
    in_coq: tuple[str, ...] = ()

    @property
    def known_for(self) -> str:
        """The scope; of what is proved in Coq the theorems, as the scope is that of the statement's own check."""
        return f"{', '.join(self.in_coq)}; its own check: {self.scope}" if self.in_coq else self.scope

    def document(self) -> dict[str, Any]:
        lists = ("steps", "by_hand", "rejections", "refused_by", "in_coq")
        return {name: value for name, value in vars(self).items() if name not in lists} | {
            "steps": [{"name": step.name, "by": list(step.by), "in_letters": step.in_letters} for step in self.steps],
            "in_coq": list(self.in_coq),
            "by_hand": [{"name": step.name, "sentence": step.sentence} for step in self.by_hand],
            "twins": [
                {"name": name, "rejected": why, "by": list(self.refused_by.get(name, ()))}
                for name, why in self.rejections.items()
            ],
        }


def check_statement(statement: Statement) -> StatementRow:
    """Run the check on the statement and on its twins; a failure is a row too."""
    start = time.perf_counter()
    try:
        review = statement.review()
    except CheckFailed as error:
        seconds = time.perf_counter() - start
        return StatementRow(statement.id, statement.title, FAILED, "", "", seconds, False, str(error), FAILED)
    seconds, found = time.perf_counter() - start, review.checked
    return StatementRow(
        statement.id,
        statement.title,
        found.status.value,
        found.method,
        found.scope,
        seconds,
        ok=True,
        established=found.status.value,
        steps=found.steps,
        by_hand=found.by_hand,
        rejections=dict(review.rejections),
        refused_by=dict(review.refused_by),
        in_coq=proved_in_coq(statement.id),
    )


def capped_rows(graph: Graph, rows: Sequence[StatementRow]) -> tuple[StatementRow, ...]:
    """The rows with their statuses capped; nothing that rests on a failed check holds.

    All that a row rests on must be among the rows.
    """
    known = {status.value: status for status in Status}
    established = {row.id: Status.COQ if row.in_coq else known.get(row.established, Status.OPEN) for row in rows}
    left = capped(graph.subgraph(established), established)
    failed = {row.id for row in rows if not row.ok}
    return tuple(_capped(row, left[row.id], sorted(failed & claims_below(graph, row.id))) for row in rows)


def _capped(row: StatementRow, left: Status, failed: list[str]) -> StatementRow:
    if not row.ok:
        return row
    if failed:
        return replace(row, status=FAILED, ok=False, message=f"rests on {', '.join(failed)}, whose check failed")
    return replace(row, status=left.value)
