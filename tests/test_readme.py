"""The README is true: two commands, its Python runs, every verb it shows is accepted."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from separation.cli import run

SLOW = {"1048576", "128", "proofs", "export", "recurrences", "--phase"}
"""Commands with one of these take seconds, and have tests of their own."""
README = (Path(__file__).parent.parent / "README.md").read_text()


def blocks(language: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    return [text for name, text in fenced if name == language]


def test_there_are_exactly_two_set_up_commands_of_one_line() -> None:
    commands = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[0].endswith("separation verify")
    assert "pytest" in commands[1]
    first, second = blocks("")[:2]
    assert [first.strip(), second.strip()] == commands


def test_the_python_of_the_readme_runs() -> None:
    program, _ = blocks("python")
    names: dict[str, object] = {}
    exec(program, names)
    assert names["report"].ok  # type: ignore[attr-defined]


def test_the_script_without_this_project_answers(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    _, program = blocks("python")
    assert run(["export", "C1", "--L", "2", "--m", "2", "--n", "2", "--to", "gpt2", str(tmp_path / "small")]) == 0
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
    assert len(program.splitlines()) <= 10


def test_the_commands_of_the_readme_hold(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line.partition("#")[0] for block in blocks("")[2:] for line in block.splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if line.strip()]
    assert len(commands) >= 20
    for command in commands:
        if SLOW & {*command}:
            continue
        assert run(command) == 0, command
    capfd.readouterr()
