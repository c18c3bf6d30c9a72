"""fool on the command line: sparse layers, model files, Ctrl-C; the tutorial finds a pair, writes it and replays it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ctrl_c import stopped_by_ctrl_c
from test_cli import run_cli
from test_cli_bounds import answered


def test_fool_sparse(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    sizes = ("--block", "3", "--open", "1", "--blocks", "4", "--modulus", "11", "--seed", "0")
    report = answered(capfd, "fool", "--sparse", "--summary-bits", "4", *sizes, "--out", str(path))
    assert (report["expected_a"], report["expected_b"], report["can_be_right"]) == (0, 1, False)
    assert answered(capfd, "check", str(path))["ok"]
    code, out, err = run_cli(capfd, "check", str(path), "--replay")
    assert code == 2
    assert "there is no model to replay" in err
    report = answered(
        capfd, "fool", "--sparse", "--block", "1", "--summary-bits", "8", "--blocks", "2", "--modulus", "5"
    )
    assert (report["found"], report["can_be_right"]) == (False, True)
    assert out == ""


def test_model_files(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole, sparse = tmp_path / "c3.json", tmp_path / "c7.safetensors"
    run_cli(capfd, "prove", "C3", "--L", "1", "--m", "3", "--write-model", str(whole))
    run_cli(capfd, "prove", "C7", "--length", "9", "--modulus", "5", "--block", "2", "--write-model", str(sparse))
    report = answered(capfd, "fool", "--model", str(whole))
    assert report["found"] is report["ok"] is False
    assert report["tried"]["exhaustive"] is True  # type: ignore[index]
    assert answered(capfd, "fool", "--sparse", "--model", str(sparse))["found"] is False
    for arguments in (("fool", "--model", str(sparse)), ("fool", "--sparse", "--model", str(whole))):
        code, _, err = run_cli(capfd, *arguments)
        assert code == 2
        assert "--sparse" in err


def test_ctrl_c_leaves_the_best_so_far(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """C3 has room for every table of this size, and there are too many to compare: the search goes on."""
    whole, path = tmp_path / "c3.json", tmp_path / "search.json"
    run_cli(capfd, "prove", "C3", "--L", "1", "--m", "12", "--write-model", str(whole))
    stopped_by_ctrl_c(["fool", "--model", str(whole), "--seconds", "300", "--out", str(path)])
    left = json.loads(path.read_text())
    assert left["schema"] == "separation.search/1"
    assert left["found"] is False
    assert "stopped by hand" in left["tried"]["note"]
    assert 0 < left["tried"]["closest"]["equal_entries"] < left["tried"]["closest"]["entries"]
