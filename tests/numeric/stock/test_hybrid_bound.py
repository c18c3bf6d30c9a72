"""What stock hybrids compute stays within a bound that holds for all inputs; a bound that is asked too much says no."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

import torch
from stock_runs import (
    HYBRIDS,
    answers,
    certified,
    error_but_for_scale,
    held_by_last,
    stock,
)

from constructions.stock.kit.hybrid_bound import certify_plan
from constructions.stock.kit.hybrid_plan import SATURATION, HybridPlan
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes, batch_hops, enumerate_token_ids

every_family = pytest.mark.parametrize("family", HYBRIDS)
both_ways = pytest.mark.parametrize("norms_behind", [True, False])

SIZES = [Sizes(16, (16,)), Sizes(2, (2,) * 5)]


@every_family
@pytest.mark.parametrize("sizes", SIZES, ids=str)
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
