"""The proof book: one file per statement, with its check and the broken twins that the same check must reject."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module

from proofs_checks.kit.book import file_of, in_order, require_named_after, statement_files
from proofs_checks.kit.statement import Statement, Step, Steps
from proofs_checks.kit.verdict import ByHand, Checked, CheckFailed, Done, Status

__all__ = [
    "ByHand",
    "CheckFailed",
    "Checked",
    "Done",
    "Statement",
    "Status",
    "Step",
    "Steps",
    "all_statements",
    "statement",
    "table_of",
]


def all_statements() -> list[Statement]:
    """All statements, those that others rest on first."""
    return list(_in_order())


@cache
def _in_order() -> tuple[Statement, ...]:
    return tuple(in_order(statement(file) for file in statement_files()))


def statement(id: str) -> Statement:
    """The statement with this id, or in the file of this name: C2.words is in statements/c2_words.py."""
    file = file_of(id)
    return require_named_after(file, import_module(f"proofs_checks.statements.{file}").STATEMENT)


def table_of(rows: Iterable[tuple[str, str, str, str]]) -> str:
    """Rows (id, title, status, scope) in Markdown."""
    lines = ["| id | statement | status | scope |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"
