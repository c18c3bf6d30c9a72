"""A run that is stopped by Ctrl-C has written what it measured, leaves no child behind, and goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

MODULE = """
import os
from pathlib import Path
from separation.tasks.funccomp import answer

def slow(cases):
    if any(case.z0 == 2 for case in cases):
        Path("child").write_text(str(os.getpid()))
        print("stuck", flush=True)
        while not Path("go").exists():
            pass
    return [answer(case) for case in cases]
"""
COMMAND = ["stress", "halting:slow", "--L", "1", "--lengths", "5", "--count", "4", "--results", "r.jsonl"]


def _hears_ctrl_c() -> None:
    """A shell starts what it puts in the background with SIGINT ignored, and that is inherited."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "halting.py").write_text(MODULE)
    command = [sys.executable, "-m", "separation", *COMMAND]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=_hears_ctrl_c,
    ) as process:
        assert process.stderr is not None
        while "stuck" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert out == ""
    assert err.strip().splitlines()[-1] == "separation: stopped"
    child = int((tmp_path / "child").read_text())
    assert not _runs(child)
    written = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert len(written) > 1
    (tmp_path / "go").write_text("")
    again = subprocess.run([*command, "--resume", "--json"], cwd=tmp_path, capture_output=True, text=True, check=False)
    document = json.loads(again.stdout)
    assert again.returncode == 0
    assert document["resumed"] == len(written) - 1


def _runs(child: int) -> bool:
    try:
        os.kill(child, 0)
    except ProcessLookupError:
        return False
    return True
