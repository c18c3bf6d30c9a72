from __future__ import annotations

import numpy as np
import pytest

from separation.arithmetic import ExactMatrix
from separation.models import Declared, Segment


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
