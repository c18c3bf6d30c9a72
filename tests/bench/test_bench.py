"""The benchmarks run, print what they promise, and refuse to time what is wrong. No time is ever compared."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from constructions import build
from separation.bench import processes
from separation.bench.__main__ import BENCHMARKS, main
from separation.bench.measuring import Report, ratio_rows
from separation.bench.runs import prompts, require_right
from separation.models import run
from separation.tasks.funccomp import Sizes

TINY = Sizes(2, (2,))
OURS = [name for name in BENCHMARKS if name not in ("lesson_page", "workers")]
LONG = ["protocol", "float_runs"]


def test_quick_benchmarks_print_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    _check_document([name for name in OURS if name not in LONG], capsys)


@pytest.mark.slow
def test_longer_benchmarks_and_two_workers(capsys: pytest.CaptureFixture[str]) -> None:
    _check_document([*LONG, "workers"], capsys)


def test_workers_are_compared_in_one_run_and_must_be_right(monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(2) as two:
        report = processes.workers_compared([TINY] * 2, one, two, 1)
        assert [row["what"] for row in report.rows] == ["this process", "one worker", "two workers"]
        assert report.rows[1]["times_one_worker"] == report.rows[1]["speed_up"] == 1
        assert "processors" in report.notes[0]
        monkeypatch.setattr(processes, "proved_piece", lambda _sizes: False)
        with pytest.raises(RuntimeError, match="this process: a piece is missing, or not proved"):
            processes.workers_compared([TINY], one, two, 1)


def _check_document(names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*names, "--quick", "--json"]) == 0
    benchmarks = json.loads(capsys.readouterr().out)["benchmarks"]
    assert [benchmark["name"] for benchmark in benchmarks] == names
    for benchmark in benchmarks:
        assert benchmark["ratio"]
        ratios = [row[column] for row in benchmark["rows"] for column in row if "times" in column]
        assert len(ratios) >= 2, benchmark["name"]
        assert all(ratio > 0 for ratio in ratios)
        assert 1 in ratios, "the baseline is a row of its own"


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refusal:
        main(["stres_kit"])
    assert refusal.value.code == 2
    assert "stres_kit is no benchmark; there are protocol" in capsys.readouterr().err


def test_what_is_wrong_is_not_timed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    model = build("C1", TINY).model
    ids = prompts(TINY, 4)
    require_right(run(model, ids).answers, TINY, ids)
    wrong = partial(require_right, run(model, ids).answers + 1, TINY, ids)
    monkeypatch.setitem(BENCHMARKS, "stress_kit", lambda _quick: wrong())  # type: ignore[arg-type,return-value]
    assert main(["stress_kit", "--quick"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "stress_kit: error: the run is wrong" in captured.err


def test_a_process_that_fails_is_an_error() -> None:
    processes._finished(["-c", "print('fine')"])
    with pytest.raises(RuntimeError, match="it broke"):
        processes._finished(["-c", "raise SystemExit('it broke')"])


def test_a_table_for_people_and_the_first_action_as_baseline() -> None:
    calls: list[str] = []
    actions = {"slow": (lambda: calls.append("a"), 2), "quick": (lambda: calls.append("b"), 1)}
    rows = ratio_rows(8, actions, repeats=3, clock=iter(range(100)).__next__)
    assert calls == ["a", "b"] * 3
    assert [(row["seconds"], row["times_baseline"]) for row in rows] == [(1, 1), (1, 2)]
    cells = {"none": None, "long": 12345, "power": 2**40, "small": 0.012345, "large": 1234.5}
    shown = str(Report("name", "a / b", (cells,), ("a note",))).splitlines()
    assert [cell.strip() for cell in shown[3].split("│")] == ["–", "12,345", "2^40", "0.0123", "1,234"]
