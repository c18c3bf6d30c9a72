"""The proof book: every statement with its check and the broken twins that this check must reject."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from proofs_checks.kit.book import in_order, statement_files, statements_in
from proofs_checks.kit.statement import Statement as Statement
from proofs_checks.kit.statement import Step as Step
from proofs_checks.kit.statement import Steps as Steps
from proofs_checks.kit.verdict import ByHand as ByHand
from proofs_checks.kit.verdict import Checked as Checked
from proofs_checks.kit.verdict import CheckFailed as CheckFailed
from proofs_checks.kit.verdict import Done as Done
from proofs_checks.kit.verdict import Status as Status


def all_statements() -> list[Statement]:
    """All statements, those that others rest on first."""
    return list(_in_order())


@cache
def _in_order() -> tuple[Statement, ...]:
    return tuple(in_order(own for file in statement_files() for own in statements_in(file)))


def statement(id: str) -> Statement:
    """The statement with this id, in letters of either case."""
    found = next((own for own in _in_order() if own.id.lower() == id.lower()), None)
    if found is None:
        raise CheckFailed(f"the book has no statement {id}")
    return found


def table_of(rows: Iterable[tuple[str, str, str, str]]) -> str:
    """Rows (id, title, status, scope) in Markdown."""
    lines = ["| id | statement | status | scope |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"
