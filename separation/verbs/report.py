"""What reports share: a verb says what it found (`facts`) and what people read (`parts`); JSON, text and HTML follow.

Text is shown as it is: nothing in it is read as markup, and everything can be seen; only `Markup` has styles. rich is
loaded when something is shown.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar, dataclass_transform

from separation.arithmetic.numbers import number_to_json
from separation.counting import count as count
from separation.escaping import markup

if TYPE_CHECKING:
    from rich.console import Console as Console  # for all verbs, of which none loads rich to be imported
    from rich.table import Table as Table
    from rich.text import Text
else:
    Console = Table = Any

MARKS: dict[bool | None, str] = {True: "✓", False: "✗", None: "–"}
COLOURS = {"✓": "green", "✗": "red"}
LONGEST_LIST = 64
COLUMNS = 80
Parts: TypeAlias = Iterator[Any]
"""What people read, in its order: lines, tables, and None for what is left out."""
Given = ParamSpec("Given")
Found = TypeVar("Found", bound="Report")


class Markup(str):
    """A line or a cell in rich's markup; what is added to it is text."""

    def __add__(self, other: str) -> Markup:
        return Markup(str(self) + as_markup(other))

    def __radd__(self, other: str) -> Markup:
        return Markup(as_markup(other) + str(self))

    def __format__(self, _how: str) -> str:
        raise TypeError("in an f-string styles would be lost: texts are added to a Markup")


class Unbroken(str):
    """A line that is never broken: it may name a path."""


class Verbatim(str):
    """Text as it is, such as LaTeX, in which nothing is escaped."""


def as_markup(text: str) -> str:
    """Text so that rich shows it as it is, but for line breaks around it."""
    if isinstance(text, Markup):
        return str(text)
    inside = text.strip("\n")
    before, _, after = text.partition(inside) if inside else (text, "", "")
    return f"{before}{markup(inside)}{after}"


def styled(style: str, text: object) -> Markup:
    """In bold, dim or a colour."""
    return Markup(f"[{style}]{markup(text)}[/{style}]")


def lines(texts: Iterable[object]) -> Markup:
    """A cell of several lines."""
    return Markup("\n".join(map(markup, texts)))


def as_text(text: str) -> Text:
    """What rich shows; marks have their colours."""
    from rich.text import Text

    shown = Text.from_markup(as_markup(text), emoji=False)
    for mark, colour in COLOURS.items():
        shown.highlight_regex(mark, colour)
    return shown


@dataclass_transform(frozen_default=True)
class Report:
    """What a verb returns, a frozen dataclass: ``ok`` if what was asked holds; then the command line ends with 0.

    ``print(report)`` is the text of the command line, a notebook shows it with its colours, and `document()` is JSON.
    """

    seconds = 0.0
    """How long the verb took, if it is `timed`."""
    wraps = False
    """Are lines broken between words for a program too, at 80 columns?"""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, repr=False)(cls)

    def __repr__(self) -> str:
        """One line; all of it is in `print(report)`."""
        lines = [" ".join(line.split()) for line in str(self).splitlines() if line.strip()]
        return (
            f"<{type(self).__name__}, {'ok' if self.ok else 'not ok'}: {shortened(lines[0] if lines else '', COLUMNS)}>"
        )

    @property
    def ok(self) -> bool:
        """Nothing that it holds, and no row of it, says that it is not."""
        held = (value if isinstance(value, tuple | list) else (value,) for value in vars(self).values())
        return all(getattr(each, "ok", True) for some in held for each in some)

    def facts(self) -> Mapping[str, Any]:
        """What was found, by the keys of the JSON document: its fields, with values of any type that `plain` knows."""
        return vars(self)

    def parts(self) -> Parts:
        """What a person reads, line by line and table by table."""
        raise NotImplementedError

    def show(self, console: Console) -> None:
        for part in self.parts():
            if isinstance(part, Verbatim):
                console.out(part, highlight=False)
            elif isinstance(part, str):
                shown = console.highlighter(as_text(part))
                whole = isinstance(part, Unbroken) or not (console.is_terminal or self.wraps)
                console.print(shown, soft_wrap=whole)
            elif part is not None:
                console.print(part)

    def document(self) -> dict[str, Any]:
        """The JSON of the command line: `ok`, what was found, and `seconds` where they were measured."""
        took = {"seconds": self.seconds} if "seconds" in vars(self) else {}
        return {name: plain(value) for name, value in {"ok": self.ok, **self.facts(), **took}.items()}

    def __str__(self) -> str:
        """The text of the command line, 80 columns wide."""
        return self._shown().file.getvalue()  # type: ignore[attr-defined,no-any-return]

    def _repr_html_(self) -> str:
        """The same for a notebook, with its colours."""
        return self._shown(record=True).export_html(inline_styles=True, code_format="<pre>{code}</pre>")

    def _shown(self, record: bool = False) -> Console:
        from rich.console import Console

        # Without force_jupyter it would show itself in a notebook.
        console = Console(file=io.StringIO(), width=COLUMNS, emoji=False, record=record, force_jupyter=False)
        self.show(console)
        return console


