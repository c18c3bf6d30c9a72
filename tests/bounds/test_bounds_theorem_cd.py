"""Theorem C at its edge, and Theorem D against all summary maps of tiny layers."""

from __future__ import annotations

import itertools

import pytest

from separation.bounds import shortest_for_recurrent_only, theorem_c, theorem_d
from separation.bounds.theorems.theorem_d import can_be_right, cyclic_summary
from separation.tasks.funccomp import Sizes


@pytest.mark.parametrize(("m", "n"), [(2, ()), (3, ()), (2, (3,)), (3, (2, 2)), (5, (1, 1))])
def test_c_is_a_count_of_tables(m: int, n: tuple[int, ...]) -> None:
    sizes = Sizes(m, n)
    tables = sizes.N[-1] ** sizes.N[-1]
    for bits in range(tables.bit_length() + 2):
        assert theorem_c(sizes, bits).certified == (2**bits < tables)


@pytest.mark.parametrize("L", [1, 2, 3])
@pytest.mark.parametrize("bits", [0, 1, 4, 5, 20, 63])
def test_the_shortest_prompt_for_r_alone(L: int, bits: int) -> None:
    found = shortest_for_recurrent_only(L, bits)
    assert found.certified
    for m in range(2, 30):
        for n in itertools.product(range(1, 16), repeat=L - 1):
            sizes = Sizes(m, n)
            if sizes.length < (found.tokens() or 0):
                assert not theorem_c(sizes, bits).certified


def ambiguous(summary: dict[tuple[int, ...], object], u: int) -> frozenset[int]:
    """The x for which two sequences have the same summary, one with x and one without."""
    classes: dict[object, list[set[int]]] = {}
    for block, value in summary.items():
        classes.setdefault(value, []).append(set(block))
    return frozenset(
        x for x in range(1, u + 1) if any(len({x in block for block in blocks}) == 2 for blocks in classes.values())
    )


@pytest.mark.parametrize(
    ("modulus", "block", "opened", "blocks"),
    [(3, 1, 1, 2), (3, 2, 1, 2), (3, 2, 1, 3), (3, 2, 0, 1), (3, 1, 0, 2), (5, 1, 1, 2), (5, 1, 1, 3), (5, 1, 2, 3)],
)
def test_d_is_exact(modulus: int, block: int, opened: int, blocks: int) -> None:
    """With one summary value less no assignment of maps to blocks passes the criterion; with the bound one does."""
    bound = theorem_d(modulus, block, opened, blocks)
    u = modulus - 1
    sequences = list(itertools.product(range(1, u + 1), repeat=block))
    for values in range(1, bound.values):
        sets = {
            ambiguous(dict(zip(sequences, images, strict=True)), u)
            for images in itertools.product(range(values), repeat=len(sequences))
        }
        assert not any(can_be_right(c, opened) for c in itertools.combinations_with_replacement(sets, blocks))
    summaries = [{s: cyclic_summary(bound, place, s) for s in sequences} for place in range(blocks)]
    assert can_be_right([ambiguous(summary, u) for summary in summaries], opened)
    assert all(len(set(summary.values())) <= bound.values for summary in summaries)
    assert all(bound.forbids(bits) == (2**bits < bound.values) for bits in range(9))
