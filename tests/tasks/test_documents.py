"""Sizes, instances and their documents: good ones there and back, and each bad one a line that names the field."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from task_cases import instances, quick, refused, small_sizes, small_two_sums, two_sum_instances

from separation.files import InputError
from separation.tasks import funccomp, instance_to_document, load_any_instance, task_of, two_sum
from separation.tasks.checks import packaged_schema
from separation.tasks.funccomp import Instance, Sizes
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes

MODULES: dict[str, Any] = {"funccomp": funccomp, "two_sum": two_sum}
GOOD: dict[str, dict[str, Any]] = {
    "funccomp": {"task": "funccomp", "m": 2, "n": [2], "z0": 1, "tables": [[1, 0], [0, 3, 2, 1]], "w": [1]},
    "two_sum": {"task": "two_sum", "modulus": 7, "x": [3, 1, 4]},
}
VALIDATORS = {name: Draft202012Validator(packaged_schema(name)) for name in MODULES}
KEYS = {name: ", ".join(document) for name, document in GOOD.items()}
TABLE_2 = [0, 3, 2, 1]

# What is wrong; the line that says so; whether a schema, which cannot do arithmetic, sees it too.
BAD: list[tuple[str, dict[str, Any], str, bool]] = [
    ("funccomp", {"task": "two_sum"}, "task is 'two_sum'; 'funccomp' is needed", True),
    ("funccomp", {"m": 1}, "m is 1; allowed are 2 and above", True),
    ("funccomp", {"m": True}, "m is True; an integer is needed", True),
    ("funccomp", {"n": 2}, "n is 2; a list is needed", True),
    ("funccomp", {"n": [0]}, "n_1 is 0; allowed are 1 and above", True),
    ("funccomp", {"z0": -1}, "z0 is -1; allowed are 0..1", True),
    ("funccomp", {"z0": 0.5}, "z0 is 0.5; an integer is needed", True),
    ("funccomp", {"tables": {}}, "tables is {}; a list is needed", True),
    ("funccomp", {"tables": []}, "tables has length 0; L = 2 are needed", True),
    ("funccomp", {"tables": [[1, 0], 4]}, "tables[1] is 4; a list of integers is needed", True),
    ("funccomp", {"tables": [[1], TABLE_2]}, "tables[0] has length 1; 2 are needed", True),
    ("funccomp", {"tables": [[1, 0], [0, 3, -2, 1]]}, "tables[1][2] is -2; allowed are 0..3", True),
    ("funccomp", {"tables": [[1, False], TABLE_2]}, "tables[0][1] is False; an integer is needed", True),
    ("funccomp", {"w": "1"}, "w is '1'; a list is needed", True),
    ("funccomp", {"w": [-1]}, "w[0] is -1; allowed are 0..1", True),
    ("funccomp", {"seed": 0}, f"'seed' is no key of an instance; its keys are {KEYS['funccomp']}", True),
    ("funccomp", {"z0": 2}, "z0 is 2; allowed are 0..1", False),
    ("funccomp", {"z0": 1.0}, "z0 is 1.0; an integer is needed", False),
    ("funccomp", {"tables": [[1, 0]]}, "tables has length 1; L = 2 are needed", False),
    ("funccomp", {"tables": [[1, 0], [0, 4, 2, 1]]}, "tables[1][1] is 4; allowed are 0..3", False),
    ("funccomp", {"tables": [[1, 0], [0, 3, 2]]}, "tables[1] has length 3; 4 are needed", False),
    ("funccomp", {"w": [2]}, "w[0] is 2; allowed are 0..1", False),
    ("funccomp", {"w": []}, "w has length 0; L - 1 = 1 are needed", False),
    ("two_sum", {"task": "funccomp"}, "task is 'funccomp'; 'two_sum' is needed", True),
    ("two_sum", {"modulus": 1}, "modulus is 1; allowed are 3 and above", True),
    ("two_sum", {"modulus": 8}, "modulus is 8; an odd integer is needed", True),
    ("two_sum", {"modulus": True}, "modulus is True; an integer is needed", True),
    ("two_sum", {"x": 3}, "x is 3; a list is needed", True),
    ("two_sum", {"x": []}, "x has length 0; allowed are 1 and above", True),
    ("two_sum", {"x": [3, 0]}, "x[1] is 0; allowed are 1..6", True),
    ("two_sum", {"x": [3, 0.5]}, "x[1] is 0.5; an integer is needed", True),
    ("two_sum", {"x": [3, True]}, "x[1] is True; an integer is needed", True),
    ("two_sum", {"length": 3}, f"'length' is no key of an instance; its keys are {KEYS['two_sum']}", True),
    ("two_sum", {"x": [3, 7]}, "x[1] is 7; allowed are 1..6", False),
    ("two_sum", {"x": [3, 1.0]}, "x[1] is 1.0; an integer is needed", False),
    ("two_sum", {"modulus": 7.0}, "modulus is 7.0; an integer is needed", False),
]


@pytest.mark.parametrize("name", MODULES)
def test_bad_documents(name: str) -> None:
    Draft202012Validator.check_schema(packaged_schema(name))
    read, good = MODULES[name].from_document, GOOD[name]
    cases = [(good | change, text, by_schema) for task, change, text, by_schema in BAD if task == name]
    for key in good:
        without = {other: value for other, value in good.items() if other != key}
        cases.append((without, f"{key} is missing; an instance has the keys {KEYS[name]}", True))
    for document, text, by_schema in cases:
        refused(lambda document=document: read(document), text)
        assert VALIDATORS[name].is_valid(document) != by_schema, text
    for other in ([], name, None, 3):
        with pytest.raises(InputError, match=f"; an object with the keys {KEYS[name]} is needed"):
            read(other)
        assert not VALIDATORS[name].is_valid(other)


@quick
@given(st.one_of(instances(), two_sum_instances()))
def test_there_and_back(instance: Any) -> None:
    document = instance_to_document(instance)
    assert VALIDATORS[document["task"]].is_valid(document)
    assert MODULES[document["task"]].from_document(json.loads(json.dumps(document))) == instance


@pytest.mark.parametrize("name", MODULES)
def test_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / "instance.json"
    with pytest.raises(InputError, match=r"cannot read .*instance\.json"):
        load_any_instance(path)
    path.write_text(json.dumps(GOOD[name]))
    assert load_any_instance(path) == load_any_instance(str(path)) == MODULES[name].from_document(GOOD[name])
    assert instance_to_document(load_any_instance(path)) == GOOD[name]
    path.write_text("{")
    with pytest.raises(InputError, match=r"instance\.json is not JSON"):
        load_any_instance(path)
    path.write_text(json.dumps(GOOD[name] | {"task": "x"}))
    with pytest.raises(InputError, match=r"instance\.json: "):
        load_any_instance(path)


# --- in Python ---


def made(name: str, **change: Any) -> Any:
    """An instance with some arguments changed."""
    if name == "funccomp":
        good: dict[str, Any] = {"sizes": Sizes(2, (2,)), "z0": 1, "tables": [[1, 0], TABLE_2], "w": [1]}
        return Instance(**(good | change))
    return TwoSumInstance(**({"sizes": TwoSumSizes(3, 7), "x": [3, 1, 4]} | change))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Sizes(2, (3, 0)), "n_2 is 0; allowed are 1 and above"),
        (lambda: Sizes(2.0, ()), "m is 2.0; an integer is needed"),  # type: ignore[arg-type]
        (lambda: Sizes(2, [3]), "n is [3]; a tuple of integers is needed"),  # type: ignore[arg-type]
        (lambda: TwoSumSizes(0, 5), "length is 0; allowed are 1 and above"),
        (lambda: TwoSumSizes(True, 5), "length is True; an integer is needed"),
        (lambda: TwoSumSizes(2, 4), "modulus is 4; an odd integer is needed"),
        (lambda: made("funccomp", sizes=(2, 2)), "sizes is (2, 2); Sizes are needed"),
        (lambda: made("funccomp", tables=5), "tables is 5; a list of tables is needed"),
        (lambda: made("funccomp", tables=["10", TABLE_2]), "tables[0] is '10'; a list of integers is needed"),
        (
            lambda: made("funccomp", tables=[np.zeros(2), TABLE_2]),
            "tables[0] is array([0., 0.]); a list of integers is needed",
        ),
        (lambda: made("funccomp", tables=[np.array([0, 5]), TABLE_2]), "tables[0][1] is 5; allowed are 0..1"),
        (lambda: made("funccomp", w="1"), "w is '1'; a list of integers is needed"),
        (lambda: made("two_sum", sizes=(6, 7)), "sizes is (6, 7); TwoSumSizes are needed"),
        (lambda: made("two_sum", x=[3, 1]), "x has length 2; 3 are needed"),
        (lambda: made("two_sum", x="314"), "x is '314'; a list of integers is needed"),
        (lambda: made("two_sum", x=np.ones(2)), "x is array([1., 1.]); a list of integers is needed"),
        (lambda: made("two_sum", x=np.array([1, 2, 9])), "x[2] is 9; allowed are 1..6"),
        (lambda: made("two_sum", x=[[1]] * 3), "x[0] is [1]; an integer is needed"),
    ],
)
def test_what_is_no_input_in_python(make: Any, text: str) -> None:
    refused(make, text)


@quick
@given(instances(), two_sum_instances())
def test_arrays_lists_and_tuples_are_the_same(instance: Instance, other: TwoSumInstance) -> None:
    sizes, z0, tables, w = instance.sizes, instance.z0, instance.tables, instance.w
    arrays = Instance(sizes, z0, [np.array(table) for table in tables], np.array(w, dtype=np.int32))
    assert arrays == Instance(sizes, z0, [list(table) for table in tables], list(w)) == instance
    assert hash(arrays) == hash(instance)
    assert {type(entry) for table in arrays.tables for entry in table} == {int}
    assert TwoSumInstance(other.sizes, np.array(other.x)) == TwoSumInstance(other.sizes, list(other.x)) == other


def test_sizes_that_cannot_be_built() -> None:
    funccomp.instance.require_buildable(Sizes.for_tokens(2, 2**22))
    two_sum.instance.require_buildable(TwoSumSizes(2**24, 2**63 - 1))
    for sizes, text in (
        (Sizes(2**24, ()), "a prompt has 16777218 tokens at these sizes; inputs of at most 16777216 are built"),
        (TwoSumSizes(2**24 + 1, 3), "length is 16777217; inputs of at most 16777216 are built"),
        (TwoSumSizes(1, 2**63 + 1), "modulus is 9223372036854775809; allowed are 3..9223372036854775807"),
    ):
        refused(lambda sizes=sizes: task_of(sizes).sample(0), text)


@quick
@given(small_sizes, small_two_sums)
def test_logarithms_of_the_count(sizes: Sizes, other: TwoSumSizes) -> None:
    assert sizes.count_inputs() == sizes.m * math.prod(sizes.n) * math.prod(size**size for size in sizes.N)
    assert other.count_inputs() == (other.modulus - 1) ** other.length
    assert 2 ** (other.code_bits - 1) < other.modulus <= 2**other.code_bits
    for each in (sizes, other):
        count = each.count_inputs()
        assert each.inputs_log2_floor() == count.bit_length() - 1
        assert each.inputs_log2() == pytest.approx(math.log2(count), rel=1e-12)


def test_counts_of_huge_sizes() -> None:
    expected = 24 + 48 + sum(24 * k * 2 ** (24 * k) for k in (1, 2, 3))
    for sizes, bits in ((Sizes(2**24, (2**24, 2**24)), expected), (TwoSumSizes(2**40, 2**70 + 1), 70 * 2**40)):
        assert sizes.inputs_log2_floor() == bits
        assert sizes.inputs_log2() == pytest.approx(bits)
    for sizes, bits in ((Sizes(2**2000, ()), 2000 + 2000 * 2**2000), (TwoSumSizes(2**2000, 5), 2**2001)):
        assert sizes.inputs_log2_floor() == bits
        assert sizes.inputs_log2() == math.inf
    # 2^16·16 + 16 bits and one more are too many; 2^15·15 + 15 and one are not.
    refused(Sizes(2**16, ()).count_inputs, "the number of inputs has 1048593 bits; at most 1000000 are written out")
    assert Sizes(2**15, ()).count_inputs() == 2 ** (15 + 15 * 2**15)
    refused(
        TwoSumSizes(10**6, 3).count_inputs, "the number of inputs has 1000001 bits; at most 1000000 are written out"
    )