def timed(verb: Callable[Given, Found]) -> Callable[Given, Found]:
    """A verb whose report knows its ``seconds``."""

    @wraps(verb)
    def measured(*args: Given.args, **options: Given.kwargs) -> Found:
        start = time.perf_counter()
        report = verb(*args, **options)
        object.__setattr__(report, "seconds", time.perf_counter() - start)  # reports are frozen
        return report

    return measured


def written(what: str, path: Path | str | None) -> Unbroken | None:
    """Where something was written, if it was."""
    return None if path is None else Unbroken(f"{what} written to {path}")


def marked(holds: bool | None, text: object) -> Unbroken:
    """A line with its mark: ✓ it holds, ✗ it does not."""
    return Unbroken(f"{MARKS[holds]} {text}")


def plain(value: Any) -> Any:
    """A value as JSON has it: exact numbers by `number_to_json`, paths and words as text, reports by their document."""
    if value is None or isinstance(value, bool | str | float):
        return value
    if isinstance(value, int | Fraction):
        return number_to_json(value)
    if hasattr(value, "document"):
        return value.document()
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if is_dataclass(value) and type(value).__str__ is object.__str__:
        return plain(vars(value))
    return str(value)


def named(value: Any, *names: str) -> dict[str, Any]:
    """What it has under these names, which are the keys of the JSON document too."""
    return {name: getattr(value, name) for name in names}


def facts_table(rows: Iterable[tuple[str, Any]] = ()) -> Table:
    """name  value, a line each; what has no value, None, is left out."""
    table = _table(("", ""), [row for row in rows if row[1] is not None], show_header=False, box=None)
    table.columns[0].style, table.columns[0].no_wrap = "bold", True
    return table


def table_of(*columns: str, right_from: int | None = None, rows: Iterable[Sequence[Any]] = ()) -> Table:
    """A table with a rule below its header; columns from ``right_from`` on are right-justified."""
    return _table(columns, rows, right_from, show_edge=False, header_style="bold")


def plain_table(*columns: str, rows: Iterable[Sequence[Any]] = ()) -> Table:
    """A table without rules."""
    return _table(columns, rows, header_style="dim", box=None, padding=(0, 2, 0, 0))


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]], right_from: int | None = None, **style: Any) -> Table:
    from rich.table import Table

    table = Table(pad_edge=False, **style)
    for index, column in enumerate(columns):
        right = right_from is not None and index >= right_from
        table.add_column(as_text(column), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(cell, row))
    return table


def cell(value: Any) -> Text:
    """Text as it is; 1,234; ✓ or ✗; – for None."""
    if value is None or isinstance(value, bool):
        return as_text(MARKS[value])
    return as_text(value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else str(value))


def listed(values: Sequence[int]) -> str:
    """The first numbers of a list that may be long."""
    text = " ".join(map(str, values[:LONGEST_LIST]))
    return text if len(values) <= LONGEST_LIST else f"{text} … ({len(values)} in all)"


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
