"""Statements, statuses, workers, twins: all of them checked just now."""

from __future__ import annotations

from typing import Any

from proofs_checks import all_statements
from separation.verbs.proofs import BookRow, proofs

LONGEST = 400


def book() -> list[dict[str, Any]]:
    """Every statement as its check left it."""
    return [statement(row) for row in proofs().rows]


def statement(row: BookRow) -> dict[str, Any]:
    """One statement: what the page shows of it."""
    found = row.document()
    return {
        **{name: found[name] for name in ("id", "title", "english", "status", "scope", "rests_on", "in_coq", "ok")},
        "machine": [{"name": step["name"], "by": step["by"]} for step in found["steps"]],
        "method": "" if found["steps"] else found["method"],
        "hand": [step["name"] for step in found["by_hand"]],
        "twins": [{"name": twin["name"], "rejected": shortened(twin["rejected"])} for twin in found["twins"]],
    }


def shortened(text: str) -> str:
    """A refusal may quote long numbers: its beginning is enough."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def outline() -> list[dict[str, Any]]:
    """What can be said of the book without checking it: a stored record must agree with it."""
    return [
        {
            "id": own.id,
            "title": own.title,
            "english": own.english,
            "rests_on": list(own.rests_on),
            "twins": list(own.twins),
        }
        for own in all_statements()
    ]


def outline_of(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same of a stored record."""
    plain = ("id", "title", "english", "rests_on")
    return [{**{name: row[name] for name in plain}, "twins": [twin["name"] for twin in row["twins"]]} for row in rows]
