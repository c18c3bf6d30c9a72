"""Prover and kernel on the same model with the same stated invariants: what do they say, and do they say the same?"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from comparison import Violation
from fuzzed_models import shown
from inference import kernel_infers, prover_infers
from kernel_cases import claimed
from plain_tables import Document

from separation.files import InputError
from separation.proving import construction_from_document, prove
from separation.proving.kernel import Malformed, check_certificate

KERNEL_ALONE = {
    "allowed are 2 and above": "the prover's task has m of 2 and more",
    "segments must start at 0 and follow each other": "the prover reads tables without gaps",
    "block must be an integer in 1..": "the prover reads blocks of up to 2^24 tokens",
}
"""What the prover refuses to read."""


@dataclass(frozen=True)
class Opinion:
    """accepted, rejected or declined; how many layers hold (−1: not the embedding; one more than there are: the answer
    too); and of what is accepted the margin and the bits of all states."""

    verdict: str
    text: str
    layers: int = -2
    margin: Fraction | None = None
    state_bits: int | None = None


LEAST = Fraction(1, 2**60)  # a margin that every proof reaches


def certificate(model: Document, margin: Fraction = LEAST, state_bits: int | None = None) -> Document:
    """A certificate of a model with invariants; nobody is asked whether it holds."""
    return claimed(model, state_bits=None if state_bits is None else shown(state_bits), margin=shown(margin))


def kernel_says(model: Document, margin: Fraction = LEAST, state_bits: int | None = None) -> Opinion:
    try:
        verdict = check_certificate(certificate(model, margin, state_bits))
    except Malformed as error:
        return Opinion("declined", str(error))
    if verdict.ok:
        return Opinion("accepted", verdict.message, len(model["layers"]) + 1)
    place = re.search(r"layer ([0-9]+),.* slot ([a-z]*)", verdict.message)
    if place is None:  # the claim, which is compared after the proof
        return Opinion("rejected", verdict.message, len(model["layers"]) + 1)
    return Opinion("rejected", verdict.message, int(place[1]) + (place[2] == "unembedding") - 1)


def prover_says(model: Document, path: str = "closed") -> Opinion:
    try:
        one = construction_from_document(model, "fuzzed")
        proof = prove(one, path)
    except InputError as error:
        return Opinion("declined", str(error))
    if not proof.ok:
        return Opinion("rejected", str(proof.failures[0]), proof.failures[0].layer - 1)
    bits = None if proof.integral else proof.state_bits  # integral states are not claimed here
    return Opinion("accepted", "", len(model["layers"]) + 1, proof.margin, bits)


def disagreement(model: Document) -> tuple[str, str]:
    """("", verdict) if both say the same, layer by layer; else a sentence, and the reason in docs/proving.md, or "".

    Where both accept, the kernel must accept the prover's margin and state bits too, and no larger margin.
    """
    prover, kernel = prover_says(model), kernel_says(model)
    if prover.verdict == kernel.verdict == "accepted":
        assert prover.margin is not None
        if kernel_says(model, prover.margin, prover.state_bits).verdict != "accepted":
            return f"the kernel does not accept margin {prover.margin}, {prover.state_bits} state bits", ""
        if kernel_says(model, prover.margin + LEAST).verdict == "accepted":
            return f"the kernel proves more than the margin {prover.margin}", ""
        return "", "accepted"
    if prover.layers == kernel.layers:
        return "", prover.verdict
    further, stopped = ("prover", kernel) if prover.layers > kernel.layers else ("kernel", prover)
    reasons = KERNEL_ALONE.items() if further == "kernel" else ()
    known = next((reason for part, reason in reasons if part in stopped.text), "")
    return f"the {further} gets further; the other: {stopped.text}", known


def stated(model: Document, rng: random.Random) -> tuple[str, Document] | None:
    """The model with invariants: its own if it has some; else what kernel or prover derive; some with a change."""
    own = "invariants" in model and rng.random() < 0.5
    if not own:
        kernel = kernel_infers(model, rng)
        source, found = "kernel's", kernel
        if kernel.stages and rng.random() < 0.5:
            source, found = "prover's", prover_infers(model, rng)
        if not found.stages:
            return None
        # The layer where the inference stopped is there too, with the invariant before it: it must stop both.
        layers = model["layers"][: len(found.stages)]
        model = {**model, "layers": layers, "invariants": [*found.stages, found.stages[-1]][: len(layers) + 1]}
        model = json.loads(json.dumps(model))
    name = "own" if own else source
    if rng.random() < 0.4:
        name += f", {change_claim(rng, model['invariants'])}"
    return name, model


def change_claim(rng: random.Random, stages: list[Document]) -> str:
    """Another radius, a form that is off, a noise column more or less."""
    invariant: dict[str, Any] = rng.choice(list(rng.choice(stages).values()))
    kind = rng.choice(["radius", "form", "dropped", "one more"])
    noise = invariant["noise"]
    if kind == "radius" and noise:
        part = rng.choice(noise)
        factor = rng.choice([0, Fraction(1, 2), 2, 1 - Fraction(1, 2**40), 1 + Fraction(1, 2**40)])
        part["radius"] = shown(Fraction(part["radius"]) * factor)
    elif kind == "form" and invariant["forms"]:
        entry = rng.choice(invariant["forms"])
        entry[2] = shown(Fraction(entry[2]) + rng.choice([1, -1, Fraction(1, 2**30)]))
    elif kind == "dropped" and noise:
        noise.remove(rng.choice(noise))
    elif kind == "one more":
        rows = {r for part in noise for r, _ in part["column"]}
        row = rng.randrange(1 + max([r for r, _, _ in invariant["forms"]], default=0))
        if row not in rows:
            noise.append({"radius": rng.choice([0, 1, "1/2"]), "column": [[row, 1]]})
    return kind


def agreement(model: Document, name: str, rng: random.Random) -> Counter[str]:
    """One model, compared; raises Violation if the verdicts differ for a reason that is not in docs/proving.md."""
    found = stated(model, rng)
    if found is None:
        return Counter({"nothing derived": 1})
    source, with_claims = found
    text, known = disagreement(with_claims)
    if text and not known:
        raise Violation(f"{name}, invariants: {source}", text)
    return Counter({known if not text else f"documented: {known}": 1, "compared": 1})
