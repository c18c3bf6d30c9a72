"""float64 agrees with the exact run within a computed bound; a wrong weight or a wrong bound is noticed."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

from separation.numeric.bounds import logit_error_bound
from separation.numeric.forward import float_logits

from constructions.c1 import build
from separation.arithmetic import ExactMatrix
from separation.models import Head, LinearHead
from separation.numeric import CrossCheck, Unsupported, crosscheck, supports, torch_is_installed
from separation.proving import Construction, prove
from separation.tasks.funccomp import FAMILIES, Sizes, samples, token_ids

SIZES = [Sizes(5, ()), Sizes(3, (2,)), Sizes(4, (4, 4)), Sizes(2, (2,) * 6), Sizes(200, ())]


def prompts(sizes: Sizes) -> list[np.ndarray]:  # type: ignore[type-arg]
    cases = [*samples(sizes, 3, 3), *(case for family in FAMILIES.values() for case in family(sizes, 3))]
    return [token_ids(case) for case in cases]


def checked(construction: Construction, against: Construction | None = None) -> CrossCheck:
    proof = prove(construction.model, construction.stages, construction.shape)
    return crosscheck(against or construction, proof, prompts(construction.sizes))


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_float64_stays_within_its_bound(sizes: Sizes) -> None:
    result = checked(build(sizes))
    assert result.ok, result
    assert result.bound is not None
    assert result.max_error <= result.bound < 1e-9


def test_other_temperatures_change_the_floats_and_are_noticed() -> None:
    # τ = 1 leaks too much at 200 keys: floats go wrong where the exact run with 8-bit weights may not.
    cold, warm = build(Sizes(200, ())), build(Sizes(200, ()), temperature=1)
    assert not checked(cold, warm).ok


def test_no_bound_where_the_clip_cannot_absorb_the_error() -> None:
    construction = build(Sizes(3, (2,)))
    shape = construction.shape
    proof = prove(construction.model, construction.stages, shape)
    assert logit_error_bound(construction.model, proof, shape, Fraction(1, 2**53)) is not None
    assert logit_error_bound(construction.model, proof, shape, Fraction(1, 2**8)) is None
    leaky = [replace(step, match=replace(step.match, leak=Fraction(1))) for step in proof.look_ups]
    assert logit_error_bound(construction.model, replace(proof, look_ups=leaky), shape, Fraction(1, 2**53)) is None


def test_other_models_are_refused() -> None:
    construction = build(Sizes(3, (2,)))
    model = construction.model
    first, *rest = model.layers
    (head,) = first.heads
    assert isinstance(head, Head)
    bias = ExactMatrix.zeros(head.w_q.shape[0], 1)
    linear = LinearHead(head.w_q, bias, head.w_k, bias, head.w_v, head.w_o, normalised=True)
    others = {
        "[FR]FF": replace(model, layers=(replace(first, heads=(head, linear)), *rest)),
        "FFF": replace(model, layers=(replace(first, mlps=()), *rest)),
        "FFF with attention both ways": replace(model, causal=False),
    }
    assert supports(model)
    proof = prove(model, construction.stages, construction.shape)
    for name, other in others.items():
        assert not supports(other)
        text = rf"^floating-point runs are for causal full attention .*, not for {re.escape(name)}$"
        with pytest.raises(Unsupported, match=text):
            crosscheck(replace(construction, model=other), proof, [])
        with pytest.raises(Unsupported):
            float_logits(other, np.zeros((1, model.positions.height), dtype=np.int64))


def test_torch_is_seen() -> None:
    assert torch_is_installed()
