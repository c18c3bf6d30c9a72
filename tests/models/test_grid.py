"""Integral models: every activation that the naive evaluator goes through is a multiple of 2^-f."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import naive_model
import pytest
from hand_heads import delta, with_head
from random_models import document_of, random_model

from separation.arithmetic import ExactMatrix, Precision
from separation.models import HEAD_TYPES, Model


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
    for seed in range(8):
        model, prompts = random_model(seed, integral=True, kinds=(kind,))
        step = model.precision.step
        on_grid = all(n % step == 0 for prompt in prompts for n in activations(model, prompt, monkeypatch))
        claimed += model.is_integral
        assert on_grid or not model.is_integral
    assert claimed >= 1


def test_a_gate_between_0_and_1_is_not_integral() -> None:
    for beta, integral in ((Fraction(1), True), (Fraction(1, 2), False)):
        one, off = ExactMatrix.from_rows([[1]]), ExactMatrix.zeros(1, 7)
        gates = {"w_a": off, "b_a": one, "w_b": off, "b_b": ExactMatrix.from_rows([[beta]])}
        assert with_head(delta([(0, 0, 1, 0, 1)], Precision(8, 20, 1)), **gates).is_integral == integral
