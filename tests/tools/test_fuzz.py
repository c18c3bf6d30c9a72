"""The fuzzer finds what it is there for, and its command lines are mostly valid ones."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from inspect import signature, unwrap
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import pytest

import tools.fuzz as shared
import tools.fuzz.__main__ as fuzz
from separation.verbs.commands import VERBS, command_of
from separation.verbs.options import flags
from tools.fuzz import told_by
from tools.fuzz.commands import CHEAP, DEAR, Commands, examples, numeric_options, verbs
from tools.fuzz.files import READERS, Files, write_good_files


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    write_good_files(tmp_path)
    capfd.readouterr()
    return tmp_path


def test_every_verb_is_tried() -> None:
    known = verbs()
    assert set(known) == set(VERBS)
    for name, command in known.items():
        assert name in CHEAP or name in DEAR or examples(command), name


def annotations_of(functions: Iterable[Callable[..., Any]]) -> dict[str, str]:
    """{parameter: annotation} of the functions of a verb, and of the options that they gather."""
    hints: dict[str, Any] = {}
    for function in functions:
        stated = {name: each for name, each in function.__annotations__.items() if name != "return"}  # loaded later
        own = get_type_hints(SimpleNamespace(__annotations__=stated), unwrap(function).__globals__)
        gathered = [
            own.pop(each.name) for each in signature(function).parameters.values() if each.kind is each.VAR_KEYWORD
        ]
        hints |= own
        for each in (each for unpacked in gathered for each in get_args(unpacked)):
            hints |= get_type_hints(each)
    return {name: str(hint) for name, hint in hints.items()}


def test_every_numeric_option_of_every_verb_is_reached() -> None:
    for name in VERBS:
        command = command_of(name)
        annotated = annotations_of(command.takes)
        options = {flags([each.name]): annotated.get(each.name, "") for each in command.typed if not each.is_argument}
        numeric = {option for option, hint in options.items() if re.search(r"\b(int|float|Fraction)\b", hint)}
        text = {"--word", "--sizes"}  # a sweep's words: one type for all; sizes are integers in a text
        assert numeric - text == set(numeric_options(name)) - text, name
    assert {"--n", "--sizes"} <= set(numeric_options("prove"))
    assert {"--beta", "--lambda", "--L"} <= set(numeric_options("sweep"))
    assert {"--accuracy", "--errors"} <= set(numeric_options("bound"))
    assert {"--lengths", "--limit"} <= set(numeric_options("stress"))
    assert "--word" not in numeric_options("sweep")


def test_huge_numbers_reach_the_options_of_the_cheap_verbs() -> None:
    commands = Commands(Random(0))
    lines = [commands.huge() for _ in range(6000)]
    reached = {(words[0], words[-1].partition("=")[0]) for words in lines}
    for name in CHEAP:
        assert {(name, option) for option in numeric_options(name)} <= reached, name


def test_command_lines_follow_from_the_seed() -> None:
    first, second, other = (Commands(Random(seed)) for seed in (1, 1, 2))
    lines = [one.changed() for one in (first, second, other) for _ in range(30)]
    assert lines[:30] == lines[30:60] != lines[60:]


def test_a_short_campaign_finds_nothing_and_most_lines_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = fuzz.campaign(math.inf, seed=6, runs=30)
    assert not found.findings
    assert sum(found.counts.values()) == 30
    assert found.answered >= 0.5


def test_pieces_are_the_campaigns_of_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a piece tries follows from its number, whoever does it: here this process, from the arguments of a piece."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fuzz, "PIECE_RUNS", 1)

    def done_here(arguments: list[str]) -> dict[str, Any]:
        given = dict(zip(arguments[2::2], arguments[3::2], strict=True))
        return fuzz.campaign(float(given["--seconds"]), int(given["--seed"]), float(given["--runs"])).document()

    monkeypatch.setattr(shared, "told_by", done_here)
    found = fuzz.shared_campaign(math.inf, seed=7, runs=2, workers=1, dask=None)
    alone = fuzz.Campaign()
    for number in range(2):
        alone.add(fuzz.campaign(math.inf, fuzz.SEEDS * 7 + number, 1).document())
    assert (found.counts, found.findings) == (alone.counts, alone.findings)
    assert sum(found.counts.values()) == 2


def test_a_piece_is_a_process_and_one_that_falls_over_is_not_taken_for_a_count() -> None:
    assert told_by(["-m", "tools.fuzz", "--runs", "0"]) == {"counts": [], "findings": []}
    with pytest.raises(RuntimeError, match=r"-m tools.no_such_module: exit 1: .*No module named"):
        told_by(["-m", "tools.no_such_module"])


def test_a_cluster_that_does_not_answer_ends_the_fuzzer(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        fuzz.main(["--dask", "tcp://127.0.0.1:9"])
    assert refused.value.code == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("status", "out", "err", "part"),
    [
        (70, "", "separation: error: a mistake of the program, KeyError: 1\n", "exit 70"),
        (99, "", "KeyError: 1", "exit 99"),
        (2, "", "separation: error: a\nb\n", "not one line"),
        (2, "", "Traceback\n", "not one line"),
        (2, "", "separation: error: \x1b[31m\n", "control character"),
        (0, '{"a": Infinity}', "", "not JSON"),
        (1, "{} {}", "", "not JSON"),
    ],
)
def test_what_must_never_be_is_found(
    status: int, out: str, err: str, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert part in fuzz.wrong(["x", "--json"], status, out, err)
    assert fuzz.wrong(["x", "--json"], 2, "", "separation: error: no\n") == ""
    (tmp_path / ".separation-0").touch()
    assert fuzz.wrong(["x"], 0, "", "") == "a temporary file is left"


def test_a_program_with_a_mistake_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    import separation.verbs.show as show

    monkeypatch.setattr(show, "chosen_construction", lambda *_, **__: {}["a mistake"])
    found = fuzz.Campaign()
    found.note("command line", ["show", "C1"])
    assert "exit 70" in found.findings[0]


def test_changed_files_are_other_files(here: Path) -> None:
    files = Files(here, Random(3))
    changed = [files.command() for _ in range(40)]
    assert {words[0] for words in changed} >= {"check", "prove", "solve"}
    assert set(READERS) == set(files.good)
