from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from funccomp_cases import TINY, instances, oracle_hops, quick, swapped_oracle_hops
from hypothesis import given

from separation.files import InputError
from separation.tasks.funccomp import Instance, Sizes, answer, asked_addresses, enumerate_inputs, hops
from separation.tasks.funccomp.instance import require_buildable

SIZES = Sizes(2, (2, 2))
TABLES = [[1, 0], [0, 3, 2, 1], [7, 6, 5, 4, 3, 2, 1, 0]]


def test_hops_by_hand() -> None:
    # i_0 = 1, i_1 = z_1(1) = 0, i_2 = z_2(1·2 + 0) = 2, i_3 = z_3(1·4 + 2) = 1.
    instance = Instance(SIZES, 1, TABLES, [1, 1])
    assert hops(instance) == (1, 0, 2, 1)
    assert asked_addresses(instance) == (1, 2, 6)
    assert answer(instance) == 1


def test_one_table() -> None:
    instance = Instance(Sizes(3, ()), 2, [[0, 0, 1]], [])
    assert hops(instance) == (2, 1)


@quick
@given(instances())
def test_hops_equal_the_oracle(instance: Instance) -> None:
    assert list(hops(instance)) == oracle_hops(instance)


@pytest.mark.parametrize("sizes", TINY)
def test_hops_equal_the_oracle_on_all_inputs(sizes: Sizes) -> None:
    assert all(list(hops(instance)) == oracle_hops(instance) for instance in enumerate_inputs(sizes))


def test_swapped_oracle_is_caught() -> None:
    """The broken twin: an oracle with digit and index swapped is told apart."""
    assert any(list(hops(instance)) != swapped_oracle_hops(instance) for instance in enumerate_inputs(Sizes(2, (2,))))


@quick
@given(instances())
def test_arrays_lists_and_tuples_are_the_same(instance: Instance) -> None:
    sizes, z0, tables, w = instance.sizes, instance.z0, instance.tables, instance.w
    arrays = Instance(sizes, z0, [np.array(table) for table in tables], np.array(w, dtype=np.int32))
    lists = Instance(sizes, z0, [list(table) for table in tables], list(w))
    assert arrays == lists == instance
    assert hash(arrays) == hash(instance)
    assert {type(entry) for table in arrays.tables for entry in table} == {int}


def test_kept_apart_from_what_was_given() -> None:
    tables = [list(table) for table in TABLES]
    instance = Instance(SIZES, 1, tables, [1, 1])
    tables[0][0] = 0
    assert instance.tables[0] == (1, 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        instance.z0 = 0  # type: ignore[misc]


def with_entry(level: int, place: int, value: Any) -> list[list[Any]]:
    tables: list[list[Any]] = [list(table) for table in TABLES]
    tables[level][place] = value
    return tables


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"sizes": (2, 2)}, "sizes is (2, 2); Sizes are needed"),
        ({"z0": 2}, "z0 is 2; allowed are 0..1"),
        ({"z0": True}, "z0 is True; an integer is needed"),
        ({"tables": with_entry(2, 3, 9)}, "tables[2][3] is 9; allowed are 0..7"),
        ({"tables": with_entry(1, 3, -1)}, "tables[1][3] is -1; allowed are 0..3"),
        ({"tables": with_entry(0, 1, True)}, "tables[0][1] is True; an integer is needed"),
        ({"tables": with_entry(0, 1, 0.0)}, "tables[0][1] is 0.0; an integer is needed"),
        ({"tables": TABLES[:2]}, "tables has length 2; L = 3 are needed"),
        ({"tables": [TABLES[0], TABLES[0], TABLES[2]]}, "tables[1] has length 2; 4 are needed"),
        ({"tables": 5}, "tables is 5; a list of tables is needed"),
        ({"tables": [TABLES[0], 5, TABLES[2]]}, "tables[1] is 5; a list of integers is needed"),
        ({"tables": ["10", *TABLES[1:]]}, "tables[0] is '10'; a list of integers is needed"),
        ({"tables": [np.zeros(2), *TABLES[1:]]}, "tables[0] is array([0., 0.]); a list of integers is needed"),
        ({"tables": [np.array([0, 5]), *TABLES[1:]]}, "tables[0][1] is 5; allowed are 0..1"),
        ({"w": [1]}, "w has length 1; L - 1 = 2 are needed"),
        ({"w": [1, 2]}, "w[1] is 2; allowed are 0..1"),
        ({"w": "11"}, "w is '11'; a list of integers is needed"),
        ({"w": [None, 0]}, "w[0] is None; an integer is needed"),
    ],
)
def test_refusals(change: dict[str, Any], text: str) -> None:
    good: dict[str, Any] = {"sizes": SIZES, "z0": 1, "tables": TABLES, "w": [1, 1]}
    with pytest.raises(InputError) as caught:
        Instance(**(good | change))
    assert str(caught.value) == text


def test_short_tables_are_refused_before_large_products() -> None:
    """A small file can ask for gigabytes of N_ℓ; a table too short is refused before they are formed."""
    sizes = Sizes(2, (2**200,) * 300)
    with pytest.raises(InputError, match=r"tables\[1\] has length 2; an integer of 202 bits are needed"):
        Instance(sizes, 0, [[0, 0]] * 301, [0] * 300)
    assert "N" not in vars(sizes)


def test_sizes_that_cannot_be_built() -> None:
    require_buildable(Sizes.for_tokens(2, 2**22))
    with pytest.raises(InputError, match="a prompt has 16777218 tokens at these sizes; inputs of at most 16777216 are"):
        require_buildable(Sizes(2**24, ()))
