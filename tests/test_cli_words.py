"""compare, design and sweep: words side by side, the best orders for a budget, every combination of values."""

from __future__ import annotations

import csv
import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from inline_executor import Inline
from test_cli import run_cli
from test_cli_bounds import answered

import separation
from separation.bounds.ceilings import ceiling
from separation.bounds.theorems.ceiling import chance
from separation.bounds.word import Word
from separation.files import InputError
from separation.verbs.command_line import run
from separation.verbs.design import order_classes
from separation.verbs.options import ranges

pytestmark = pytest.mark.usefixtures("remembered_searches")


# --- compare: the depth, the bytes and the ceilings that follow from what was given ---


def rows(capfd: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, Any]]:
    return {row["word"]: row for row in answered(capfd, "compare", *arguments)["rows"]}


def test_ceilings_are_those_of_the_theorems(capfd: pytest.CaptureFixture[str]) -> None:
    at = ("--L", "2", "--m", "64", "--n", "8", "--beta", "8", "--lambda", "8")
    found = rows(capfd, "R3F", "FR3", "F", "RFF", *at)
    for name in ("R3F", "FR3", "F"):
        word = Word.parse(name)
        linear = 0 if word.recurrent == 0 else 8
        assert Fraction(found[name]["ceiling"]) == ceiling(word, 64, [8], 8, linear).value < 1
        assert Fraction(found[name]["ceiling"]) >= chance(64, [8])
        assert found[name]["construction"] is None
        assert found[name]["theorem"].startswith("A2")
    assert (found["RF2"]["ceiling"], found["RF2"]["construction"], found["RF2"]["theorem"]) == ("1", "C2", None)


def test_bytes_follow_from_heads_and_states(capfd: pytest.CaptureFixture[str]) -> None:
    shape = ("--heads", "8", "--dim", "64", "--bits", "16", "--state-bits", "65536")
    found = rows(capfd, "RRRF", "FF", *shape)
    assert found["R3F"]["kv_bytes_per_token"] == 2 * 8 * 64 * 2
    assert found["F2"]["kv_bytes_per_token"] == 2 * (2 * 8 * 64 * 2)
    assert (found["R3F"]["state_bytes"], found["F2"]["state_bytes"]) == (3 * 65536 // 8, 0)
    assert rows(capfd, "RRRF", *shape, "--kv-heads", "2")["R3F"]["kv_bytes_per_token"] == 2 * 2 * 64 * 2
    assert rows(capfd, "RRRF")["R3F"]["kv_bytes_per_token"] is None


# --- design: the best orders, counted by a closed form that brute force confirms; why others fall short ---


def depth(letters: str) -> int:
    """The depth by its definition, letter by letter: full layers less one, and one more for an early R."""
    full = letters.count("F")
    if full == 0:
        return 0
    before_second = letters if full == 1 else letters[: letters.index("F", letters.index("F") + 1)]
    return full - 1 + ("R" in before_second)


def orders(full: int, recurrent: int) -> list[str]:
    """All words with so many letters of each kind."""
    places = itertools.combinations(range(full + recurrent), full)
    return ["".join("F" if k in chosen else "R" for k in range(full + recurrent)) for chosen in places]


SMALL = [(full, recurrent) for full in range(1, 6) for recurrent in range(6)]


@pytest.mark.parametrize(("full", "recurrent"), SMALL)
def test_classes_share_out_all_orders_by_their_beginnings(full: int, recurrent: int) -> None:
    every = orders(full, recurrent)
    classes = order_classes(full, recurrent)
    deepest = max(map(depth, every))
    assert classes[0].word.depth == deepest
    assert sum(entry.orders for entry in classes) == len(every)
    for entry in classes:
        begin = entry.pattern.split(" ")[0]
        begin = "F" * full if recurrent == 0 else begin
        alike = [word for word in every if word.startswith(begin)]
        assert len(alike) == entry.orders
        assert {depth(word) for word in alike} == {entry.word.depth}
        example = "".join(entry.word.layers)
        assert example in alike


def test_what_is_out_of_reach_is_said_with_exit_1(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_cli(capfd, "design", "--layers", "8", "--full", "3", "--L", "4")
    assert code == 1
    assert "L = 4 is out of reach: it needs 4 full layers" in out


def test_a_cache_pays_for_so_many_full_layers() -> None:
    numbers = {"kv_bytes": 4_000_000_000, "length": 262_144, "heads": 8, "dim": 128}
    report = separation.design(layers=48, **numbers)
    one_layer = 262_144 * 2 * 8 * 128 * 2
    assert report.full == 4_000_000_000 // one_layer == 3
    assert separation.design(layers=48, **numbers, bits=8).full == 7
    assert separation.design(layers=48, full=2, **numbers).full == 2
    limited = separation.design(layers=48, full=9, **numbers)
    assert limited.full == 3
    assert any("6 would not fit" in limit for limit in limited.limits)


def test_r_layers_without_state_bits_do_not_count() -> None:
    assert separation.design(layers=6, full=3, state_bits=0).depth == 2
    assert separation.design(layers=6, full=3, state_bits=1).depth == 3
    assert separation.design(layers=3, full=3).depth == 2


def test_windows_take_the_place_of_r_layers() -> None:
    """The same orders and depths, spelt with windows."""
    plain, windows = separation.design(layers=6, full=2), separation.design(layers=6, full=2, window=128)
    assert [row.orders for row in windows.rows] == [row.orders for row in plain.rows]
    assert [row.word.depth for row in windows.rows] == [row.word.depth for row in plain.rows] == [2, 2, 1]
    assert str(windows.chosen) == "W(128)2FW(128)FW(128)"
    assert "W(128)" in str(windows)
    assert "R layer" not in str(windows)


# --- sweep: every combination, the same rows whoever computes them, and what is refused ---


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
