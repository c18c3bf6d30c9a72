"""fool on the command line: sparse layers, model files, Ctrl-C; the tutorial finds a pair, writes it and replays it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_cli import run_cli


def answered(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    code, out, _ = run_cli(capfd, *arguments, "--json")
    return code, dict(json.loads(out))


def test_fool_sparse(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    sizes = ("--block", "3", "--open", "1", "--blocks", "4", "--modulus", "11", "--seed", "0")
    code, report = answered(capfd, "fool", "--sparse", "--summary-bits", "4", *sizes, "--out", str(path))
    assert code == 0
    assert (report["expected_a"], report["expected_b"], report["can_be_right"]) == (0, 1, False)
    assert answered(capfd, "check", str(path))[0] == 0
    code, out, err = run_cli(capfd, "check", str(path), "--replay")
    assert code == 2
    assert "there is no model to replay" in err
    code, report = answered(
        capfd, "fool", "--sparse", "--block", "1", "--summary-bits", "8", "--blocks", "2", "--modulus", "5"
    )
    assert code == 1
    assert (report["found"], report["can_be_right"]) == (False, True)
    assert out == ""


def test_model_files(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole, sparse = tmp_path / "c3.json", tmp_path / "c7.safetensors"
    run_cli(capfd, "prove", "C3", "--L", "1", "--m", "3", "--write-model", str(whole))
    run_cli(capfd, "prove", "C7", "--length", "9", "--modulus", "5", "--block", "2", "--write-model", str(sparse))
    code, report = answered(capfd, "fool", "--model", str(whole))
    assert (code, report["found"]) == (1, False)
    assert report["tried"]["exhaustive"] is True  # type: ignore[index]
    code, report = answered(capfd, "fool", "--sparse", "--model", str(sparse))
    assert (code, report["found"]) == (1, False)
    for arguments in (("fool", "--model", str(sparse)), ("fool", "--sparse", "--model", str(whole))):
        code, _, err = run_cli(capfd, *arguments)
        assert code == 2
        assert "--sparse" in err


def _heeds_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_leaves_the_best_so_far(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """C3 has room for every table of this size, and there are too many to compare: the search goes on."""
    whole, path = tmp_path / "c3.json", tmp_path / "search.json"
    run_cli(capfd, "prove", "C3", "--L", "1", "--m", "12", "--write-model", str(whole))
    asked = ("fool", "--model", str(whole), "--seconds", "300", "--out", str(path))
    command = [sys.executable, "-m", "separation", *asked]
    pipes: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    # A shell starts what it puts in the background with SIGINT ignored, and that is inherited.
    with subprocess.Popen(command, preexec_fn=_heeds_ctrl_c, **pipes) as process:
        assert process.stderr is not None
        first = process.stderr.readline()  # progress, after two seconds: the search is under way
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=60)
    assert first.startswith("separation: ")
    assert process.returncode == 130
    assert rest.splitlines()[-1] == "separation: stopped"
    assert "Traceback" not in rest
    left = json.loads(path.read_text())
    assert left["schema"] == "separation.search/1"
    assert left["found"] is False
    assert "stopped by hand" in left["tried"]["note"]
    assert 0 < left["tried"]["closest"]["equal_entries"] < left["tried"]["closest"]["entries"]
