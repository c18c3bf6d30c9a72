"""Each family has a checker of its property, written afresh here; each checker must also say no to random inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from funccomp_cases import SIZES, oracle_hops, quick, small_sizes
from hypothesis import given
from hypothesis import strategies as st

from separation.tasks.funccomp import FAMILIES, Instance, Sizes, samples
from separation.tasks.funccomp.families import code_neighbours


def asked(instance: Instance) -> list[int]:
    """The asked address of each table, from the oracle's hops."""
    seen = oracle_hops(instance)
    return [seen[0], *(d * len(t) + i for d, t, i in zip(instance.w, instance.tables, seen[1:], strict=False))]


def code(instance: Instance, level: int, place: int) -> str:
    """bits(digit) ++ bits(index) as text, level counted from 0."""
    width = len(instance.tables[max(level - 1, 0)])
    rows = len(instance.tables[level]) // width
    sides = [(place // width, rows), (place % width, width)]
    return "".join(f"{value:0{len(bin(size - 1)) - 2}b}" if size > 1 else "" for value, size in sides)


def distance(a: str, b: str) -> int:
    return sum(x != y for x, y in zip(a, b, strict=True))


def is_constant(instance: Instance) -> bool:
    return all(len(set(table)) == 1 for table in instance.tables)


def is_identity(instance: Instance) -> bool:
    return all(list(table) == list(range(len(table))) for table in instance.tables)


def is_permutation(instance: Instance) -> bool:
    return all(sorted(table) == list(range(len(table))) for table in instance.tables)


def is_single_cycle(instance: Instance) -> bool:
    return all(_orbit_of_zero(table) == len(table) for table in instance.tables)


def _orbit_of_zero(table: Sequence[int]) -> int:
    seen, here = {0}, table[0]
    while here not in seen:
        seen.add(here)
        here = table[here]
    return len(seen) if here == 0 else 0


def hops_are_zero(instance: Instance) -> bool:
    return set(oracle_hops(instance)) == {0}


def hops_are_last(instance: Instance) -> bool:
    return oracle_hops(instance) == [instance.sizes.m - 1, *(len(table) - 1 for table in instance.tables)]


def neighbours_differ(instance: Instance) -> bool:
    for level, (table, place) in enumerate(zip(instance.tables, asked(instance), strict=True)):
        own = code(instance, level, place)
        near = [x for x in range(len(table)) if distance(code(instance, level, x), own) == 1]
        if not near or any(table[x] == table[place] for x in near):
            return False
    return True


def is_chain_in_zeros(instance: Instance) -> bool:
    entries = {(level, place) for level, table in enumerate(instance.tables) for place, v in enumerate(table) if v}
    return 0 not in oracle_hops(instance) and entries == set(enumerate(asked(instance)))


def bits_are_opposite(instance: Instance) -> bool:
    """Asked entries all 0 and the others all ones, or the reverse; all ones as far as the size allows."""
    pairs = []
    for table, place in zip(instance.tables, asked(instance), strict=True):
        ones = max(2**k - 1 for k in range(1, 40) if 2**k - 1 < len(table))
        others = {value for x, value in enumerate(table) if x != place}
        pairs.append((table[place] == 0 and others == {ones}, table[place] == ones and others == {0}))
    return all(first for first, _ in pairs) or all(second for _, second in pairs)


def differ_in_one_asked_entry(a: Instance, b: Instance) -> bool:
    pairs = [
        (level, place)
        for level, (left, right) in enumerate(zip(a.tables, b.tables, strict=True))
        for place in range(len(left))
        if left[place] != right[place]
    ]
    same_rest = (a.sizes, a.z0, a.w) == (b.sizes, b.z0, b.w)
    asked_one = len(pairs) == 1 and pairs[0] in enumerate(asked(a))
    return same_rest and asked_one and oracle_hops(a)[-1] != oracle_hops(b)[-1]


CHECKERS: dict[str, Callable[[Instance], bool]] = {
    "constant_tables": is_constant,
    "identity": is_identity,
    "permutations": is_permutation,
    "single_cycle": is_single_cycle,
    "hops_on_first_index": hops_are_zero,
    "hops_on_last_index": hops_are_last,
    "hamming_neighbours": neighbours_differ,
    "chain_trap": is_chain_in_zeros,
    "opposite_bits": bits_are_opposite,
}


def test_every_family_has_a_checker() -> None:
    assert set(FAMILIES) == {*CHECKERS, "one_entry_apart"}


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("sizes", SIZES)
def test_never_empty_and_fixed_by_the_seed(name: str, sizes: Sizes) -> None:
    family = FAMILIES[name]
    assert len(list(family(sizes, 0))) >= 1
    assert list(family(sizes, 3)) == list(family(sizes, 3))
    assert all(instance.sizes == sizes for instance in family(sizes, 0))


@pytest.mark.parametrize("name", CHECKERS)
@quick
@given(sizes=small_sizes, seed=st.integers(0, 10**6))
def test_families_have_their_property(name: str, sizes: Sizes, seed: int) -> None:
    assert all(CHECKERS[name](instance) for instance in FAMILIES[name](sizes, seed))


@pytest.mark.parametrize("name", CHECKERS)
def test_checkers_can_fail(name: str) -> None:
    """The broken twin: random inputs do not have the property."""
    assert not all(CHECKERS[name](instance) for instance in samples(Sizes(4, (4, 2)), 0, 20))


@quick
@given(small_sizes, st.integers(0, 10**6))
def test_pairs_one_entry_apart(sizes: Sizes, seed: int) -> None:
    given_ones = list(FAMILIES["one_entry_apart"](sizes, seed))
    pairs = list(zip(given_ones[::2], given_ones[1::2], strict=True))
    assert len(pairs) == sizes.L
    assert all(differ_in_one_asked_entry(a, b) for a, b in pairs)
    changed = [[left != right for left, right in zip(a.tables, b.tables, strict=True)] for a, b in pairs]
    assert changed == [[level == own for own in range(sizes.L)] for level in range(sizes.L)]


def test_pair_checker_can_fail() -> None:
    """Broken twins: equal inputs, random inputs, and a change in an entry that is not asked."""
    sizes = Sizes(4, (2,))
    a, b = samples(sizes, 0, 2)
    other = (asked(a)[0] + 1) % 4
    table = list(a.tables[0])
    table[other] = (table[other] + 1) % 4
    aside = Instance(sizes, a.z0, [table, a.tables[1]], a.w)
    assert not any(differ_in_one_asked_entry(a, x) for x in (a, b, aside))


@pytest.mark.parametrize("sizes", SIZES)
def test_code_neighbours(sizes: Sizes) -> None:
    (instance,) = FAMILIES["identity"](sizes, 0)
    for level, table in enumerate(instance.tables):
        for place in range(len(table)):
            own = code(instance, level, place)
            near = [x for x in range(len(table)) if distance(code(instance, level, x), own) == 1]
            assert sorted(code_neighbours(sizes, level + 1, place)) == near
            assert near


def test_first_and_last_entries_are_asked() -> None:
    sizes = Sizes(3, (2, 3))
    assert asked(next(FAMILIES["hops_on_first_index"](sizes, 0))) == [0, 0, 0]
    assert asked(next(FAMILIES["hops_on_last_index"](sizes, 0))) == [2, 5, 17]
