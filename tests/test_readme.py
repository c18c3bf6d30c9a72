"""The README is true: two commands, its Python runs, every verb it shows is accepted."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from separation.cli import run

README = (Path(__file__).parent.parent / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_there_are_exactly_two_set_up_commands_of_one_line() -> None:
    commands = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[0].endswith("separation verify")
    assert "pytest" in commands[1]
    first, second = blocks("")[:2]
    assert [first.strip(), second.strip()] == commands


def test_the_python_of_the_readme_runs() -> None:
    (program,) = blocks("python")
    names: dict[str, object] = {}
    exec(program, names)
    assert names["report"].ok  # type: ignore[attr-defined]


def test_the_commands_of_the_readme_hold(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line.partition("#")[0] for line in blocks("")[2].splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if line.strip()]
    assert len(commands) >= 8
    for command in commands:
        if "1048576" in command or "128" in command:
            continue  # seconds each; the proofs have tests of their own
        assert run(command) == 0, command
    capfd.readouterr()
