"""The proof book: every statement holds, has twins that are rejected, and is stated in the docs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_checks import FILES, CheckFailed, Statement, Status, statements, table_of
from separation.pages import parts_of

ROOT = Path(__file__).parent.parent.parent
(BLOCK,) = (part for part in parts_of("README.md") if part.name == "statements")
README = (ROOT / "README.md").read_text()
TABLE = README[slice(*BLOCK.spans(README)[0])].splitlines()
BOOK = {statement.id: statement for statement in statements()}


@pytest.mark.parametrize("statement", BOOK.values(), ids=BOOK)
def test_a_statement_holds_and_its_twins_are_rejected(statement: Statement) -> None:
    checked = statement.run()
    assert isinstance(checked.status, Status)
    assert checked.method
    # The README says what the check says.
    assert table_of([(statement.id, statement.title, checked.status.value, checked.scope)]).splitlines()[-1] in TABLE


def test_every_statement_has_a_twin_a_title_and_a_place_in_the_docs() -> None:
    headings = re.findall(r"^## (\S+) — ", (ROOT / "docs" / "theory.md").read_text(), flags=re.MULTILINE)
    assert headings == list(BOOK)
    for statement in BOOK.values():
        assert statement.twins, statement.id
        assert statement.title
        assert statement.latex
        assert statement.english


def test_every_file_of_the_book_is_listed() -> None:
    folder = ROOT / "proofs_checks"
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "statement", "integers", "book"}
    assert files == set(FILES)


def test_statements_rest_on_earlier_ones() -> None:
    seen: set[str] = set()
    for statement in BOOK.values():
        assert {*statement.rests_on, *statement.speaks_of} <= seen, statement.id
        seen.add(statement.id)


def test_a_twin_that_passes_fails_the_statement() -> None:
    lenient = replace(BOOK["S4"], twins={"the statement itself": BOOK["S4"].subject})
    with pytest.raises(CheckFailed, match="was not rejected"):
        lenient.run()


def test_a_false_subject_fails_the_statement() -> None:
    false = replace(BOOK["S2"], subject=next(iter(BOOK["S2"].twins.values())))
    with pytest.raises(CheckFailed):
        false.run()


def test_the_readme_has_a_row_for_each_statement() -> None:
    assert [row.split(" | ")[0].removeprefix("| ") for row in TABLE[2:]] == list(BOOK)
    assert TABLE[:2] == table_of([]).splitlines()
