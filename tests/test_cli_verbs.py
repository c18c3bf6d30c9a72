"""Every verb is one file with its own name, its help has examples that parse, and its end is one of four."""

from __future__ import annotations

import shlex
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

import separation
from separation.files import InputError, NumberTooLarge
from separation.verbs import GROUPS
from separation.verbs.command_line import INTERRUPTED, MISTAKE, outcome_of
from separation.verbs.commands import VERBS, application, command_of
from separation.verbs.report import plain, styled

LOST_WORKER = "the system ended a worker process, for want of memory as a rule; try --workers 1, or smaller sizes"
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]


def examples(text: str) -> list[list[str]]:
    """The arguments of each command of an example, those after `&&` and before `>` apart."""
    found = []
    for command in f"separation {text}".split("&&"):
        words = shlex.split(command.partition(">")[0])
        assert words[0] == "separation", command
        found.append(words[1:])
    return found


def parse(arguments: list[str]) -> None:
    """Read a command line as the program does, and run nothing."""
    verb, *rest = arguments
    group: Any = typer.main.get_command(application([verb]))
    group.commands[verb].make_context(verb, rest)


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_a_file_whose_help_has_examples_that_parse(name: str) -> None:
    module = import_module(f"separation.verbs.{name}")
    helps = {each.name: each.info.help for each in command_of(name).typed}
    assert helps.items() >= getattr(module, "HELPS", {}).items()
    commands = [command for text in module.EXAMPLES for command in examples(text)]
    assert any(command[0] == name for command in commands)
    for command in commands:
        parse(command)


PLAIN = (
    "prove C1 --L 8 --tokens 1048576 --out=c.json", "decide RFFR --L 3 --example --json", "compare RF FR --L 2",
    "solve C1 --L 3 --m 4 --n 4,4", "bound --L 2 --beta 8 --lambda 0,8 --theorem A", "bound --L 2 --beta 8 --lambda 0",
    "fool --word R --L 1 --m 4 --state-bits 6", "show C1 --layer 2 --latex -q", "sweep bound --L 2..4 --word RF,FR",
)  # fmt: skip
NOT_PLAIN = (
    "prove -h", "prove C1 C2", "prove C1 --L", "prove C1 --L three", "prove C1 --L -3", "prove C1 --L 1_0",
    "decide RF FR", "prove C1 --frobnicate", "prove C1 --seconds 1e400", "solve C1 --seed -1", "compare",
    "prove C1 --L 99999999999999999999", "prove C1 --json=1", "prove C1 --out -", "recurrences --no-third-parties",
)  # fmt: skip


@pytest.mark.parametrize("line", PLAIN)
def test_what_is_plainly_typed_is_what_typer_reads(line: str) -> None:
    name, *rest = shlex.split(line)
    group: Any = typer.main.get_command(application([name]))
    typed = command_of(name).plainly_typed(rest)
    if name == "compare":
        assert typed is None  # several words are typer's
        return
    read = group.commands[name].make_context(name, rest).params
    assert typed == read
    assert {key: type(value) for key, value in (typed or {}).items()} == {
        key: type(value) for key, value in read.items()
    }


@pytest.mark.parametrize("line", NOT_PLAIN)
def test_everything_else_is_left_to_typer(line: str) -> None:
    name, *rest = shlex.split(line)
    assert command_of(name).plainly_typed(rest) is None


def test_every_verb_has_a_sentence_and_a_group() -> None:
    assert len(VERBS) == sum(map(len, GROUPS.values()))
    assert all(text.endswith(".") for text in VERBS.values())


def test_a_report_is_json_text_and_html_from_one_description() -> None:
    report = separation.design(layers=4, full=2)
    assert str(report).startswith("RFRF: depth 2, at most 1 R in a row\nWith 2 full and 2 R layers the greatest depth")
    assert report._repr_html_().startswith("<pre>RFRF: depth <span")
    assert next(iter(report.document())) == "ok"
    assert plain({"a": (1, 2**60), "b": Path("x"), "c": None, "d": [report.rows[0].word]}) == {
        "a": [1, "1152921504606846976"], "b": "x", "c": None, "d": ["RFRF"],
    }  # fmt: skip
    assert "a" + styled("bold", "[b]") + "[c]" == r"a[bold]\[b][/bold]\[c]"
    with pytest.raises(TypeError, match="styles would be lost"):
        f"{styled('bold', 'b')}"


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (InputError("m is 1"), 2, "separation: error: m is 1"),
        (MemoryError(), 2, "separation: error: not enough memory for these sizes"),
        (OSError(28, "No space left on device"), 2, "separation: error: No space left on device"),
        (PermissionError(13, "Permission denied", "x.json"), 2, "separation: error: x.json: Permission denied"),
        (NumberTooLarge("a number left its range"), 2, "separation: error: a number left its range"),
        (BrokenProcessPool("x"), 2, f"separation: error: {LOST_WORKER}"),
        (KeyboardInterrupt(), INTERRUPTED, "separation: stopped"),
    ],
)
def test_an_error_is_one_line_and_a_status(
    error: BaseException, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome_of(error) == status
    assert capsys.readouterr().err == f"{line}\n"


@pytest.mark.parametrize("error", [KeyError("a\nmistake"), ZeroDivisionError("of ours"), AssertionError()])
def test_what_nobody_foresaw_is_one_line_with_its_name_and_status_70(
    error: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SEPARATION_DEBUG", raising=False)
    assert outcome_of(error) == MISTAKE == 70
    err = capsys.readouterr().err
    assert err.startswith(f"separation: error: a mistake of the program, {type(error).__name__}: ")
    assert "SEPARATION_DEBUG=1" in err
    assert err.count("\n") == 1
    monkeypatch.setenv("SEPARATION_DEBUG", "1")
    assert outcome_of(error) == MISTAKE
    assert type(error).__name__ in capsys.readouterr().err.splitlines()[-2]
