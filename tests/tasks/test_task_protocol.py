"""Every task answers the same questions, and its answers fit together."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from separation.files import InputError
from separation.tasks import hard_inputs, task_from_document, task_of
from separation.tasks.funccomp import Sizes, Thoughts
from separation.tasks.mqar import MQARSizes
from separation.tasks.task import TaskSizes
from separation.tasks.two_sum import TwoSumSizes

SIZES: list[TaskSizes] = [
    Sizes(3, ()),
    Sizes(2, (3, 2)),
    *(Thoughts(Sizes(2, (3,)), style) for style in ("hops", "addresses", "records")),
    TwoSumSizes(1, 5),
    TwoSumSizes(6, 7),
    MQARSizes(3, 5, 4, 2),
    replace(MQARSizes(3, 5, 4, 2).description, name="recall"),
]
SMALL: list[TaskSizes] = [Sizes(2, (2,)), Thoughts(Sizes(2, (1,)), "hops"), TwoSumSizes(3, 5), MQARSizes(2, 3, 2, 2)]
each = pytest.mark.parametrize("sizes", SIZES, ids=str)


@each
def test_prompts_spell_instances_and_documents_spell_sizes(sizes: TaskSizes) -> None:
    task = task_of(sizes)
    assert task.sizes == sizes
    assert task_from_document(task.document()) == sizes
    for instance in (task.sample(0), *task.samples(1, 3), *task.family_instances(2)):
        ids = task.prompt(instance)
        assert ids.shape == (task.prompt_length,)
        assert task.instance(ids) == instance
        assert instance.sizes == task.plain_sizes


@each
def test_the_oracle_of_one_instance_is_that_of_a_batch(sizes: TaskSizes) -> None:
    task = task_of(sizes)
    prompts, expected = hard_inputs(sizes, seed=3)
    assert (task.answers_in(expected) == task.right_answers(prompts)).all()
    assert expected.shape[1:] == ((task.generated_tokens or task.prompt_length,) if expected.ndim == 2 else ())
    assert (expected.ndim == 2) == (task.answers_every_token or task.generated_tokens > 0)


@each
def test_other_outputs_are_other_answers(sizes: TaskSizes) -> None:
    """The twin of the test above: one output that is off by one is noticed."""
    task = task_of(sizes)
    prompts, expected = hard_inputs(sizes, seed=3)
    wrong = expected.copy()
    wrong[(0, -1) if wrong.ndim == 2 else 0] += 1
    differs = (task.answers_in(wrong) != task.right_answers(prompts)).reshape(len(prompts), -1).any(axis=1)
    assert differs.tolist() == [True] + [False] * (len(prompts) - 1)


@each
def test_made_prompts_are_prompts(sizes: TaskSizes) -> None:
    task, random = task_of(sizes), np.random.default_rng(0)
    aimed = np.concatenate(list(islice(task.aimed_prompts(random, ["table 1", "nothing"], 8), 4)))
    for ids in (*task.random_prompts(random, 5), *aimed, task.plainest_prompt()):
        assert (task.prompt(task.instance(ids)) == ids).all()


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_all_prompts_are_all_of_them_once(sizes: TaskSizes) -> None:
    found = [tuple(ids) for block in task_of(sizes).all_prompts(50) for ids in block.tolist()]
    assert len(found) == len(set(found)) == task_of(sizes).plain_sizes.count_inputs()


@each
def test_players_hold_all_tokens_and_every_position_has_a_name(sizes: TaskSizes) -> None:
    task = task_of(sizes)
    assert sum(tokens for _, tokens in task.players()) == sizes.length
    names = [task.describe(position) for position in range(task.prompt_length)]
    assert len(set(names)) == len(names)


def test_kinds_know_their_tables() -> None:
    kinds = task_of(Sizes(2, (3,))).shape().kinds
    assert [(kind.name, kind.table) for kind in kinds] == [("table 2", 2), ("table 1", 1), ("z0", None), ("w", None)]


def test_attention_both_ways_is_for_funccomp_alone() -> None:
    assert not task_of(Sizes(2, ())).shape(causal=False).causal
    for sizes in (Thoughts(Sizes(2, ()), "hops"), TwoSumSizes(3, 5)):
        with pytest.raises(InputError, match="both ways"):
            task_of(sizes).shape(causal=False)


def test_sizes_of_no_task() -> None:
    class Unknown:
        length = 1

        def inputs_log2_floor(self) -> int:
            return 0

    with pytest.raises(TypeError, match="Unknown are the sizes of no task"):
        task_of(Unknown())
