"""The certificate: what it assumes of torch holds, and what it cannot certify it does not."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch
from stock_runs import load

from constructions.stock import Certificate
from constructions.stock.gpt2 import TARGET
from constructions.stock.gpt2.bound import DTYPES, EXP_UNITS, LONG_UNITS, certify_plan
from constructions.stock.gpt2.plan import Gpt2Plan
from constructions.stock.kit.program_models import GPT2_BALLAST
from separation.numeric.stock_models import last_logits
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes

SMALL = Sizes(4, (4, 4))


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
    prompts, answers = hard_inputs(SMALL, seed=0)
    assert (last_logits(load(TARGET.checkpoint(leaky), dtype), prompts).argmax(axis=1) != answers).any()


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
