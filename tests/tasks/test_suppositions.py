"""What a table would say at another index: which such variables there are, by their definition."""

from __future__ import annotations

import pytest

from separation.tasks.funccomp import Sizes
from separation.tasks.suppositions import suppose, supposition_named


def is_index_for_all(size: int, j: int, q: int) -> bool:
    """j in place of the last log2 q bits, of which an index below ``size`` must have that many, is always an index."""
    bits = q.bit_length() - 1
    return bits <= (size - 1).bit_length() and j < q and all(i - i % q + j < size for i in range(size))


@pytest.mark.parametrize("m", range(2, 18))
def test_the_index_exists_whatever_the_hop_is(m: int) -> None:
    """If all residues that occur have one, there is one for each; else for none (m = 3: 0 mod 2 would do, not 1)."""
    shape = Sizes(m, (2,)).shape()
    for q in (1, 2, 3, 4, 6, 8, 16, 32, 64):
        power = q >= 2 and q & (q - 1) == 0
        all_exist = power and all(is_index_for_all(m, j, q) for j in {i % q for i in range(m)})
        for j in range(q + 2):
            wanted = all_exist and is_index_for_all(m, j, q)
            assert (suppose(shape, shape.kind("table 2"), j, q) is not None) == wanted, (m, j, q)
            assert (supposition_named(shape, f"i2 at {j} mod {q}") is not None) == wanted


def test_names_have_one_spelling() -> None:
    shape = Sizes(4, (2, 2)).shape()
    found = supposition_named(shape, "i3 at 5 mod 8")
    assert found is not None
    assert (found.index.name, found.index.size, found.value.name, found.value.size) == ("i2", 8, "i3", 16)
    assert found.signs == (1, -1, 1)
    assert found.values == 8
    assert found.supposed_fact.values == (("value", "i3 at 5 mod 8"),)
    for name in (
        "i1 at 0 mod 2",
        "i4 at 0 mod 2",
        "i03 at 5 mod 8",
        "i3 at 05 mod 8",
        "i3  at 5 mod 8",
        "i3 at 5 mod 8 ",
    ):
        assert supposition_named(shape, name) is None
