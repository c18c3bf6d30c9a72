"""The story cites statements that are in the book, and every symbol of its last table is used before it."""

from __future__ import annotations

import re

from proofs_checks import all_statements
from tools.docs.figures import ROOT

THEORY = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
CITED = re.compile(r"(?<![\w.^{])(?:(?:[DSRCMLTP]|CPW)\d*(?:\.[A-Za-z0-9]+)+|[DSC]\d|M[12])(?![\w·_(])")
MUST = ("D1", "D2", "S1", "S2", "C1", "C2", "M1", "M2", "L1", "L2", "L3", "L4", "L5", "L6", "L7", "T.A", "T.B", "T.C")


def unknown(text: str) -> set[str]:
    return {*CITED.findall(text)} - {own.id for own in all_statements()}


def test_statements_that_the_story_cites_are_in_the_book() -> None:
    text = re.sub(r"^ {4}.*$|D_\d", "", THEORY, flags=re.MULTILINE)
    assert unknown(text) == set()
    assert unknown(f"{text} (T.nothing) (S9)") == {"T.nothing", "S9"}


def test_the_steps_of_the_proof_are_cited() -> None:
    assert [id for id in MUST if not re.search(rf"(?<![\w.]){re.escape(id)}(?![\w.]\w)", THEORY)] == []


def test_sections_come_in_order_and_symbols_are_used_before_they_are_listed() -> None:
    numbers = [int(number) for number in re.findall(r"^## (\d+)\.", THEORY, flags=re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    story, _, last = THEORY.partition("## Symbols")
    listed = [cell for row in re.findall(r"^\| ([^|]+) \|", last, flags=re.MULTILINE)[1:] for cell in row.split(", ")]
    symbols = [symbol.split(" ")[0] for symbol in listed if not symbol.startswith("-")]
    assert len(symbols) > 25
    assert [symbol for symbol in symbols if symbol not in story] == []
