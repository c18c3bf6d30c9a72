"""The certificate is of the tensors themselves: whoever changes one number of them, or of the config, loses it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from constructions.stock import NAMES, target
from constructions.stock.gpt2 import TARGET as GPT2
from constructions.stock.gpt2.plan import Gpt2Plan
from separation.tasks.funccomp import Sizes

SMALL = Sizes(3, (2, 3))
every_target = pytest.mark.parametrize("name", NAMES)


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
    for other in (Gpt2Plan(SMALL, leak_bits=16), Gpt2Plan(SMALL, epsilon=3.0)):
        assert not GPT2.certify(GPT2.checkpoint(other)).ok
