"""run() against a naive evaluator: the same numbers through every door, on random models of every kind of head."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_model import Result, evaluate
from random_models import (
    Prompts,
    batch,
    document_of,
    fractions_of,
    naive_logits,
    random_model,
    with_enough_bits,
    with_fitting_shifts,
)
from run_cases import MIXED, SOURCE, case, identity

from separation.arithmetic import ExactMatrix, PrecisionOverflow
from separation.models import (
    HEAD_TYPES,
    Declared,
    LinearHead,
    Model,
    Run,
    Segment,
    Stored,
    change_basis,
    run,
)

seeds = st.integers(0, 10**6)
entries = st.sampled_from([1, 7, 40, 1 << 22])


@contextmanager
def in_blocks(size: int, kept: int = 1 << 20) -> Iterator[None]:
    """Scores in blocks of so many entries, and so many of them kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SOURCE, "BLOCK_ENTRIES", size)
        patch.setattr(SOURCE, "KEPT_ENTRIES", kept)
        yield


def same_through_every_door(model: Model, prompts: Prompts, size: int, kept: int) -> list[Result]:
    """The last row, all rows, every row, a prompt alone: logits, answers and looks, in blocks of any size."""
    results = [evaluate(document_of(model), prompt) for prompt in prompts]
    wanted = [result.logits[-1] for result in results]
    with in_blocks(size, kept):
        for all_rows in (False, True):
            found = run(model, batch(prompts), all_rows=all_rows)
            assert fractions_of(found) == wanted
            assert found.answers.tolist() == [result.answer for result in results]
            same_looks(model, found, results)
        every = run(model, batch(prompts), every_row=True)
        assert fractions_of(every) == [row for result in results for row in result.logits]
        assert every.answers.tolist() == [[row.index(max(row)) for row in result.logits] for result in results]
        assert fractions_of(run(model, np.array(prompts[0]))) == wanted[:1]
    return results


def same_looks(model: Model, found: Run, results: list[Result]) -> None:
    """Of equal weights the first counts, also when they lie in different blocks."""
    assert [(look.layer, look.head) for look in found.looks] == list(results[0].weights), "all but the delta rule"
    for look in found.looks:
        for number, result in enumerate(results):
            weights, total = result.weights[look.layer, look.head], result.totals[look.layer, look.head]
            heaviest = max(weights.values())
            first = min(j for j, weight in weights.items() if weight == heaviest)
            assert not heaviest or int(look.positions[number]) == first
            shown = int(look.weights[number]), int(look.totals[number])
            if isinstance(model.layers[look.layer - 1].heads[look.head], LinearHead):
                assert (shown[0] * total, shown[1] == 0) == (shown[1] * heaviest, total == 0)
            else:
                assert shown == (heaviest, total)


@pytest.mark.parametrize("kind", [MIXED, *HEAD_TYPES])
@settings(max_examples=10)
@given(seed=seeds, size=entries, kept=st.sampled_from([0, 1 << 20]))
def test_run_is_the_naive_evaluator(kind: str, seed: int, size: int, kept: int) -> None:
    model, prompts = random_model(seed, kinds=tuple(HEAD_TYPES) if kind == MIXED else (kind,))
    results = same_through_every_door(model, prompts, size, kept)
    moved = change_basis(model, rational_basis(model.width, seed))
    assert fractions_of(run(moved, batch(prompts))) == [result.logits[-1] for result in results]


