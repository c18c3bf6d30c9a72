from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from funccomp_cases import TINY, instances, quick
from hypothesis import given

from separation.files import InputError
from separation.tasks.funccomp import (
    Instance,
    Sizes,
    Token,
    describe,
    enumerate_inputs,
    from_token_ids,
    prompt,
    sample,
    token_ids,
)

EXAMPLE = Instance(Sizes(2, (3,)), 1, [[1, 0], [5, 4, 3, 2, 1, 0]], [2])


def test_tokens_by_hand() -> None:
    tokens = prompt(EXAMPLE)
    assert tokens[0] == Token("table 2", 0, (0, 0), 0, (5,), 5)
    assert tokens[3] == Token("table 2", 3, (1, 1), 3, (2,), 2)
    assert tokens[6:] == (
        Token("table 1", 6, (0,), 0, (1,), 1),
        Token("table 1", 7, (1,), 1, (0,), 0),
        Token("z0", 8, (), 0, (1,), 1),
        Token("w", 9, (), 0, (2,), 8),
    )
    assert token_ids(EXAMPLE).tolist() == [5, 4, 3, 2, 1, 0, 1, 0, 1, 8]


def test_first_digit_of_the_query_is_most_significant() -> None:
    sizes = Sizes(2, (3, 2))
    instance = Instance(sizes, 0, [[0] * size for size in sizes.N], [2, 1])
    assert token_ids(instance)[-1] == 12 + 2 * 2 + 1


def test_one_table_has_one_query() -> None:
    assert token_ids(Instance(Sizes(2, ()), 1, [[0, 1]], [])).tolist() == [0, 1, 1, 2]


@quick
@given(instances())
def test_two_layouts_agree(instance: Instance) -> None:
    tokens = prompt(instance)
    ids = token_ids(instance)
    assert ids.dtype == np.int64
    assert [token.token_id for token in tokens] == ids.tolist()
    assert [token.position for token in tokens] == list(range(instance.sizes.length))
    assert 0 <= ids.min() <= ids.max() < instance.sizes.vocabulary
    for token in tokens[:-2]:
        table = instance.tables[int(token.kind[6:]) - 1]
        assert token.value == (table[token.index],)


@quick
@given(instances())
def test_there_and_back(instance: Instance) -> None:
    assert from_token_ids(instance.sizes, token_ids(instance)) == instance
    assert from_token_ids(instance.sizes, token_ids(instance).tolist()) == instance


@pytest.mark.parametrize("sizes", TINY)
def test_no_two_inputs_share_a_prompt(sizes: Sizes) -> None:
    assert len({tuple(token_ids(instance)) for instance in enumerate_inputs(sizes)}) == sizes.count_inputs()


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (0, "table 3 at (w_2=0, i_2=0)"),
        (11, "table 3 at (w_2=1, i_2=5)"),
        (13, "table 2 at (w_1=0, i_1=1)"),
        (16, "table 2 at (w_1=2, i_1=0)"),
        (18, "table 1 at (i_0=0)"),
        (20, "z0"),
        (21, "w"),
    ],
)
def test_describe(position: int, text: str) -> None:
    assert describe(Sizes(2, (3, 2)), position) == text


@quick
@given(instances())
def test_descriptions_name_the_address(instance: Instance) -> None:
    for token in prompt(instance):
        text = describe(instance.sizes, token.position)
        numbers = [int(part.split("=")[1]) for part in text.rstrip(")").split(", ") if "=" in part]
        assert text.startswith(token.kind)
        assert tuple(numbers) == token.address


@pytest.mark.parametrize(
    ("position", "text"),
    [(22, "position is 22; allowed are 0..21"), (-1, "position is -1; allowed are 0..21")],
)
def test_describe_refuses(position: int, text: str) -> None:
    with pytest.raises(InputError) as caught:
        describe(Sizes(2, (3, 2)), position)
    assert str(caught.value) == text


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
    with pytest.raises(InputError) as caught:
        from_token_ids(EXAMPLE.sizes, ids)
    assert str(caught.value) == text


@pytest.mark.parametrize("ids", [[1, 2], "text", [0.5] * 10, [[0] * 10]])
def test_other_things_are_refused(ids: Any) -> None:
    with pytest.raises(InputError, match="; 10 integers are needed"):
        from_token_ids(EXAMPLE.sizes, ids)


def test_a_million_tokens_are_quick() -> None:
    instance = sample(Sizes(2**10, (2**10,)), seed=0)
    start = time.perf_counter()
    ids = token_ids(instance)
    assert time.perf_counter() - start < 2
    assert ids.shape == (2**20 + 2**10 + 2,)
