"""The book keeps to its rules, and every rule finds a book that does not."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from book_rules import RULES, Book, lines_that_type_a_status, the_book

from proofs_checks.kit.descriptions import LONGEST, describe, describe_difference
from proofs_checks.kit.statement import Hypothesis

BOOK = the_book()
SMALL = replace(
    BOOK,
    statements=tuple(own for own in BOOK.statements if own.id in ("S1", "S2", "S3", "S4")),
    sources={
        f"{name}.py": BOOK.sources[f"{name}.py"] for name in ("s1", "s2", "s3", "descriptions", "statement", "verdict")
    },
)
"""Four statements that keep to every rule: what is wrong with a broken book below is the one thing that was changed."""

EVEN = Hypothesis("n is even", lambda n: n % 2 == 0, outside=3)


def with_second(**changes: Any) -> Book:
    """The second of the four statements changed."""
    first, second, *others = SMALL.statements
    return replace(SMALL, statements=(first, replace(second, **changes), *others))


def second(field: str) -> Any:
    return getattr(SMALL.statements[1], field)


def with_source(path: str, source: str) -> Book:
    return replace(SMALL, sources={**SMALL.sources, path: source})


FIRST = SMALL.statements[0]
AFTER_IMPORT = "from proofs_checks.kit.statement import Status\n"
BROKEN: dict[str, list[Book]] = {
    "without_a_twin": [with_second(twins={})],
    "without_a_hypothesis": [with_second(hypotheses=())],
    "one_hypothesis_twice": [
        with_second(hypotheses=(EVEN, replace(EVEN, text="2 divides n", outside=7)), witness=2),
    ],
    "text_missing": [
        *(with_second(**{field: " "}) for field in ("id", "title", "latex", "english")),
        with_second(hypotheses=(replace(EVEN, text=""),), witness=2),
    ],
    "text_repeated": [with_second(**{field: getattr(FIRST, field)}) for field in ("id", "title", "latex", "english")],
    "more_than_a_line": [with_second(**{field: "two\nlines"}) for field in ("title", "latex", "english")],
    "latex_braces_open": [with_second(latex=text) for text in ("{", "}{", r"\{}", r"a_{b")],
    "status_typed_outside_a_check": [
        with_source("x.py", f"{AFTER_IMPORT}KNOWN = Status.COQ\n"),
        with_source("x.py", f"{AFTER_IMPORT}CHECK = lambda subject: Checked(Status.COQ, 'm', 's')\n"),
        with_source("x.py", f"{AFTER_IMPORT}def best() -> Status:\n    return Status['COQ']\n"),
        with_source("x.py", "from proofs_checks import Status as S\ndef best():\n    return S.COQ\n"),
        with_source("x.py", "import proofs_checks.kit.statement as book\nKNOWN = book.Status(book.WORDS)\n"),
        with_source("formulas/x.py", "KNOWN = {'T.A': 'proved in Coq'}\n"),
        with_source("x.py", f"{AFTER_IMPORT}class Known:\n    status = Status.COQ\n"),
    ],
    "hand_not_named": [
        with_second(check=replace(second("check"), by_hand={})),
        with_second(check=replace(second("check"), by_hand={}), twins={}),
    ],
    "not_explained": [
        with_source("s1.py", BOOK.sources["s1.py"].replace(ast.get_docstring(ast.parse(BOOK.sources["s1.py"])), "S1.")),
        with_source("s1.py", "STATEMENT = Statement()\n"),
        with_second(explanation=""),
    ],
}


def test_the_book_keeps_the_rules() -> None:
    assert {name: faults for name, rule in RULES.items() if (faults := rule(BOOK))} == {}


def test_a_broken_book_is_found() -> None:
    assert set(BROKEN) == set(RULES)
    for name, rule in RULES.items():
        assert rule(SMALL) == []
        assert BROKEN[name]
        assert all(rule(book) for book in BROKEN[name]), name


def test_a_check_may_name_its_status_and_other_lines_are_named() -> None:
    for source in (
        f"{AFTER_IMPORT}def check(subject):\n    return Checked(Status.COQ, 'm', 's')\n",
        f"{AFTER_IMPORT}def check_all(subject):\n    def inner():\n        return Status.COQ\n",
        f"{AFTER_IMPORT}def summary(subject) -> Checked:\n    return Checked(Status.COQ, 'm', 's')\n",
        "'''proved in Coq, says this docstring'''\n",
    ):
        assert lines_that_type_a_status("x.py", source) == []
    assert lines_that_type_a_status("x.py", f"{AFTER_IMPORT}\nA = 1\nKNOWN = Status.COQ\n") == [4]


def test_what_a_hypothesis_excludes_is_described() -> None:
    """Two things that are excluded are told apart by their words, and from the witness."""
    for own in BOOK.statements:
        texts = [describe(own.witness), *(describe(each.outside) for each in own.hypotheses)]
        assert all(0 < len(text) <= LONGEST and "0x" not in text for text in texts), own.id
        assert len(set(texts)) == len(texts), own.id
        assert all(describe_difference(own.witness, each.outside) for each in own.hypotheses), own.id
