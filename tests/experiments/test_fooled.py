"""A trained model handed to `fool`: one that loses information is fooled, one that is right everywhere is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch
from safetensors.torch import load_file
from torch import nn

import separation
from separation.experiments import fooled, load_plan
from separation.experiments.composition import Composition
from separation.experiments.exact import all_inputs_asked
from separation.experiments.fooled import TellingSubject, WrongAnswer, attack, smallest_margins
from separation.experiments.runs import Run, weights_path
from separation.fooling import Budget, Search, find_pair, run_pair
from separation.tasks.funccomp import FuncComp, Instance, Sizes, answer

SMALL = {"width": 16, "match": 8, "head": 4, "inner": 16}


@pytest.fixture(autouse=True)
def few_inputs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """And one thread: two wait for each other at this size."""
    few = {"UNIFORM": 256, "AIMED": 64, "ANSWERS": 32, "ROUNDS": 12, "TURNED": 8, "STATES": 512}
    for name, count in few.items():
        monkeypatch.setattr(fooled, name, count)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def untrained(word: str, m: int = 4, **settings: object) -> Composition:
    return Composition(Run("fool", "funccomp", word, m, (), 0, 0, "", tuple(sorted(settings.items()))))


class Oracle(nn.Module):
    """Right on all inputs but some, the more the larger ``wrong``; ``tied``: other logits are as large as the right."""

    def __init__(self, problem: Composition, wrong: int = 0, tied: bool = False) -> None:
        super().__init__()
        self.problem, self.wrong, self.tied = problem, wrong, tied

    def forward(self, prompts: torch.Tensor) -> list[torch.Tensor]:
        answers = torch.as_tensor(self.problem.right_hops(prompts.numpy()))[..., -1]
        odd = prompts[:, :1] * 31 + prompts[:, 1:2] * 17 + answers < self.wrong
        values = self.problem.sizes.N[-1]
        logits = nn.functional.one_hot((answers + odd.long()) % values, values).double()
        return [(logits.cumsum(-1) if self.tied else logits)[:, :, None]]

    def logits(self, stream: torch.Tensor, layer: int = -1) -> torch.Tensor:  # noqa: ARG002
        return stream


def answered_by(wrong: int = 0, tied: bool = False) -> Composition:
    problem = untrained("RF")
    problem.network = Oracle(problem, wrong, tied)
    return problem


def test_a_model_whose_state_is_too_small_is_fooled_by_two_tables_of_one_state() -> None:
    problem = untrained("RR", bits=1, keys=1, values=1, **SMALL)
    found = attack(problem, all_inputs_asked(problem))
    pair = found.searches[0].pair
    assert pair is not None
    assert pair.transcripts_equal
    assert pair.expected_a != pair.expected_b
    assert pair.output_a == pair.output_b
    assert run_pair(TellingSubject(problem), pair.a, pair.b).holds
    assert found.every
    assert found.document()["pairs_of_one_state"] >= 1


def test_a_network_that_is_right_on_every_input_is_not_fooled() -> None:
    problem = answered_by()
    found = attack(problem, all_inputs_asked(problem))
    assert found.every
    assert found.asked["all_inputs"] == 4**4 * 4
    assert sum(found.wrong.values()) == found.found == 0


@pytest.mark.parametrize(("word", "most"), [("RF", "ANSWERS"), ("RR", "STATES")])
def test_beside_full_layers_few_states_are_compared(monkeypatch: pytest.MonkeyPatch, word: str, most: str) -> None:
    """Else a window beside F, with many equal states that fool nobody, would be searched for an hour."""
    budgets: list[int] = []

    def noted(subject: Any, sizes: Sizes, *, seed: int, budget: Budget) -> Search:
        budgets.append(budget.samples)
        return find_pair(subject, sizes, seed=seed, budget=Budget(60.0, 1))

    monkeypatch.setattr(fooled, "find_pair", noted)
    attack(untrained(word, bits=1, keys=1, values=1, **SMALL), None)
    assert budgets == [getattr(fooled, most), fooled.ANSWERS]


def test_exact_accuracy_counts_every_wrong_answer_once_and_ties_with_them() -> None:
    problem = answered_by(wrong=3)
    prompts = np.concatenate(list(FuncComp(problem.sizes).all_prompts(100)))
    said, right = problem.answers(prompts)[:, -1], FuncComp(problem.sizes).right_answers(prompts)
    exact = all_inputs_asked(problem, kept=4)
    assert (exact.inputs, exact.wrong) == (4**4 * 4, int((said != right).sum()))
    assert 0 < exact.wrong < exact.inputs
    np.testing.assert_array_equal(exact.prompts, prompts[said != right][:4])
    np.testing.assert_array_equal(exact.said, said[said != right][:4])
    tied = answered_by(tied=True)  # argmax takes the first of the largest: it is right, but by luck
    assert (tied.answers(prompts)[:, -1] == right).all()
    assert all_inputs_asked(tied).wrong == int((right < 3).sum())


def test_a_network_that_is_seldom_wrong_is_fooled() -> None:
    problem = answered_by(wrong=3)
    found = attack(problem, all_inputs_asked(problem))
    assert found.wrong["all_inputs"]
    assert found.found
    for pair in found.pairs:
        assert (answer(pair.a), answer(pair.b)) == (pair.expected_a, pair.expected_b)
        assert pair.expected_a != pair.expected_b
        assert pair.output_a == pair.output_b


def test_a_wrong_answer_becomes_the_input_to_which_it_is_right() -> None:
    instance = Instance(Sizes(3, (2,)), 1, [[2, 0, 1], [0, 1, 2, 3, 4, 5]], [1])
    changed = WrongAnswer("", instance, answer(instance), 5).as_said()
    assert answer(instance) == 3
    assert answer(changed) == 5


def test_states_are_numbers_of_their_grid_and_do_not_depend_on_what_comes_later() -> None:
    problem = untrained("RRF", bits=3, keys=2, values=2, **SMALL)
    prefixes = np.random.default_rng(0).integers(4, size=(700, 4))  # more than one batch of answers
    states = TellingSubject(problem).state(prefixes)
    assert states.shape == (700, 2 * 4)
    assert states.min() >= 0
    assert states.max() <= 7
    np.testing.assert_array_equal(states[600:], TellingSubject(problem).state(prefixes[600:]))
    assert problem.network.mixers[0].crossed is None


def test_climbing_finds_inputs_with_smaller_margins() -> None:
    problem = untrained("FF", **SMALL)
    task = FuncComp(problem.sizes)
    found = smallest_margins(problem, seed=0)
    random = task.random_prompts(np.random.default_rng([0, 256]), 256)

    def lead(prompts: np.ndarray) -> float:
        with torch.no_grad():
            logits = problem.network.logits(problem.network(torch.as_tensor(prompts))[-1][:, 0, -1])
        right = torch.as_tensor(task.right_answers(prompts))[:, None]
        return float((logits.gather(1, right) - logits.scatter(1, right, -torch.inf).amax(1, keepdim=True)).mean())

    assert lead(found) < lead(random)


PLAN = """
title = "tiny"
[[full]]
words = ["RF"]
m = 2
seeds = [11]
steps = 100
settings = { bits = 8, width = 32 }
[[full]]
words = ["R"]
m = 2
seeds = [11]
steps = 1
settings = { bits = 8, width = 32 }
"""


def test_only_a_model_that_is_right_on_all_random_inputs_is_handed_over(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    report = separation.experiment("fool", plan=plan, out=tmp_path, workers=1)
    assert [row["pairs"] for row in report.rows] == [0, None]
    assert [row["inputs"] for row in report.rows] == [8, 8]
    assert [row["wrong"] > 0 for row in report.rows] == [False, True]
    for run, row in zip(load_plan("fool", path=plan).runs, report.rows, strict=True):  # the weights that were asked
        again = Composition(run)
        again.network.load_state_dict(load_file(weights_path(tmp_path / "runs", run)), strict=False)  # codes once
        assert all_inputs_asked(again).wrong == row["wrong"]
    assert report.fooled is not None
    (found,) = json.loads(report.fooled.read_text())
    assert (found["word"], found["every_input"], found["wrong"], found["pairs"]) == ("RF", True, 0, 0)
