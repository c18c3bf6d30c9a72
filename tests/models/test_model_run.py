"""run() against a naive evaluator: the same logits, number for number, on random models."""

from __future__ import annotations

import importlib
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from naive_model import Rules, TooLarge, evaluate, floor_exp, round_up
from random_models import (
    Prompts,
    batch,
    document_of,
    fractions_of,
    naive_logits,
    random_model,
    with_fitting_shifts,
    with_shift,
)

from separation.arithmetic import ExactMatrix, Precision, PrecisionOverflow
from separation.models import MLP, Declared, Head, Layer, Model, Segment, Stored, Stream, change_basis, run

SEEDS = range(40)
RUN = importlib.import_module("separation.models.run")


@cache
def case(seed: int) -> tuple[Model, Prompts, list[list[Fraction]]]:
    model, prompts = random_model(seed)
    return model, prompts, naive_logits(model, prompts)


@pytest.mark.parametrize("seed", SEEDS)
def test_run_equals_the_naive_evaluator(seed: int) -> None:
    model, prompts, wanted = case(seed)
    for all_rows in (False, True):
        found = run(model, batch(prompts), all_rows=all_rows)
        assert fractions_of(found) == wanted
        assert found.answers.tolist() == [row.index(max(row)) for row in wanted]


@pytest.mark.parametrize("seed", SEEDS[:20])
def test_a_prompt_alone_and_in_a_batch(seed: int) -> None:
    model, prompts, wanted = case(seed)
    for prompt, logits in zip(prompts, wanted, strict=True):
        assert fractions_of(run(model, np.array(prompt))) == [logits]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("entries", [1, 40])
