"""A stored result is used again only while what it rests on is unchanged."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tools.mutation.state import Workshop
from tools.mutation.targets import TARGETS, Target

SMALL = Target("small", ("room/*.py",), ("room/b.py",), ("tests/test_*.py",), 1.0, 1.0, ())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("room/a.py", "room/b.py", "tests/test_one.py", "tests/test_two.py", "tests/test_two.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "tests" / "cases.py").write_text("")
    workshop = Workshop(tmp_path, SMALL)
    workshop.folder.mkdir(parents=True)
    workshop.store("room/a.py#0", "killed", "tests/test_one.py::test_a")
    workshop.store("room/a.py#1", "timed out", "tests/test_two.py::test_b[x]")
    workshop.store("room/a.py#2", "survived", "")
    workshop.store("room/a.py#3", "not covered", "")
    return tmp_path


def known(home: Path, target: Target = SMALL) -> set[int]:
    return {int(key.partition("#")[2]) for key in Workshop(home, target).load()}


def test_all_are_known(home: Path) -> None:
    assert known(home) == {0, 1, 2, 3}
    assert SMALL.files(home) == [Path("room/a.py")]


@pytest.mark.parametrize(
    ("changed", "left"),
    [
        ("room/a.py", set()),
        ("room/b.py", {0, 1, 2, 3}),
        ("tests/test_one.py", {1}),
        ("tests/test_two.py", {0}),
        ("tests/test_two.json", {0}),  # a data file belongs to the test it is named after
        ("tests/test_three.py", {0, 1}),  # a new test may kill what survived
        ("tests/cases.py", set()),
    ],
)
def test_what_an_edit_makes_stale(home: Path, changed: str, left: set[int]) -> None:
    (home / changed).write_text("# edited\n")
    assert known(home) == left


def test_a_larger_budget_may_kill_what_survived(home: Path) -> None:
    assert known(home, dataclasses.replace(SMALL, budget=2.0)) == {0, 1}


def test_a_line_cut_off_is_no_result(home: Path) -> None:
    path = Workshop(home, SMALL).results
    path.write_text(path.read_text()[:-20])
    assert known(home) == {0, 1, 2}


def test_the_targets_exist() -> None:
    root = Path(__file__).parent.parent.parent
    for target in TARGETS.values():
        assert target.files(root)
        assert target.test_files(root)
    assert [path.name for path in TARGETS["kernel"].files(root)] == ["checker.py"]
    assert Path("separation/proving/checker.py") not in TARGETS["proving"].files(root)
