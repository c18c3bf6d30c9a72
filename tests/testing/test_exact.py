"""Exact accuracy: every input, ties and unsteady models included."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from constructions import build
from constructions.programs import gallery
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import MLP, Stored
from separation.models.transformer import Unit
from separation.proving.kernel import check_certificate
from separation.tasks.funccomp import Sizes
from separation.testing.exact import EXACT, FLOAT64, exact_accuracy
from separation.verbs.stress import stress_all_inputs

torch = pytest.importorskip("torch")
PROGRAM = gallery("previous_token", n=3, V=2)  # answers 0, 1, and 2 where there is none


class Previous(torch.nn.Module):
    """One-hot logits of the token before; ``broken`` says what happens at the last token."""

    def __init__(self, broken: str = "") -> None:
        super().__init__()
        self.table, self.broken, self.calls = torch.nn.Parameter(torch.eye(3)), broken, 0

    def forward(self, ids: Any) -> Any:
        self.calls += 1
        before = torch.cat([torch.full_like(ids[:, :2], 2), ids[:, 1:-1] - 1], dim=1)
        logits = self.table[before].clone()
        if self.broken == "ties":
            logits[:, -1] = 0.5
        if self.broken == "no number":
            logits[:, -1] = torch.nan
        if self.broken == "unsteady":
            logits = logits + self.calls * 1e-9
        if self.broken == "often wrong":
            logits[:, -1] = self.table[0]
        return logits


def test_every_input_is_counted() -> None:
    found = exact_accuracy(Previous(), PROGRAM)
    assert (found.inputs, found.right, found.answers, found.answers_right) == (8, 8, 24, 24)
    assert found.arithmetic == FLOAT64
    assert found.margin == 1.0
    assert found.ok


@pytest.mark.parametrize(("broken", "right", "ties"), [("ties", 0, 8), ("no number", 0, 0), ("often wrong", 4, 0)])
def test_what_is_not_strictly_above_is_wrong(broken: str, right: int, ties: int) -> None:
    found = exact_accuracy(Previous(broken), PROGRAM)
    assert (found.right, found.answers_right, found.ties) == (right, 16 + right, ties)
    assert found.share == Fraction(right, 8)
    assert found.wrong is not None


def test_two_runs_that_differ_claim_nothing() -> None:
    with pytest.raises(InputError, match="two runs of the same prompts gave different logits"):
        exact_accuracy(Previous("unsteady"), PROGRAM)


def test_exact_weights_run_exactly_and_a_changed_entry_shows() -> None:
    subject = PROGRAM.compile().construction
    assert exact_accuracy(subject, PROGRAM).sentence == "right on all 8 inputs (24 of 24 answers), in exact arithmetic"
    table = subject.model.unembedding.stored().matrix
    broken = replace(subject.model, unembedding=Stored(ExactMatrix(-table.numerators, table.denominator)))
    found = exact_accuracy(replace(subject, model=broken), PROGRAM)
    assert found.arithmetic == EXACT
    assert not found.ok
    assert found.answered != found.expected


def test_other_tasks_and_too_many_inputs() -> None:
    sizes = Sizes(2, (2,))
    assert exact_accuracy(build("C1", sizes), sizes).right == exact_accuracy(build("C1", sizes), sizes).inputs
    with pytest.raises(InputError, match="the weights are for"):
        exact_accuracy(build("C1", Sizes(3, ())), sizes)
    with pytest.raises(InputError, match="more than"):
        exact_accuracy(Previous(), gallery("induction", n=64, V=4))


def test_the_certificate_has_the_same_count(tmp_path: Path) -> None:
    report = stress_all_inputs("previous_token", task="previous_token", sizes="n=3,V=2", out=tmp_path / "all.json")
    certificate = json.loads((tmp_path / "all.json").read_text())
    assert check_certificate(certificate).ok
    assert (certificate["claim"]["inputs"], certificate["claim"]["right"]) == (8, report.found.answers_right)
    certificate["claim"]["right"] = 23
    assert not check_certificate(certificate).ok
    with pytest.raises(InputError, match="only of exact weights"):
        stress_all_inputs(Previous(), task=PROGRAM, out=tmp_path / "none.json")
    assert not (tmp_path / "none.json").exists()


def test_an_input_that_is_refused_leaves_the_answers_of_others_counted() -> None:
    """A unit that is 0 at letter 0 and too large for p bits at letter 1: only the prompt without a 1 is answered."""
    subject = PROGRAM.compile().construction
    model = subject.model
    text, letter = model.stream["kind text"].start, model.stream["text.letter[0]"].start
    much = 1 << model.precision.bits
    loud = MLP.of_units(model.width, [Unit({text: much, letter: much}, 0, {})])
    layers = (replace(model.layers[0], mlps=(*model.layers[0].mlps, loud)), *model.layers[1:])
    found = exact_accuracy(replace(subject, model=replace(model, layers=layers)), PROGRAM)
    assert (found.right, found.answers_right, found.inputs) == (1, 3, 8)
