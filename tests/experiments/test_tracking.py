"""Programs as problems to train on: the right answers, at every length; what negative eigenvalues can do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from separation.experiments import load_plan
from separation.experiments.exact import all_inputs_asked
from separation.experiments.layers import GatedDelta
from separation.experiments.runs import Run
from separation.experiments.tracking import PROGRAMS, TIMES, Tracking, built_as, program_of
from separation.experiments.training import Recipe, train
from separation.tasks.program import answers


def problem_of(task: str, word: str = "NF", length: int = 5) -> Tracking:
    return Tracking(Run("tracking", task, word, length, (), 0, 30))


@pytest.mark.parametrize("task", PROGRAMS)
def test_inputs_of_every_length_are_answered_as_the_program_says(task: str) -> None:
    problem = problem_of(task)
    for times in TIMES:
        program, inputs, wanted = problem.drawn(np.random.default_rng(3), 4, times)
        assert program == program_of(task, 5 * times)
        for row, values in zip(inputs.tolist(), wanted[..., -1].tolist(), strict=True):
            assert values == answers(program, row)
        assert problem.network(program, inputs)[-1].shape[:2] == inputs.shape


@pytest.mark.parametrize("word", ["F", "R", "N", "NF", "FN"])
def test_no_answer_depends_on_what_comes_later(word: str) -> None:
    problem = problem_of("parity", word)
    with torch.no_grad():
        for layer in (*problem.network.mixers, *problem.network.mlps):
            layer.out.weight.normal_()
        program = program_of("parity", 5)
        one, other = (problem.network(program, torch.tensor([[0, 1, 2, 2, 1, last]]))[-1] for last in (1, 2))
    torch.testing.assert_close(one[:, :5], other[:, :5])
    assert not torch.allclose(one[:, 5], other[:, 5])


def test_variables_on_which_the_answer_depends_are_asked_first() -> None:
    assert problem_of("state_based_recall").asked[:-1] == ["product"]
    assert problem_of("parity").asked == ["odd"]


@pytest.mark.parametrize(("negative", "turns"), [(True, True), (False, False)])
def test_only_with_negative_eigenvalues_an_update_turns_the_state_around(negative: bool, turns: bool) -> None:
    """With v = 0 the state is multiplied by 1 − b along k: its sign changes if b can exceed 1."""
    torch.manual_seed(1)
    layer = GatedDelta(4, 2, 3, (2,), None, 1, negative, 20.0)
    with torch.no_grad():
        layer.project.weight[2:4] = torch.tensor([[1.0, 1, 0, 0], [0, 0, 0, 0]])  # k = (1, 0) at both tokens
        layer.project.weight[4:] = torch.tensor([1.0, 0, 0, 0])  # v is written at the first token alone
        layer.project.weight[:2] = layer.project.weight[2:4]
        layer.gates.bias[1] = 6.0
        layer.out.weight.copy_(torch.eye(4)[:, :3])
        heard = layer(torch.tensor([[[1.0, 0, 0, 0], [0, 1.0, 0, 0]]]))[0, :, 0]
    assert heard[0] > 0.5
    assert (heard[1] < -0.5) == turns


def test_what_is_built_is_part_of_the_word() -> None:
    found = {task: [word for word in ("F", "R", "N", "NF", "FN") if built_as(word, task)] for task in PROGRAMS}
    assert found["parity"] == found["s3_words"] == ["N", "NF", "FN"]
    assert found["mqar"] == ["F", "NF", "FN"]
    assert found["state_based_recall"] == ["NF"]


def test_parity_is_learned_and_every_input_asked() -> None:
    run = replace(load_plan("tracking", quick=True).runs[2], m=6, steps=120)
    assert (run.word, run.task) == ("N", "parity")
    problem = Tracking(run)
    untrained = all_inputs_asked(problem)
    train(problem, run, Recipe(**dict(run.recipe)), None)
    exact = all_inputs_asked(problem)
    assert (exact.inputs, exact.wrong) == (2**6, 0)
    assert untrained.wrong > 0
    assert problem.tested("uniform", count=64)[:2] == (64, 64)
