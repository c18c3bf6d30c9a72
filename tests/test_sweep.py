"""Sweeps of bound and decide: every combination, the same rows whoever computes them, and what is refused."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from inline_executor import Inline

import separation
from separation.files import InputError
from separation.verbs.command_line import run
from separation.verbs.options import ranges

BOUNDS: dict[str, Any] = {"L": [1, 2], "word": "R", "beta": 4, "state_bits": [2, 4]}


def test_every_combination_is_what_the_verb_says() -> None:
    report = separation.sweep("bound", **BOUNDS, workers=1)
    assert report.ok
    assert report.varied == ("L", "state_bits")
    asked = [(row["L"], row["state_bits"]) for row in report.rows]
    assert asked == [(1, 2), (1, 4), (2, 2), (2, 4)]
    for row in report.rows:
        ours = separation.bound(L=row["L"], word="R", beta=4, state_bits=row["state_bits"]).document()["ours"]
        assert {name: row[name] for name in ("theorem", "m", "n", "tokens")} == {
            name: ours[name] for name in ("theorem", "m", "n", "tokens")
        }


def test_the_rows_are_the_same_whoever_computes_them() -> None:
    alone = separation.sweep("bound", **BOUNDS, workers=1).rows
    assert separation.sweep("bound", **BOUNDS, workers=2).rows == alone
    assert separation.sweep("bound", **BOUNDS, executor=Inline()).rows == alone


def test_one_refused_combination_is_a_row_and_all_are_an_error(tmp_path: Path) -> None:
    report = separation.sweep("bound", L=[0, 1], word="R", beta=4, state_bits=2, workers=1, out=tmp_path / "rows.csv")
    assert not report.ok
    assert [row["error"] for row in report.rows] == ["L is 0; allowed are 1 and above", ""]
    with (tmp_path / "rows.csv").open() as file:
        read = list(csv.DictReader(file))
    assert [row["error"] for row in read] == [row["error"] for row in report.rows]
    assert read[1]["tokens"] == str(report.rows[1]["tokens"])
    with pytest.raises(InputError, match="L is 0; allowed are 1 and above"):
        separation.sweep("bound", L=[0, -1], word="R", beta=4, state_bits=2, workers=1)


def test_the_command_writes_a_table_and_counts_gaps(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["sweep", "decide", "--word", "FF,RR", "--L", "1..2", "--workers", "1"]
    assert run([*words, "--out", str(tmp_path / "x.csv")]) == 0
    out = capfd.readouterr().out
    assert "an example" in out
    assert "table written to" in out
    assert run(["sweep", "bound", "--L", "0..1", "--word", "R", "--beta", "4", "--lambda", "2", "--workers", "1"]) == 1
    assert "1 combination without an answer" in capfd.readouterr().out


def test_ranges_are_read_in_one_place() -> None:
    assert ranges("2..4,8", "--L") == [2, 3, 4, 8]
    for text in ("", "4..2", "1..", "a", "1..2..3", "0..100000", "1,,2"):
        with pytest.raises(InputError, match="--L is "):
            ranges(text, "--L")