@settings(max_examples=8)
@given(seed=seeds, kind=st.sampled_from([MIXED, *HEAD_TYPES]))
def test_prompts_may_be_shorter_than_the_positions(seed: int, kind: str) -> None:
    """The first i tokens alone are answered as row i of the whole prompt, if tokens see only what stands before."""
    model, prompts = random_model(seed, kinds=tuple(HEAD_TYPES) if kind == MIXED else (kind,))
    cuts = [[prompt[:count] for prompt in prompts] for count in range(1, len(prompts[0]) + 1)]
    model = with_enough_bits(with_fitting_shifts(model, [prompt for cut in cuts for prompt in cut]), prompts)
    rows = [evaluate(document_of(model), prompt).logits for prompt in prompts]
    for count, cut in enumerate(cuts, start=1):
        wanted = [logits[count - 1] for logits in rows] if model.causal else naive_logits(model, cut)
        assert fractions_of(run(model, batch(cut))) == fractions_of(run(model, batch(cut), all_rows=True)) == wanted


def rational_basis(width: int, seed: int) -> ExactMatrix:
    """Invertible: a lower times an upper triangular matrix, with rational entries and no zero on the diagonals."""
    rng = np.random.default_rng(seed)

    def number() -> Fraction:
        return Fraction(int(rng.integers(-3, 4)), int(rng.integers(1, 5)))

    lower = [[number() if j < i else Fraction(i == j) for j in range(width)] for i in range(width)]
    upper = [[number() if j > i else Fraction(3 * (i == j), 2 + i) for j in range(width)] for i in range(width)]
    return ExactMatrix.from_rows(lower) @ ExactMatrix.from_rows(upper)


def test_a_wrong_inverse_changes_answers() -> None:
    changed = 0
    for seed in range(10):
        model, prompts, wanted = case(MIXED, seed)
        moved = change_basis(model, rational_basis(model.width, seed), inverse=identity(model.width))
        try:
            changed += fractions_of(run(moved, batch(prompts))) != wanted
        except (PrecisionOverflow, AssertionError):
            changed += 1
    assert changed > 0


def test_prompts_that_make_no_sense_are_refused() -> None:
    models = [case(MIXED, seed)[0] for seed in range(6)]
    assert {type(model.tokens) for model in models} == {Stored, Declared}
    for model in models:
        most, height = model.positions.height, model.tokens.height
        for number in (-1, height, height + 10**6):
            with pytest.raises(ValueError, match=rf"^token ids lie in 0\.\.{height - 1}, got "):
                run(model, np.array([0, number]))
        for count in (0, most + 1):
            with pytest.raises(ValueError, match=f"^the model reads 1 to {most} tokens, got {count}$"):
                run(model, np.zeros((2, count), dtype=np.int64))
        for shape in ((0, most), (1, 1, most)):
            with pytest.raises(ValueError, match="one prompt or a batch of prompts is needed"):
                run(model, np.zeros(shape, dtype=np.int64))


@pytest.mark.parametrize("every_row", [False, True])
def test_logits_over_declared_answers_in_blocks(every_row: bool) -> None:
    original, prompts, _ = case(MIXED, 1)
    code = ExactMatrix.from_rows([[1, 0, 0], *[[Fraction(1, 3), -1, i] for i in range(original.width - 1)]])
    model = replace(original, unembedding=Declared((Segment(0, (4,), code),)))
    results = [evaluate(document_of(model), prompt).logits for prompt in prompts]
    wanted = [row for logits in results for row in (logits if every_row else logits[-1:])]
    for size in (1, 1 << 22):
        with in_blocks(size):
            found = run(model, batch(prompts), every_row=every_row)
        assert found.answers.reshape(-1).tolist() == [row.index(max(row)) for row in wanted]
        pairs = [(int(a), b) for a, b in zip(found.logits.reshape(-1), [b for row in wanted for b in row], strict=True)]
        factor = next(Fraction(a) / b for a, b in pairs if b)
        assert factor > 0
        assert all(a == factor * b for a, b in pairs)


def test_progress_is_told() -> None:
    model, prompts, _ = next(found for found in (case(MIXED, seed) for seed in range(40)) if len(found[0].layers) == 2)
    told: list[tuple[float, str]] = []
    run(model, batch(prompts), progress=lambda share, what: told.append((share, what)))
    assert told == [(0, "layer 1"), (0.5, "layer 2")]
