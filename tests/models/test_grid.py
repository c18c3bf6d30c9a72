"""Integral models: every activation that the naive evaluator goes through is a multiple of 2^-f."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import naive_model
import pytest
from random_models import document_of, random_model
from run_cases import with_rows

from constructions import build
from separation.arithmetic import ExactMatrix, Precision
from separation.models import HEAD_TYPES, DeltaHead, LinearHead, Model
from separation.tasks.two_sum import TwoSumSizes


class Noting(naive_model.Machine):
    """Looks at every number that is checked for its size."""

    seen: list[Fraction]

    def check(self, layer: int, *vectors: Any) -> None:
        super().check(layer, *vectors)
        self.seen += [number for rows in vectors for row in rows for number in row]


def activations(model: Model, prompt: list[int], monkeypatch: pytest.MonkeyPatch) -> list[Fraction]:
    """q, k, v, features, gates, states, summaries, hidden units and streams of one prompt."""
    seen: list[Fraction] = []
    monkeypatch.setattr(Noting, "seen", seen, raising=False)
    monkeypatch.setattr(naive_model, "Machine", Noting)
    naive_model.evaluate(document_of(model), prompt)
    monkeypatch.undo()
    return seen


@pytest.mark.parametrize("kind", HEAD_TYPES)
def test_activations_of_integral_models_are_multiples(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claimed = 0
    for seed in range(15):
        model, prompts = random_model(seed, integral=True, kinds=(kind,))
        step = model.precision.step
        on_grid = all(n % step == 0 for prompt in prompts for n in activations(model, prompt, monkeypatch))
        claimed += model.is_integral
        assert on_grid or not model.is_integral
    assert claimed >= 1


def one_linear(rows: list[list[Fraction | int]], precision: Precision, normalised: bool) -> Model:
    head = LinearHead(
        w_q=ExactMatrix.from_rows([[1, 0, 0]]),
        b_q=ExactMatrix.zeros(1, 1),
        w_k=ExactMatrix.from_rows([[0, 1, 0]]),
        b_k=ExactMatrix.zeros(1, 1),
        w_v=ExactMatrix.from_rows([[0, 1, 0]]),
        w_o=ExactMatrix.from_rows([[0], [0], [1]]),
        normalised=normalised,
    )
    return with_rows(rows, precision, head)


@pytest.mark.parametrize("normalised", [False, True])
def test_products_of_halves_are_no_halves(normalised: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    halves: list[list[Fraction | int]] = [[1, Fraction(1, 2), 0]]
    model = one_linear(halves, Precision(8, 20, 1), normalised)
    assert any(n % Fraction(1, 2) for n in activations(model, [0], monkeypatch)), "the state is 1/4"
    assert not model.is_integral
    assert one_linear([[1, 3, 0]], Precision(8, 20, 1), normalised).is_integral
    assert one_linear(halves, Precision(8, 20, 2), normalised).is_integral, "1/4 is a multiple of 1/4"
    assert one_linear([[1, 3, 0]], Precision(8, 20, 0), normalised).is_on_grid


def test_a_gate_between_0_and_1_is_not_integral() -> None:
    one, zero = ExactMatrix.from_rows([[1, 0, 0]]), ExactMatrix.zeros(1, 3)

    def gated(beta: Fraction) -> Model:
        bias, write = ExactMatrix.from_rows([[1]]), ExactMatrix.from_rows([[beta]])
        head = DeltaHead(one, one, one, zero, bias, zero, write, ExactMatrix.from_rows([[0], [0], [1]]))
        return with_rows([[1, 0, 0]], Precision(8, 20, 1), head)

    assert gated(Fraction(1)).is_integral
    assert not gated(Fraction(1, 2)).is_integral


@pytest.mark.parametrize("name", ["C1", "C2", "C3", "C4", "C5", "C6", "C7"])
def test_constructions_are_integral(name: str) -> None:
    model = build(name, TwoSumSizes(12, 145) if name in ("C6", "C7") else 2).model
    assert model.is_integral
    third = ExactMatrix.from_entries(model.layers[0].heads[0].w_v.shape, [(0, 0, Fraction(1, 3))])
    heads = (replace(model.layers[0].heads[0], w_v=third), *model.layers[0].heads[1:])
    assert not replace(model, layers=(replace(model.layers[0], heads=heads), *model.layers[1:])).is_integral
