"""`separation proofs`: the tree, one statement in full, JSON, what is refused."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path
from unittest.mock import ANY

import pytest

import separation
from proofs_checks import Checked, Statement, Status, statement
from separation.verbs.command_line import run

FILES = ("s1", "s2", "s4")


IN_PART, BREAK_POINTS = "proved for all sizes, with steps by hand", "exact values at all break points"
KEYS = {
    *("id", "title", "latex", "english", "status", "established", "method", "scope", "rests_on", "rested_on_by"),
    *("applies_to", "by_hand_below", "in_coq", "steps", "by_hand", "hypotheses", "witness", "twins", "seconds"),
    *("ok", "message"),
}


def use(monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...], **changed: Statement) -> None:
    """The verbs see a book of these files, some of them changed."""
    book = {own.id: own for own in (changed.get(file) or statement(file) for file in files)}
    for name in ("separation.verbs.proofs", "separation.verbs.verify"):
        monkeypatch.setattr(importlib.import_module(name), "all_statements", lambda: list(book.values()))
    monkeypatch.setattr(importlib.import_module("separation.verbs.verify"), "statement", book.__getitem__)


def test_the_verb_checks_the_book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use(monkeypatch, FILES)
    report = separation.proofs(graph=tmp_path / "book.svg", workers=1)
    assert report.ok
    assert (tmp_path / "book.svg").read_text().startswith("<?xml")
    rows = report.document()["rows"]
    assert [row["id"] for row in rows] == ["S1", "S2", "S4"]
    assert all(set(row) == KEYS for row in rows)
    assert rows[1]["rests_on"] == ["S1"]
    assert rows[0]["rested_on_by"] == ["S2"]
    assert rows[2]["hypotheses"][0] == {"text": "|x − s| ≤ 1/2", "excludes": "x = 7/16, bit = 1"}
    assert rows[2]["witness"] == "x = 1/2, bit = 1"
    assert rows[2]["twins"][0] == {"name": "tolerance 3/4", "rejected": ANY, "by": ["every real x", BREAK_POINTS]}
    assert rows[2]["steps"] == [
        {"name": "every real x", "by": ["z3"], "in_letters": True},
        {"name": BREAK_POINTS, "by": ["exact numbers"], "in_letters": False},
    ]
    assert (rows[2]["status"], rows[2]["by_hand"]) == ("proved for all sizes by machine", [])
    assert [step["name"] for step in rows[0]["by_hand"]] == ["the positions add up"]
    assert "b − 2h" in rows[0]["by_hand"][0]["sentence"]
    assert (rows[0]["by_hand_below"], rows[1]["by_hand_below"]) == ([], ["S1"])
    assert f"| S1 | scores of ±1 codes | {IN_PART} | every b |" in report.markdown()


def test_a_status_that_is_held_down_is_shown_with_the_own_one(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The status in tables and JSON is the one that is left; nothing claims more than what it rests on."""
    cited = replace(statement("s1"), check=lambda _subject: Checked(Status.CITED, "a look", "once"), twins={})
    use(monkeypatch, FILES, s1=cited)
    report = separation.proofs(workers=1)
    assert report.ok
    row = report.document()["rows"][1]
    assert (row["status"], row["established"]) == ("cited", IN_PART)
    assert "| S2 | leakage of distinct codes | cited |" in report.markdown()
    assert separation.proofs("S2", workers=1).document()["rows"] == [row | {"seconds": ANY}]
    assert run(["proofs", "--workers", "1"]) == 0
    assert f"cited (by its own check {IN_PART})" in " ".join(capfd.readouterr().out.split())
    assert run(["proofs", "S2"]) == 0
    assert f"its own check: {IN_PART}; what it rests on is weaker" in " ".join(capfd.readouterr().out.split())
    monkeypatch.setattr(importlib.import_module("separation.verbs.verify"), "CASES", ())
    monkeypatch.setattr(importlib.import_module("separation.verbs.verify"), "FIRST", ("statement", "S1"))
    assert [row.status for row in separation.verify(workers=1).statements[:2]] == ["cited", "cited"]


def test_nothing_holds_that_rests_on_a_failed_check(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    wrong = replace(statement("s1"), subject=lambda differs: 1 - differs)
    use(monkeypatch, FILES, s1=wrong)
    report = separation.proofs(workers=1)
    assert not report.ok
    assert [row.statement.id for row in report.rows if not row.ok] == ["S1", "S2"]
    assert report.rows[1].checked.message == "rests on S1, whose check failed"
    assert run(["proofs", "--workers", "1"]) == 1
    assert "✗ S1: the product at one position is not what the rule says: [" in capfd.readouterr().out
    assert run(["proofs", "S2"]) == 1
    assert "rests on S1, whose check failed" in capfd.readouterr().out


def test_the_command_line_of_the_book(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, FILES)
    assert run(["proofs", "--workers", "1"]) == 0
    shown = capfd.readouterr().out
    assert "2 twins rejected; 3 hypotheses" in shown
    assert "10 broken twins rejected" in shown
    assert run(["proofs", "--workers", "1", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["ok"] is True
    assert run(["proofs", "--workers", "1", "--markdown"]) == 0
    assert capfd.readouterr().out.startswith("| id | statement |")


def test_one_statement_in_full(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps, twins and what rests on it; the text of a statement: golden/proofs.txt."""
    use(monkeypatch, FILES)
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["proofs", "S1"]) == 0
    shown = capfd.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    for text in ("by z3", "by hand: A scalar product is a sum", "S2  leakage of distinct codes", "key = (-1, 0, 1)"):
        assert text in shown
    assert run(["proofs", "S1", "--json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["rows"]
    assert (row["id"], set(row)) == ("S1", KEYS)


def test_one_statement_is_checked_with_what_it_rests_on_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, FILES)
    report = separation.proofs("S2")
    assert set(report.statuses) == {"S1", "S2"}
    assert [row.statement.id for row in report.rows] == ["S2"]
