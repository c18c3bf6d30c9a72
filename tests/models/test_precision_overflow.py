"""Every activation that needs more than p bits is an error, never a wrong number; so is a score above the shift."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from naive_model import TooLarge, evaluate
from random_models import Prompts, batch, document_of, fractions_of, naive_logits, with_shift
from run_cases import CASES, MIXED, SEEDS, case, one_head, outputs

from separation.arithmetic import ExactMatrix, Precision, PrecisionOverflow
from separation.models import MLP, Head, Layer, Model, SparseHead, Stored, run


def outcome(model: Model, prompts: Prompts, **options: Any) -> list[list[Fraction]] | str:
    """The logits, or the layer in which a number was too large."""
    try:
        return fractions_of(run(model, batch(prompts), **options))
    except PrecisionOverflow as error:
        return str(error).split(":")[0]


@pytest.mark.parametrize(("kind", "seed"), CASES[::2])
def test_an_activation_beyond_p_bits_is_an_error_and_never_a_wrong_number(kind: str, seed: int) -> None:
    model, prompts, unlimited = case(kind, seed)
    fraction = model.precision.fraction_bits
    for bits in range(fraction, fraction + 9, 2):
        small = replace(model, precision=replace(model.precision, bits=bits))
        try:
            wanted: list[list[Fraction]] | str = naive_logits(small, prompts)
        except TooLarge:
            # The naive evaluator goes prompt by prompt: the first layer over all of them.
            wanted = f"layer {min(first_overflow(small, prompt) for prompt in prompts)}"
        assert outcome(small, prompts, all_rows=True) == wanted
        # Rows that nobody needs are not computed and cannot overflow; what comes out is right all the same.
        found = outcome(small, prompts)
        assert found == unlimited or (isinstance(found, str) and isinstance(wanted, str))


PRECISION = Precision(8, 12, 3)
LIMIT = PRECISION.limit


def model_with_a_large(what: str, size: Fraction) -> Model:
    """A model whose only activation of absolute value ``size`` is the one named; all others are at most 1."""
    model = one_head([1, 1], PRECISION)
    (layer,) = model.layers
    (head,) = layer.heads
    row = [[size, 0, 0]]
    if what == "embedding":
        return replace(model, tokens=Stored(ExactMatrix.from_rows([[0, 0, size]])), layers=())
    if what in ("query", "key", "value"):
        # The others of the three stay 0 or harmless: the score is 0, and W_O drops the value.
        head = replace(head, **{f"w_{what[0]}": ExactMatrix.from_rows(row)}, w_o=ExactMatrix.zeros(3, 1))
        return replace(model, layers=(replace(layer, heads=(head,)),))
    if what == "hidden":
        mlp = MLP(ExactMatrix.from_rows(row), ExactMatrix.zeros(1, 1), ExactMatrix.zeros(3, 1), ExactMatrix.zeros(3, 1))
        return replace(model, layers=(Layer((), (mlp,)),))
    zeros = [ExactMatrix.zeros(1, 3), ExactMatrix.zeros(1, 1), ExactMatrix.zeros(3, 1)]
    big, back = (ExactMatrix.from_rows([[0], [0], [number]]) for number in (size, 1 - size))
    if what == "stream after attention":
        return replace(model, layers=(Layer((replace(head, w_o=big),), (MLP(*zeros, b_2=back),)),))
    assert what == "stream after the MLP"
    return replace(model, layers=(Layer((), (MLP(*zeros, b_2=big),)),))


@pytest.mark.parametrize(
    "what", ["embedding", "query", "key", "value", "hidden", "stream after attention", "stream after the MLP"]
)
def test_every_activation_is_checked_at_its_limit(what: str) -> None:
    layer = 0 if what == "embedding" else 1
    prompt = [[0, 0]]
    for size in (LIMIT, -LIMIT, LIMIT - Fraction(1, 3)):
        model = model_with_a_large(what, size)
        assert fractions_of(run(model, batch(prompt))) == naive_logits(model, prompt)
    for size in (LIMIT + PRECISION.step, LIMIT + Fraction(1, 10**6), -LIMIT - PRECISION.step):
        model = model_with_a_large(what, size)
        with pytest.raises(TooLarge) as naive:
            naive_logits(model, prompt)
        assert naive.value.layer == layer
        with pytest.raises(PrecisionOverflow) as caught:
            run(model, batch(prompt))
        text = f"layer {layer}: an activation ({what.split()[0]}) needs more than p = 12 bits"
        assert str(caught.value) == text


def first_overflow(model: Model, prompt: list[int]) -> int:
    try:
        evaluate(document_of(model), prompt)
    except TooLarge as found:
        return found.layer
    return len(model.layers) + 1


def test_overflows_happen_in_every_layer() -> None:
    layers = set()
    for seed in SEEDS[:20]:
        model, prompts, _ = case(MIXED, seed)
        for bits in range(5, 14):
            layers.add(str(outcome(replace(model, precision=Precision(8, bits, 5)), prompts, all_rows=True))[:7])
    assert {"layer 0", "layer 1", "layer 2", "layer 3"} <= layers


@pytest.mark.parametrize(("kind", "seed"), [place for place in CASES if place[0] != "linear"][::2])
def test_a_score_above_the_shift_is_an_error(kind: str, seed: int) -> None:
    model, prompts, _ = case(kind, seed)
    for number, layer in enumerate(model.layers, start=1):
        for index, head in enumerate(layer.heads):
            if not isinstance(head, (Head, SparseHead)):
                continue
            # Below every score, whatever the stream.
            low = with_shift(model, number, index, Fraction(-(10**90)))
            with pytest.raises(
                PrecisionOverflow, match=rf"^layer {number}: a score of .* above the head's shift -1e\+90$"
            ):
                run(low, batch(prompts), all_rows=True)


@pytest.mark.parametrize(("w_o", "heads"), [(2**61, 4), (2**60, 8), (2**61, 2), (2**62, 2), (2**70, 1), (-(2**61), 4)])
def test_sums_of_heads_do_not_wrap_past_the_check(w_o: int, heads: int) -> None:
    # 2·2^61 is an int64, and four of it add up to 2^64, which int64 takes for 0.
    model = one_head([2, 2], Precision(8, 40, 0), w_o=w_o, heads=heads)
    with pytest.raises(PrecisionOverflow, match=r"^layer 1: an activation \(stream\) needs more than p = 40 bits$"):
        run(model, np.array([0, 0]))
    wide = replace(model, precision=Precision(8, 80, 0))
    assert outputs(wide) == 2 * w_o * heads


def test_int64_takes_such_a_sum_for_zero() -> None:
    assert int(np.sum(np.full(4, 2**62))) == 0
