"""The certificate is of the tensors themselves: whoever changes one number of them loses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

from gpt2_models import (
    changed,
    colder_by,
    twin_heads_without_a_sink,
    with_gain_one,
    without_the_cancelling_head,
    without_the_sink,
)

from constructions.stock.gpt2 import TARGET
from constructions.stock.gpt2.plan import Gpt2Plan
from separation.numeric.stock_folder import Checkpoint
from separation.tasks.funccomp import Sizes

SMALL = Sizes(3, (2, 3))
SIZES = [Sizes(2, ()), Sizes(5, ()), Sizes(2, (2,)), Sizes(2, (1, 1)), SMALL, Sizes(5, (3, 1, 2)), Sizes(2, (2,) * 8)]


def fault_of(checkpoint: Checkpoint) -> str | None:
    return TARGET.certify(checkpoint).reason or None


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_what_is_built_has_no_fault(sizes: Sizes) -> None:
    assert fault_of(TARGET.build(sizes)) is None
    assert TARGET.certify(TARGET.build(sizes), "float32").ok


@pytest.mark.parametrize("seed", range(3))
def test_one_changed_number_is_a_fault(seed: int) -> None:
    checkpoint, random = TARGET.build(SMALL), np.random.default_rng(seed)
    for name, tensor in checkpoint.tensors.items():
        other = tensor.copy()
        place = int(random.integers(tensor.size))
        other.flat[place] += random.choice([-2, -1, 1, 2, 1e-12, 1e38])
        found = TARGET.certify(replace(checkpoint, tensors={**checkpoint.tensors, name: other}), "float32")
        assert not found.ok, (name, place)
        assert found.reason


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (without_the_cancelling_head, "layer 1: the difference of the heads is not written"),
        (without_the_sink, "layer 1: other rows are not sent to the first row"),
        (twin_heads_without_a_sink, "layer 1: other rows are not sent to the first row"),
        (colder_by(2), "layer 1: a bit of the query has another weight"),
    ],
)
def test_broken_twins_are_named(change: Callable[[Any], None], fault: str) -> None:
    found = TARGET.certify(changed(Gpt2Plan(SMALL), change), "float32")
    assert not found.ok
    assert found.reason.startswith(fault)


def test_an_ignored_epsilon_is_named() -> None:
    assert fault_of(with_gain_one(TARGET.build(SMALL))) == "the final LayerNorm does not pick out the hop"


def test_layers_in_another_order_ask_for_other_entries() -> None:
    tensors = TARGET.build(SMALL).tensors
    swap = {"transformer.h.2.": "transformer.h.3.", "transformer.h.3.": "transformer.h.2."}
    renamed = {swap.get(name[:16], name[:16]) + name[16:]: tensor for name, tensor in tensors.items()}
    fault = fault_of(replace(TARGET.build(SMALL), tensors=renamed))
    assert fault is not None
    assert fault.startswith("layer 3: ")


@pytest.mark.parametrize(
    "fields",
    [
        {"scale_attn_weights": False},
        {"n_head": 1},
        {"n_layer": 3},
        {"tie_word_embeddings": False},
        {"n_inner": 2},
        {"model_type": "llama"},
    ],
    ids=str,
)
def test_another_config_is_a_fault(fields: dict[str, Any]) -> None:
    checkpoint = TARGET.build(SMALL)
    other = Checkpoint("C1", SMALL, {**checkpoint.config, **fields}, checkpoint.tensors)
    (name,) = fields
    assert fault_of(other) == f"{name} of the config is not that of the construction"


def test_weights_of_another_plan_are_not_taken_for_these() -> None:
    assert fault_of(TARGET.checkpoint(Gpt2Plan(SMALL, leak_bits=16))) is not None
    assert fault_of(TARGET.checkpoint(Gpt2Plan(SMALL, epsilon=3.0))) is None  # the config says which epsilon


def test_a_number_that_is_not_finite_is_a_fault() -> None:
    checkpoint = TARGET.build(SMALL)
    name = "transformer.h.0.ln_2.weight"
    bad = np.full_like(checkpoint.tensors[name], np.inf)
    assert fault_of(replace(checkpoint, tensors={**checkpoint.tensors, name: bad})) == "a tensor is not finite"


def test_a_large_number_before_the_idle_mlp_is_a_fault() -> None:
    """Finite, but infinity in float32 after LayerNorm, and infinity times 0 is no answer."""
    checkpoint = TARGET.build(SMALL)
    name = "transformer.h.0.ln_2.weight"
    large = np.full_like(checkpoint.tensors[name], float(np.finfo(np.float32).max))
    fault = fault_of(replace(checkpoint, tensors={**checkpoint.tensors, name: large}))
    assert fault == "layer 1: LayerNorm is not divided out"


def test_a_tiny_number_beside_a_large_one_is_a_fault() -> None:
    """Added to the weight of the query it would be lost in rounding; it is seen all the same."""
    checkpoint = TARGET.build(SMALL)
    name = "transformer.h.1.attn.c_attn.weight"
    other = checkpoint.tensors[name].copy()
    other[np.nonzero(other[:, 0] == 0)[0][0], 0] = 1e-30
    assert fault_of(replace(checkpoint, tensors={**checkpoint.tensors, name: other})) is not None


def test_a_missing_or_another_tensor_is_a_fault() -> None:
    checkpoint = TARGET.build(SMALL)
    for name in checkpoint.tensors:
        rest = {other: tensor for other, tensor in checkpoint.tensors.items() if other != name}
        assert fault_of(replace(checkpoint, tensors=rest)) == "a tensor is missing or left over"
    more = {**checkpoint.tensors, "lm_head.weight": checkpoint.tensors["transformer.wte.weight"]}
    assert fault_of(replace(checkpoint, tensors=more)) == "a tensor is missing or left over"
