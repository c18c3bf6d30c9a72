"""What every verb does at its ends: lists of numbers in, a report out."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer

from separation.files import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console


def numbers(text: str | None, option: str = "--n") -> list[int] | None:
    """'8,8' → [8, 8]; '' → []."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isascii() and part.lstrip("-").isdigit() and len(part) <= 4000 for part in parts):
        raise InputError(f"{option} is {text[:40]!r}; a list of integers like 8,8 is needed")
    return [int(part) for part in parts]


def refuse_given(what: str, options: dict[str, Any]) -> None:
    """Options that contradict another one are named, not ignored."""
    given = [f"--{name}" for name, value in options.items() if value is not None]
    if given:
        raise InputError(f"{what} does not go with {', '.join(given)}")


def required(name: str, value: int | None) -> int:
    if value is None:
        raise InputError(f"--{name} is missing")
    return value


def finish(report: Any, as_json: bool, show: str) -> None:
    """Print the report for a program, or by ``show`` (module.function of the display) for a person; exit by its ok."""
    if as_json:
        print(json.dumps(report.document(), ensure_ascii=False))
    else:
        from rich.console import Console

        module, _, function = show.partition(".")
        printer: Callable[[Any, Console], None] = getattr(import_module(f"separation.display.{module}"), function)
        printer(report, Console())
    raise typer.Exit(0 if report.ok else 1)
