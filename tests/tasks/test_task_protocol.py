"""Every task answers the same questions, and its answers fit together."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_cases import TINY, TINY_TWO_SUMS, quick, refused, seeds, small_sizes, small_two_sums

from separation.files import InputError
from separation.tasks import funccomp, hard_inputs, task_from_document, task_of, two_sum
from separation.tasks.funccomp import Sizes, Thoughts
from separation.tasks.task import TaskSizes
from separation.tasks.two_sum import TwoSumSizes

SIZES: list[TaskSizes] = [
    Sizes(3, ()),
    Sizes(2, (3, 2)),
    *(Thoughts(Sizes(2, (3,)), style) for style in ("hops", "addresses", "records")),
    TwoSumSizes(1, 5),
    TwoSumSizes(6, 7),
]
SMALL: list[TaskSizes] = [Sizes(2, (2,)), Thoughts(Sizes(2, (1,)), "hops"), TwoSumSizes(3, 5)]
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


BLOCKS = {Sizes: funccomp.enumerate_token_ids, TwoSumSizes: two_sum.enumerate_tokens}
OF: dict[type, Any] = {Sizes: funccomp, TwoSumSizes: two_sum}


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_all_prompts_are_all_of_them_once(sizes: TaskSizes) -> None:
    found = [tuple(ids) for block in task_of(sizes).all_prompts(50) for ids in block.tolist()]
    assert len(found) == len(set(found)) == task_of(sizes).plain_sizes.count_inputs()


@pytest.mark.parametrize("sizes", [*TINY[:5], *TINY_TWO_SUMS], ids=str)
def test_all_inputs_once_in_order_and_in_blocks(sizes: Any) -> None:
    task = task_of(sizes)
    rows = [tuple(task.prompt(instance).tolist()) for instance in OF[type(sizes)].enumerate_inputs(sizes)]
    assert len(rows) == sizes.count_inputs()
    assert all(before < after for before, after in pairwise(rows))
    for block in (7, 10**6):
        blocks = [ids for ids, _ in BLOCKS[type(sizes)](sizes, block)]
        assert all(len(ids) == block for ids in blocks[:-1])
        assert np.concatenate(blocks).tolist() == [list(row) for row in rows]


@pytest.mark.parametrize("sizes", [Sizes(16, ()), TwoSumSizes(5, 2**63 - 1)], ids=str)
def test_enumerations_are_lazy_and_refuse(sizes: Any) -> None:
    assert len(set(islice(OF[type(sizes)].enumerate_inputs(sizes), 8))) == 8
    refused(lambda: next(BLOCKS[type(sizes)](sizes, 0)), "block is 0; allowed are 1 and above")
    with pytest.raises(InputError, match=r"the number of inputs has \d+ bits; at most 62 are enumerated in blocks"):
        next(BLOCKS[type(sizes)](sizes, 1))
    huge = type(sizes)(2**40, () if isinstance(sizes, Sizes) else 3)
    for started in (OF[type(sizes)].enumerate_inputs(huge), OF[type(sizes)].samples(huge, 0, 1)):
        with pytest.raises(InputError, match="inputs of at most 16777216 are built"):
            next(started)


@quick
@given(st.one_of(small_sizes, small_two_sums), seeds)
def test_a_seed_fixes_the_sample(sizes: Any, seed: int) -> None:
    samples = OF[type(sizes)].samples
    assert list(samples(sizes, seed, 3)) == list(samples(sizes, seed, 5))[:3]
    assert next(samples(sizes, seed, 1)) == OF[type(sizes)].sample(sizes, seed)


@pytest.mark.parametrize("sizes", [Sizes(8, (8,)), TwoSumSizes(9, 101)], ids=str)
def test_seeds_differ_and_bad_ones_are_refused(sizes: Any) -> None:
    module = OF[type(sizes)]
    assert len({module.sample(sizes, seed) for seed in range(20)}) == 20
    refused(lambda: list(module.samples(sizes, -1, 1)), "seed is -1; allowed are 0 and above")
    refused(lambda: list(module.samples(sizes, None, 1)), "seed is None; an integer is needed")
    refused(lambda: list(module.samples(sizes, 0, -1)), "count is -1; allowed are 0 and above")


def test_samples_are_uniform() -> None:
    """Every one of the 128 inputs turns up about as often as any other: a χ² of 127 degrees, 5 deviations wide."""
    sizes = Sizes(2, (1, 1))
    seen = Counter(funccomp.samples(sizes, 7, 6400))
    assert len(seen) == sizes.count_inputs() == 128
    assert sum((times - 50) ** 2 / 50 for times in seen.values()) < 127 + 5 * (2 * 127) ** 0.5


@each
def test_players_hold_all_tokens_and_every_position_has_a_name(sizes: TaskSizes) -> None:
    task = task_of(sizes)
    assert sum(tokens for _, tokens in task.players()) == sizes.length
    names = [task.describe(position) for position in range(task.prompt_length)]
    assert len(set(names)) == len(names)


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
