"""What the strategies draw is what they say, and properties that should fail do fail."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.errors import NoSuchExample

from separation.bounds.word import Word
from separation.proving import Construction, prove
from separation.proving.construction import compare
from separation.recurrences import Recurrence
from separation.tasks import hard_inputs, task_of
from separation.tasks.funccomp import Instance, Sizes, answer
from separation.testing import strategies, stressed_tasks, task_name
from separation.testing.subjects import subject_of

QUIET = settings(
    max_examples=30, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
DRAWN = (Phase.generate,)
"""Nothing is shrunk."""


@pytest.mark.parametrize("task", stressed_tasks())
def test_sizes_and_instances_are_of_the_task(task: str) -> None:
    @QUIET
    @given(strategies.instances(task, max_length=24))
    def check(instance: Any) -> None:
        own = task_of(instance.sizes)
        assert task_name(instance.sizes) == subject_of(task).folder
        assert own.prompt_length <= 24
        assert own.instance(own.prompt(instance)) == instance

    check()

    @QUIET
    @given(strategies.hard_instances(task, max_length=24))
    def hard(instance: Any) -> None:
        assert task_name(instance.sizes) == subject_of(task).folder

    hard()


@QUIET
@given(strategies.words(5))
def test_words_have_letters_and_a_depth(word: Word) -> None:
    assert Word.parse(str(word)) == word
    assert 0 <= word.depth <= 5


@QUIET
@given(strategies.recurrent_families())
def test_families_are_recurrences(family: Recurrence) -> None:
    assert isinstance(family, Recurrence)


@settings(QUIET, max_examples=8)
@given(strategies.models_with_invariants(max_length=10, max_hops=2))
def test_models_with_invariants_are_proved(construction: Construction) -> None:
    assert prove(construction).ok


def test_a_wrong_solver_is_found_and_made_small() -> None:
    """Reads the last table at w alone: the smallest instance where that is wrong."""
    found: Instance = find(
        strategies.instances("funccomp", max_length=16),
        lambda case: case.tables[-1][0] != answer(case),
        settings=settings(QUIET, max_examples=300),
    )
    assert found.sizes == Sizes(2, ())
    assert sorted(map(sum, found.tables)) == [1]


def test_a_near_miss_is_one_entry_away_and_some_are_wrong() -> None:
    c1 = strategies.models_with_invariants(("C1",), max_length=8, max_hops=2)

    @settings(QUIET, max_examples=10)
    @given(strategies.near_miss_weights(c1))
    def one_entry(miss: strategies.NearMiss) -> None:
        assert miss.construction.model != miss.right.model
        assert miss.construction.sizes == miss.right.sizes

    one_entry()

    def is_wrong(miss: strategies.NearMiss) -> bool:
        prompts, _ = hard_inputs(miss.right.sizes)
        return bool(compare(miss.construction, prompts).wrong.any())

    try:
        miss = find(
            strategies.near_miss_weights(c1), is_wrong, settings=settings(QUIET, max_examples=100, phases=DRAWN)
        )
    except NoSuchExample:  # pragma: no cover
        pytest.fail("no near miss of a hundred was wrong")
    prompts, _ = hard_inputs(miss.right.sizes)
    assert not compare(miss.right, prompts).wrong.any()
