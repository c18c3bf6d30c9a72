"""How a parameter of a verb is typed on the command line: said without typer, which is loaded for help and mistakes."""

from __future__ import annotations

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
