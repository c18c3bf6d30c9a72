"""The programs in examples/ run, and say what they should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def said_by(name: str) -> str:
    run = subprocess.run([sys.executable, str(EXAMPLES / name)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_own_construction_is_proved_broken_and_refuted() -> None:
    text = (EXAMPLES / "own_construction.py").read_text()
    assert len(text.splitlines()) <= 40
    right, wrong = said_by("own_construction.py").splitlines()
    assert right == "right codes: proved"
    assert wrong.startswith("keys negated once more: refuted by Instance(")
