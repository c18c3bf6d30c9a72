"""Stock GPT-2 with our weights answers every input, false neighbours are rejected by the same check; and what its bound
assumes of torch holds."""

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

from constructions.stock import Certificate
from constructions.stock.gpt2 import TARGET
from constructions.stock.gpt2.bound import DTYPES, EXP_UNITS, LONG_UNITS, certify_plan
from constructions.stock.gpt2.plan import Gpt2Plan
from constructions.stock.kit.program_models import GPT2_BALLAST
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


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("sizes", [Sizes(2, ()), SMALL, Sizes(2, (2,) * 11), Sizes(1024, (1024,))], ids=str)
def test_a_million_tokens_and_twelve_tables_are_certified(sizes: Sizes, dtype: str) -> None:
    found = certify_plan(Gpt2Plan(sizes), dtype)
    assert found.ok
    assert len(found.layers) == sizes.L + 1
    others = [layer["other_rows"] for layer in found.layers]
    assert others == sorted(others)  # errors of other rows add up, and are told to


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_that_leak_are_not_certified_and_are_wrong(dtype: str) -> None:
    leaky = Gpt2Plan(SMALL, leak_bits=1)
    assert not certify_plan(leaky, dtype).ok
    assert wrong(load(TARGET.checkpoint(leaky), dtype), hard_inputs(SMALL)) > 0


def test_a_large_epsilon_is_certified_only_where_the_gain_is_exact_enough() -> None:
    large = Gpt2Plan(SMALL, epsilon=3.0)
    assert certify_plan(large, "float32").ok
    assert "is not stored as 1" in certify_plan(large, "bfloat16").reason


def test_a_bound_of_half_the_margin_is_not_enough() -> None:
    assert Certificate(4, 1.9).ok
    assert not Certificate(4, 2.0).ok
    assert not Certificate(4, None).ok
    assert Certificate(4, 2.0, lead=3.9).ok
    assert not Certificate(4, 1.9, lead=4.0).ok
    assert not Certificate(4, None, lead=1.0).ok
    assert not Certificate(4, 1.9, lead=1.0, further={"x": 1.0}).refused("a fault").ok


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("half", [6, 9, 17, 21, 35, 40, 66, 107])
@pytest.mark.parametrize("ballast", [False, True])
def test_layer_norm_of_torch_is_as_good_as_the_bounds_assume(dtype: str, half: int, ballast: bool) -> None:
    """On rows near ±1, as C1 has them, and on rows of programs with their ballast."""
    random = np.random.default_rng(half)
    rows = random.choice([-1.0, 1.0], size=(400, half)) * (1 + random.uniform(-1e-3, 1e-3, size=(400, half)))
    if ballast:
        rows = random.uniform(-2, 2, size=(400, half))
        rows[:, 0] = GPT2_BALLAST[dtype]
    padding = np.zeros((400, half % 3 if ballast else 0))
    mirrored = torch.tensor(np.concatenate([rows, -rows, padding], axis=1)).to(getattr(torch, dtype))
    width = mirrored.shape[1]
    _, mean, rstd = torch.native_layer_norm(mirrored, (width,), None, None, 1e-5)
    exact = mirrored.numpy().astype(np.longdouble)
    unit = float(LONG_UNITS[dtype])
    length = (width + 16) * unit / (1 - (width + 16) * unit)
    off = np.abs(mean.numpy()[:, 0].astype(np.longdouble) - exact.mean(axis=1))
    assert (off <= length * np.abs(exact).mean(axis=1)).all()
    found = 1 / rstd.numpy()[:, 0].astype(np.longdouble) ** 2 - np.longdouble(1e-5)
    assert np.abs(found / exact.var(axis=1) - 1).max() <= 8 * length


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_exp_of_torch_is_as_good_as_the_bound_assumes(dtype: str) -> None:
    arguments = torch.linspace(-60, 0, 20001, dtype=getattr(torch, dtype))
    found = torch.exp(arguments).numpy().astype(np.longdouble)
    exact = np.exp(arguments.numpy().astype(np.longdouble))
    assert np.abs(found / exact - 1).max() <= EXP_UNITS * float(LONG_UNITS[dtype])
