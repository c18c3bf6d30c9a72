"""The two walks of docs/architecture.md name files that the command really runs, in the order of their first calls."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import FrameType

import pytest

from separation.verbs.command_line import run

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALKS = re.findall(
    r"^## From `separation ([^`\n]*)` to the certificate\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL
)


def named_files(section: str) -> list[str]:
    """The first column of the table."""
    return re.findall(r"^\| `(\S+\.py)` \|", section, flags=re.MULTILINE)


def called_files(arguments: Sequence[str]) -> list[str]:
    """The project's files in the order in which a function of theirs is first called; imports are no calls."""
    seen: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        is_function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
        if event == "call" and is_function and code.co_filename.startswith(str(ROOT)):
            seen.setdefault(Path(code.co_filename).relative_to(ROOT).as_posix())

    assert run(list(arguments)) == 0  # everything is imported now
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        assert run(list(arguments)) == 0
    finally:
        sys.setprofile(before)
    return list(seen)


def out_of_order(named: Sequence[str], called: Sequence[str]) -> list[str]:
    """Files that were not called, or were called before a file that is named earlier."""
    missing = [file for file in named if file not in called]
    places = [(called.index(file), file) for file in named if file in called]
    return missing + [later for (one, _), (two, later) in pairwise(places) if two < one]


def test_there_are_two_walks() -> None:
    assert [command.split()[0] for command, _ in WALKS] == ["prove", "bound"]
    assert all(len(named_files(section)) >= 20 for _, section in WALKS)


@pytest.mark.parametrize(("command", "section"), WALKS, ids=[command.split()[0] for command, _ in WALKS])
def test_a_walk_names_what_is_run_in_order(
    command: str, section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    named, called = named_files(section), called_files(command.split())
    capfd.readouterr()
    assert out_of_order(named, called) == []
    assert out_of_order([*named, "separation/protocol/player.py"], called) != []
    assert out_of_order([named[1], named[0], *named[2:]], called) != []
