"""The generated blocks of README.md and docs/*.md: `python -m tools.docs` writes them, `--check` compares only.

A block stands between `<!-- generated: NAME -->` and `<!-- /generated -->`. A number on a page is in a block, or a test
computes it.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

END = "<!-- /generated -->\n"


class PageError(Exception):
    """A page lacks a block, or what a block would say does not hold."""


@dataclass(frozen=True)
class Block:
    """A named part of a page, and the function that computes it; ``slow``: it takes a minute or so."""

    page: str
    name: str
    text: Callable[[], str]
    slow: bool = False

    def span(self, page: str) -> tuple[int, int]:
        """Where the text between the two markers starts and ends."""
        marker = f"<!-- generated: {self.name} -->\n"
        if page.count(marker) != 1:
            raise PageError(f"{self.page} has {page.count(marker)} markers 'generated: {self.name}'; one is needed")
        start = page.index(marker) + len(marker)
        end = page.find(END, start)
        if end < 0 or "<!-- generated:" in page[start:end]:
            raise PageError(f"{self.page}: the block '{self.name}' does not end")
        return start, end

    def rewritten(self, page: str) -> str:
        start, end = self.span(page)
        return page[:start] + self.text().strip("\n") + "\n" + page[end:]


BLOCKS: list[Block] = []


def block(page: str, name: str, slow: bool = False) -> Callable[[Callable[[], str]], Callable[[], str]]:
    def register(text: Callable[[], str]) -> Callable[[], str]:
        BLOCKS.append(Block(page, name, text, slow))
        return text

    return register


def table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    names = [str(name) for name in head]
    lines = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def number(value: Any) -> str:
    """1398102 is 1,398,102 and 2**20 is 2^20.

    >>> number(1398102), number(2**20), number(Fraction(1, 2**24)), number((2, 3)), number(1e-5), number(None)
    ('1,398,102', '2^20', '2^-24', '2, 3', '1e-05', 'none')
    """
    if value is None:
        return "none"
    if isinstance(value, tuple | list | range):
        return ", ".join(map(number, value))
    if isinstance(value, Fraction) and value.numerator == 1:
        return (
            f"2^-{value.denominator.bit_length() - 1}"
            if not value.denominator & (value.denominator - 1)
            else f"{value}"
        )
    if isinstance(value, int):
        return f"2^{value.bit_length() - 1}" if value >= 1 << 14 and not value & (value - 1) else f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def printed(words: Sequence[str], status: int = 0) -> str:
    """What a command prints for people, without blanks at the ends of lines."""
    from separation.verbs.command_line import run

    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        found = run(list(words))
    if found != status:
        raise PageError(f"separation {' '.join(words)}: exits with {found}")
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def fenced(text: str) -> str:
    return f"```\n{text.strip(chr(10))}\n```"
