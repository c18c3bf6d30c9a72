"""Every activation that needs more than p bits is an error, never a wrong number; so is a score above the shift."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hand_heads import delta, linear, recurrent, sparse, with_head
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_model import TooLarge, evaluate
from random_models import (
    Prompts,
    batch,
    document_of,
    fractions_of,
    model_with_a_head,
    naive_logits,
    random_model,
)
from run_cases import MIXED, SOURCE, one_head, outputs

from separation.arithmetic import ExactMatrix, Precision, PrecisionOverflow
from separation.models import HEAD_TYPES, MLP, Layer, Model, Stored, run
from separation.recurrences import FAMILIES

PRECISION = Precision(8, 9, 3)
LIMIT = int(PRECISION.limit)
STEP = PRECISION.step


def outcome(model: Model, prompts: Prompts, **options: Any) -> list[list[Fraction]] | str:
    """The logits, or the layer in which a number was too large."""
    try:
        return fractions_of(run(model, batch(prompts), **options))
    except PrecisionOverflow as error:
        return str(error).split(":")[0]


def naive_outcome(model: Model, prompts: Prompts) -> list[list[Fraction]] | str:
    """The naive evaluator goes prompt by prompt: the first layer over all of them."""
    layers = []
    for prompt in prompts:
        try:
            evaluate(document_of(model), prompt)
        except TooLarge as found:
            layers.append(found.layer)
    return f"layer {min(layers)}" if layers else naive_logits(model, prompts)


@pytest.mark.parametrize("kind", [MIXED, *HEAD_TYPES])
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), more=st.integers(0, 8))
def test_beyond_p_bits_is_an_error_and_never_a_wrong_number(kind: str, seed: int, more: int) -> None:
    model, prompts = random_model(seed, kinds=tuple(HEAD_TYPES) if kind == MIXED else (kind,))
    small = replace(model, precision=replace(model.precision, bits=model.precision.fraction_bits + more))
    wanted = naive_outcome(small, prompts)
    assert outcome(small, prompts, all_rows=True) == wanted
    # Rows that nobody needs are not computed and cannot overflow; what comes out is right all the same.
    found = outcome(small, prompts)
    assert found == naive_logits(model, prompts) or (isinstance(found, str) and isinstance(wanted, str))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_least_p(family: str) -> None:
    """One bit less and both evaluators stop: a state, an input or the stream does not fit."""
    model, prompts = model_with_a_head(family, 1)

    def at(bits: int) -> Model:
        return replace(model, precision=replace(model.precision, bits=bits))

    # No number depends on p: what fits, fits with more bits.
    least = model.precision.fraction_bits
    bits = bisect_left(range(4001), True, lo=least, key=lambda p: not isinstance(naive_outcome(at(p), prompts), str))
    assert bits > least
    assert outcome(at(bits), prompts, all_rows=True) == naive_logits(at(bits), prompts)
    with pytest.raises(PrecisionOverflow, match=rf"needs more than p = {bits - 1} bits$"):
        run(at(bits - 1), batch(prompts), all_rows=True)


ZERO, ROW = ExactMatrix.zeros, ExactMatrix.from_rows


def with_a_large(what: str, size: Any) -> Model:
    """A model whose only activation of absolute value ``size`` is the one named; all others are small."""
    model = one_head([1, 1], PRECISION)
    (layer,) = model.layers
    (head,) = layer.heads
    if what == "embedding":
        return replace(model, tokens=Stored(ROW([[0, 0, size]])), layers=())
    if what in ("query", "key", "value"):
        # The others of the three stay 0 or harmless: the score is 0, and W_O drops the value.
        return with_head(model, **{f"w_{what[0]}": ROW([[size, 0, 0]])}, w_o=ZERO(3, 1))
    if what == "hidden":
        return replace(model, layers=(Layer((), (MLP(ROW([[size, 0, 0]]), ZERO(1, 1), ZERO(3, 1), ZERO(3, 1)),)),))
    large, back = (ROW([[0], [0], [number]]) for number in (size, 1 - size))
    if what == "stream after attention":
        later = MLP(ZERO(1, 3), ZERO(1, 1), ZERO(3, 1), back)
        return replace(model, layers=(Layer((replace(head, w_o=large),), (later,)),))
    if what == "stream after the MLP":
        return replace(model, layers=(Layer((), (MLP(ZERO(1, 3), ZERO(1, 1), ZERO(3, 1), large),)),))
    kind, _, name = what.partition(" of ")
    if kind == "summary":
        return with_head(sparse([1] * 5, [1] * 5, 2, 1, PRECISION, shift=LIMIT), **{name: ROW([[0, size]])}, **QUIET)
    if kind == "gate":
        return with_head(delta([(0, 0, 0, 0, 0)] * 2, PRECISION), **{name: ROW([[size]])})
    if kind == "feature":
        return with_head(linear([0, 0], [0, 0], PRECISION, normalised=False, query=0), **{name: ROW([[size]])})
    assert what == "input"
    return with_head(recurrent("hgrn2", [[1, 1, 0]] * 2, PRECISION), b_x=ROW([[0], [0], [size]]))


QUIET = {"w_q": ZERO(1, 4), "w_o": ZERO(4, 1)}
"""No score, whatever the keys, and nothing written."""


@pytest.mark.parametrize(
    "what",
    [
        *("embedding", "query", "key", "value", "hidden", "stream after attention", "stream after the MLP", "input"),
        *("feature of b_q", "feature of b_k", "gate of b_a", "gate of b_b", "summary of c_k", "summary of c_v"),
    ],
)
def test_every_activation_is_checked_at_its_limit(what: str) -> None:
    """Also before it is rectified or clipped."""
    layer = 0 if what == "embedding" else 1
    for size in (LIMIT, -LIMIT, LIMIT - Fraction(1, 3)):
        model = with_a_large(what, size)
        prompt = [[0] * model.positions.height]
        assert fractions_of(run(model, batch(prompt))) == naive_logits(model, prompt)
    for size in (LIMIT + STEP, LIMIT + Fraction(1, 10**6), -LIMIT - STEP):
        model = with_a_large(what, size)
        with pytest.raises(TooLarge) as naive:
            naive_logits(model, prompt)
        assert naive.value.layer == layer
        with pytest.raises(PrecisionOverflow) as caught:
            run(model, batch(prompt))
        assert str(caught.value) == f"layer {layer}: an activation ({what.split()[0]}) needs more than p = 9 bits"


STATES: list[tuple[Model, bool]] = [
    *(
        (linear(keys, values, PRECISION, normalised), fits if fits is not None else not normalised)
        for normalised in (False, True)
        for keys, values, fits in [
            ([1, 1, 1], [LIMIT, 0, 0], True),
            ([1, 1, 1], [LIMIT, Fraction(1, 10), -1], False),
            # Too large after the second token only: the sum of sizes is no proof, and the last state none either.
            ([2, 2, 2], [LIMIT // 2, 1, -1], False),
            ([2, 2, 2], [LIMIT // 2, -1, 1], True),
            ([2, 2, 2], [-LIMIT // 2, -1, LIMIT // 2], False),
            # The normaliser counts only where there is one.
            ([LIMIT, 1, 1], [0, 0, 0], None),
            ([LIMIT - 1, 1, 0], [0, 0, 0], True),
        ]
    ),
    (delta([(1, 1, 1, 0, LIMIT), (1, 1, 1, 0, 1)], PRECISION), True),
    (delta([(1, 1, 2, 0, LIMIT // 2), (0, 0, 1, 0, 1)], PRECISION), True),
    # k is no unit vector: the state is beyond the limit for one token, and gone after the next.
    (delta([(1, 1, 2, 0, LIMIT // 2 + 1), (0, 0, 1, 0, 1)], PRECISION), False),
    (delta([(1, 1, 1, 1, LIMIT), (1, 1, 1, 1, -LIMIT)], PRECISION), False),
    # p = 9 and f = 0: −256 to 255, though activations go from −512 to 512.
    *((recurrent("linear", [[1, 1, n]], Precision(8, 9, 0)), -256 <= n < 256) for n in (255, 256, -256, -257)),
]


@pytest.mark.parametrize("entries", [1, 16, 1 << 20])
def test_the_state_after_each_token_is_checked(entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
    for model, fits in STATES:
        prompt = [[0] * model.positions.height]
        for all_rows in (False, True):
            if fits:
                assert fractions_of(run(model, batch(prompt), all_rows=all_rows)) == naive_logits(model, prompt)
                continue
            with pytest.raises(TooLarge):
                naive_logits(model, prompt)
            text = r"^layer 1: an activation \(state\) needs more than p = 9 bits$"
            with pytest.raises(PrecisionOverflow, match=text):
                run(model, batch(prompt), all_rows=all_rows)


@settings(max_examples=60)
@given(st.integers(58, 66), st.lists(st.tuples(st.integers(1, 4), st.integers(-8, 8)), min_size=2, max_size=5))
def test_states_near_the_limit_do_not_wrap(bits: int, tokens: list[tuple[int, int]]) -> None:
    """p around 62: the last products that int64 holds, and the first that it does not."""
    keys, values = [key for key, _ in tokens], [share * 2 ** (bits - 3) for _, share in tokens]
    precision, prompt = Precision(8, bits, 0), [[0] * len(tokens)]
    for model in (
        linear(keys, values, precision, normalised=False),
        delta([(1, 1, key, 1, value) for key, value in zip(keys, values, strict=True)], precision),
    ):
        assert outcome(model, prompt, all_rows=True) == naive_outcome(model, prompt)


@pytest.mark.parametrize(("w_o", "heads"), [(2**61, 4), (2**60, 8), (2**62, 2), (2**70, 1), (-(2**61), 4)])
def test_sums_of_heads_do_not_wrap_past_the_check(w_o: int, heads: int) -> None:
    # 2·2^61 is an int64, and four of it add up to 2^64, which int64 takes for 0.
    assert int(np.sum(np.full(4, 2**62))) == 0
    model = one_head([2, 2], Precision(8, 40, 0), w_o=w_o, heads=heads)
    with pytest.raises(PrecisionOverflow, match=r"^layer 1: an activation \(stream\) needs more than p = 40 bits$"):
        run(model, np.array([0, 0]))
    assert outputs(replace(model, precision=Precision(8, 80, 0))) == 2 * w_o * heads
