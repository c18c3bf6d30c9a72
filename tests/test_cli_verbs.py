"""Every verb is two files with its own name, its help has examples that parse, and its end is one of four."""

from __future__ import annotations

import importlib
import re
import shlex
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest
import typer
from rich.console import Console

from separation.cli.finish import INTERRUPTED, MISTAKE, USAGE_ERROR, finish, outcome_of
from separation.cli.main import GROUPS, _application
from separation.cli.options import OPTIONS, Gathered, gathers
from separation.files import InputError, NumberTooLarge

LOST_WORKER = "the system ended a worker process, for want of memory as a rule; try --workers 1, or smaller sizes"
VERBS = {verb.__name__: verb for verbs in GROUPS.values() for verb in verbs}


def examples(text: str) -> list[list[str]]:
    """The arguments of each example in a docstring, those after `&&` and before `>` apart."""
    found = []
    for line in re.findall(r"Example: (.*(?:\n    \S.*)*)", text):
        for command in line.split("&&"):
            words = shlex.split(command.partition(">")[0])
            assert words[0] == "separation", command
            found.append(words[1:])
    return found


def parse(arguments: list[str]) -> None:
    """Read a command line as the program does, and run nothing."""
    group: Any = typer.main.get_command(_application())
    verb, *rest = arguments
    group.commands[verb].make_context(verb, rest)


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_two_files_with_its_own_name(name: str) -> None:
    assert VERBS[name].__module__ == f"separation.cli.{name}"
    assert importlib.import_module(f"separation.verbs.{name}")


@pytest.mark.parametrize("name", VERBS)
def test_every_help_has_an_example_of_its_verb_and_all_of_them_parse(name: str) -> None:
    commands = examples(VERBS[name].__doc__ or "")
    assert any(command[0] == name for command in commands)
    for command in commands:
        parse(command)


def test_an_example_with_a_wrong_option_would_be_noticed() -> None:
    for command in ("separation prove C1 --frobnicate", "separation prove C1 --L three", "separation decide RF"):
        with pytest.raises(USAGE_ERROR):
            parse(*examples(f"Example: {command}"))


def test_options_are_gathered_in_one_dict_with_the_help_of_the_verb() -> None:
    got: list[Gathered] = []

    @gathers("sizes", "m n opened", m="Another help.")
    def verb(*, sizes: Gathered) -> None:
        got.append(sizes)

    app = typer.Typer(add_completion=False)
    app.command()(verb)
    command: Any = typer.main.get_command(app)
    assert [option.opts for option in command.params] == [["--m"], ["--n"], ["--open"]]
    assert [option.help for option in command.params] == ["Another help.", OPTIONS["n"][1], OPTIONS["opened"][1]]
    command.main(["--n", "4,5", "--open", "2"], standalone_mode=False)
    assert got == [{"m": None, "n": [4, 5], "opened": 2}]
    with pytest.raises(InputError, match="--n is 'four'"):
        command.main(["--n", "four"], standalone_mode=False)


@pytest.mark.parametrize(("parameter", "helps"), [("size", {}), ("sizes", {"L": "Not an option of this verb."})])
def test_a_misspelled_parameter_or_help_is_noticed_at_once(parameter: str, helps: dict[str, str]) -> None:
    def verb(*, sizes: Gathered) -> None: ...

    with pytest.raises(TypeError, match="verb has no parameter"):
        gathers(parameter, "m n", **helps)(verb)


class Report:
    def __init__(self, ok: bool) -> None:
        self.ok = ok

    def document(self) -> dict[str, Any]:
        return {"ok": self.ok}


@pytest.mark.parametrize("ok", [True, False])
def test_a_report_is_one_json_document_or_its_table_and_its_ok_is_the_status(
    ok: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    def show(report: Report, console: Console) -> None:
        console.print(f"table {report.ok}")

    for as_json, text in ((True, f'{{"ok": {str(ok).lower()}}}\n'), (False, f"table {ok}\n")):
        with pytest.raises(typer.Exit) as end:
            finish(Report(ok), as_json, show)
        assert end.value.exit_code == (0 if ok else 1)
        assert capsys.readouterr().out == text


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
