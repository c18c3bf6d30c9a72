"""The block of docs/mutation.md says what its own numbers say, at least 90 % everywhere, and a false block is noticed.

Whether the sources have changed since is not asked here: every edit would fail a test that takes an hour to mend.
`python -m tools.mutation TARGET --status` says it.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path

import pytest

from tools.mutation.report import BEGIN, END, LEAST, Row, rate, read_rows, row, with_row
from tools.mutation.targets import TARGETS

DOCUMENT = (Path(__file__).parent.parent.parent / "docs" / "mutation.md").read_text()
ROWS = {item.target: item for item in read_rows(DOCUMENT)}
EMPTY = f"before\n{BEGIN}\n| a |\n|---|\n{END}\nafter\n"


def example() -> Row:
    outcomes = Counter({"killed": 270, "timed out": 5, "survived": 20, "not covered": 5, "invalid": 3})
    return row("bounds", 8000, 700, outcomes, "0", "mutmut 3.8.0", "0123456789ab")


def test_the_rows_are_those_of_targets() -> None:
    assert set(ROWS) <= set(TARGETS)
    assert {"bounds", "proving"} <= set(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_the_docs(name: str) -> None:
    assert ROWS[name].consistent()
    assert ROWS[name].rate >= LEAST
    assert ROWS[name].tool.startswith("mutmut 3.")
    assert len(bytes.fromhex(ROWS[name].source)) == 6
    assert ROWS[name].run == ROWS[name].mutants if name == "kernel" else ROWS[name].run >= 290


def test_a_row_is_written_and_read() -> None:
    text = with_row(EMPTY, example())
    assert read_rows(text) == [example()]
    assert text.startswith("before\n")
    assert text.endswith(f"{END}\nafter\n")
    other = dataclasses.replace(example(), target="proving")
    assert read_rows(with_row(with_row(text, other), example())) == [example(), other]
    assert example().run == 300
    assert example().rate == 91.6  # 275/300, rounded down


@pytest.mark.parametrize(
    ("field", "value"),
    [("killed", 271), ("rate", 91.7), ("run", 301), ("mutants", 299), ("beyond", 8001), ("survived", 19)],
)
def test_numbers_that_disagree_are_noticed(field: str, value: float) -> None:
    assert example().consistent()
    assert not dataclasses.replace(example(), **{field: value}).consistent()


def test_what_is_no_block() -> None:
    with pytest.raises(ValueError, match="no block"):
        read_rows("nothing")
    with pytest.raises(ValueError, match=r"not a row of mutation results: \| a \|"):
        read_rows(EMPTY.replace(END, f"| a |\n{END}"))


def test_a_rate_is_never_rounded_up() -> None:
    assert (rate(8999, 10000), rate(9, 10), rate(1, 3)) == (89.9, 90.0, 33.3)
