"""Prover and kernel say the same of generated models, layer by layer, but for what docs/proving.md names."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

import pytest
from campaign import total, verdicts
from corpus_cases import MANIFEST, text
from inference import kernel_infers
from model_mutations import base_model
from plain_tables import Document, expand
from verdicts import KERNEL_ALONE, disagreement, kernel_says, prover_says

from separation.proving.prover import Prover

CHUNK, SAMPLE = 20, 60
Item = TypeVar("Item")


@pytest.mark.parametrize("first", range(0, SAMPLE, CHUNK))
def test_the_same_verdict_margin_and_state_bits(first: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(first, first + CHUNK):
        counts += verdicts(seed)
    print(total(counts))
    assert counts["compared"] > 0
    assert counts["rejected"] > 0


def test_the_same_of_every_model_of_the_corpus() -> None:
    """Accepted and broken ones, of all rules; programs have another prover."""
    compared = 0
    for entry in MANIFEST:
        if entry["kind"] == "construction" and entry["expect"] in ("accept", "reject"):
            model = json.loads(text(entry))["model"]
            if model["task"]["task"] in ("funccomp", "two_sum"):
                said, known = disagreement(model)
                assert not said or known, entry["file"]
                compared += 1
    assert compared > 150


class Last(random.Random):
    """Takes the last of everything: of the descriptions of a head the one that says least."""

    def random(self) -> float:
        return 1.0

    def choice(self, seq: Sequence[Item]) -> Item:  # type: ignore[override]
        return seq[-1]


def with_hulls(name: str) -> Document:
    """The first layer of a construction without its MLP; its claims are those of P5 wherever P4 says something else."""
    model = base_model(name)
    model["layers"] = [{"heads": model["layers"][0]["heads"], "mlps": []}]
    found = kernel_infers(model, Last(0))
    assert found.layers == 1
    return {**model, "invariants": found.stages}


@pytest.mark.parametrize("name", ["C1", "by hand", "C2 FR linear", "C4", "C6"])
def test_claims_that_only_a_hull_leads_to(name: str) -> None:
    """A look-up says ±1 up to an error, which is not within ±1; the hull of the values is."""
    model = with_hulls(name)
    assert min(prover_says(model).layers, kernel_says(model).layers) >= 1
    assert disagreement(model)[0] == ""


def test_noise_of_radius_0_is_0() -> None:
    model = base_model("C6")
    width = sum(slot["width"] for slot in model["slots"])
    for stage in model["invariants"]:
        stage["x"]["noise"] += [{"radius": 0, "column": [[row, 1]]} for row in range(width)] * 2
    assert disagreement(model) == ("", "accepted")


@pytest.mark.parametrize("name", ["C6", "C7"])
def test_stored_rows_of_a_number_and_its_mirror_image(name: str) -> None:
    """Affine in the bits of x and M − x, not of x alone; one wrong row is seen by both."""
    model = base_model(name)
    width = sum(slot["width"] for slot in model["slots"])
    model["tokens"] = {"stored": expand(model["tokens"]["declared"], model["task"]["modulus"], width)}
    assert disagreement(model) == ("", "accepted")
    entry = model["tokens"]["stored"]["entries"][-1]
    entry[2] = str(-Fraction(entry[2]))
    assert prover_says(model).layers == kernel_says(model).layers == -1


def test_the_documented_differences_are_met() -> None:
    """m = 1: only the kernel has the task."""
    said, reason = disagreement(base_model("by hand, three tables"))
    assert "kernel gets further" in said
    assert reason in KERNEL_ALONE.values()


def test_a_difference_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: a prover that looks at one description of each head only."""
    rule = Prover.attend
    monkeypatch.setattr(Prover, "attend", lambda self, *given: rule(self, *given)[:1])
    assert "the kernel gets further" in disagreement(with_hulls("C1"))[0]
