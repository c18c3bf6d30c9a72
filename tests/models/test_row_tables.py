from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

import naive_model
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separation.arithmetic import ExactMatrix
from separation.models import Declared, Segment, matrix_to_document, mixed_radix_bits

numbers = st.one_of(st.integers(-3, 3), st.fractions(-2, 2, max_denominator=6), st.integers(-(2**70), 2**70))


def naive_bits(number: int, radices: list[int]) -> list[int]:
    """By the words of docs/proving.md: digits from the last on, then each digit's binary expansion as text."""
    digits: list[int] = []
    for radix in reversed(radices):
        digits.insert(0, number % radix)
        number //= radix
    bits = [1]
    for digit, radix in zip(digits, radices, strict=True):
        length = len(f"{radix - 1:b}") if radix > 1 else 0
        text = f"{digit:b}".zfill(length)[::-1] if length else ""
        bits += [1 if sign == "1" else -1 for sign in text]
    return bits


@settings(max_examples=100)
@given(st.lists(st.integers(1, 9), max_size=4), st.data())
def test_mixed_radix_bits(radices: list[int], data: Any) -> None:
    chosen = data.draw(st.lists(st.integers(0, prod(radices) - 1), min_size=1, max_size=5))
    found = mixed_radix_bits(np.array(chosen), tuple(radices))
    assert found.tolist() == [naive_bits(number, radices) for number in chosen]


def test_another_order_of_digits_or_bits_disagrees() -> None:
    right = mixed_radix_bits(np.arange(21), (3, 7)).tolist()
    other_digits = [[bits[0], *bits[4:], *bits[1:4]] for bits in mixed_radix_bits(np.arange(21), (7, 3)).tolist()]
    other_bits = [[bits[0], bits[2], bits[1], *bits[:2:-1]] for bits in right]
    assert right == [naive_bits(number, [3, 7]) for number in range(21)]
    assert other_digits != right != other_bits


@st.composite
def declared_tables(draw: Any) -> Declared:
    width = draw(st.integers(1, 3))
    segments: list[Segment] = []
    start = 0
    for _ in range(draw(st.integers(1, 3))):
        mirror = draw(st.sampled_from([None, None, 3, 5, 9]))
        radices = tuple(draw(st.lists(st.integers(1, 4), max_size=2))) if mirror is None else (mirror,)
        columns = len(naive_bits(0, [*radices, *([] if mirror is None else [mirror])]))
        rows = [[draw(numbers) for _ in range(columns)] for _ in range(width)]
        segments.append(Segment(start, radices, ExactMatrix.from_rows(rows), mirror))
        start = segments[-1].stop
    return Declared(tuple(segments))


@settings(max_examples=60)
@given(declared_tables(), st.data())
def test_declared_rows_are_the_stored_ones(table: Declared, data: Any) -> None:
    document = {
        "declared": [
            {"start": part.start, "radices": list(part.radices), "matrix": matrix_to_document(part.matrix)}
            | ({} if part.mirror is None else {"mirror": part.mirror})
            for part in table.segments
        ]
    }
    wanted = naive_model.table(document)
    stored = table.stored()
    assert (stored.height, stored.width) == (table.height, table.width) == (len(wanted), len(wanted[0]))
    assert stored.matrix.fractions() == wanted
    chosen = np.array(data.draw(st.lists(st.integers(0, table.height - 1), min_size=1, max_size=4)))
    for form in (table, stored):
        rows = form.rows(chosen)
        found = [[Fraction(int(entry), form.denominator) for entry in row] for row in rows]
        assert found == [wanted[number] for number in chosen]
        assert form.rows(chosen[None, :]).shape == (1, len(chosen), table.width)


def test_a_segment_has_one_column_for_each_bit() -> None:
    for columns in (3, 5):
        with pytest.raises(ValueError, match=rf"a segment of radices \(2, 3\) cannot have {columns} columns"):
            Segment(0, (2, 3), ExactMatrix.zeros(2, columns))
    assert Segment(5, (2, 3), ExactMatrix.zeros(2, 4)).stop == 11


@pytest.mark.parametrize("starts", [(1, 3), (0, 1), (0, 3), (2, 0), ()])
def test_segments_leave_no_gap(starts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="follow each other without a gap"):
        Declared(tuple(Segment(start, (2,), ExactMatrix.zeros(1, 2)) for start in starts))


def test_segments_have_one_width() -> None:
    # A row of width 1 would be broadcast over the others' width.
    with pytest.raises(ValueError, match="segments must all have the same width"):
        Declared((Segment(0, (2,), ExactMatrix.zeros(3, 2)), Segment(2, (2,), ExactMatrix.zeros(1, 2))))


def test_declared_tables_need_no_room() -> None:
    table = Declared((Segment(0, (2**30, 2**30), ExactMatrix.zeros(2, 61)),))
    assert table.height == 2**60
    assert table.rows(np.array([2**60 - 1])).tolist() == [[0, 0]]


def mirrored(modulus: int, start: int = 0, width: int = 2) -> Segment:
    rng = np.random.default_rng(modulus % 1000)
    code = rng.integers(-3, 4, (width, 1 + 2 * (modulus - 1).bit_length()))
    return Segment(start, (modulus,), ExactMatrix(code, 3), modulus)


@pytest.mark.parametrize("modulus", [2**40 + 1, 2**61 - 1, 2**62 - 1])
def test_mirrored_tables_of_any_size(modulus: int) -> None:
    table = Declared((mirrored(modulus), Segment(modulus, (2,), ExactMatrix.zeros(2, 2))))
    assert table.height == modulus + 2
    numbers = [0, 1, modulus // 2, modulus - 2, modulus - 1, modulus, modulus + 1]
    found = table.rows(np.array(numbers))
    code = table.segments[0].matrix.numerators.tolist()
    bits = (modulus - 1).bit_length()
    for x, row in zip(numbers[:5], found, strict=False):
        signs = [1, *((1 if number >> j & 1 else -1) for number in (x, modulus - x) for j in range(bits))]
        assert row.tolist() == [sum(a * b for a, b in zip(line, signs, strict=True)) for line in code]
    assert found[5:].tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("radices", "mirror", "columns"),
    [((4,), 4, 5), ((1,), 1, 1), ((5,), 7, 7), ((7,), 5, 7), ((5, 5), 5, 7), ((), 3, 3), ((5,), -5, 7)],
)
def test_a_mirror_is_the_one_radix_and_odd(radices: tuple[int, ...], mirror: int, columns: int) -> None:
    with pytest.raises(ValueError, match=f"^mirror must be the one radix, odd and at least 3, got {mirror}$"):
        Segment(0, radices, ExactMatrix.zeros(2, columns), mirror)


def test_a_mirrored_segment_has_twice_the_columns() -> None:
    for columns in (4, 6, 8):
        with pytest.raises(ValueError, match=rf"a segment of radices \(5,\) cannot have {columns} columns"):
            Segment(0, (5,), ExactMatrix.zeros(2, columns), 5)
    assert Segment(0, (5,), ExactMatrix.zeros(2, 7), 5).digit_bits == (3, 3)
