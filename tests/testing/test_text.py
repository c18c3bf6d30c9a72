"""Prompts as text say what the token ids say, and answers are read strictly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separation.files import InputError
from separation.tasks import task_of
from separation.tasks.funccomp import Instance, Sizes
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes
from separation.testing import (
    CANARY,
    dataset_rows,
    parse_answer,
    plain_task,
    read_prompt,
    sizes_of_length,
    small_sizes,
    stressed_tasks,
    subjects,
    write_answer,
    write_dataset,
    write_prompt,
)
from separation.testing.text import example_sizes, read_answer

SIZES = [Sizes(3, ()), Sizes(2, (3, 2)), TwoSumSizes(1, 5), TwoSumSizes(6, 7)]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("shots", [0, 2])
def test_a_prompt_reads_back_as_the_instance(sizes: Sizes | TwoSumSizes, shots: int) -> None:
    task = task_of(sizes)
    for instance in (*task.samples(0, 4), *task.family_instances(0)):
        text = write_prompt(instance, shots=shots)
        assert read_prompt(text, sizes) == instance
        assert text.count(CANARY) == 1
        assert text.count("Answer:") == shots + 1


@pytest.mark.parametrize("task", stressed_tasks())
def test_examples_in_the_prompt_are_right(task: str) -> None:
    """Each worked example is read back by its own sizes, and answered by the oracle."""
    sizes = sizes_of_length(task, 24, 3 if task == "funccomp" else None)
    text = write_prompt(plain_task(sizes).sample(5), shots=3, seed=5)
    examples = text.split("\n\n")
    assert len(examples) == 4
    small = plain_task(example_sizes(plain_task(sizes)))
    for example in examples[:-1]:
        block, _, answer = example.rpartition("Answer: ")
        instance = read_prompt(f"{block}Answer:", small.sizes)
        assert write_answer(small.expected(instance)) == answer


def test_the_last_line_of_a_prompt_without_digits_and_of_numbers() -> None:
    """Those of two tables are in docs/stress.md, which is generated."""
    assert write_prompt(Instance(Sizes(2, ()), 1, [[1, 0]], [])).split("\n")[-2] == "w: -"
    assert write_prompt(TwoSumInstance(TwoSumSizes(3, 5), [1, 2, 4])).split("\n")[-2] == "x: 0=1 1=2 2=4"


@pytest.mark.parametrize(
    ("old", "new"),
    [("0=1", "0=2"), ("0=1", "1=1"), ("0=1 1=0", "0=1"), ("z0", "z1"), ("w: 1", "w: 1,0"), ("1=0", "1=x")],
)
def test_a_text_that_is_not_a_prompt_is_refused(old: str, new: str) -> None:
    block = "table 2: 0,0=3 0,1=0 1,0=1 1,1=2\ntable 1: 0=1 1=0\nz0: 1\nw: 1\nAnswer:"
    read_prompt(block, Sizes(2, (2,)))
    head, _, tail = block.partition("\n")
    with pytest.raises(InputError):
        read_prompt(f"{head}\n{tail.replace(old, new, 1)}", Sizes(2, (2,)))


@pytest.mark.parametrize(
    ("reply", "count", "answer"),
    [
        ("3", 1, 3),
        (" 3\n", 1, 3),
        ("Answer: 3", 1, 3),
        ("First 7, then 3.\nAnswer: 7\nno:\r\nAnswer: 3\r\nDone", 1, 3),
        ("0 1 1", 3, (0, 1, 1)),
        ("Answer: 0 1 1", 3, (0, 1, 1)),
        ("The answer is 3", 1, None),
        ("Answer: 3.", 1, None),
        ("Answer: 3\nAnswer: I am not sure", 1, None),
        ("3 3", 1, None),
        ("0 1", 3, None),
        ("0  1", 2, None),
        ("-3", 1, None),
        ("3.0", 1, None),
        ("03", 1, None),
        ("٣", 1, None),
        ("", 1, None),
        ("9" * 5000, 1, None),
        (" " * (2 << 20) + "3", 1, None),
    ],
)
def test_answers_are_read_strictly(reply: str, count: int, answer: object) -> None:
    assert parse_answer(reply, count) == answer


@pytest.mark.parametrize(
    ("reply", "count", "answer"),
    [
        ("**Answer: 3**", 1, 3),
        ("The answer is 3.", 1, 3),
        ("So it is $\\boxed{3}$, as asked.", 1, 3),
        ("**Final answer:** 3", 1, 3),
        ("The answer is 4. No: the answer is 3, since i is 1.", 1, 3),
        ("Step 1: 7.\n\n`3`", 1, 3),
        ("The answer is 0, 1, 1", 3, (0, 1, 1)),
        ("The answer is 3 or 4", 1, None),
        ("Answer: 3\nAnswer: I am not sure", 1, None),
        ("I count 3 tables", 1, None),
        ("The answer is 3.5", 1, None),
        ("The answer is -3", 1, None),
        ("\\boxed{x}", 1, None),
        ("", 1, None),
        ("The answer is " + "9" * 5000, 1, None),
    ],
)
def test_answers_are_read_as_models_write_them(reply: str, count: int, answer: object) -> None:
    assert read_answer(reply, count) == answer


@pytest.mark.parametrize("task", stressed_tasks())
def test_sizes_fit_the_length_and_small_ones_have_few_inputs(task: str) -> None:
    for length in (12, 40, 200):
        for hops in (1, 2, 3) if task == "funccomp" else (None,):
            sizes = sizes_of_length(task, length, hops)
            assert length / 2 <= plain_task(sizes).prompt_length <= length
    for sizes in small_sizes(task):
        assert plain_task(sizes).has_at_most(subjects.FEW_INPUTS)
    with pytest.raises(InputError):
        sizes_of_length("funccomp", 8, 4)


def test_the_dataset_has_a_row_for_each_prompt(tmp_path: Path) -> None:
    made = write_dataset(tmp_path / "set", ("funccomp", "two_sum"), hops=(1, 2), lengths=(12,), count=3, shots=1)
    files = sorted(path.name for path in made.path.iterdir())
    assert files == ["dataset.json", "funccomp.jsonl", "two_sum.jsonl"]
    manifest = json.loads((made.path / "dataset.json").read_text())
    assert manifest["canary"] == CANARY
    seen = set()
    for name, count in manifest["files"].items():
        rows = [json.loads(line) for line in (made.path / name).read_text().splitlines()]
        assert len(rows) == count
        for row in rows:
            seen.add(row["id"])
            assert CANARY in row["text"]
            assert row["length"] == len(row["ids"])
            assert (
                write_answer(tuple(row["answer"]) if isinstance(row["answer"], list) else row["answer"])
                == row["target"]
            )
    assert len(seen) == made.rows == sum(manifest["files"].values())


def test_the_same_seed_gives_the_same_rows() -> None:
    first = list(dataset_rows("funccomp", hops=(2,), lengths=(12,), count=2, seed=1))
    assert first == list(dataset_rows("funccomp", hops=(2,), lengths=(12,), count=2, seed=1))
    assert first != list(dataset_rows("funccomp", hops=(2,), lengths=(12,), count=2, seed=2))
