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
from separation.cli import run

FILES = ("s1_codes", "s2_leakage", "s4_clip")
KEYS = {
    "id",
    "title",
    "latex",
    "english",
    "status",
    "established",
    "method",
    "scope",
    "rests_on",
    "rested_on_by",
    "speaks_of",
    "hypotheses",
    "witness",
    "twins",
    "seconds",
    "ok",
    "message",
}


def use(monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...], **changed: Statement) -> None:
    """The verbs see a book of these files, some of them changed."""
    for name in ("separation.verbs.proofs", "separation.verbs.verify"):
        monkeypatch.setattr(importlib.import_module(name), "FILES", files)
        monkeypatch.setattr(
            importlib.import_module(name), "statement", lambda file: changed.get(file) or statement(file)
        )


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
    assert rows[2]["twins"][0] == {"name": "tolerance 3/4", "rejected": "clip(1/4) is 1/2, wanted 1"}
    assert "| S1 | scores of ±1 codes | proved for all sizes (symbolic) | every b |" in report.markdown()


def test_a_status_that_is_held_down_is_shown_with_the_own_one(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The status in tables and JSON is the one that is left; nothing claims more than what it rests on."""
    cited = replace(statement("s1_codes"), check=lambda _subject: Checked(Status.CITED, "a look", "once"), twins={})
    use(monkeypatch, FILES, s1_codes=cited)
    report = separation.proofs(workers=1)
    assert report.ok
    row = report.document()["rows"][1]
    assert (row["status"], row["established"]) == ("cited", "proved for all sizes (symbolic)")
    assert "| S2 | leakage of distinct codes | cited |" in report.markdown()
    assert separation.proofs("S2", workers=1).document()["rows"] == [row | {"seconds": ANY}]
    assert run(["proofs", "--workers", "1"]) == 0
    assert "cited (by its own check proved for all sizes (symbolic))" in " ".join(capfd.readouterr().out.split())
    assert run(["proofs", "S2"]) == 0
    assert "its own check: proved for all sizes (symbolic); what it rests on is weaker" in " ".join(
        capfd.readouterr().out.split()
    )
    monkeypatch.setattr(importlib.import_module("separation.verbs.verify"), "CASES", ())
    assert [row.status for row in separation.verify(workers=1).statements[:2]] == ["cited", "cited"]


def test_an_open_statement_is_marked(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    question = replace(statement("s4_clip"), check=lambda _subject: Checked(Status.OPEN, "none", "unknown"), twins={})
    use(monkeypatch, ("s4_clip",), s4_clip=question)
    assert run(["proofs"]) == 0
    assert "? S4  the clip" in capfd.readouterr().out


def test_nothing_holds_that_rests_on_a_failed_check(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    wrong = replace(statement("s1_codes"), subject=lambda differs: 1 - differs)
    use(monkeypatch, FILES, s1_codes=wrong)
    report = separation.proofs(workers=1)
    assert not report.ok
    assert [row.statement.id for row in report.rows if not row.ok] == ["S1", "S2"]
    assert report.rows[1].checked.message == "rests on S1, whose check failed"
    assert run(["proofs", "--workers", "1"]) == 1
    assert "✗ S1: the product of 1 and -1 is -1, the rule says 0" in capfd.readouterr().out
    assert run(["proofs", "S2"]) == 1
    assert "rests on S1, whose check failed" in capfd.readouterr().out


def test_the_command_line_of_the_book(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, FILES)
    assert run(["proofs", "--workers", "1"]) == 0
    shown = capfd.readouterr().out
    assert "2 twins rejected; 3 hypotheses" in shown
    assert "10 broken twins rejected" in shown
    assert run(["proofs", "--workers", "1", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["ok"] is True
    assert run(["proofs", "--workers", "1", "--markdown"]) == 0
    assert capfd.readouterr().out.startswith("| id | statement |")
    assert run(["proofs", "--graph", str(tmp_path / "book.txt")]) == 2
    assert capfd.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("columns", [80, 120])
def test_the_tree_keeps_to_the_width(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """A line that is broken goes on below itself, under the guides of the tree."""
    long = replace(
        statement("s1_codes"),
        check=lambda _subject: Checked(Status.TESTED, "a look", "so many words that they fill lines " * 6),
        twins={},
    )
    use(monkeypatch, FILES, s1_codes=long)
    monkeypatch.setenv("COLUMNS", str(columns))
    run(["proofs", "--workers", "1"])
    lines = capfd.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    (start,) = [place for place, line in enumerate(lines) if "property-tested: so many" in line]
    assert lines[start].startswith("        property-tested")
    assert lines[start + 1].startswith("        ")


def test_one_statement_in_full(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, FILES)
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["proofs", "S1"]) == 0
    shown = capfd.readouterr().out
    own = statement("s1_codes")
    for text in (own.latex, own.english, "every b", "four cases a place", "S2  leakage of distinct codes", "1 − h"):
        assert text in shown
    assert "query = (1, -1, 1), key = (-1, 1, 1), temperature = 2" in shown
    assert "key = (-1, 0, 1)" in shown
    assert "the product of 1 and -1 is -1, the rule says 0" in shown
    assert run(["proofs", "S1", "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert [row["id"] for row in document["rows"]] == ["S1"]
    assert set(document["rows"][0]) == KEYS


def test_one_statement_is_checked_with_what_it_rests_on_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, FILES)
    report = separation.proofs("S2")
    assert set(report.statuses) == {"S1", "S2"}
    assert [row.statement.id for row in report.rows] == ["S2"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["S9"], "the book has no statement 'S9'; near it are S4, S2, S1"),
        (["s1"], "the book has no statement 's1'; near it are S1, "),
        (["zzz"], "the book has no statement 'zzz'; there are S1, S2, S4"),
        (["S1", "--graph", "book.svg"], "a statement's ID does not go with --graph"),
        (["S1", "--markdown"], "a statement's ID does not go with --markdown"),
    ],
)
def test_what_is_not_in_the_book_is_refused_in_one_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    use(monkeypatch, FILES)
    assert run(["proofs", *arguments]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"separation: error: {said}")
    assert captured.err.count("\n") == 1
