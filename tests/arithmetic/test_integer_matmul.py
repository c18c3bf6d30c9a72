from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from exact_oracles import python_product, same_integers
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as array_shapes

from separation.arithmetic import integer_matmul
from separation.arithmetic.matrices import largest, narrow, widen


def integers(bits: int) -> st.SearchStrategy[int]:
    return st.integers(-(2**bits), 2**bits)


# The sum of a row of the left factor, times 1: each side of the borders between float64, int64 and big integers.
borders = st.builds(lambda border, offset: border + offset, st.sampled_from([2**53, 2**62, 2**63, 2**64]), integers(3))


@settings(max_examples=150)
@given(borders, st.sampled_from([3, 4, 7]), st.sampled_from([1, -1]))
def test_exact_at_the_borders(total: int, parts: int, sign: int) -> None:
    row = [(total + place) // parts for place in range(parts)]
    left = np.array([row, [1] * parts], dtype=np.int64)
    right = np.array([[sign, -sign]] * parts, dtype=np.int64)
    found = integer_matmul(left, right)
    assert [int(entry) for entry in found[0]] == [sign * total, -sign * total]
    assert same_integers(found, python_product(left, right))
    assert found.dtype == (np.int64 if total < 2**62 else object)
    # Factors of about equal size, not 1 times the border: 3037000500² is just above 2^63.
    side = math.isqrt(total)
    assert int(integer_matmul(np.array([[side, 1]]), np.array([[side], [-1]]))[0, 0]) == side * side - 1


@st.composite
def factors(draw: Any) -> tuple[Any, Any]:
    rows, inner, columns = (draw(st.integers(1, 4)) for _ in range(3))
    # Around 26 and 31 bits the products cross 2^53 and 2^63.
    sizes = st.sampled_from([3, 25, 26, 27, 30, 31, 32, 52, 61, 90])
    left, right = draw(sizes), draw(sizes)
    matrices = [
        [[draw(integers(bits)) for _ in range(width)] for _ in range(height)]
        for bits, height, width in ((left, rows, inner), (right, inner, columns))
    ]
    return tuple(narrow(np.array(matrix, dtype=object)) for matrix in matrices)  # type: ignore[return-value]


@settings(max_examples=300)
@given(factors())
def test_against_python_integers(pair: tuple[Any, Any]) -> None:
    assert same_integers(integer_matmul(*pair), python_product(*pair))


@settings(max_examples=80)
@given(
    array_shapes.mutually_broadcastable_shapes(signature="(a,b),(b,c)->(a,c)", min_side=0, max_side=4, max_dims=2),
    st.sampled_from([10, 28, 40, 70]),
    st.integers(0, 1000),
)
def test_batches_follow_numpy(shapes: Any, bits: int, seed: int) -> None:
    rng = np.random.default_rng(seed)

    def sample(shape: tuple[int, ...]) -> Any:
        low = rng.integers(-(2**9), 2**9, shape).astype(object)
        return low * 2 ** (bits - 9) + rng.integers(-5, 5, shape).astype(object)

    left, right = map(sample, shapes.input_shapes)
    wanted = np.matmul(left, right)
    for dtype in (object, np.int64) if bits < 62 else (object,):
        found = integer_matmul(left.astype(dtype), right.astype(dtype))
        assert found.shape == wanted.shape
        assert (found == wanted).all()


def test_floats_are_no_integers() -> None:
    with pytest.raises(TypeError):
        integer_matmul(np.array([[0.5]]), np.array([[2]]))


def test_the_most_negative_int64() -> None:
    left = np.array([[-(2**63), -(2**63)]])
    assert same_integers(integer_matmul(left, left.T), [[2**127]])
    assert largest(left) == 2**63


def test_narrow_leaves_room_for_a_sum_of_two() -> None:
    assert int((np.array([2**62]) * 2)[0]) != 2**63, "int64 wraps"
    for number in (0, 1, 2**62 - 1, 2**62, 2**63 - 1, -(2**62), -(2**62) + 1, -(2**63)):
        for dtype in (np.int64, object):
            array = narrow(np.array([[number]], dtype=dtype))
            assert int((array + array)[0, 0]) == 2 * number
            assert array.dtype == (np.int64 if abs(number) < 2**62 else object)


@given(st.lists(st.integers(-(2**62) + 1, 2**62 - 1), max_size=4), st.integers(-(2**80), 2**80))
def test_widen(numbers: list[int], factor: int) -> None:
    assert widen(np.zeros(2, dtype=np.int64), 2**70).tolist() == [0, 0]
    found = widen(np.array(numbers, dtype=np.int64), factor)
    assert [int(number) for number in found] == [number * factor for number in numbers]
