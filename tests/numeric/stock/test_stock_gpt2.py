"""Stock GPT-2 with our weights answers every input; false neighbours are rejected by the same check."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("transformers", reason="transformers is not installed")

import torch
from gpt2_models import (
    changed,
    colder_by,
    twin_heads_without_a_sink,
    with_gain_one,
    without_the_cancelling_head,
    without_the_sink,
)
from stock_runs import load, wrong

from constructions.stock.gpt2 import TARGET
from constructions.stock.gpt2.bound import certify_plan
from constructions.stock.gpt2.plan import Gpt2Plan
from separation.numeric.stock_folder import Checkpoint
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes

SMALL = Sizes(4, (4, 4))
DEEP = Sizes(2, (2,) * 7)
DEEPEST = Sizes(2, (1,) * 31)


@pytest.mark.parametrize("sizes", [Sizes(2, ()), SMALL, DEEP, Sizes(64, (64,))], ids=str)
def test_the_shape_is_that_of_the_claim(sizes: Sizes) -> None:
    config, plan = TARGET.build(sizes).config, Gpt2Plan(sizes)
    assert config["n_layer"] == sizes.L + 1
    # tag ≤ log2(L+2) + 1 bits, digit and index and query ≤ log2 N + L bits each with value, two flags; twice, mirrored.
    logarithm = np.log2(sizes.length)
    assert config["n_embd"] == plan.width <= 2 * (4 * logarithm + 2 * sizes.L + 8)
    defaults = ("activation_function", "scale_attn_weights", "tie_word_embeddings", "reorder_and_upcast_attn")
    assert not any(name in config for name in defaults)


def test_rows_have_mean_zero_and_variance_one_in_every_layer() -> None:
    prompts, _ = hard_inputs(SMALL)
    slots = Gpt2Plan(SMALL).slots
    with torch.inference_mode():
        states = load(TARGET.build(SMALL))(torch.tensor(prompts), output_hidden_states=True).hidden_states[:-1]
    allowed = [0.0, *(layer["last_row"] for layer in certify_plan(Gpt2Plan(SMALL), "float32").layers)]
    for most, state in zip(allowed, states, strict=False):
        rows = state.double().numpy()
        assert (rows[..., :slots] == -rows[..., slots:]).all()  # exactly opposite, bit by bit
        assert np.abs(np.abs(rows) - 1).max() <= most


def drift_of(checkpoint: Checkpoint) -> list[float]:
    """How far other rows have moved after each layer but the last, on three samples."""
    prompts = torch.tensor(hard_inputs(checkpoint.sizes)[0][:3])
    with torch.inference_mode():
        found = load(checkpoint)(prompts, output_hidden_states=True, logits_to_keep=1, use_cache=False)
    states = [state[:, :-1] for state in found.hidden_states[:-1]]
    return [float((state - states[0]).abs().max()) for state in states[1:]]


def test_other_rows_stay_within_the_bound_and_without_the_sink_rounding_grows_with_depth() -> None:
    # The answers are still right then; but other rows leave the bound, by a factor that depth multiplies.
    plan = Gpt2Plan(DEEP)
    allowed = [layer["other_rows"] for layer in certify_plan(plan, "float32").layers[: DEEP.L]]
    drift, twin = (drift_of(each) for each in (TARGET.build(DEEP), changed(plan, twin_heads_without_a_sink)))
    assert all(found <= most for found, most in zip(drift, allowed, strict=True))
    assert twin[-1] > 10 * max(allowed[-1], twin[3])


def test_thirty_two_tables_deep() -> None:
    prompts, right = hard_inputs(DEEPEST, count=1)
    for dtype, first in (("float32", -4), ("bfloat16", -1)):
        assert wrong(load(TARGET.build(DEEPEST), dtype), (prompts[first:], right[first:])) == 0


@pytest.mark.parametrize("change", [without_the_cancelling_head, without_the_sink, colder_by(8)])
def test_broken_twins_are_wrong_on_real_inputs(change: object) -> None:
    assert wrong(load(changed(Gpt2Plan(SMALL), change)), hard_inputs(SMALL)) > 0  # type: ignore[arg-type]


def test_the_epsilon_of_layer_norm_is_divided_out() -> None:
    large = Gpt2Plan(SMALL, epsilon=3.0)  # LayerNorm halves every row
    assert wrong(load(TARGET.checkpoint(large)), hard_inputs(SMALL)) == 0
    assert wrong(load(with_gain_one(TARGET.checkpoint(large))), hard_inputs(SMALL)) > 0
