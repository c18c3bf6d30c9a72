from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from two_sum_cases import instances, quick

from separation.files import InputError
from separation.tasks.two_sum import (
    TwoSumInstance,
    TwoSumSizes,
    from_document,
    instance_schema,
    load_instance,
    sample,
    to_document,
)

VALIDATOR = Draft202012Validator(instance_schema())
GOOD = {"task": "two_sum", "modulus": 7, "x": [3, 1, 4]}
KEYS = "task, modulus, x"

# What the schema can say, and what it cannot.
BY_BOTH: list[tuple[dict[str, Any], str]] = [
    ({"task": "funccomp"}, "task is 'funccomp'; 'two_sum' is needed"),
    ({"task": ["two_sum"]}, "task is ['two_sum']; 'two_sum' is needed"),
    ({"modulus": 1}, "modulus is 1; allowed are 3 and above"),
    ({"modulus": 8}, "modulus is 8; an odd integer is needed"),
    ({"modulus": "7"}, "modulus is '7'; an integer is needed"),
    ({"modulus": True}, "modulus is True; an integer is needed"),
    ({"x": 3}, "x is 3; a list is needed"),
    ({"x": {}}, "x is {}; a list is needed"),
    ({"x": []}, "x has length 0; allowed are 1 and above"),
    ({"x": [3, 0]}, "x[1] is 0; allowed are 1..6"),
    ({"x": [3, -1]}, "x[1] is -1; allowed are 1..6"),
    ({"x": [None]}, "x[0] is None; an integer is needed"),
    ({"x": [3, 0.5]}, "x[1] is 0.5; an integer is needed"),
    ({"x": [3, True]}, "x[1] is True; an integer is needed"),
    ({"length": 3}, f"'length' is no key of an instance; its keys are {KEYS}"),
]
BY_READER_ONLY: list[tuple[dict[str, Any], str]] = [
    ({"x": [3, 7]}, "x[1] is 7; allowed are 1..6"),
    ({"x": [3, 1.0]}, "x[1] is 1.0; an integer is needed"),
    ({"modulus": 7.0}, "modulus is 7.0; an integer is needed"),
]


def refusal(document: object) -> str:
    with pytest.raises(InputError) as caught:
        from_document(document)
    return str(caught.value)


def test_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(instance_schema())


def test_good_document() -> None:
    assert from_document(GOOD) == TwoSumInstance(TwoSumSizes(3, 7), [3, 1, 4])
    assert to_document(from_document(GOOD)) == GOOD
    assert VALIDATOR.is_valid(GOOD)


@quick
@given(instances())
def test_there_and_back(instance: TwoSumInstance) -> None:
    document = to_document(instance)
    assert VALIDATOR.is_valid(document)
    assert from_document(json.loads(json.dumps(document))) == instance


@pytest.mark.parametrize(("change", "text"), BY_BOTH)
def test_refused_by_reader_and_schema(change: dict[str, Any], text: str) -> None:
    assert refusal(GOOD | change) == text
    assert not VALIDATOR.is_valid(GOOD | change)


@pytest.mark.parametrize(("change", "text"), BY_READER_ONLY)
def test_refused_by_reader_alone(change: dict[str, Any], text: str) -> None:
    assert refusal(GOOD | change) == text
    assert VALIDATOR.is_valid(GOOD | change)


@pytest.mark.parametrize("key", GOOD)
def test_missing_keys(key: str) -> None:
    document = {name: value for name, value in GOOD.items() if name != key}
    assert refusal(document) == f"{key} is missing; an instance has the keys {KEYS}"
    assert not VALIDATOR.is_valid(document)


@pytest.mark.parametrize("document", [[], "two_sum", None, 3])
def test_no_object(document: object) -> None:
    assert refusal(document).endswith(f"; an object with the keys {KEYS} is needed")
    assert not VALIDATOR.is_valid(document)


def test_load(tmp_path: Path) -> None:
    instance = sample(TwoSumSizes(5, 11), 5)
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(to_document(instance)))
    assert load_instance(path) == instance
    assert load_instance(str(path)) == instance


def test_load_refusals_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "instance.json"
    with pytest.raises(InputError, match=r"cannot read .*instance\.json"):
        load_instance(path)
    path.write_text("{")
    with pytest.raises(InputError, match=r"instance\.json is not JSON"):
        load_instance(path)
    path.write_text(json.dumps(GOOD | {"x": [3, 9]}))
    with pytest.raises(InputError) as caught:
        load_instance(path)
    assert str(caught.value) == f"{path}: x[1] is 9; allowed are 1..6"


def test_huge_numbers_are_refused_in_one_line() -> None:
    assert refusal(GOOD | {"modulus": 2**9000}) == "modulus is an integer of 9001 bits; an odd integer is needed"
    assert refusal(GOOD | {"x": [2**9000]}) == "x[0] is an integer of 9001 bits; allowed are 1..6"
