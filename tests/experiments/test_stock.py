"""Layers of transformers in place of ours: they are what was asked for, causal, trained in full, and counted."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="transformers is not installed")

import torch
from tiny_plans import tiny_plan

import separation
from separation.experiments import load_plan
from separation.experiments.runs import Run
from separation.experiments.stock import CHUNKED, CONFIGS, StockComposition, config_of, read_as
from separation.experiments.training import Recipe, train
from separation.files import InputError

MODELS = sorted(CONFIGS)
RECIPE = Recipe(**load_plan("stock").recipe)


def composed(model: str, word: str = "RF", steps: int = 1) -> tuple[StockComposition, Run]:
    run = Run("stock", "funccomp", word, 4, (), 0, steps, "", (("model", model),))
    return StockComposition(run), run


@pytest.mark.parametrize("model", MODELS)
def test_the_layers_read_the_prompt_and_every_weight_is_trained(model: str) -> None:
    problem, run = composed(model)
    names = {type(layer).__module__.split(".")[2] for layer in problem.network.base.layers}
    assert names == {model}
    prompts = torch.tensor([[0, 1, 2, 3, 1, 4], [0, 1, 2, 3, 2, 4]])  # z_0 differs
    other = torch.tensor([[0, 1, 2, 3, 1, 4]]), torch.tensor([[0, 1, 2, 0, 1, 4]])  # the last entry differs
    streams = [problem.network(each)[-1] for each in (prompts, *other)]
    assert not torch.allclose(streams[0][0], streams[0][1])
    torch.testing.assert_close(streams[0][:1], streams[1])
    assert not torch.allclose(streams[1], streams[2])
    torch.testing.assert_close(problem.network(torch.tensor([[0, 1, 2, 3, 1, 4, 2, 4]]))[-1][0], streams[0][:, 0])
    before = {name: value.detach().clone() for name, value in problem.network.named_parameters()}
    train(problem, run, RECIPE, None)
    unmoved = [name for name, value in problem.network.named_parameters() if value.grad is None]
    assert unmoved == []
    assert any((before[name] != value).any() for name, value in problem.network.named_parameters() if "base" in name)


def test_shorter_chunks_change_nothing() -> None:
    problem, _ = composed(CHUNKED[-1])
    prompts = torch.tensor([[0, 1, 2, 3, 1, 4]])
    with torch.no_grad():
        short = problem.network(prompts)[-1]
        problem.network.hints = {}
        torch.testing.assert_close(problem.network(prompts)[-1], short)


def test_beta_and_lambda_are_counted_with_32_bits() -> None:
    problem, _ = composed("olmo_hybrid")
    beta, states = problem.bits
    state, buffer = 8 * 16, 3 * (8 + 8 + 16)
    assert states == [32 * (state + buffer)]
    log = 3  # of 6 tokens, rounded up
    assert beta == 2 * (32 * (32 + 32 + log + 1) + 32 + log)


def test_a_word_that_the_layers_are_not_is_refused() -> None:
    document = config_of("qwen3_next", "RF")
    assert str(read_as("RF", document).word) == "RF"
    with pytest.raises(InputError, match="was asked for FR and builds RF"):
        read_as("FR", document)
    with pytest.raises(InputError, match="no layers of 'gpt3' are trained; there are qwen3_next"):
        config_of("gpt3", "RF")


def test_a_stopped_run_goes_on_and_claims_no_ceiling(tmp_path: Path) -> None:
    vary = [{"label": "Olmo-hybrid", "model": "olmo_hybrid"}]
    group = {"words": ["RF"], "seeds": [0], "steps": 3, "settings": {}, "vary": vary}
    plan = tiny_plan(tmp_path, group, tables=2, interval=1)
    whole = separation.experiment("stock", plan=plan, out=tmp_path / "whole", workers=1)
    assert whole.rows[0]["ceiling"] is None
    assert whole.rows[0]["lambda"] == 7168
    (chosen,) = load_plan("stock", path=plan).runs
    folder = tmp_path / "stopped" / "runs"
    folder.mkdir(parents=True)
    train(StockComposition(chosen), chosen, Recipe(**dict(chosen.recipe)), folder)
    assert (folder / f"{chosen.key}.safetensors").is_file()  # of the last step but one
    went_on = separation.experiment("stock", plan=plan, out=tmp_path / "stopped", workers=1)
    assert went_on.rows[0]["correct"] == whole.rows[0]["correct"]
