"""Each part of the stock hybrids is needed: without it real inputs are answered wrongly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

from stock_runs import HYBRIDS, TARGETS, answers, handed_over_error, load, wrong

from constructions.stock.kit.hybrid_plan import HybridPlan
from separation.numeric.stock_folder import Checkpoint
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes

every_family = pytest.mark.parametrize("family", HYBRIDS)
SIZES = Sizes(4, (4,))
CASES = PROMPTS, RIGHT = hard_inputs(SIZES, 3, 30)
GATES = {"olmo_hybrid": ("a_proj", "b_proj"), "qwen3_next": ("in_proj_ba",)}
OUTPUT = {"olmo_hybrid": "o_proj", "qwen3_next": "out_proj"}


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
