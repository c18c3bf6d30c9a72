"""How every verb ends: a report on standard output, or one line on standard error; and the exit status.

0: what was asked is answered and holds. 1: a claim does not hold. 2: bad input, or a system that does not give what is
needed (a full disk, too little memory, a package that does not load). 70: a mistake of the program. 130: interrupted.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import typer

from separation.cli.quiet import is_quiet
from separation.escaping import terminal
from separation.files import InputError, NumberTooLarge, json_text

if TYPE_CHECKING:
    from rich.console import Console

REFUSED = 2
MISTAKE = 70
INTERRUPTED = 130
DEBUG = "SEPARATION_DEBUG"
LONGEST_TEXT = 400
# What typer raises for a wrong option; its own class has moved between releases, BadParameter has not.
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]
OURS = ("separation", "constructions", "proofs_checks", "tools")


class Report(Protocol):
    """What a verb returns."""

    @property
    def ok(self) -> bool: ...

    def document(self) -> dict[str, Any]: ...


AnyReport = TypeVar("AnyReport", bound=Report)


def finish(report: AnyReport, as_json: bool, show: Callable[[AnyReport, Console], None]) -> NoReturn:
    """Print the report as JSON for a program, or by ``show`` for a person (unless quiet); exit by its ok."""
    with _to_standard_output():
        if as_json:
            print(json_text(report.document(), readable=True))
        elif not is_quiet():
            show(report, _console())
    raise typer.Exit(0 if report.ok else 1)


def print_text(text: str, ok: bool = True) -> NoReturn:
    """Print a document of another kind (LaTeX, Markdown, a schema) unchanged, and exit."""
    with _to_standard_output():
        print(text, end="" if text.endswith("\n") else "\n")
    raise typer.Exit(0 if ok else 1)


@contextlib.contextmanager
def _to_standard_output() -> Iterator[None]:
    """What is printed inside is written in the end. A reader who has seen enough is no error; a full device is.

    A letter that the reader's encoding does not have is written as an escape, which is right in JSON as well.
    """
    with contextlib.suppress(AttributeError, ValueError):  # a stand-in for standard output
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        if error.filename is not None:
            raise
        discard_output()
        raise InputError(f"cannot write to standard output: {error.strerror or error}") from None


def discard_output() -> None:
    """Whatever is left in the buffer of standard output goes nowhere: the interpreter would complain at its end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _console() -> Console:
    from rich.console import Console

    class Plain(Console):
        """rich would end the program with status 1 when its reader goes away."""

        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

    return Plain(emoji=False)  # names from files may have colons


def outcome_of(error: BaseException, as_json: bool = False) -> int:
    """One line about what went wrong, and the exit status; nothing is raised again.

    where ``as_json``: a number too large is the model's own fault, and a program that asked for JSON is told in JSON.
    """
    if isinstance(error, SystemExit):
        return _status_of(error)
    if isinstance(error, typer.Exit):
        return error.exit_code
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return _say("separation: stopped", INTERRUPTED)
    if isinstance(error, BrokenPipeError):
        discard_output()
        return 0
    text = _foreseen(error)
    if text is None:
        return _mistake(error)
    if as_json and isinstance(error, NumberTooLarge):
        print(json_text({"ok": False, "error": text}, readable=True))
    _show_traceback(error)
    return _complain(text)


def _status_of(error: SystemExit) -> int:
    """Of a signal, or of a library that ends the program itself; rich does so when its reader goes away."""
    if isinstance(error.__context__, BrokenPipeError):
        discard_output()
        return 0
    return error.code if isinstance(error.code, int) else 0 if error.code is None else REFUSED


def _foreseen(error: BaseException) -> str | None:
    """The text for what may happen to any verb; None for a mistake of the program."""
    if isinstance(error, USAGE_ERROR):
        return str(error.format_message())
    if isinstance(error, InputError | NumberTooLarge):
        return str(error)
    if isinstance(error, MemoryError):
        return "not enough memory for these sizes"
    if type(error).__name__ == "BrokenProcessPool":
        return "the system ended a worker process, for want of memory as a rule; try --workers 1, or smaller sizes"
    package = _package_that_does_not_load(error)
    if package is not None:
        return f"{package} is installed but cannot be imported: {_first_line(error)}"
    if isinstance(error, OSError):
        reason = error.strerror or str(error) or type(error).__name__
        return f"{os.fsdecode(error.filename)}: {reason}" if isinstance(error.filename, str | bytes) else reason
    return None


def _package_that_does_not_load(error: BaseException) -> str | None:
    """The first package of others in whose import the error arose: a module's own lines were being run."""
    place = error.__traceback__
    while place is not None:
        frame = place.tb_frame
        top = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if frame.f_code.co_name == "<module>" and top not in (*OURS, "__main__", "", *sys.stdlib_module_names):
            return top
        place = place.tb_next
    return None


def _mistake(error: BaseException) -> int:
    shown = os.environ.get(DEBUG) == "1"
    _show_traceback(error)
    hint = "please report it with the command and the traceback" + ("" if shown else f" that {DEBUG}=1 shows")
    text = f"a mistake of the program, {type(error).__name__}: {_first_line(error)}; {hint}"
    return _say(f"separation: error: {text}", MISTAKE)


def _show_traceback(error: BaseException) -> None:
    if os.environ.get(DEBUG) == "1":
        import traceback

        traceback.print_exception(error)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or ["no more is known"]
    return lines[0][:LONGEST_TEXT]


def _complain(message: str) -> int:
    return _say(f"separation: error: {terminal(' '.join(message.split()))}", REFUSED)


def _say(line: str, status: int) -> int:
    """One line on standard error; where that is full or closed, the status says it alone."""
    with contextlib.suppress(OSError, ValueError):
        print(terminal(line), file=sys.stderr, flush=True)
    return status
