from __future__ import annotations

import numpy as np
import pytest
from funccomp_cases import quick
from hypothesis import given
from hypothesis import strategies as st

from separation.files import InputError
from separation.tasks.checks import require_integer, shown


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (True, 0, 9, "k is True; an integer is needed"),
        (1.0, 0, 9, "k is 1.0; an integer is needed"),
        ("1", 0, 9, "k is '1'; an integer is needed"),
        (None, 0, 9, "k is None; an integer is needed"),
        (-1, 0, 9, "k is -1; allowed are 0..9"),
        (10, 0, 9, "k is 10; allowed are 0..9"),
        (1, 2, None, "k is 1; allowed are 2 and above"),
        pytest.param(10**5000, 0, 9, "k is an integer of 16610 bits; allowed are 0..9", id="huge"),
    ],
)
def test_refusals(value: object, low: int, high: int | None, text: str) -> None:
    with pytest.raises(InputError) as caught:
        require_integer("k", value, low, high)
    assert str(caught.value) == text


def test_numpy_integers_are_no_ints() -> None:
    with pytest.raises(InputError, match="an integer is needed"):
        require_integer("k", np.int64(3), 0, 9)


@quick
@given(st.integers())
def test_any_integer_without_upper_end(value: int) -> None:
    assert require_integer("k", abs(value), 0) == abs(value)


@quick
@given(st.one_of(st.integers(), st.text(), st.binary(), st.lists(st.text()), st.floats()))
def test_shown_is_one_short_line(value: object) -> None:
    assert "\n" not in shown(value)
    assert len(shown(value)) < 250


def test_shown_copes_with_odd_things() -> None:
    assert "\n" not in shown(np.zeros((30, 30)))
    assert shown([10**5000]) == "a list"
