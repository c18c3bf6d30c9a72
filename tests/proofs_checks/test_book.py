"""The book as a whole: no circles, no loose ends, nothing stronger than what it rests on."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

import separation
from proofs_checks import CheckFailed, Status, statement
from proofs_checks.book import capped, dependency_graph, require_not_stronger
from proofs_checks.messages import charges, first_levels
from proofs_checks.statement import Checked, Hypothesis
from separation.bounds import Word
from separation.cli import run

FILES = ("s1_codes", "s2_leakage", "s4_clip")


def test_a_status_is_at_most_the_weakest_below_it() -> None:
    graph = dependency_graph([statement("s1_codes"), statement("s2_leakage")])
    strong = {"S1": Status.ALL_SIZES, "S2": Status.ALL_SIZES}
    assert capped(graph, strong) == strong
    require_not_stronger(graph, strong)
    weak = strong | {"S1": Status.TESTED}
    assert capped(graph, weak) == {"S1": Status.TESTED, "S2": Status.TESTED}
    with pytest.raises(CheckFailed, match="S2 says 'proved for all sizes"):
        require_not_stronger(graph, weak)


def test_a_definition_does_not_cap() -> None:
    book = [statement("d2_exact_weights"), statement("m1_message_bits")]
    found = capped(dependency_graph(book), {"D2": Status.TESTED, "M1": Status.ALL_SIZES})
    assert found["M1"] is Status.ALL_SIZES


def test_circles_and_loose_ends_are_refused() -> None:
    first, second = statement("s1_codes"), statement("s2_leakage")
    with pytest.raises(CheckFailed, match="rest on each other"):
        dependency_graph([replace(first, rests_on=("S2",)), second])
    with pytest.raises(CheckFailed, match="which the book does not have"):
        dependency_graph([second])


def test_a_witness_that_fails_fails_the_statement() -> None:
    even = Hypothesis("n is even", lambda n: n % 2 == 0, outside=3)
    supposing = replace(statement("s1_codes"), hypotheses=(even,), witness=4)
    supposing.run()
    with pytest.raises(CheckFailed, match="the witness of S1 does not satisfy: n is even"):
        replace(supposing, witness=5).run()
    with pytest.raises(CheckFailed, match="nothing is excluded by: n is even"):
        replace(supposing, hypotheses=(replace(even, outside=8),)).run()


def test_the_verb_checks_the_book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.import_module("separation.verbs.proofs"), "FILES", FILES)
    monkeypatch.setattr(importlib.import_module("separation.verbs.verify"), "FILES", FILES)
    report = separation.proofs(graph=tmp_path / "book.svg", workers=1)
    assert report.ok
    assert (tmp_path / "book.svg").read_text().startswith("<?xml")
    assert [row["id"] for row in report.document()["rows"]] == ["S1", "S2", "S4"]
    assert report.document()["rows"][1]["rests_on"] == ["S1"]
    assert "| S1 | scores of ±1 codes | proved for all sizes (symbolic) | every b |" in report.markdown()


def test_the_verb_is_red_when_a_statement_claims_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    weaker = replace(statement("s1_codes"), check=lambda _subject: Checked(Status.TESTED, "a look", "once"), twins={})
    for name in ("separation.verbs.proofs", "separation.verbs.verify"):
        monkeypatch.setattr(importlib.import_module(name), "FILES", FILES)
        found = lambda file: weaker if file == "s1_codes" else statement(file)  # noqa: E731
        monkeypatch.setattr(importlib.import_module(name), "statement", found)
    report = separation.proofs(workers=1)
    assert not report.ok
    assert [row.statement.id for row in report.rows if not row.ok] == ["S2"]


def test_the_command_line_of_the_book(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("separation.verbs.proofs", "separation.verbs.verify"):
        monkeypatch.setattr(importlib.import_module(name), "FILES", FILES)
    assert run(["proofs", "--workers", "1"]) == 0
    assert "S1, above" not in capfd.readouterr().out
    assert run(["proofs", "--workers", "1", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["ok"] is True
    assert run(["proofs", "--workers", "1", "--markdown"]) == 0
    assert capfd.readouterr().out.startswith("| id | statement |")
    assert run(["proofs", "--graph", str(tmp_path / "book.txt")]) == 2
    assert capfd.readouterr().err.count("\n") == 1


def test_what_must_be_fixed_is_read_off_the_word() -> None:
    """Theorem B, level 1: z_0's token counts once for each (z_0, z_1) in layer 2."""
    here, following = first_levels("B", 1)
    found = {
        (charge.receiver, charge.layer): charge.depends_on for charge in charges(Word.parse("FFR"), here, following)
    }
    assert found == {
        (-1, 2): frozenset({-1, 0}),
        (0, 1): frozenset({0}),
        (0, 2): frozenset({0, 1}),
        (1, 1): frozenset({1}),
        (1, 2): frozenset({1}),
    }
