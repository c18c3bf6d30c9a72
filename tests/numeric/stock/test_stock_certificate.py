"""The certificate is of the tensors themselves: whoever changes one number of them, or of the config, loses it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from constructions.stock import NAMES, target
from constructions.stock.gpt2 import TARGET as GPT2
from constructions.stock.gpt2.plan import Gpt2Plan
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SMALL = Sizes(3, (2, 3))
every_target = pytest.mark.parametrize("name", NAMES)


@every_target
@pytest.mark.parametrize("sizes", [Sizes(2, ()), Sizes(5, ()), Sizes(2, (1, 1)), Sizes(5, (3, 1, 2))], ids=str)
def test_what_is_built_is_certified(name: str, sizes: Sizes) -> None:
    assert target(name).certify(target(name).build(sizes), "float32").ok


@every_target
def test_one_changed_number_loses_the_certificate(name: str) -> None:
    """In every tensor a number is moved to the next one, made much larger, or not finite."""
    checkpoint, random = target(name).build(SMALL), np.random.default_rng(0)
    for tensor_name, tensor in checkpoint.tensors.items():
        place = int(random.integers(tensor.size))
        near = np.nextafter(tensor.flat[place], np.inf, dtype=tensor.dtype)
        for number in (near, 1e38, np.inf, np.nan):
            other = tensor.copy()
            other.flat[place] = number
            lost = target(name).certify(replace(checkpoint, tensors={**checkpoint.tensors, tensor_name: other}))
            assert (lost.ok, lost.reason) == (False, f"{tensor_name} is not that of the construction")


@every_target
def test_tensors_and_fields_that_are_missing_or_left_over(name: str) -> None:
    checkpoint = target(name).build(SMALL)
    for gone in checkpoint.tensors:
        rest = {other: tensor for other, tensor in checkpoint.tensors.items() if other != gone}
        lost = target(name).certify(replace(checkpoint, tensors=rest))
        assert (lost.ok, lost.bound, lost.reason) == (False, None, f"{gone} is not that of the construction")
    assert not target(name).certify(replace(checkpoint, tensors={**checkpoint.tensors, "extra": np.zeros(1)})).ok
    for field in ({"model_type": "other"}, {"hidden_act": "gelu"}, {"vocab_size": 1}):
        lost = target(name).certify(replace(checkpoint, config={**checkpoint.config, **field}))
        assert (lost.ok, lost.reason) == (False, f"{next(iter(field))} of the config is not that of the construction")


def test_weights_of_another_plan_are_not_taken_for_these() -> None:
    assert not GPT2.certify(GPT2.checkpoint(Gpt2Plan(SMALL, leak_bits=16))).ok
    assert GPT2.certify(GPT2.checkpoint(Gpt2Plan(SMALL, epsilon=3.0))).ok  # the config says which epsilon


@pytest.mark.parametrize("sizes", [SMALL, Sizes(5, ()), Sizes(5, (3, 1, 2)), Sizes(2, (2,) * 8)], ids=str)
def test_gpt2_asks_for_every_entry_by_its_own_key(sizes: Sizes) -> None:
    """All inputs at once: keys differ and depend on the position alone, a query on one digit and one hop; and the query
    for each entry of each table is w times the key of that entry."""
    plan, tensors = Gpt2Plan(sizes), GPT2.build(sizes).tensors
    half, address = plan.slots, range(plan.address.width)
    value, query = list(plan.stream["value"]), list(plan.stream["query"])
    tokens, positions = (tensors[f"transformer.{name}.weight"][:, :half] for name in ("wte", "wpe"))
    place_in_query = [0, *np.cumsum([bit_count(size) for size in sizes.n])]
    for step in range(sizes.L + 1):
        weights = tensors[f"transformer.h.{step}.attn.c_attn.weight"].reshape(-1, 3, 2, half)[:half]
        biases = tensors[f"transformer.h.{step}.attn.c_attn.bias"].reshape(3, 2, half)
        assert not weights[value + query, 1].any()
        codes = (positions @ weights[:, 1, 0] + biases[1, 0])[:, address]
        assert set(np.unique(codes)) == {-1, 1}
        assert len(np.unique(codes, axis=0)) == sizes.length
        digit_bits = query[place_in_query[step - 2] : place_in_query[step - 1]] if step >= 2 else []
        others = np.setdiff1d(np.arange(half), digit_bits + (value if step else []))
        assert not weights[others, 0, 0][:, address].any()
        entry = np.arange(sizes.N[step - 1] if step else 1)
        digit, hop = np.divmod(entry, sizes.N[step - 2]) if step >= 2 else (np.zeros_like(entry), entry)
        row = np.ones((len(entry), half))
        row[:, value] = tokens[hop][:, value]
        row[:, query] = tokens[sizes.N[-1] + digit * math.prod(sizes.n[max(step - 1, 0) :])][:, query]
        asked = (row @ weights[:, 0, 0] + biases[0, 0])[:, address]
        start = sizes.table_start(step) if step else sizes.length - 2
        assert (asked == plan.look_up * codes[start + entry]).all()
