"""Stock hybrids stay within a bound that holds for all inputs; each of their parts is needed, or inputs are answered
wrongly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

import torch
from stock_runs import (
    HYBRIDS,
    TARGETS,
    answers,
    certified,
    error_but_for_scale,
    handed_over_error,
    held_by_last,
    load,
    stock,
    wrong,
)

from constructions.stock.kit.hybrid_bound import certify_plan
from constructions.stock.kit.hybrid_plan import SATURATION, HybridPlan
from separation.numeric.stock_folder import Checkpoint
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes, batch_hops, enumerate_token_ids

every_family = pytest.mark.parametrize("family", HYBRIDS)
both_ways = pytest.mark.parametrize("norms_behind", [True, False])
SIZES = Sizes(4, (4,))
CASES = PROMPTS, RIGHT = hard_inputs(SIZES, 3, 30)
GATES = {"olmo_hybrid": ("a_proj", "b_proj"), "qwen3_next": ("in_proj_ba",)}
OUTPUT = {"olmo_hybrid": "o_proj", "qwen3_next": "out_proj"}


@every_family
@pytest.mark.parametrize("sizes", [Sizes(16, (16,)), Sizes(2, (2,) * 5)], ids=str)
def test_what_each_layer_finds_stays_within_its_bound(family: str, sizes: Sizes) -> None:
    certificate, (prompts, _) = certified(family, sizes), hard_inputs(sizes)
    held, path = held_by_last(stock(family, sizes), sizes, prompts), batch_hops(sizes, prompts)
    codes = HybridPlan(sizes).rotary.codes
    assert 0 < np.abs(held["found 0"] - codes(path[:, 0])).max() <= (certificate.further["handed_over_error"] or 0)
    for level, bound in enumerate(certificate.layers, start=1):
        assert error_but_for_scale(held[f"found {level}"], codes(path[:, level])) <= bound


@both_ways
def test_the_error_does_not_grow_with_depth(norms_behind: bool) -> None:
    deep = certify_plan(HybridPlan(Sizes(2, (2,) * 11)), "float32", norms_behind)
    assert deep.ok
    assert len(deep.layers) == 12
    assert deep.layers[-1] <= 1.01 * deep.layers[0]


@both_ways
def test_a_small_gap_is_not_certified(norms_behind: bool) -> None:
    sizes = Sizes(16, (16,))
    assert certify_plan(HybridPlan(sizes, gap=21.6), "float32", norms_behind).ok
    refused = certify_plan(HybridPlan(sizes, gap=5.0), "float32", norms_behind)
    assert refused.bound is None
    assert refused.reason == "a softmax is not known to be sharp"
    assert refused.document()["certified"] is False


@every_family
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_short_dtypes_are_right_on_all_inputs_where_they_are_certified(family: str, dtype: str) -> None:
    sizes = Sizes(4, ())
    assert certified(family, sizes, dtype).ok
    for prompts, right in enumerate_token_ids(sizes, 1024):
        assert (answers(stock(family, sizes, dtype), prompts) == right).all()


def test_saturated_gates_are_exact_in_float32() -> None:
    x = torch.tensor([SATURATION, -SATURATION])
    decay = (-torch.nn.functional.softplus(x)).exp()
    assert torch.sigmoid(x).tolist() == [1.0, 0.0]
    assert decay.tolist() == [0.0, 1.0]
    # Half as far they are not: this is what the constant is for.
    assert torch.sigmoid(x / 2)[1] > 0


def changed(checkpoint: Checkpoint, factors: dict[str, Any]) -> Checkpoint:
    """Tensors times factors; each of them exists and becomes another."""
    tensors = dict(checkpoint.tensors)
    for name, factor in factors.items():
        before = tensors[name]
        tensors[name] = (before * factor).astype(np.float32)
        assert (tensors[name] != before).any()
    return replace(checkpoint, tensors=tensors)


def recurrent(*names: str) -> list[str]:
    return [f"model.layers.0.linear_attn.{name}.weight" for name in names]


@every_family
@pytest.mark.parametrize("sizes", [Sizes(4, ()), SIZES], ids=str)
def test_without_the_recurrent_layer(family: str, sizes: Sizes) -> None:
    """L full layers and an idle R: Theorem B says that no weights do it, and these do not."""
    idle = changed(TARGETS[family].build(sizes), dict.fromkeys(recurrent(OUTPUT[family]), 0))
    cases = hard_inputs(sizes, 3, 30)
    assert wrong(load(idle), cases) > len(cases[0]) // 4


@every_family
def test_gates_that_hardly_write(family: str) -> None:
    """Fed ∓2.56 and not ±128, the state is an average over about fourteen tokens, and z_0 a small part of it."""
    averaging = changed(TARGETS[family].build(SIZES), dict.fromkeys(recurrent(*GATES[family]), -0.02))
    assert wrong(load(averaging), CASES) > 0


@every_family
def test_gates_half_open(family: str) -> None:
    """Fed 0, the state is S/4 + v/2: z_0 outweighs all else, and the next softmax finds it, but C2 is not held."""
    checkpoint = TARGETS[family].build(SIZES)
    half_open = changed(checkpoint, dict.fromkeys(recurrent(*GATES[family]), 0))
    bound = TARGETS[family].certify(checkpoint).further["handed_over_error"]
    assert 0 < handed_over_error(load(checkpoint), SIZES, PROMPTS) <= bound < 1e-4
    assert handed_over_error(load(half_open), SIZES, PROMPTS) > 0.1
    assert wrong(load(half_open), CASES) == 0


@every_family
def test_a_write_gate_open_at_w(family: str) -> None:
    """w overwrites the state with its own value, which is empty."""
    checkpoint = TARGETS[family].build(SIZES)
    row = np.ones(checkpoint.config["hidden_size"])
    row[1] = 0  # the coordinate `last`
    name = GATES[family][-1]
    factor = row if family == "olmo_hybrid" else np.stack([row, np.ones_like(row)])
    assert wrong(load(changed(checkpoint, {recurrent(name)[0]: factor})), CASES) > 0


@every_family
def test_a_gap_of_two_nats(family: str) -> None:
    sizes = Sizes(16, (16,))
    assert wrong(load(TARGETS[family].checkpoint(HybridPlan(sizes, gap=2.0))), hard_inputs(sizes)) > 0


@every_family
def test_only_the_distance_to_the_last_token_counts(family: str) -> None:
    """A token in front of the prompt changes no answer; one between the tables and z_0 moves every look-up by one."""
    model = load(TARGETS[family].build(SIZES))
    more = np.zeros_like(PROMPTS[:, :1])
    assert (answers(model, np.concatenate([more, PROMPTS], axis=1)) == RIGHT).all()
    assert (answers(model, np.concatenate([PROMPTS[:, :-2], more, PROMPTS[:, -2:]], axis=1)) != RIGHT).any()


@pytest.mark.parametrize(
    ("family", "rope"),
    [("olmo_hybrid", {"rope_theta": 10_000.0}), ("qwen3_next", {"rope_theta": 10_000.0}), ("olmo_hybrid", None)],
)
def test_the_frequencies_of_language_models_and_no_rotary_embedding(family: str, rope: dict[str, float] | None) -> None:
    """The released checkpoints of Olmo-hybrid have none: then no position is known, and a look-up is an average."""
    checkpoint = TARGETS[family].build(SIZES)
    other = None if rope is None else {**checkpoint.config["rope_parameters"], **rope}
    config = {**checkpoint.config, "rope_parameters": other}
    assert wrong(load(checkpoint), CASES) == 0
    assert wrong(load(replace(checkpoint, config=config)), CASES) > 0
