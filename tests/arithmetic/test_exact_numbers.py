from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separation.arithmetic import number_from_json, number_to_json
from separation.arithmetic.numbers import MAX_DIGITS, integer_from_json
from separation.files import InputError

SPELLING = re.compile(r"-?\d+(?:/\d+)?", re.ASCII)
"""How a number is written as text; what else Python's Fraction takes is refused."""


@settings(max_examples=300)
@given(st.one_of(st.integers(), st.integers(-(2**60), 2**60), st.fractions()))
def test_round_trip(number: Fraction | int) -> None:
    written = json.loads(json.dumps(number_to_json(number)))
    assert number_from_json(written, "x") == number
    assert isinstance(number_from_json(written, "x"), Fraction)
    assert not isinstance(written, float)


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (3, 3),
        (-(2**53), -(2**53)),
        (2**53 + 1, "9007199254740993"),
        (-(2**60), "-1152921504606846976"),
        (Fraction(3, 2), "3/2"),
        (Fraction(-6, 4), "-3/2"),
        (Fraction(8, 4), 2),
        (10**MAX_DIGITS - 1, "9" * MAX_DIGITS),
        (10**MAX_DIGITS, None),
        (Fraction(1, 10**MAX_DIGITS), None),
    ],
)
def test_how_numbers_are_written(number: Fraction | int, written: int | str | None) -> None:
    assert number_to_json(number) == written


def refused(value: Any) -> None:
    with pytest.raises(InputError) as caught:
        number_from_json(value, "layers[0].shift")
    text = str(caught.value)
    assert text.startswith("layers[0].shift ")
    assert len(text) < 200
    assert text.isprintable()


def test_what_is_no_exact_number_is_refused_by_its_field() -> None:
    for value in (1.0, 0.5, float("nan"), True, False, None, [], [1], {}):
        refused(value)
    for text in ("1.0", "1e3", "+1", " 1", "1\n", "1_000", "١٢", "１", "½", "²", "1/0", "0/0", "9" * (MAX_DIGITS + 1)):
        refused(text)
    assert Fraction("1_000") == Fraction(" 1000") == 1000, "Python itself takes some of them"
    assert number_from_json("9" * MAX_DIGITS, "x") == 10**MAX_DIGITS - 1


@settings(max_examples=400)
@given(st.text("0012/-+._eEx ١½\n", max_size=5))
def test_any_text_is_a_number_in_its_one_spelling_or_refused(text: str) -> None:
    top, _, below = text.partition("/")
    if SPELLING.fullmatch(text) and int(below or 1):
        assert number_from_json(text, "x") == Fraction(int(top), int(below or 1))
    else:
        refused(text)


@pytest.mark.parametrize("value", [-1, "1/2", 8, "8", "99999999999999999999"])
def test_integers_outside_their_range(value: Any) -> None:
    with pytest.raises(InputError, match=r"^precision\.P must be an integer in 0\.\.7, got "):
        integer_from_json(value, "precision.P", most=7)


def test_integers() -> None:
    assert integer_from_json("7", "x", most=7) == 7
    assert integer_from_json("14/2", "x", most=7) == 7
    assert integer_from_json(10**30, "x") == 10**30
    with pytest.raises(InputError, match=r"^x must be an integer >= 1, got 0$"):
        integer_from_json(0, "x", least=1)
