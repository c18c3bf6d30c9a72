"""The README and docs/commands.md are true: two commands, five to start with, their Python runs, verbs are accepted."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from test_cli_verbs import USAGE_ERROR, parse
from test_contract import imported_modules

from separation.verbs.command_line import run

pytestmark = pytest.mark.usefixtures("remembered_searches")
SLOW = {"1048576", "128", "verify", "proofs", "export", "recurrences", "stress", "experiment"}
SLOW |= {"crosscheck", "audit", "--exponents", "constructions"}
"""Commands with one of these take seconds or want a model, and have tests of their own; here they are only read."""
ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
COMMANDS = (ROOT / "docs" / "commands.md").read_text()
WITHOUT_TORCH = """
import json, sys
sys.modules["torch"] = sys.modules["transformers"] = None
from separation.verbs.command_line import run
sys.exit([run(words) for words in json.loads(sys.argv[1])] != [0] * 5)
"""


def blocks(text: str, language: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [block for name, block in fenced if name == language]


def commands(block: str) -> list[list[str]]:
    """The words of each line, without the comment."""
    lines = [line.partition("#")[0] for line in block.splitlines()]
    return [shlex.split(line) for line in lines if line.strip()]


def test_there_are_exactly_two_set_up_commands_of_one_line() -> None:
    given = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(given) == 2
    assert given[0].endswith("separation verify")
    assert "pytest" in given[1]
    first, _, second = blocks(README, "")
    assert [first.strip(), second.strip()] == given


def test_the_first_screen_explains_names_before_commands_use_them() -> None:
    """The task, a picture and one command; L, m, n, hop and word are not used before the table that explains them."""
    door, _, rest = README.partition("## Five things to try")
    assert door.index("Follow the tables") < door.index("figures/task.svg") < door.index("```")
    assert re.findall(r"\b(?:L|m|n|hops?|words?)\b|--\w+", door.replace("python3 -m venv", "")) == []
    names, _, _ = rest.partition("```")
    assert [f"| `--{name}` |" in names for name in "Lmn"] == [True] * 3
    assert "| *hop* |" in names
    assert "| *word* |" in names


def test_what_an_install_brings_is_said() -> None:
    """As many packages as the closure of what pyproject.toml asks for, found in this environment."""
    wanted, found = ["separation"], set()
    while wanted:
        for text in metadata.requires(wanted.pop()) or ():
            needed = Requirement(text)
            if needed.name not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
                found.add(needed.name)
                wanted.append(needed.name)
    said = re.search(r"It installs (\d+) packages", README)
    assert said is not None
    assert abs(int(said[1]) - len(found)) <= 2, "versions differ in what they need"


def test_the_five_starters_work_right_after_the_first_command(tmp_path: Path) -> None:
    """As they stand there, with the environment that the first command made, in which there is no torch."""
    _, block, _ = blocks(README, "")
    starters = commands(block)
    assert [words[0] for words in starters] == [".venv/bin/separation"] * 5
    command = [sys.executable, "-c", WITHOUT_TORCH, json.dumps([words for _, *words in starters])]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_python_of_the_commands_runs() -> None:
    (program,) = blocks(COMMANDS, "python")
    names: dict[str, object] = {}
    exec(program, names)
    assert names["report"].ok  # type: ignore[attr-defined]


def test_the_script_without_this_project_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers")
    (program,) = blocks(README, "python")
    assert not imported_modules(program) & {"separation", "constructions", "proofs_checks", "tools", ".", "dynamic"}
    assert run(["export", "C1", "--L", "2", "--m", "2", "--n", "2", "--to", "gpt2", str(tmp_path / "small")]) == 0
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    exec(program, {})
    assert capsys.readouterr().out.strip() == "1"
    assert len(program.splitlines()) <= 10


def test_the_commands_hold(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = [words for block in blocks(COMMANDS, "") for words in commands(block)]
    assert len(shown) >= 20
    for program, *words in shown:
        if program == "python":  # an example, which test_examples runs
            assert (ROOT / words[0]).is_file()
            continue
        assert program == "separation"
        parse(words)
        if not SLOW & {*words}:
            assert run(words) == 0, words
    capfd.readouterr()


def test_the_commands_for_more_than_one_machine_are_accepted() -> None:
    (block,) = blocks(COMMANDS, "sh")
    shared = [words for program, *words in commands(block) if program == "separation"]
    assert {words[0] for words in shared} == {"verify", "sweep", "fool", "experiment"}
    for words in shared:
        assert "--dask" in words
        parse(words)
        with pytest.raises(USAGE_ERROR):
            parse([*words, "--desk", "x"])
