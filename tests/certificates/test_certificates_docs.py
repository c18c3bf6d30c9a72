"""docs/certificates.md: its commands run, its outputs are those that are printed, and its lists are complete."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from separation.cli.main import run
from separation.proving import checker
from separation.proving.schemas import KINDS, NAMES

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "certificates.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """All blocks in order, in one folder; an output is what the block before it printed last."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "separation" / "proving").mkdir(parents=True)
    shutil.copy(checker.__file__, tmp_path / "separation" / "proving" / "checker.py")
    printed, compared = "", 0
    for language, block in BLOCKS:
        lines = block.splitlines()
        if language == "python":
            capsys.readouterr()
            exec(compile(block, "docs/certificates.md", "exec"), {})
            printed = capsys.readouterr().out
        elif lines[0].startswith("separation "):
            for line in lines:
                printed = execute(line, tmp_path, capsys)
        else:
            assert printed == block
            compared += 1
    assert compared == 2


def execute(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    words = shlex.split(line)
    if words[0] == "separation":
        capsys.readouterr()
        assert run(words[1:]) == 0, line
        return capsys.readouterr().out
    words[0] = sys.executable if words[0] == "python3" else words[0]
    assert words[0] in (sys.executable, "cp"), line
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_all_kinds_and_schemas_are_named() -> None:
    assert [f"`{kind}`" in TEXT for kind in KINDS] == [True] * 4
    assert re.findall(r"check --schema (\w+)", TEXT) == list(NAMES)
