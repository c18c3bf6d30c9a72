"""The table of recurrent families, as JSON and as text."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
from dataclasses import replace
from functools import partial
from io import StringIO

import pytest
from rich.console import Console

from separation.recurrences import FAMILIES, Outcome, check_chunked, check_float
from separation.verbs.command_line import run
from separation.verbs.recurrences import RecurrencesReport, recurrences_table

VERB = importlib.import_module("separation.verbs.recurrences")


@pytest.fixture(scope="module")
def told() -> list[tuple[float, str]]:
    """What the progress of the report below was."""
    return []


@pytest.fixture(scope="module")
def report(told: list[tuple[float, str]]) -> RecurrencesReport:
    """All families; in floats on 48 tokens of a small size, where the command takes 1,024."""
    sizes = {"d_k": 8, "d_v": 4, "d": 8, "w": 9, "n_h": 2}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(VERB, "check_float", partial(check_float, tokens=48, sizes=sizes))
        patch.setattr(VERB, "check_chunked", partial(check_chunked, tokens=48, sizes=sizes))
        return recurrences_table(lambda done, what: told.append((done, what)), third_parties=False)


def shown(report: RecurrencesReport, width: int = 100) -> str:
    stream = StringIO()
    report.show(Console(file=stream, width=width))
    return stream.getvalue()


def test_the_command_prints_what_the_verb_found(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of one family, at the sizes of the command."""
    monkeypatch.setattr(VERB, "FAMILIES", {"rnn": FAMILIES["rnn"]})
    assert run(["recurrences", "--no-third-parties", "--json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["rows"]
    assert row["id"] == "rnn"
    assert row["ok"] is True
    assert row["third_party"]["holds"] is None
    assert {"family", "state", "bits", "symbolic", "exact", "floating", "chunked", "twin"} <= row.keys()
    assert row["twin"]["rejected"] is True
    assert 0 < row["floating"]["error"] <= row["floating"]["bound"]


def test_what_fails_is_named(report: RecurrencesReport) -> None:
    first, *others = report.rows
    wrong = replace(first, exact=Outcome(False, "somewhere"), twin_rejected=False, state_matches=False)
    failed = replace(report, rows=(wrong, *others))
    assert not failed.ok
    assert failed.document()["ok"] is False
    text = shown(failed)
    assert "✗ linear attention: exact fails (somewhere)" in text
    assert "a broken twin was not rejected" in text
    assert "is not the one that the formula counts" in text
    assert "something that was checked fails" in text


@pytest.mark.usefixtures("report")
def test_progress_is_told(told: list[tuple[float, str]]) -> None:
    assert [what for _, what in told] == [family.name for family in FAMILIES.values()]
    assert [done for done, _ in told] == [number / len(FAMILIES) for number in range(len(FAMILIES))]
