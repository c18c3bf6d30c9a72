"""Look-ups: oracles by other code, documents, and what describes no task."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from separation.files import InputError
from separation.tasks import task_from_document, task_of
from separation.tasks.look_ups import Find, LookUps, TokenKind


def recall(D: int, K: int, V: int, Q: int = 1) -> LookUps:
    """D pairs of a key below K and a value below V, then Q queries."""
    pairs = TokenKind("pairs", D, (("key", K, None), ("value", V, None)), ("key",))
    find = Find("queries", "pairs", ("asked",), (("value", "answer"),))
    return LookUps("mqar", (pairs, TokenKind("queries", Q, (("asked", K, "pairs"),))), (find,), "answer")


def plain_inputs(D: int, K: int, V: int, Q: int) -> set[tuple[int, ...]]:
    """All prompts, written down a second time."""
    found = set()
    for keys in permutations(range(K), D):
        for values in product(range(V), repeat=D):
            for asked in product(keys, repeat=Q):
                pairs = [key * V + value for key, value in zip(keys, values, strict=True)]
                found.add((*pairs, *(K * V + key for key in asked)))
    return found


def plain_answer(D: int, K: int, V: int, prompt: list[int]) -> int:
    """The value of the last query, by a search through the pairs."""
    (pair,) = [token for token in prompt[:D] if token // V == prompt[-1] - K * V]
    return pair % V


@pytest.mark.parametrize("sizes", [(2, 3, 2, 2), (1, 2, 3, 1), (3, 3, 2, 1)])
def test_all_inputs_and_their_answers(sizes: tuple[int, int, int, int]) -> None:
    description = recall(*sizes)
    task = task_of(description)
    rows = [row for block in task.all_prompts(100) for row in block.tolist()]
    assert {tuple(row) for row in rows} == plain_inputs(*sizes)
    assert len(rows) == description.count_inputs()
    assert description.inputs_log2_floor() == len(rows).bit_length() - 1
    assert task.right_answers(np.array(rows)).tolist() == [plain_answer(*sizes[:3], row) for row in rows]


def test_random_prompts_are_inputs_and_all_of_them_occur() -> None:
    drawn = task_of(recall(2, 3, 2)).random_prompts(np.random.default_rng(0), 2000)
    assert {tuple(row) for row in drawn.tolist()} == plain_inputs(2, 3, 2, 1)


def test_documents_of_any_name() -> None:
    """Also of one that once had a folder: a name is a label."""
    document = task_of(recall(3, 5, 4, 2)).document()
    assert task_from_document(document) == recall(3, 5, 4, 2)
    document["finds"][0]["as"] = [["key", "answer"]]
    assert task_from_document(document) != recall(3, 5, 4, 2)


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
