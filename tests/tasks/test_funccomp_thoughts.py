"""Chains of thought: ids, groups and what a right run emits."""

from __future__ import annotations

from itertools import pairwise

import pytest
from funccomp_cases import instances, quick
from hypothesis import given
from hypothesis import strategies as st

from separation.files import InputError
from separation.tasks.funccomp import STYLES, Instance, Sizes, Thoughts, hops, thought_ids

EXAMPLE = Instance(Sizes(3, (2, 2)), 1, [[2, 0, 1], [5, 4, 3, 2, 1, 0], [*range(11, -1, -1)]], [1, 0])
"""Hops 1, 0, z_2(1·3 + 0) = 2, z_3(0·6 + 2) = 9."""


def test_the_example_by_hand() -> None:
    assert hops(EXAMPLE) == (1, 0, 2, 9)
    values, queries = 12, 4
    first = values + queries
    spelled = {
        "hops": [first + 0, first + 3 + 2, first + 9 + 9],
        "addresses": [first + 1 * 3 + 0, first + 6 + 0 * 6 + 2, 9],
        "records": [
            first + 2 * 3 + 1,
            first + 12 + 2 * 3 + 0,
            first + 24 + 2 * 6 + 2,
            first + 48 + 2 * 12 + 9,
        ],
    }
    for style, ids in spelled.items():
        thoughts = Thoughts(EXAMPLE.sizes, style)
        assert thought_ids(thoughts, EXAMPLE.w, hops(EXAMPLE)) == ids
        assert thoughts.steps == len(ids)


@quick
@given(instances(), st.sampled_from(STYLES))
def test_the_last_thought_is_the_answer(instance: Instance, style: str) -> None:
    thoughts = Thoughts(instance.sizes, style)
    ids = thought_ids(thoughts, instance.w, hops(instance))
    assert thoughts.answer_of(ids[-1]) == hops(instance)[-1]
    assert len(ids) == thoughts.steps == instance.sizes.L + (style == "records")
    assert thoughts.length == instance.sizes.length + len(ids) - 1
    shape = thoughts.shape()
    assert shape.length == thoughts.length
    assert shape.output_count == shape.vocabulary == thoughts.groups[-1].stop
    generated = shape.kinds[len(instance.sizes.shape().kinds) :]
    assert all(
        kind.first_id <= token < kind.first_id + kind.id_count for kind, token in zip(generated, ids, strict=False)
    )
    assert [emission.reader for emission in shape.emissions] == ["w", *(kind.name for kind in generated)]


@quick
@given(instances(), st.sampled_from(STYLES))
def test_groups_tile_the_ids(instance: Instance, style: str) -> None:
    groups = Thoughts(instance.sizes, style).groups
    assert groups[0].start == 0
    assert all(group.stop == after.start for group, after in pairwise(groups))
    assert groups[1].stop == instance.sizes.vocabulary


def test_a_token_that_cannot_stand_last_has_no_answer() -> None:
    thoughts = Thoughts(EXAMPLE.sizes, "hops")
    assert thoughts.answer_of(thoughts.groups[-1].start) == 0
    assert thoughts.answer_of(thoughts.groups[-1].start - 1) is None
    assert thoughts.answer_of(0) is None


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(InputError, match="style is 'words'; one of hops, addresses, records is needed"):
        Thoughts(EXAMPLE.sizes, "words")
