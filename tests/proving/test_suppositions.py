"""What a table would say at another index: which such variables there are, by their definition."""

from __future__ import annotations

import pytest

from separation.proving.kernel import task_of


def is_index_for_all(size: int, j: int, q: int) -> bool:
    """j in place of the last log2 q bits, of which an index below ``size`` must have that many, is always an index."""
    bits = q.bit_length() - 1
    return bits <= (size - 1).bit_length() and j < q and all(i - i % q + j < size for i in range(size))


@pytest.mark.parametrize("m", range(2, 18))
def test_the_index_exists_whatever_the_hop_is(m: int) -> None:
    """If all residues that occur have one, there is one for each; else for none (m = 3: 0 mod 2 would do, not 1)."""
    task = task_of({"task": "funccomp", "m": m, "n": [2]})
    for q in (1, 2, 3, 4, 6, 8, 16, 32, 64):
        power = q >= 2 and q & (q - 1) == 0
        all_exist = power and all(is_index_for_all(m, j, q) for j in {i % q for i in range(m)})
        for j in range(q + 2):
            wanted = (2, j, q) if all_exist and is_index_for_all(m, j, q) else None
            assert task.supposed(f"i2 at {j} mod {q}.0") == wanted, (m, j, q)


def test_names_have_one_spelling() -> None:
    task = task_of({"task": "funccomp", "m": 4, "n": [2, 2]})
    assert task.supposed("i3 at 5 mod 8.3") == (3, 5, 8)
    wrong = ("i1 at 0 mod 2.0", "i4 at 0 mod 2.0", "i03 at 5 mod 8.0", "i3 at 05 mod 8.0", "i3 at 5 mod 8.03")
    for name in (*wrong, "i3  at 5 mod 8.0", "i3 at 5 mod 8.0 ", "i3 at 5 mod 8.4", "i3 at 5 mod 8"):
        assert task.supposed(name) is None, name