def test_blocks_of_any_size_give_the_same(seed: int, entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model, prompts, wanted = case(seed)
    monkeypatch.setattr(RUN, "BLOCK_ENTRIES", entries)
    for all_rows in (False, True):
        assert fractions_of(run(model, batch(prompts), all_rows=all_rows)) == wanted


@pytest.mark.parametrize("seed", SEEDS[:15])
@pytest.mark.parametrize("entries", [1, 1 << 22])
def test_looks(seed: int, entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Of equal weights the first counts, also when they lie in different blocks.
    monkeypatch.setattr(RUN, "BLOCK_ENTRIES", entries)
    model, prompts, _ = case(seed)
    results = [evaluate(document_of(model), prompt) for prompt in prompts]
    for all_rows in (False, True):
        looks = run(model, batch(prompts), all_rows=all_rows).looks
        assert [(look.layer, look.head) for look in looks] == list(results[0].weights)
        for look in looks:
            weights = [result.weights[look.layer, look.head] for result in results]
            assert look.positions.tolist() == [row.index(max(row)) for row in weights]
            assert [int(weight) for weight in look.weights] == [max(row) for row in weights]
            assert [int(total) for total in look.totals] == [sum(row) for row in weights]


def test_the_random_models_are_not_all_alike() -> None:
    models = [case(seed)[0] for seed in SEEDS]
    heads = [head for model in models for layer in model.layers for head in layer.heads]
    assert {len(layer.heads) for model in models for layer in model.layers} == {0, 1, 2, 3}
    assert {len(model.layers) for model in models} == {1, 2, 3}
    assert {type(model.positions).__name__ for model in models} == {"Stored", "Declared"}
    for name in Head.MATRICES:
        assert {getattr(head, name).is_integral for head in heads} == {True, False}
    for name in MLP.MATRICES:
        assert {getattr(layer.mlp, name).is_integral for model in models for layer in model.layers} == {True, False}
    weights = [evaluate(document_of(m), prompts[0]).weights for m, prompts, _ in map(case, SEEDS)]
    shared = [sum(weight > 0 for weight in row) > 1 for heads_of in weights for row in heads_of.values()]
    assert sum(shared) > len(shared) / 3, "most heads of most models see one key only"
    assert {model.precision.score_bits for model in models} == {0, 1, 3, 8, 20, 45, 70}
    assert {model.precision.fraction_bits for model in models} == {0, 1, 2, 5}


BROKEN = {
    "rounded up": Rules(rounding=round_up),
    "not rounded": Rules(rounding=lambda number, step: number),  # noqa: ARG005
    "does not see itself": Rules(sees=lambda i, j: j < i),
    "sees the future": Rules(sees=lambda i, j: True),  # noqa: ARG005
    "weights rounded up": Rules(weight=lambda power, x: 2**power if x == 0 else floor_exp(power, x) + 1),
    "base 2": Rules(weight=lambda power, x: math.floor(2.0 ** (power + x))),
    "no ReLU": Rules(relu=False),
    "0/0 = 1": Rules(empty=Fraction(1)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_evaluator_with_one_rule_changed_disagrees(name: str) -> None:
    disagree = 0
    for seed in SEEDS[:14]:
        model, prompts, _ = case(seed)
        if sum(len(layer.heads) for layer in model.layers) > 5:
            continue  # slow, and the small ones tell enough
        # Other numbers may push a score above the shift: room is made for both evaluators.
        model = with_fitting_shifts(model, prompts, BROKEN[name])
        found = fractions_of(run(model, batch(prompts)))
        assert found == naive_logits(model, prompts)
        disagree += found != naive_logits(model, prompts, BROKEN[name])
    assert disagree >= 2


def outcome(model: Model, prompts: Prompts, **options: Any) -> list[list[Fraction]] | str:
    """The logits, or the layer in which a number was too large."""
    try:
        return fractions_of(run(model, batch(prompts), **options))
    except PrecisionOverflow as error:
        return str(error).split(":")[0]


@pytest.mark.parametrize("seed", SEEDS[:25])
def test_an_activation_beyond_p_bits_is_an_error_and_never_a_wrong_number(seed: int) -> None:
    model, prompts, unlimited = case(seed)
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
        return replace(model, layers=(Layer((), mlp),))
    zeros = [ExactMatrix.zeros(1, 3), ExactMatrix.zeros(1, 1), ExactMatrix.zeros(3, 1)]
    big, back = (ExactMatrix.from_rows([[0], [0], [number]]) for number in (size, 1 - size))
    if what == "stream after attention":
        return replace(model, layers=(Layer((replace(head, w_o=big),), MLP(*zeros, b_2=back)),))
    assert what == "stream after the MLP"
    return replace(model, layers=(Layer((), MLP(*zeros, b_2=big)),))


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
        model, prompts, _ = case(seed)
        for bits in range(5, 14):
            layers.add(str(outcome(replace(model, precision=Precision(8, bits, 5)), prompts, all_rows=True))[:7])
    assert {"layer 0", "layer 1", "layer 2", "layer 3"} <= layers


@pytest.mark.parametrize("seed", SEEDS[:25])
def test_a_score_above_the_shift_is_an_error(seed: int) -> None:
    model, prompts, _ = case(seed)
    for number, layer in enumerate(model.layers, start=1):
        for index in range(len(layer.heads)):
            # Below every score, whatever the stream.
            low = with_shift(model, number, index, Fraction(-(10**9)))
            with pytest.raises(
                PrecisionOverflow, match=rf"^layer {number}: a score of .* above the head's shift -1e\+09$"
            ):
                run(low, batch(prompts), all_rows=True)


@pytest.mark.parametrize("seed", SEEDS[:30])
def test_each_row_sees_only_what_stands_before_it(seed: int) -> None:
    """The model cut after i tokens answers as row i of the whole one: later tokens change nothing."""
    model, prompts, _ = case(seed)
    rows = [evaluate(document_of(model), prompt).logits for prompt in prompts]
    table = model.positions.matrix if isinstance(model.positions, Stored) else model.positions.stored().matrix
    for count in range(1, table.shape[0] + 1):
        cut = replace(model, positions=Stored(table.rows(range(count))))
        found = fractions_of(run(cut, batch([prompt[:count] for prompt in prompts]), all_rows=True))
        assert found == [logits[count - 1] for logits in rows]


def rational_basis(width: int, seed: int) -> ExactMatrix:
    """Invertible: a lower times an upper triangular matrix, with rational entries and no zero on the diagonals."""
    rng = np.random.default_rng(seed)

    def number() -> Fraction:
        return Fraction(int(rng.integers(-3, 4)), int(rng.integers(1, 5)))

    lower = [[number() if j < i else Fraction(i == j) for j in range(width)] for i in range(width)]
    upper = [[number() if j > i else Fraction(3 * (i == j), 2 + i) for j in range(width)] for i in range(width)]
    return ExactMatrix.from_rows(lower) @ ExactMatrix.from_rows(upper)


@pytest.mark.parametrize("seed", SEEDS[:40])
def test_a_change_of_basis_changes_no_answer(seed: int) -> None:
    model, prompts, wanted = case(seed)
    for basis in (rational_basis(model.width, seed), ExactMatrix.from_rows(unimodular(model.width))):
        moved = change_basis(model, basis)
        assert moved.positions != model.positions or basis == identity(model.width)
        for all_rows in (False, True):
            found = run(moved, batch(prompts), all_rows=all_rows)
            assert fractions_of(found) == wanted
            assert found.answers.tolist() == [row.index(max(row)) for row in wanted]


def unimodular(width: int) -> list[list[int]]:
    return [[1 if i == j else (2 if j == i + 1 else 0) for j in range(width)] for i in range(width)]


def identity(width: int) -> ExactMatrix:
    return ExactMatrix.from_entries((width, width), [(i, i, 1) for i in range(width)])


def test_a_wrong_inverse_changes_answers() -> None:
    changed = 0
    for seed in SEEDS[:10]:
        model, prompts, wanted = case(seed)
        basis = rational_basis(model.width, seed)
        moved = change_basis(model, basis, inverse=identity(model.width))
        try:
            changed += fractions_of(run(moved, batch(prompts))) != wanted
        except (PrecisionOverflow, AssertionError):
            changed += 1
    assert changed >= 5


def one_head(
    values: list[Fraction | int], precision: Precision, shift: Fraction | int = 0, w_o: int = 1, heads: int = 1
) -> Model:
    """Stream one ⊕ value ⊕ out; as many tokens as values; every key scores 0, and ``out`` gets W_O · average."""
    rows = ExactMatrix.from_rows([[1, value, 0] for value in values])
    head = Head(
        w_q=ExactMatrix.zeros(1, 3),
        w_k=ExactMatrix.zeros(1, 3),
        w_v=ExactMatrix.from_rows([[0, 1, 0]]),
        w_o=ExactMatrix.from_rows([[0], [0], [w_o]]),
        shift=Fraction(shift),
    )
    return Model(
        stream=Stream([("one", 1), ("value", 1), ("out", 1)]),
        positions=Stored(rows),
        tokens=Stored(ExactMatrix.zeros(1, 3)),
        layers=(Layer((head,) * heads, no_mlp(3)),),
        unembedding=Stored(identity(3)),
        precision=precision,
    )


def no_mlp(width: int) -> MLP:
    zeros = ExactMatrix.zeros
    return MLP(zeros(0, width), zeros(0, 1), zeros(width, 0), zeros(width, 1))


def outputs(model: Model) -> Fraction:
    """What the head wrote at the last token, by run() and by the naive evaluator alike."""
    prompt = [[0] * model.positions.height]
    (found,) = fractions_of(run(model, batch(prompt)))
    assert fractions_of(run(model, batch(prompt), all_rows=True)) == [found] == naive_logits(model, prompt)
    return found[-1]


@pytest.mark.parametrize(
    ("values", "fraction", "average"),
    [
        ([1, 2], 0, 1),
        ([-1, -2], 0, -2),
        ([-1, 0, 0], 0, -1),
        ([1, 0, 0], 0, 0),
        ([1, 2], 1, Fraction(3, 2)),
        ([1, 1, 0], 2, Fraction(1, 2)),
        ([-1, -1, 0], 2, Fraction(-3, 4)),
        ([Fraction(-1, 3)], 3, Fraction(-3, 8)),
        ([Fraction(1, 3)], 3, Fraction(1, 4)),
    ],
)
def test_averages_are_rounded_down(values: list[Fraction | int], fraction: int, average: Fraction | int) -> None:
    assert outputs(one_head(values, Precision(8, 30, fraction))) == average


@pytest.mark.parametrize("power", [0, 8, 45])
def test_when_all_weights_are_zero_the_output_is_zero(power: int) -> None:
    # exp(−shift)·2^P < 1: no key has any weight. Values are −5: neither an average nor a floor of it could be 0.
    precision = Precision(power, 30, 2)
    assert outputs(one_head([-5, -5, -5], precision, shift=power + 1)) == 0
    assert outputs(one_head([-5, -5, -5], precision, shift=0)) == -5
    (look,) = run(one_head([-5, -5], precision, shift=power + 1), np.array([0, 0])).looks
    assert (look.positions.tolist(), look.weights.tolist(), look.totals.tolist()) == ([0], [0], [0])


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


@pytest.mark.parametrize("entries", [1, 1 << 22])
@pytest.mark.parametrize("denominator", [3, 2**43, 2**45, 2**45 + 1, 2**62, 2**63, 2**90])
def test_values_with_large_denominators_at_other_tokens_only(
    denominator: int, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The last token's own stream is integral: it says nothing about the denominators of what it reads.
    monkeypatch.setattr(RUN, "BLOCK_ENTRIES", entries)
    values: list[Fraction | int] = [Fraction(denominator + 1, denominator), Fraction(-1, denominator), 1]
    tiny = Fraction(1, denominator)
    for power in (0, 20):
        for fraction in (0, 5):
            if denominator > 3:
                assert outputs(one_head([tiny, tiny, 0], Precision(power, 30, fraction))) == 0
                assert outputs(one_head([-tiny, 0, 0], Precision(power, 30, fraction))) == -Fraction(1, 2**fraction)
            assert outputs(one_head(values, Precision(power, 30, fraction))) == Fraction(
                2 * 2**fraction // 3, 2**fraction
            )


@pytest.mark.parametrize("fraction", [61, 62, 63, 64, 70, 200])
def test_more_fraction_bits_than_int64_has(fraction: int) -> None:
    # Zero biases and zero rows must be scaled by 2^f too.
    assert outputs(one_head([1, 0, 0], Precision(8, fraction + 10, fraction))) == Fraction(
        2**fraction // 3, 2**fraction
    )


@pytest.mark.parametrize("power", [30, 60, 61, 62, 63, 64, 100])
@pytest.mark.parametrize("bits", [1, 31, 60, 62, 63, 100])
def test_weights_and_values_at_their_largest(power: int, bits: int) -> None:
    # Each key weighs 2^P and each value is ±2^p: sums go up to 3·2^(P+p).
    assert outputs(one_head([2**bits, 2**bits, 2**bits], Precision(power, bits, 0))) == 2**bits
    assert outputs(one_head([-(2**bits), 2**bits, -(2**bits)], Precision(power, bits, 0))) == -(2**bits) // 3


@pytest.mark.parametrize("number", [-1, 2, 10**6])
@pytest.mark.parametrize("declared", [False, True])
def test_unknown_tokens_are_refused(number: int, declared: bool) -> None:
    seed = next(s for s in SEEDS if (type(case(s)[0].tokens) is not Stored) == declared)
    model, prompts, _ = case(seed)
    height = model.tokens.height
    prompt = [*prompts[0][:-1], number if number < 0 else number + height]
    with pytest.raises(ValueError, match=rf"^token ids lie in 0\.\.{height - 1}, got "):
        run(model, np.array(prompt))


def test_prompts_of_another_shape_are_refused() -> None:
    model, prompts, _ = case(0)
    count = len(prompts[0])
    with pytest.raises(ValueError, match=f"^the model reads {count} tokens, got {count + 1}$"):
        run(model, np.zeros((2, count + 1), dtype=np.int64))
    for shape in ((0, count), (1, 1, count)):
        with pytest.raises(ValueError, match="one prompt or a batch of prompts is needed"):
            run(model, np.zeros(shape, dtype=np.int64))


def test_logits_over_declared_answers_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    model, prompts, _ = case(1)
    code = ExactMatrix.from_rows([[1, 0, 0], *[[Fraction(1, 3), -1, i] for i in range(model.width - 1)]])
    model = replace(model, unembedding=Declared((Segment(0, (4,), code),)))
    wanted = naive_logits(model, prompts)
    for entries in (1, 1 << 22):
        monkeypatch.setattr(RUN, "BLOCK_ENTRIES", entries)
        found = run(model, batch(prompts))
        assert found.answers.tolist() == [row.index(max(row)) for row in wanted]
        pairs = [(int(a), b) for x, y in zip(found.logits, wanted, strict=True) for a, b in zip(x, y, strict=True)]
        factor = next(Fraction(a) / b for a, b in pairs if b)
        assert factor > 0
        assert all(a == factor * b for a, b in pairs)


def test_of_equal_logits_the_first_wins() -> None:
    model = one_head([1, 1], Precision(8, 30, 0))
    assert run(model, np.array([0, 0])).logits.tolist() == [[1, 1, 1]]
    assert run(model, np.array([0, 0])).answers.tolist() == [0]
