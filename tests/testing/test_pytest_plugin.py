"""The fixture, in a pytest of its own; a plugin that is installed imports nothing before it is used."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLUGIN = "separation.testing.pytest_plugin"
TESTS = """
import sys
from separation.tasks.funccomp import Sizes, answer

def test_right(assert_solves):
    assert assert_solves(lambda cases: [answer(case) for case in cases], sizes=Sizes(2, ()), instances=4).ok

def test_wrong(assert_solves):
    assert_solves(lambda cases: [0 for case in cases], sizes=Sizes(2, ()), instances=4)
"""


def test_the_fixture_passes_and_fails(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-q", "test_mine.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "wrong answer (exhaustive-small, all_inputs): answered 0, expected 1" in done.stdout


def test_the_plugin_is_an_entry_point_and_loads_nothing() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}
    code = f"import sys, {PLUGIN}; print(sorted({{'numpy', 'torch', 'separation.tasks'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
