from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separation.arithmetic import number_from_json, number_to_json
from separation.arithmetic.numbers import MAX_DIGITS, integer_from_json
from separation.files import InputError

REFUSED: list[Any] = [
    1.0,
    0.5,
    float("nan"),
    True,
    False,
    None,
    [],
    [1],
    {},
    "",
    " 1",
    "1 ",
    "1\n",
    "+1",
    "--1",
    "1.0",
    "1e3",
    "0x10",
    "1_000",
    "1/",
    "/2",
    "1/-2",
    "1/2/3",
    "1/0",
    "0/0",
    "1/000",
    "inf",
    "١٢",
    "１",
    "½",
    "²",
    "9" * 5000,
    "1/" + "9" * 5000,
    "9" * (MAX_DIGITS + 1),
]


@settings(deadline=None, max_examples=300)
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


def test_large_integers_as_json_numbers_would_lose_digits_elsewhere() -> None:
    # Why they are strings: a reader with float64 numbers cannot tell 2^53 + 1 from 2^53.
    assert float(2**53 + 1) == float(2**53)
    assert isinstance(number_to_json(2**53 + 1), str)


@pytest.mark.parametrize(("text", "number"), [("2/4", Fraction(1, 2)), ("-0", 0), ("007", 7), ("9" * MAX_DIGITS, None)])
def test_other_spellings(text: str, number: Fraction | None) -> None:
    assert number_from_json(text, "x") == (10**MAX_DIGITS - 1 if number is None else number)


@pytest.mark.parametrize("value", REFUSED, ids=lambda value: repr(value)[:20])
def test_refusals_name_the_field(value: Any) -> None:
    with pytest.raises(InputError) as caught:
        number_from_json(value, "layers[0].shift")
    text = str(caught.value)
    assert text.startswith("layers[0].shift ")
    assert len(text) < 200
    assert text.isprintable()


def test_python_itself_takes_some_of_the_refused() -> None:
    # The refusals above are this project's, not Fraction's.
    taken = [value for value in ("1.0", "1e3", "+1", " 1", "1_000", "١٢", 0.5, True) if Fraction(value) is not None]
    assert all(value in REFUSED for value in taken)


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
