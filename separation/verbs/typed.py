"""How a parameter of a verb is typed on the command line: said without typer, which is loaded for help and mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(init=False)
class Option:
    """An option, by its parameter's name unless ``flags`` are given."""

    flags: tuple[str, ...]
    help: str
    metavar: str | None
    min: int | None
    max: int | None
    is_argument = False

    def __init__(
        self, *flags: str, help: str, metavar: str | None = None, min: int | None = None, max: int | None = None
    ) -> None:
        self.flags, self.help, self.metavar, self.min, self.max = flags, help, metavar, min, max

    def for_typer(self) -> Any:
        import typer

        make = typer.Argument if self.is_argument else typer.Option
        return make(*self.flags, help=self.help, metavar=self.metavar, min=self.min, max=self.max)


class Argument(Option):
    """A word of the command line that stands by its place."""

    is_argument = True


class Choice:
    """A command that asks ``usual``, or one of the ``others`` in its place.

    Each other one has a name and a pair: the help of a flag of that name, None where it is an option of that name
    that only this function takes; and the function.
    """

    def __init__(self, usual: Callable[..., Any], **others: tuple[str | None, Callable[..., Any]]) -> None:
        self.usual, self.others = usual, others
