from __future__ import annotations

from fractions import Fraction
from typing import Any

import naive_model
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separation.arithmetic import ExactMatrix
from separation.models import Declared, Segment, matrix_to_document

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
    wanted = naive_model.dense(naive_model.table_rows(document, table.width), table.width)
    stored = table.stored()
    assert (stored.height, stored.width) == (table.height, table.width) == (len(wanted), len(wanted[0]))
    assert stored.matrix.fractions() == wanted
    chosen = np.array(data.draw(st.lists(st.integers(0, table.height - 1), min_size=1, max_size=4)))
    for form in (table, stored):
        rows = form.rows(chosen)
        found = [[Fraction(int(entry), form.denominator) for entry in row] for row in rows]
        assert found == [wanted[number] for number in chosen]
        assert form.rows(chosen[None, :]).shape == (1, len(chosen), table.width)


def test_segments_have_one_width() -> None:
    # A row of width 1 would be broadcast over the others' width.
    with pytest.raises(ValueError, match="segments must all have the same width"):
        Declared((Segment(0, (2,), ExactMatrix.zeros(3, 2)), Segment(2, (2,), ExactMatrix.zeros(1, 2))))


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
