"""Wrong constructions are caught, each with a stage and a small instance; those that they come from pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separation.proving.construction import final_answers
from separation.tasks import task_of
from separation.testing import check_solver, task_name
from separation.testing.adapters.choosing import construction_solver
from separation.testing.wrong import WRONG

QUICK: dict[str, Any] = {"tokens": True, "seconds": 60.0, "instances": 64}
IN_FULL = {"off_by_one_address", "shared_table", "mean_head"}
"""At sizes with so few inputs that all of them are asked."""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_construction_is_caught(name: str) -> None:
    wrong = WRONG[name]
    subject = wrong.construction()
    report = check_solver(construction_solver(subject), task_name(wrong.sizes), sizes=wrong.sizes, **QUICK)
    assert not report.ok
    assert report.stage == ("exhaustive-small" if name in IN_FULL else "adversarial-family")
    assert report.failure is not None
    # The shrunk instance is answered wrongly by the exact run, and it is small: a few tokens are not plain.
    task = task_of(wrong.sizes)
    prompt = task.prompt(report.failure)
    found = np.atleast_1d(final_answers(subject, prompt[None])[0])
    assert found.tolist() == list(np.atleast_1d(report.answered))
    assert found.tolist() != list(np.atleast_1d(report.expected))
    assert np.atleast_1d(task.expected(report.failure)).tolist() == list(np.atleast_1d(report.expected))
    assert (prompt != task.plainest_prompt()).sum() <= 4 or name == "clip_of_slope_one"


@pytest.mark.parametrize("name", WRONG)
def test_without_its_mistake_it_passes(name: str) -> None:
    wrong = WRONG[name]
    assert check_solver(construction_solver(wrong.right()), task_name(wrong.sizes), sizes=wrong.sizes, **QUICK).ok
