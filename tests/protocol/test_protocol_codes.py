"""Messages as bits: exactly as many as the formulas say, nothing cut off, and all of it read back."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separation.arithmetic import Precision, PrecisionOverflow
from separation.models import Sums
from separation.protocol.codes import Field, Row, SumCode, Text, sum_row


def sums(rows: int, dims: list[int], numerator: int, total: int) -> list[Sums]:
    numerators = [np.full((1, rows, d), numerator, dtype=object) for d in dims]
    return [Sums(part, np.full((1, rows), total, dtype=object)) for part in numerators]


@settings(max_examples=150)
@given(data=st.data())
def test_any_integers_come_back(data: st.DataObject) -> None:
    fields, columns = [], []
    rows = data.draw(st.integers(1, 9))
    for _ in range(data.draw(st.integers(1, 3))):
        field = Field(data.draw(st.integers(1, 3)), data.draw(st.integers(1, 140)), data.draw(st.booleans()))
        low, high = (
            (-(1 << field.width - 1), (1 << field.width - 1) - 1) if field.signed else (0, (1 << field.width) - 1)
        )
        numbers = data.draw(st.lists(st.integers(low, high), min_size=rows * field.count, max_size=rows * field.count))
        fields.append(field)
        columns.append(np.array(numbers, dtype=object).reshape(rows, field.count))
    row = Row(tuple(fields))
    ends = sorted({0, rows, *data.draw(st.lists(st.integers(0, rows), max_size=3))})
    messages = row.pack([(column, 1) for column in columns], ends)
    assert [len(m) for m in messages] == [(row.bits * (b - a) + 7) // 8 for a, b in pairwise(ends)]
    for (found, _), column in zip(row.unpack(messages, ends), columns, strict=True):
        assert found.tolist() == column.tolist()


def test_what_does_not_fit_is_refused() -> None:
    code = SumCode((1,), sum_row((1,), Precision(2, 3, 0), 1))
    code.encode(sums(1, [1], 2**6 - 1, 7), [0, 1])
    for numerator, total in ((2**6, 7), (-(2**6) - 1, 7), (0, 8), (0, -1)):
        with pytest.raises(PrecisionOverflow):
            code.encode(sums(1, [1], numerator, total), [0, 1])
    with pytest.raises(ValueError, match=r"no multiple of 2\^-f"):
        code.encode([Sums(np.ones((1, 1, 1), dtype=np.int64), np.ones((1, 1), dtype=np.int64), 3)], [0, 1])


def test_a_message_of_another_length_is_refused() -> None:
    code = SumCode((1,), sum_row((1,), Precision(2, 3, 0), 1))
    (message,) = code.encode(sums(2, [1], 1, 1), [0, 2])
    for wrong in (message + b"\0", message[:-1], b""):
        with pytest.raises(ValueError, match="bytes are no message of 2 rows"):
            code.decode([wrong], [0, 2])
    with pytest.raises(ValueError, match="numbers are no message"):
        SumCode((1,), Text((1, 1))).decode([b"1,2,3"], [0, 2])
