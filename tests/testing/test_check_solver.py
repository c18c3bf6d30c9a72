"""check_solver finds what is wrong, makes it small, and loses nothing of what was measured."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from separation.files import InputError
from separation.tasks import task_of
from separation.tasks.funccomp import Instance, Sizes, answer, hops
from separation.tasks.two_sum import TwoSumSizes, outputs
from separation.testing import check_solver, relations_of
from separation.testing.plan import STAGES
from separation.testing.relations import RELATIONS

QUICK: dict[str, Any] = {"seconds": 20.0, "instances": 16}
TINY = Sizes(2, (1,))
FEW = [Sizes(2, ()), Sizes(3, ()), TINY, Sizes(4, (2,))]


def right(cases: list[Instance]) -> list[int]:
    return [answer(case) for case in cases]


def test_a_right_solver_passes_every_stage() -> None:
    report = check_solver(right, **QUICK)
    assert report.ok
    assert report.accuracy == 1.0
    assert report.failure is report.expected is report.answered is report.reason is None
    assert {row.stage for row in report.rows} == set(STAGES)
    assert {row.hops for row in report.rows} == {1, 2, 3}
    document = report.document()
    assert document["ok"]
    assert document["failure"] is None
    assert {"stage", "family", "hops", "length", "asked", "right", "accuracy"} <= set(document["rows"][0])


def test_an_answer_for_every_token() -> None:
    assert check_solver(lambda cases: [outputs(case) for case in cases], "two_sum", **QUICK).ok
    late = check_solver(lambda cases: [(*outputs(case)[:-1], 0) for case in cases], "two_sum", **QUICK)
    assert not late.ok
    assert late.stage == "exhaustive-small"
    assert late.expected == (0, 1)
    assert late.answered == (0, 0)


def test_token_ids_and_arrays() -> None:
    def solver(prompts: list[list[int]]) -> Any:
        assert isinstance(prompts[0], list)
        return task_of(TINY).right_answers(np.array(prompts))

    assert check_solver(solver, sizes=TINY, tokens=True, **QUICK).ok


def test_the_smallest_failure_is_shrunk() -> None:
    """Wrong for z_0 = 2 alone: the smallest input with z_0 = 2 has m = 3, and tables of zeros make the answer 0."""
    report = check_solver(
        lambda cases: [answer(case) if case.z0 != 2 else answer(case) + 1 for case in cases], sizes=FEW, **QUICK
    )
    assert report.failure == Instance(Sizes(3, ()), 2, [[0, 0, 0]], [])
    assert (report.expected, report.answered, report.reason) == (0, 1, "wrong answer")
    assert 0 < report.accuracy < 1


def test_a_failure_of_one_stage_alone() -> None:
    """Right wherever exhaustive inputs are, and on uniform ones nearly always: a family finds it."""

    def lazy(cases: list[Instance]) -> list[int]:
        return [
            0 if case.sizes.length > 12 and set(case.tables[-1]) == {0, hops(case)[-1]} else answer(case)
            for case in cases
        ]

    report = check_solver(lazy, sizes=FEW, **QUICK)
    assert not report.ok
    assert report.stage == "adversarial-family"
    assert report.accuracy > 0.5


@pytest.mark.parametrize(
    ("solver", "reason"),
    [
        (lambda _: [][0], "raised: IndexError: list index out of range"),
        (lambda _: sys.exit("tired\nof it"), "raised: SystemExit: tired of it"),
        (lambda _: os._exit(7), "died: the solver ended its process with exit code 7"),
        (lambda cases: [0] * (len(cases) + 1), "wrong shape: 2 answers for 1 inputs"),
        (lambda _: 3, "wrong shape: not a sequence of answers"),
        (lambda cases: "0" * len(cases), "wrong shape: not a sequence of answers"),
        (lambda cases: [None] * len(cases), "wrong shape: None is no integer"),
        (lambda cases: [[0]] * len(cases), "wrong shape: [0] is no integer"),
        (lambda cases: [float("nan")] * len(cases), "not a number: nan is no integer"),
        (lambda cases: np.full(len(cases), np.inf), "not a number: inf is no integer"),
        (lambda cases: [0.5] * len(cases), "not a number: 0.5 is no integer"),
    ],
)
def test_bad_solvers_are_reported_with_the_instance(solver: Callable[[list[Any]], Any], reason: str) -> None:
    report = check_solver(solver, sizes=Sizes(2, ()), seconds=0.4, instances=4)
    assert not report.ok
    assert report.reason == reason
    assert report.failure is not None
    assert report.right == 0 < report.asked


def test_what_raises_on_one_input_is_measured_on_all_others() -> None:
    def picky(cases: list[Instance]) -> list[int]:
        if any(case.z0 == 1 and case.tables[0] == (1, 1) for case in cases):
            raise ValueError("not this one")
        return right(cases)

    report = check_solver(picky, sizes=Sizes(2, ()), **QUICK)
    (row,) = (row for row in report.rows if row.stage == "exhaustive-small")
    assert (row.asked, row.right) == (8, 7)
    assert report.failure == Instance(Sizes(2, ()), 1, [[1, 1]], [])
    assert report.reason == "raised: ValueError: not this one"


def test_a_solver_that_never_returns_is_ended() -> None:
    def stuck(cases: list[Instance]) -> list[int]:
        if any(case.z0 == 1 for case in cases):
            threading.Event().wait()
        return right(cases)

    report = check_solver(stuck, sizes=Sizes(2, ()), seconds=60, limit=1.0)
    assert report.reason == "never returned: no answer within 1 s"
    assert report.failure is not None
    assert report.failure.z0 == 1  # type: ignore[attr-defined]
    assert report.stopped is not None
    assert report.right > 0


def test_what_a_solver_prints_is_not_on_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    def chatty(cases: list[Instance]) -> list[int]:
        print("hello", flush=True)
        return right(cases)

    assert check_solver(chatty, sizes=Sizes(2, ()), **QUICK).ok
    assert capfd.readouterr().out == ""


def test_without_a_limit_the_solver_runs_here() -> None:
    calls = []

    def counting(cases: list[Instance]) -> list[int]:
        calls.append(len(cases))
        return right(cases)

    report = check_solver(counting, sizes=Sizes(2, ()), limit=None, **QUICK)
    assert sum(calls) == report.asked


def test_bad_input_is_one_line() -> None:
    for options in ({"task": "nothing"}, {"sizes": TwoSumSizes(3, 5)}, {"sizes": []}, {"seed": -1}, {"instances": 0}):
        with pytest.raises(InputError):
            check_solver(right, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("sizes", [Sizes(3, ()), Sizes(2, (3, 2)), TwoSumSizes(1, 5), TwoSumSizes(6, 9)], ids=str)
def test_relations_hold_for_the_oracle(sizes: Sizes | TwoSumSizes) -> None:
    task, random = task_of(sizes), np.random.default_rng(0)
    for relation in relations_of(sizes).values():
        for case in (*task.samples(0, 24), *task.family_instances(0)):
            pair = relation(case, random)
            assert pair.holds(task.expected(pair.first), task.expected(pair.second))


@pytest.mark.parametrize(("name", "sizes"), [("funccomp", Sizes(3, (3,))), ("two_sum", TwoSumSizes(6, 7))])
def test_each_relation_is_broken_by_some_solver(name: str, sizes: Sizes | TwoSumSizes) -> None:
    """The twin: a solver that looks at a token that it must not, or at none, contradicts itself."""
    task, random = task_of(sizes), np.random.default_rng(1)
    wrong: list[Callable[[Any], Any]] = [
        lambda case: _checksum(task, case),
        lambda _: task.expected(task.sample(0)),
    ]
    for relation in RELATIONS[name]:
        pairs = [relation(case, random) for case in task.samples(0, 48)]
        assert any(not pair.holds(solver(pair.first), solver(pair.second)) for pair in pairs for solver in wrong)


def _checksum(task: Any, case: Any) -> Any:
    ids = task.prompt(case)
    total = int((ids * np.arange(1, len(ids) + 1)).sum())
    return total % 3 if not task.answers_every_token else tuple((total + place) % 2 for place in range(len(ids)))


def test_no_time_at_all_still_begins_every_stage() -> None:
    report = check_solver(right, sizes=TINY, seconds=1e-9)
    assert {row.stage for row in report.rows} == set(STAGES)
    assert set(report.unfinished) == set(STAGES)
    assert report.ok
