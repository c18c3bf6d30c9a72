"""Linear attention by hand, and its parallel form against the recurrence."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_model import TooLarge
from plain_states import states
from random_models import batch, fractions_of, naive_logits, random_model
from run_cases import SOURCE, outputs, with_rows

from separation.arithmetic import ExactMatrix, Precision, PrecisionOverflow
from separation.models import LinearHead, Model, run

Number = Fraction | int


def linear(
    keys: list[Number], values: list[Number], precision: Precision, normalised: bool, query: Number = 1
) -> Model:
    """Stream one ⊕ (key, value) ⊕ out: one feature, φ_q = ``query`` and φ_k = relu(key)."""
    head = LinearHead(
        w_q=ExactMatrix.from_rows([[query, 0, 0, 0]]),
        b_q=ExactMatrix.zeros(1, 1),
        w_k=ExactMatrix.from_rows([[0, 1, 0, 0]]),
        b_k=ExactMatrix.zeros(1, 1),
        w_v=ExactMatrix.from_rows([[0, 0, 1, 0]]),
        w_o=ExactMatrix.from_rows([[0], [0], [0], [1]]),
        normalised=normalised,
    )
    rows = [[1, key, value, 0] for key, value in zip(keys, values, strict=True)]
    return with_rows(rows, precision, head)


@pytest.mark.parametrize(
    ("keys", "values", "fraction", "mean"),
    [
        ([1, 1], [1, 2], 0, 1),
        ([1, 1], [-1, -2], 0, -2),
        ([1, 3], [0, 1], 2, Fraction(3, 4)),
        ([1, -3], [1, 5], 2, 1),
        ([Fraction(1, 3), Fraction(2, 3)], [0, 1], 3, Fraction(5, 8)),
        ([-1, 0, -5], [7, 7, 7], 3, 0),
    ],
)
def test_means_are_rounded_down(keys: list[Number], values: list[Number], fraction: int, mean: Number) -> None:
    assert outputs(linear(keys, values, Precision(8, 30, fraction), normalised=True)) == mean
    # The weights may have any common factor.
    assert outputs(linear(keys, values, Precision(8, 30, fraction), normalised=True, query=Fraction(5, 7))) == mean


def test_without_a_normaliser_nothing_is_rounded() -> None:
    model = linear([Fraction(1, 3), -1, 2], [1, 100, Fraction(1, 7)], Precision(8, 30, 0), normalised=False, query=5)
    assert outputs(model) == 5 * (Fraction(1, 3) + Fraction(2, 7))


def test_a_feature_below_zero_is_zero() -> None:
    assert outputs(linear([1, 1], [3, 5], Precision(8, 30, 4), normalised=False, query=-1)) == 0
    assert outputs(linear([1, 1], [3, 5], Precision(8, 30, 4), normalised=True, query=-1)) == 0


PRECISION = Precision(8, 9, 3)
LIMIT = int(PRECISION.limit)


@pytest.mark.parametrize("entries", [1, 16, 1 << 20])
@pytest.mark.parametrize(
    ("keys", "values", "fits"),
    [
        ([1, 1, 1], [LIMIT, 0, 0], True),
        ([1, 1, 1], [LIMIT, Fraction(1, 10), -1], False),
        ([1, 1, 1], [LIMIT // 2, LIMIT // 2, 0], True),
        # Too large after the second token only: the sum of sizes is no proof, and the last state none either.
        ([2, 2, 2], [LIMIT // 2, 1, -1], False),
        ([2, 2, 2], [LIMIT // 2, -1, 1], True),
        ([2, 2, 2], [-LIMIT // 2, -1, LIMIT // 2], False),
        # The normaliser counts only where there is one.
        ([LIMIT, 1, 1], [0, 0, 0], None),
        ([LIMIT - 1, 1, 0], [0, 0, 0], True),
    ],
)
def test_the_state_after_each_token_is_checked(
    keys: list[Number], values: list[Number], fits: bool | None, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
    prompt = [[0] * len(keys)]
    for normalised in (False, True):
        model = linear(keys, values, PRECISION, normalised)
        within = (not normalised) if fits is None else fits
        for all_rows in (False, True):
            if within:
                assert fractions_of(run(model, batch(prompt), all_rows=all_rows)) == naive_logits(model, prompt)
                continue
            with pytest.raises(TooLarge):
                naive_logits(model, prompt)
            text = r"^layer 1: an activation \(state\) needs more than p = 9 bits$"
            with pytest.raises(PrecisionOverflow, match=text):
                run(model, batch(prompt), all_rows=all_rows)


@pytest.mark.parametrize("what", ["feature of a query", "feature of a key", "value"])
@pytest.mark.parametrize("sign", [1, -1])
def test_features_are_checked_before_they_are_rectified(what: str, sign: int) -> None:
    model = linear([0, 0], [0, 0], PRECISION, normalised=False, query=0)
    (layer,) = model.layers
    name = {"feature of a query": "b_q", "feature of a key": "b_k", "value": "w_v"}[what]
    for size, fits in ((LIMIT, True), (LIMIT + Fraction(1, 8), False)):
        number = ExactMatrix.from_rows([[sign * size]] if name.startswith("b") else [[sign * size, 0, 0, 0]])
        changed = replace(model, layers=(replace(layer, heads=(replace(layer.heads[0], **{name: number}),)),))
        if fits:
            assert outputs(changed) == naive_logits(changed, [[0, 0]])[0][-1]
        else:
            with pytest.raises(PrecisionOverflow, match=rf"^layer 1: an activation \({what.split()[0]}\) needs"):
                run(changed, np.array([0, 0]))


numbers = st.fractions(-3, 3, max_denominator=4)


@settings(deadline=None, max_examples=60)
@given(st.data(), st.booleans(), st.integers(1, 7), st.integers(1, 60))
def test_the_parallel_form_is_the_recurrence(data: st.DataObject, normalised: bool, tokens: int, entries: int) -> None:
    """out_t = φ_qᵀ S_t / φ_qᵀ n_t with the states of `states`, at every token, in blocks of any size."""
    keys, values = ([data.draw(numbers) for _ in range(tokens)] for _ in range(2))
    query = data.draw(st.fractions(0, 2, max_denominator=3))
    model = linear(keys, values, Precision(8, 60, 3), normalised, query)
    ids = np.zeros((2, tokens), dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
        found = fractions_of(run(model, ids, every_row=True))
    for state, row in zip([state for prompt in states(model, ids, 1) for state in prompt], found, strict=True):
        ((total,),) = state.matrix
        if not normalised:
            assert state.normaliser == ()
            assert row[-1] == query * total
        else:
            (weight,) = state.normaliser
            wanted = total / weight * 8 // 1 / 8 if weight and query else 0
            assert row[-1] == wanted


@pytest.mark.parametrize("seed", range(6))
def test_large_numbers_do_not_wrap(seed: int) -> None:
    """Features and values near the limit of many bits: every product is beyond 64 bits."""
    model, prompts = random_model(seed, kinds=("linear",))
    layer = model.layers[0]
    heads = tuple(
        replace(head, w_v=head.w_v.scaled(2**61), b_k=head.b_k.scaled(Fraction(2**40, 3))) for head in layer.heads
    )
    model = replace(model, layers=(replace(layer, heads=heads),), precision=Precision(8, 4000, 5))
    assert fractions_of(run(model, batch(prompts), all_rows=True)) == naive_logits(model, prompts)
