"""fool on the command line for words with full layers."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_cli import run_cli
from test_cli_fool import KEYS, answered

LEVEL_KEYS = {"level", "inputs", "sampled", "density_log2", "guaranteed_log2", "cover", "guaranteed"}


@pytest.mark.parametrize(
    "asked",
    [
        ("--word", "RF", "--L", "2", "--m", "3", "--n", "3"),
        ("--word", "F", "--L", "2"),
        ("--word", "RFR", "--L", "3", "--m", "2", "--n", "2,2"),
    ],
)
def test_hybrids_are_fooled_and_checked(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, asked: tuple[str, ...]
) -> None:
    path = tmp_path / "pair.json"
    code, report = answered(capfd, "fool", *asked, "--seed", "0", "--out", str(path))
    assert code == 0
    assert report.keys() >= KEYS | {"levels", "theorem", "solvable"}
    assert report["found"] is report["transcripts_equal"] is True
    assert report["solvable"] is False
    assert report["output_a"] == report["output_b"]
    assert report["expected_a"] != report["expected_b"]
    levels = report["levels"]
    assert isinstance(levels, list)
    assert all(level.keys() >= LEVEL_KEYS for level in levels)
    code, checked = answered(capfd, "check", str(path), "--replay")
    assert code == 0
    assert checked["replay"]["messages_equal"] is True  # type: ignore[index]


def test_a_word_that_can_solve_the_task_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_cli(capfd, "fool", "--word", "RF", "--L", "1", "--m", "4")
    assert code == 0
    assert "this word can solve the task, with other weights: C2" in out


def test_construction_files_with_full_layers(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """C2 is right on every input: all of them are compared, and no two look the same."""
    path = tmp_path / "c2.json"
    run_cli(capfd, "prove", "C2", "--L", "2", "--m", "2", "--n", "2", "--write-model", str(path))
    code, report = answered(capfd, "fool", "--model", str(path))
    assert (code, report["found"], report["solvable"]) == (1, False, True)
    assert report["tried"]["exhaustive"] is True  # type: ignore[index]
