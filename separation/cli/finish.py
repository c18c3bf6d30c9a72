"""How every verb ends: a report on standard output, or one line on standard error; and the exit status.

0: what was asked is answered and holds. 1: a claim does not hold. 2: bad input. 130: interrupted.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import typer

from separation.cli.quiet import is_quiet
from separation.files import InputError

if TYPE_CHECKING:
    from rich.console import Console

INTERRUPTED = 130
# What typer raises for a wrong option; its own class has moved between releases, BadParameter has not.
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]


class Report(Protocol):
    """What a verb returns."""

    @property
    def ok(self) -> bool: ...

    def document(self) -> dict[str, Any]: ...


AnyReport = TypeVar("AnyReport", bound=Report)


def finish(report: AnyReport, as_json: bool, show: Callable[[AnyReport, Console], None]) -> NoReturn:
    """Print the report as JSON for a program, or by ``show`` for a person (unless quiet); exit by its ok."""
    if as_json:
        print(json.dumps(report.document(), ensure_ascii=False))
    elif not is_quiet():
        from rich.console import Console

        show(report, Console())
    raise typer.Exit(0 if report.ok else 1)


def print_text(text: str, ok: bool = True) -> NoReturn:
    """Print a document of another kind (LaTeX, Markdown, a schema) unchanged, and exit."""
    print(text, end="" if text.endswith("\n") else "\n")
    raise typer.Exit(0 if ok else 1)


def outcome_of(error: BaseException) -> int:
    """One line about what went wrong, and the exit status; an unforeseen error is raised again."""
    if isinstance(error, USAGE_ERROR):
        return _complain(error.format_message())
    if isinstance(error, InputError):
        return _complain(str(error))
    if isinstance(error, MemoryError):
        return _complain("not enough memory for these sizes")
    if isinstance(error, ArithmeticError):
        print(f"separation: {error}", file=sys.stderr)
        return 1
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        print("separation: stopped", file=sys.stderr)
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        sys.stderr.close()
        return 0
    if isinstance(error, OSError):
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
    raise error


def _complain(message: str) -> int:
    print(f"separation: error: {' '.join(message.split())}", file=sys.stderr)
    return 2
