from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from funccomp_cases import instances, quick
from hypothesis import given
from jsonschema import Draft202012Validator

from separation.files import InputError
from separation.tasks.funccomp import (
    Instance,
    Sizes,
    from_document,
    instance_schema,
    load_instance,
    sample,
    to_document,
)

VALIDATOR = Draft202012Validator(instance_schema())
GOOD = {"task": "funccomp", "m": 2, "n": [2], "z0": 1, "tables": [[1, 0], [0, 3, 2, 1]], "w": [1]}
KEYS = "task, m, n, z0, tables, w"

# What the schema can say, and what needs arithmetic.
BY_BOTH: list[tuple[dict[str, Any], str]] = [
    ({"task": "two_sum"}, "task is 'two_sum'; 'funccomp' is needed"),
    ({"task": ["funccomp"]}, "task is ['funccomp']; 'funccomp' is needed"),
    ({"m": 1}, "m is 1; allowed are 2 and above"),
    ({"m": "2"}, "m is '2'; an integer is needed"),
    ({"m": True}, "m is True; an integer is needed"),
    ({"n": 2}, "n is 2; a list is needed"),
    ({"n": [0]}, "n_1 is 0; allowed are 1 and above"),
    ({"n": [None]}, "n_1 is None; an integer is needed"),
    ({"z0": -1}, "z0 is -1; allowed are 0..1"),
    ({"z0": 0.5}, "z0 is 0.5; an integer is needed"),
    ({"tables": {}}, "tables is {}; a list is needed"),
    ({"tables": []}, "tables has length 0; L = 2 are needed"),
    ({"tables": [[1, 0], 4]}, "tables[1] is 4; a list of integers is needed"),
    ({"tables": [[1], [0, 3, 2, 1]]}, "tables[0] has length 1; 2 are needed"),
    ({"tables": [[1, 0], [0, 3, -2, 1]]}, "tables[1][2] is -2; allowed are 0..3"),
    ({"tables": [[1, False], [0, 3, 2, 1]]}, "tables[0][1] is False; an integer is needed"),
    ({"w": "1"}, "w is '1'; a list is needed"),
    ({"w": [-1]}, "w[0] is -1; allowed are 0..1"),
    ({"seed": 0}, f"'seed' is no key of an instance; its keys are {KEYS}"),
]
BY_READER_ONLY: list[tuple[dict[str, Any], str]] = [
    ({"z0": 2}, "z0 is 2; allowed are 0..1"),
    ({"z0": 1.0}, "z0 is 1.0; an integer is needed"),
    ({"tables": [[1, 0]]}, "tables has length 1; L = 2 are needed"),
    ({"tables": [[1, 0], [0, 4, 2, 1]]}, "tables[1][1] is 4; allowed are 0..3"),
    ({"tables": [[1, 0], [0, 3, 2]]}, "tables[1] has length 3; 4 are needed"),
    ({"w": [2]}, "w[0] is 2; allowed are 0..1"),
    ({"w": []}, "w has length 0; L - 1 = 1 are needed"),
]


def refusal(document: object) -> str:
    with pytest.raises(InputError) as caught:
        from_document(document)
    return str(caught.value)


def test_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(instance_schema())


def test_good_document() -> None:
    assert from_document(GOOD) == Instance(Sizes(2, (2,)), 1, [[1, 0], [0, 3, 2, 1]], [1])
    assert VALIDATOR.is_valid(GOOD)


@quick
@given(instances())
def test_there_and_back(instance: Instance) -> None:
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


@pytest.mark.parametrize("document", [[], "funccomp", None, 3])
def test_no_object(document: object) -> None:
    assert refusal(document).endswith(f"; an object with the keys {KEYS} is needed")
    assert not VALIDATOR.is_valid(document)


def test_load(tmp_path: Path) -> None:
    instance = sample(Sizes(3, (2,)), 5)
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
    path.write_text(json.dumps(GOOD | {"z0": 7}))
    with pytest.raises(InputError) as caught:
        load_instance(path)
    assert str(caught.value) == f"{path}: z0 is 7; allowed are 0..1"


def test_huge_numbers_are_refused_in_one_line() -> None:
    assert refusal(GOOD | {"m": 2**9000}) == "tables[0] has length 2; an integer of 9001 bits are needed"
    assert refusal(GOOD | {"n": [2**9000]}) == "tables[1] has length 4; an integer of 9002 bits are needed"
    assert refusal(GOOD | {"z0": 2**9000}) == "z0 is an integer of 9001 bits; allowed are 0..1"
