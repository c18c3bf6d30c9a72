"""MQAR and the look-ups that it is: oracles by other code, documents, families, and what is no input."""

from __future__ import annotations

import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from separation.files import InputError
from separation.tasks import load_any_instance, task_from_document, task_of
from separation.tasks.look_ups import Find, LookUps, TokenKind
from separation.tasks.mqar import FAMILIES, MQAR, MQARInstance, MQARSizes, outputs, to_document

SIZES = MQARSizes(3, 5, 4, 2)


def plain_inputs(sizes: MQARSizes) -> set[tuple[int, ...]]:
    """All prompts, written down a second time."""
    found = set()
    for keys in permutations(range(sizes.keys), sizes.pairs):
        for values in product(range(sizes.values), repeat=sizes.pairs):
            for asked in product(keys, repeat=sizes.queries):
                pairs = [key * sizes.values + value for key, value in zip(keys, values, strict=True)]
                found.add((*pairs, *(sizes.keys * sizes.values + key for key in asked)))
    return found


def plain_answer(sizes: MQARSizes, prompt: list[int]) -> int:
    """The value of the last query, by a search through the pairs."""
    asked = prompt[-1] - sizes.keys * sizes.values
    (pair,) = [token for token in prompt[: sizes.pairs] if token // sizes.values == asked]
    return pair % sizes.values


@pytest.mark.parametrize("sizes", [MQARSizes(2, 3, 2, 2), MQARSizes(1, 2, 3), MQARSizes(3, 3, 2, 1)])
def test_all_inputs_and_their_answers(sizes: MQARSizes) -> None:
    task = MQAR(sizes)
    rows = [row for block in task.all_prompts(100) for row in block.tolist()]
    assert {tuple(row) for row in rows} == plain_inputs(sizes)
    assert len(rows) == sizes.count_inputs()
    assert sizes.inputs_log2_floor() == len(rows).bit_length() - 1
    answers = task.right_answers(np.array(rows))
    assert answers.tolist() == [plain_answer(sizes, row) for row in rows]
    for row, answer in zip(rows[::7], answers[::7], strict=True):
        assert outputs(task.instance(np.array(row)))[-1] == answer


def test_random_prompts_are_inputs_and_all_of_them_occur() -> None:
    sizes = MQARSizes(2, 3, 2, 1)
    drawn = {tuple(row) for row in MQAR(sizes).random_prompts(np.random.default_rng(0), 2000).tolist()}
    assert drawn == plain_inputs(sizes)


@pytest.mark.parametrize("family", FAMILIES)
def test_families_are_inputs(family: str) -> None:
    for sizes in (SIZES, MQARSizes(1, 2, 2), MQARSizes(8, 8, 3, 5)):
        cases = list(FAMILIES[family](sizes, 4))
        assert cases
        assert all(case.sizes == sizes for case in cases)


def test_documents(tmp_path: Path) -> None:
    instance = MQAR(SIZES).sample(3)
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(to_document(instance)))
    assert load_any_instance(path) == instance
    assert task_from_document(MQAR(SIZES).document()) == SIZES
    other = MQAR(SIZES).document()
    other["finds"][0]["as"] = [["key", "answer"]]
    with pytest.raises(InputError, match="is another task"):
        task_from_document(other)
    other["name"] = "echo"
    assert isinstance(task_from_document(other), LookUps)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"keys": [1, 1, 2]}, "two pairs have the same key"),
        ({"queries": [4, 0]}, "is the key of no pair"),
        ({"values": [0, 1]}, "values has 2 numbers"),
        ({"values": [0, 1, 9]}, "allowed are 0..3"),
        ({"keys": "abc"}, "a list of integers is needed"),
        ({"sizes": 3}, "an object with the keys keys, values"),
        ({"more": 1}, "is no key of an instance"),
    ],
)
def test_what_is_no_input_is_refused(change: dict[str, object], message: str, tmp_path: Path) -> None:
    document = to_document(MQARInstance(SIZES, (1, 3, 2), (0, 1, 3), (3, 3)))
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(document | change))
    with pytest.raises(InputError, match=message):
        load_any_instance(path)


PAIRS = TokenKind("pairs", 2, (("key", 4, None), ("value", 4, "pairs")), ("key",))
ASK = TokenKind("ask", 1, (("asked", 4, "pairs"),))
HOP = Find("ask", "pairs", ("asked",), (("value", "next"),))
TWICE = Find("ask", "pairs", ("next",), (("value", "answer"),))


def test_what_is_found_can_be_asked_for_again() -> None:
    task = task_of(LookUps("two hops", (PAIRS, ASK), (HOP, TWICE), "answer"))
    for row in (row for block in task.all_prompts(64) for row in block):
        pairs = {int(token) // 4: int(token) % 4 for token in row[:2]}
        assert task.right_answers(row[None])[0] == pairs[pairs[int(row[-1]) - 16]]


@pytest.mark.parametrize(
    ("kinds", "finds", "answer", "message"),
    [
        ((PAIRS, TokenKind("ask", 1, (("asked", 4, None),))), (HOP,), "next", "nothing says that pairs has the token"),
        ((ASK, PAIRS), (HOP,), "key", "must stand before"),
        ((PAIRS, ASK), (TWICE,), "answer", "has no variable"),
        ((PAIRS, ASK), (HOP, HOP), "next", "cannot know"),
        ((PAIRS, ASK), (HOP,), "value", "is no variable of ask"),
        ((TokenKind("pairs", 5, PAIRS.token, ("key",)), ASK), (), "asked", "5 tokens and 4 names"),
        ((PAIRS, PAIRS), (), "key", "same name"),
        ((TokenKind("pairs", 2, PAIRS.token, ("value",)), ASK), (), "asked", "names others"),
        ((TokenKind("pairs", 2, PAIRS.token, ("lock",)), ASK), (), "asked", "apart is not known"),
        ((PAIRS, TokenKind("ask", 1, (("asked", 3, "pairs"),))), (), "asked", "is no name of 'pairs'"),
        ((), (), "asked", "1 to 16 kinds"),
        ((TokenKind("Pairs!", 2, PAIRS.token, ("key",)),), (), "key", "small letters"),
    ],
)
def test_descriptions_that_define_nothing_are_refused(
    kinds: tuple[TokenKind, ...], finds: tuple[Find, ...], answer: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        LookUps("wrong", kinds, finds, answer)
