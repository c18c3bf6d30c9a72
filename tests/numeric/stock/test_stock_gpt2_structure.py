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

from separation.numeric.stock.checkpoint import Checkpoint
from separation.numeric.stock.gpt2 import build, build_plan
from separation.numeric.stock.gpt2_bound import certify
from separation.numeric.stock.gpt2_plan import Gpt2Plan
from separation.numeric.stock.gpt2_structure import first_fault
from separation.tasks.funccomp import Sizes

SMALL = Sizes(3, (2, 3))
SIZES = [Sizes(2, ()), Sizes(5, ()), Sizes(2, (2,)), Sizes(2, (1, 1)), SMALL, Sizes(5, (3, 1, 2)), Sizes(2, (2,) * 8)]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_what_is_built_has_no_fault(sizes: Sizes) -> None:
    assert first_fault(build(sizes)) is None
    assert certify(build(sizes), "float32").ok


@pytest.mark.parametrize("seed", range(3))
def test_one_changed_number_is_a_fault(seed: int) -> None:
    checkpoint, random = build(SMALL), np.random.default_rng(seed)
    for name, tensor in checkpoint.tensors.items():
        other = tensor.copy()
        place = int(random.integers(tensor.size))
        other.flat[place] += random.choice([-2, -1, 1, 2, 1e-12, 1e38])
        found = certify(replace(checkpoint, tensors={**checkpoint.tensors, name: other}), "float32")
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
    found = certify(changed(Gpt2Plan(SMALL), change), "float32")
    assert not found.ok
    assert found.reason.startswith(fault)


def test_an_ignored_epsilon_is_named() -> None:
    assert first_fault(with_gain_one(build(SMALL))) == "the final LayerNorm does not pick out the hop"


def test_layers_in_another_order_ask_for_other_entries() -> None:
    tensors = build(SMALL).tensors
    swap = {"transformer.h.2.": "transformer.h.3.", "transformer.h.3.": "transformer.h.2."}
    renamed = {swap.get(name[:16], name[:16]) + name[16:]: tensor for name, tensor in tensors.items()}
    fault = first_fault(replace(build(SMALL), tensors=renamed))
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
    checkpoint = build(SMALL)
    other = Checkpoint("C1", SMALL, {**checkpoint.config, **fields}, checkpoint.tensors)
    assert first_fault(other) == "the config has other fields or sizes"


def test_weights_of_another_plan_are_not_taken_for_these() -> None:
    assert first_fault(build_plan(Gpt2Plan(SMALL, leak_bits=16))) is not None
    assert first_fault(build_plan(Gpt2Plan(SMALL, epsilon=3.0))) is None  # the config says which epsilon


def test_a_number_that_is_not_finite_is_a_fault() -> None:
    checkpoint = build(SMALL)
    name = "transformer.h.0.ln_2.weight"
    bad = np.full_like(checkpoint.tensors[name], np.inf)
    assert first_fault(replace(checkpoint, tensors={**checkpoint.tensors, name: bad})) == "a tensor is not finite"


def test_a_large_number_before_the_idle_mlp_is_a_fault() -> None:
    """Finite, but infinity in float32 after LayerNorm, and infinity times 0 is no answer."""
    checkpoint = build(SMALL)
    name = "transformer.h.0.ln_2.weight"
    large = np.full_like(checkpoint.tensors[name], float(np.finfo(np.float32).max))
    fault = first_fault(replace(checkpoint, tensors={**checkpoint.tensors, name: large}))
    assert fault == "layer 1: LayerNorm is not divided out"


def test_a_tiny_number_beside_a_large_one_is_a_fault() -> None:
    """Added to the weight of the query it would be lost in rounding; it is seen all the same."""
    checkpoint = build(SMALL)
    name = "transformer.h.1.attn.c_attn.weight"
    other = checkpoint.tensors[name].copy()
    other[np.nonzero(other[:, 0] == 0)[0][0], 0] = 1e-30
    assert first_fault(replace(checkpoint, tensors={**checkpoint.tensors, name: other})) is not None


def test_a_missing_or_another_tensor_is_a_fault() -> None:
    checkpoint = build(SMALL)
    for name in checkpoint.tensors:
        rest = {other: tensor for other, tensor in checkpoint.tensors.items() if other != name}
        assert first_fault(replace(checkpoint, tensors=rest)) == "a tensor is missing or left over"
    more = {**checkpoint.tensors, "lm_head.weight": checkpoint.tensors["transformer.wte.weight"]}
    assert first_fault(replace(checkpoint, tensors=more)) == "a tensor is missing or left over"
