"""Any program is a task of the kit: asked, failed, shrunk, written as text and as a dataset, from its definitions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from constructions.programs import NAMES, gallery
from separation import stress
from separation.files import InputError
from separation.programs import Program
from separation.proving.construction import compare
from separation.tasks import task_of
from separation.tasks.program import ProgramInstance, answers, execute, spelled
from separation.testing import check_solver, dataset_rows, read_prompt, write_prompt
from separation.testing.harnesses import harness_rows, judged
from separation.testing.subjects import sizes_of_length, subject_of
from separation.verbs.stress import stress_dataset

QUICK: dict[str, Any] = {"seconds": 20.0, "limit": None, "instances": 4}
OWN = """
from separation.programs import Program, where

def program(n=3, V=2):
    p = Program("second occurrence")
    start, seq = p.start(), p.tokens("seq", n, sym=V)
    p.answer(seq.count(where(seq.sym == seq.sym), name="seen"))
    return p
"""


def right(cases: list[ProgramInstance]) -> list[Any]:
    found = [answers(case.sizes, case.ids) for case in cases]
    return [each if len(each) > 1 else each[0] for each in found]


def wrong_once(cases: list[ProgramInstance]) -> list[Any]:
    """Off by one wherever the last answer is the largest of the alphabet."""
    found = [answers(case.sizes, case.ids) for case in cases]
    for case, each in zip(cases, found, strict=True):
        each[-1] = 0 if each[-1] == case.sizes.size(*case.sizes.answer) - 1 else each[-1]
    return [each if len(each) > 1 else each[0] for each in found]


@pytest.mark.parametrize("name", NAMES[::3])
def test_the_right_solver_passes_and_the_wrong_one_is_caught(name: str) -> None:
    own = gallery(name).definitions
    sizes = own.at_length(3) if own.is_endless else own
    assert check_solver(right, own, sizes=sizes, **QUICK).ok
    report = check_solver(lambda cases: [_plus_one(each) for each in right(cases)], own, sizes=sizes, **QUICK)
    assert not report.ok
    assert report.failure is not None
    assert answers(sizes, report.failure.ids)  # type: ignore[attr-defined]
    assert task_of(sizes).title in str(report)


def _plus_one(answer: Any) -> Any:
    return [number + 1 for number in answer] if isinstance(answer, list) else answer + 1


@pytest.mark.parametrize("name", NAMES)
def test_texts_spell_inputs_and_families_are_inputs(name: str) -> None:
    own = gallery(name).definitions
    task = task_of(own)
    assert len(task.families()) >= 5
    for case in (*task.samples(0, 3), *task.family_instances(1)):
        assert read_prompt(write_prompt(case, shots=1), own) == case
    kind, variable = own.answer
    assert f"{variable} of" in task.question
    for d in (own.definitions[number] for number in own.needed()):
        assert d.name in task.question
    assert all(spelled_kind.name in task.question for spelled_kind in own.kinds), kind


def test_families_show_what_their_names_say() -> None:
    own = gallery("induction", n=6, V=3).definitions
    families = task_of(own).families()
    for name, wanted in (("sym_found_no_match", 0), ("sym_found_one_match", 1), ("sym_found_several_match", 2)):
        for seed in range(4):
            for case in families[name](seed):
                prompt = [token for kind, token in execute(own, spelled(own, case.ids)) if kind == "seq"]
                last = prompt[-1]["sym"]
                assert min(2, sum(token["sym_one_before"] == last for token in prompt)) == wanted
    for case in families["all_equal"](0):
        assert len({token["sym"] for token in case["seq"]}) == 1


def test_a_rare_mistake_is_found_and_made_small() -> None:
    report = check_solver(wrong_once, "induction", seconds=20.0, limit=None, instances=16)
    assert not report.ok
    assert isinstance(report.failure, ProgramInstance)
    assert len(report.failure.ids) == 5  # the small sizes of the gallery
    assert '"induction": 1 start, 4 seq; seq: 0=' in str(report)


def test_sizes_follow_lengths_and_programs_without_end_have_every_length() -> None:
    assert [sizes_of_length("induction", length).length for length in (5, 9, 64)] == [5, 9, 33]
    assert [sizes_of_length("parity", length).length for length in (2, 17)] == [2, 17]
    assert len(subject_of("parity").small) == 4
    assert subject_of("induction", "n=3,V=5").small[0].vocabulary == 6
    with pytest.raises(InputError, match="no sizes with a prompt of at most 3 tokens"):
        sizes_of_length("induction", 3)


def test_a_file_of_ones_own_is_stressed_and_written(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN)
    own = f"{file}:program"
    found = stress(right, task=own, seconds=20, limit=None)
    assert found.ok
    assert not stress(lambda cases: [[1] * 3 for _ in cases], task=own, seconds=20, limit=None).ok
    assert stress(own, task=own, seconds=20).ok  # its own weights
    stress_dataset(tmp_path / "data", (own, "induction"), lengths=(9,), count=3)
    rows = [json.loads(line) for line in (tmp_path / "data" / "second_occurrence.jsonl").read_text().splitlines()]
    assert len({row["id"] for row in rows}) == len(rows) > 3
    assert rows[0]["target"].split() == [str(number) for number in rows[0]["answer"]]
    assert "seen of a seq is the number of seq at or before it with sym equal to its own sym" in rows[0]["text"]


def test_harnesses_take_programs_and_read_leniently() -> None:
    (row, *_) = harness_rows("induction", {"sizes": "n=4,V=2", "count": 2})
    said = ", ".join(map(str, row["answer"]))
    assert judged(row, f"Let me see.\n**Answer:** {said}.") == (True, True)
    assert judged(row, "Answer: 9 9 9 9") == (False, True)
    assert judged(row, "no idea") == (False, False)


def test_a_question_that_cannot_be_told_in_words_is_refused() -> None:
    p = Program("wide")
    tokens = p.tokens("pair", 2, a=128, b=128)
    p.answer(p.map(lambda a, b: a * b % 7, tokens.a, tokens.b))
    with pytest.raises(InputError, match="16,384 entries"):
        next(iter(dataset_rows(p)))


def test_weights_are_compared_at_every_token_that_is_asked() -> None:
    """Weights that are wrong at the first of four tokens only are wrong."""
    p = Program("first of all")
    _, seq = p.start(), p.tokens("seq", 3, sym=3)
    p.answer(seq.first((), read=seq.sym, at=seq))
    other = Program("first of all")
    _, seq = other.start(), other.tokens("seq", 3, sym=3)
    first = seq.first((), read=seq.sym, at=seq)
    other.answer(other.map(lambda x, at: 2 - x if at == 0 else x, first, seq.position))
    task = task_of(p.definitions)
    prompts = task.random_prompts(np.random.default_rng(0), 9)
    assert (task.right_answers(prompts) == prompts[:, 1:2] - 1).all()
    assert not compare(p.compile().construction, prompts).wrong.any()
    broken = replace(other.compile().construction, sizes=p.definitions)
    assert (compare(broken, prompts).wrong == (prompts[:, 1] != 2)).all()
