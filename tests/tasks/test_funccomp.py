"""FuncComp: hops against an oracle (of all inputs of small sizes: statement D1), prompts, families, facts, thoughts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_cases import instances, oracle_hops, quick, refused, small_sizes

from separation.files import InputError
from separation.tasks.funccomp import (
    FAMILIES,
    STYLES,
    Instance,
    Sizes,
    Thoughts,
    batch_hops,
    code_neighbours,
    describe,
    from_token_ids,
    hops,
    prompt,
    samples,
    thought_ids,
    token_ids,
)

EXAMPLE = Instance(Sizes(2, (3,)), 1, [[1, 0], [5, 4, 3, 2, 1, 0]], [2])


@quick
@given(instances())
def test_hops_equal_the_oracle(instance: Instance) -> None:
    expected = oracle_hops(instance)
    assert list(hops(instance)) == expected
    assert batch_hops(instance.sizes, token_ids(instance)[None]).tolist() == [expected]


def test_batches_of_other_shapes() -> None:
    assert batch_hops(Sizes(2, (2,)), np.empty((0, 8), dtype=np.int64)).shape == (0, 3)
    for shape in ((8,), (3, 7)):
        with pytest.raises(InputError, match=r"ids has shape .*; \(prompts, 8\) is needed"):
            batch_hops(Sizes(2, (2,)), np.zeros(shape, dtype=np.int64))


# --- sizes ---


def test_the_numbers_of_one_example() -> None:
    sizes = Sizes(3, (2, 5))
    assert (sizes.L, sizes.N, sizes.length) == (3, (3, 6, 30), 3 + 6 + 30 + 2)
    assert (sizes.queries, sizes.vocabulary) == (10, 40)
    assert [sizes.table_start(level) for level in (3, 2, 1)] == [0, 30, 36]
    for level in (0, 4, -1):
        refused(lambda level=level: sizes.table_start(level), f"level is {level}; allowed are 1..3")
    one = Sizes(4, ())
    assert (one.L, one.N, one.length, one.queries, one.vocabulary) == (1, (4,), 6, 1, 5)


@quick
@given(st.integers(1, 9), st.integers(1, 2**40))
def test_for_tokens_is_the_smallest(L: int, tokens: int) -> None:
    sizes = Sizes.for_tokens(L, tokens)
    assert sizes.L == L
    assert set(sizes.n) <= {sizes.m}
    assert sizes.m.bit_count() == 1
    assert sizes.length >= tokens
    assert sizes.m == 2 or Sizes(sizes.m // 2, (sizes.m // 2,) * (L - 1)).length < tokens
    for bad, text in (((0, 5), "L is 0; allowed are 1..1000"), ((2, 0), "tokens is 0; allowed are 1 and above")):
        refused(lambda bad=bad: Sizes.for_tokens(*bad), text)


# --- prompts ---


@quick
@given(instances())
def test_two_layouts_agree_and_read_back(instance: Instance) -> None:
    tokens, ids = prompt(instance), token_ids(instance)
    assert ids.dtype == np.int64
    assert from_token_ids(instance.sizes, ids) == from_token_ids(instance.sizes, ids.tolist()) == instance
    assert [token.token_id for token in tokens] == ids.tolist()
    assert [token.position for token in tokens] == list(range(instance.sizes.length))
    assert 0 <= ids.min() <= ids.max() < instance.sizes.vocabulary
    for token in tokens:
        text = describe(instance.sizes, token.position)
        numbers = [int(part.split("=")[1]) for part in text.rstrip(")").split(", ") if "=" in part]
        assert text.startswith(token.kind)
        assert tuple(numbers) == token.address
        assert token in tokens[-2:] or token.value == (instance.tables[int(token.kind[6:]) - 1][token.index],)


@pytest.mark.parametrize(
    ("position", "value", "text"),
    [
        (3, 6, "ids[3] is 6; table 2 at (w_1=1, i_1=1) allows 0..5"),
        (6, 2, "ids[6] is 2; table 1 at (i_0=0) allows 0..1"),
        (8, -1, "ids[8] is -1; z0 allows 0..1"),
        (9, 5, "ids[9] is 5; w allows 6..8"),
        (9, 9, "ids[9] is 9; w allows 6..8"),
    ],
)
def test_foreign_ids_are_refused(position: int, value: int, text: str) -> None:
    ids = token_ids(EXAMPLE)
    ids[position] = value
    refused(lambda: from_token_ids(EXAMPLE.sizes, ids), text)
    for other in ([1, 2], "text", [0.5] * 10, [[0] * 10]):
        with pytest.raises(InputError, match="; 10 integers are needed"):
            from_token_ids(EXAMPLE.sizes, other)  # type: ignore[arg-type]


# --- families: each has a checker of its property, written afresh here, which says no to random inputs ---


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


def near(instance: Instance, level: int, place: int) -> list[int]:
    """The entries whose code is one bit from that of a place."""
    own, places = code(instance, level, place), range(len(instance.tables[level]))
    return [x for x in places if sum(a != b for a, b in zip(code(instance, level, x), own, strict=True)) == 1]


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
        beside = near(instance, level, place)
        if not beside or any(table[x] == table[place] for x in beside):
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


@pytest.mark.parametrize("name", FAMILIES)
@quick
@given(sizes=small_sizes, seed=st.integers(0, 10**6))
def test_families_have_their_property(name: str, sizes: Sizes, seed: int) -> None:
    found = list(FAMILIES[name](sizes, seed))
    assert found == list(FAMILIES[name](sizes, seed)) != []
    assert all(instance.sizes == sizes for instance in found)
    if name == "one_entry_apart":
        pairs = list(zip(found[::2], found[1::2], strict=True))
        assert all(differ_in_one_asked_entry(a, b) for a, b in pairs)
        changed = [[left != right for left, right in zip(a.tables, b.tables, strict=True)] for a, b in pairs]
        assert changed == [[level == own for own in range(sizes.L)] for level in range(sizes.L)]
    else:
        assert all(CHECKERS[name](instance) for instance in found)


@pytest.mark.parametrize("name", CHECKERS)
def test_checkers_can_fail(name: str) -> None:
    """The broken twin: random inputs do not have the property."""
    assert not all(CHECKERS[name](instance) for instance in samples(Sizes(4, (4, 2)), 0, 20))


def test_pair_checker_can_fail() -> None:
    """Broken twins: equal inputs, random inputs, and a change in an entry that is not asked."""
    sizes = Sizes(4, (2,))
    a, b = samples(sizes, 0, 2)
    other = (asked(a)[0] + 1) % 4
    table = list(a.tables[0])
    table[other] = (table[other] + 1) % 4
    aside = Instance(sizes, a.z0, [table, a.tables[1]], a.w)
    assert not any(differ_in_one_asked_entry(a, x) for x in (a, b, aside))


@quick
@given(small_sizes)
def test_code_neighbours_and_ends(sizes: Sizes) -> None:
    (instance,) = FAMILIES["identity"](sizes, 0)
    for level, table in enumerate(instance.tables):
        for place in range(len(table)):
            assert sorted(code_neighbours(sizes, level + 1, place)) == near(instance, level, place) != []
    assert asked(next(FAMILIES["hops_on_first_index"](sizes, 0))) == [0] * sizes.L
    assert asked(next(FAMILIES["hops_on_last_index"](sizes, 0))) == [size - 1 for size in sizes.N]


# --- chains of thought ---


def test_thoughts_by_hand() -> None:
    """Hops 1, 0, z_2(1·3 + 0) = 2, z_3(0·6 + 2) = 9; 12 values and 4 queries."""
    example = Instance(Sizes(3, (2, 2)), 1, [[2, 0, 1], [5, 4, 3, 2, 1, 0], [*range(11, -1, -1)]], [1, 0])
    assert hops(example) == (1, 0, 2, 9)
    spelled = {
        "hops": [16 + 0, 16 + 3 + 2, 16 + 9 + 9],
        "addresses": [16 + 1 * 3 + 0, 16 + 6 + 0 * 6 + 2, 9],
        "records": [16 + 2 * 3 + 1, 16 + 12 + 2 * 3 + 0, 16 + 24 + 2 * 6 + 2, 16 + 48 + 2 * 12 + 9],
    }
    for style, ids in spelled.items():
        assert thought_ids(Thoughts(example.sizes, style), example.w, hops(example)) == ids
    thoughts = Thoughts(example.sizes, "hops")
    last = thoughts.groups[-1].start
    assert [thoughts.answer_of(token) for token in (last, last - 1, 0)] == [0, None, None]
    with pytest.raises(InputError, match="style is 'words'; one of hops, addresses, records is needed"):
        Thoughts(example.sizes, "words")


@quick
@given(instances(), st.sampled_from(STYLES))
def test_the_last_thought_is_the_answer_and_groups_tile_the_ids(instance: Instance, style: str) -> None:
    thoughts = Thoughts(instance.sizes, style)
    ids = thought_ids(thoughts, instance.w, hops(instance))
    assert thoughts.answer_of(ids[-1]) == oracle_hops(instance)[-1]
    assert len(ids) == thoughts.steps == instance.sizes.L + (style == "records")
    assert thoughts.length == instance.sizes.length + len(ids) - 1
    shape, groups = thoughts.shape(), thoughts.groups
    assert shape.length == thoughts.length
    assert shape.output_count == shape.vocabulary == groups[-1].stop
    assert groups[0].start == 0
    assert all(group.stop == after.start for group, after in pairwise(groups))
    assert groups[1].stop == instance.sizes.vocabulary
    generated = shape.kinds[len(instance.sizes.shape().kinds) :]
    assert all(kind.first_id <= id_ < kind.first_id + kind.id_count for kind, id_ in zip(generated, ids, strict=False))
    assert [emission.reader for emission in shape.emissions] == ["w", *(kind.name for kind in generated)]
