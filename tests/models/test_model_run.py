"""run() against a naive evaluator: the same logits, number for number, on random models."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from naive_model import evaluate
from random_models import (
    batch,
    document_of,
    fractions_of,
    naive_logits,
    with_enough_bits,
    with_fitting_shifts,
)
from run_cases import CASES, MIXED, SEEDS, SOURCE, case, one_head

from separation.arithmetic import ExactMatrix, Precision
from separation.models import Declared, LinearHead, Model, Segment, Stored, run


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_run_equals_the_naive_evaluator(kind: str, seed: int) -> None:
    model, prompts, wanted = case(kind, seed)
    for all_rows in (False, True):
        found = run(model, batch(prompts), all_rows=all_rows)
        assert fractions_of(found) == wanted
        assert found.answers.tolist() == [row.index(max(row)) for row in wanted]


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_every_row_can_be_asked_for(kind: str, seed: int) -> None:
    model, prompts, _ = case(kind, seed)
    wanted = [evaluate(document_of(model), prompt).logits for prompt in prompts]
    found = run(model, batch(prompts), every_row=True)
    assert found.answers.shape == (len(prompts), len(prompts[0]))
    assert fractions_of(found) == [row for rows in wanted for row in rows]
    assert found.answers.tolist() == [[row.index(max(row)) for row in rows] for rows in wanted]


@pytest.mark.parametrize(("kind", "seed"), CASES[::2])
def test_a_prompt_alone_and_in_a_batch(kind: str, seed: int) -> None:
    model, prompts, wanted = case(kind, seed)
    for prompt, logits in zip(prompts, wanted, strict=True):
        assert fractions_of(run(model, np.array(prompt))) == [logits]


@pytest.mark.parametrize(("kind", "seed"), CASES)
@pytest.mark.parametrize("entries", [1, 40])
def test_blocks_of_any_size_give_the_same(kind: str, seed: int, entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model, prompts, wanted = case(kind, seed)
    monkeypatch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
    for kept in (0, 1 << 20):
        monkeypatch.setattr(SOURCE, "KEPT_ENTRIES", kept)
        for all_rows in (False, True):
            assert fractions_of(run(model, batch(prompts), all_rows=all_rows)) == wanted


@pytest.mark.parametrize(("kind", "seed"), CASES[::2])
@pytest.mark.parametrize("entries", [1, 1 << 22])
def test_looks(kind: str, seed: int, entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Of equal weights the first counts, also when they lie in different blocks.
    monkeypatch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
    model, prompts, _ = case(kind, seed)
    results = [evaluate(document_of(model), prompt) for prompt in prompts]
    for all_rows in (False, True):
        looks = run(model, batch(prompts), all_rows=all_rows).looks
        assert [(look.layer, look.head) for look in looks] == list(results[0].weights), "all but the delta rule"
        for look in looks:
            place = look.layer, look.head
            for number, result in enumerate(results):
                weights, total = result.weights[place], result.totals[place]
                heaviest = max(weights.values())
                assert int(look.positions[number]) == min(j for j, weight in weights.items() if weight == heaviest)
                found = int(look.weights[number]), int(look.totals[number])
                if isinstance(model.layers[look.layer - 1].heads[look.head], LinearHead):
                    assert (found[0] * total, found[1] == 0) == (found[1] * heaviest, total == 0)
                else:
                    assert found == (heaviest, total)


@pytest.mark.parametrize(("kind", "seed"), CASES[::2])
def test_prompts_may_be_shorter_than_the_positions(kind: str, seed: int) -> None:
    """The first i tokens alone are answered as row i of the whole prompt, if tokens see only what stands before."""
    model, prompts, _ = case(kind, seed)
    cuts = [[prompt[:count] for prompt in prompts] for count in range(1, len(prompts[0]) + 1)]
    model = with_enough_bits(with_fitting_shifts(model, [prompt for cut in cuts for prompt in cut]), prompts)
    rows = [evaluate(document_of(model), prompt).logits for prompt in prompts]
    for count, cut in enumerate(cuts, start=1):
        wanted = naive_logits(model, cut)
        assert wanted == [logits[count - 1] for logits in rows] or not model.causal
        for all_rows in (False, True):
            assert fractions_of(run(model, batch(cut), all_rows=all_rows)) == wanted


@pytest.mark.parametrize("number", [-1, 2, 10**6])
@pytest.mark.parametrize("declared", [False, True])
def test_unknown_tokens_are_refused(number: int, declared: bool) -> None:
    seed = next(s for s in SEEDS if (type(case(MIXED, s)[0].tokens) is not Stored) == declared)
    model, prompts, _ = case(MIXED, seed)
    height = model.tokens.height
    prompt = [*prompts[0][:-1], number if number < 0 else number + height]
    with pytest.raises(ValueError, match=rf"^token ids lie in 0\.\.{height - 1}, got "):
        run(model, np.array(prompt))


def test_prompts_of_another_shape_are_refused() -> None:
    model, _, _ = case(MIXED, 0)
    most = model.positions.height
    for count in (0, most + 1):
        with pytest.raises(ValueError, match=f"^the model reads 1 to {most} tokens, got {count}$"):
            run(model, np.zeros((2, count), dtype=np.int64))
    for shape in ((0, most), (1, 1, most)):
        with pytest.raises(ValueError, match="one prompt or a batch of prompts is needed"):
            run(model, np.zeros(shape, dtype=np.int64))


def with_declared_answers(model: Model) -> Model:
    code = ExactMatrix.from_rows([[1, 0, 0], *[[Fraction(1, 3), -1, i] for i in range(model.width - 1)]])
    return replace(model, unembedding=Declared((Segment(0, (4,), code),)))


@pytest.mark.parametrize("every_row", [False, True])
def test_logits_over_declared_answers_in_blocks(every_row: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    original, prompts, _ = case(MIXED, 1)
    model = with_declared_answers(original)
    results = [evaluate(document_of(model), prompt).logits for prompt in prompts]
    wanted = [row for logits in results for row in (logits if every_row else logits[-1:])]
    for entries in (1, 1 << 22):
        monkeypatch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
        found = run(model, batch(prompts), every_row=every_row)
        assert found.answers.reshape(-1).tolist() == [row.index(max(row)) for row in wanted]
        logits: Any = found.logits.reshape(-1, 4)
        pairs = [(int(a), b) for x, y in zip(logits, wanted, strict=True) for a, b in zip(x, y, strict=True)]
        factor = next(Fraction(a) / b for a, b in pairs if b)
        assert factor > 0
        assert all(a == factor * b for a, b in pairs)


def test_of_equal_logits_the_first_wins() -> None:
    model = one_head([1, 1], Precision(8, 30, 0))
    assert run(model, np.array([0, 0])).logits.tolist() == [[1, 1, 1]]
    assert run(model, np.array([0, 0])).answers.tolist() == [0]


def test_progress_is_told() -> None:
    model, prompts, _ = next(found for found in (case(MIXED, seed) for seed in SEEDS) if len(found[0].layers) == 2)
    told: list[tuple[float, str]] = []
    run(model, batch(prompts), progress=lambda share, what: told.append((share, what)))
    assert told == [(0, "layer 1"), (0.5, "layer 2")]
