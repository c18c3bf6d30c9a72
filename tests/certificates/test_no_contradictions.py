"""No two certificates that the kernel accepts contradict each other, by their claims alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import prod
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from certificate_cases import KINDS, certificate
from claim_conflicts import DIMENSIONS, Claim, conflict, conflicts

from separation.bounds import (
    AccuracyBound,
    Budget,
    Word,
    bound_certificate,
    decide,
    decision_certificate,
    shortest_prompt,
    sparse_certificate,
)
from separation.bounds import theorem_c as by_theorem_c
from separation.bounds import theorem_d as by_theorem_d
from separation.bounds.ceilings import ceiling
from separation.bounds.certificate import ceiling_certificate, sparse_ceiling_certificate
from separation.bounds.shortest import Found
from separation.bounds.theorems.theorem_d import most_hits
from separation.files import InputError
from separation.proving.certificates import certified_proof, kernel_certificate
from separation.proving.kernel import Malformed, check_certificate
from separation.tasks.funccomp import Sizes
from separation.verbs.subjects import chosen_construction

CORPUS = Path(__file__).parents[2] / "corpus"
NO_RULE = ("pair", "exhaustive", "wrong")  # nothing is said of the bits that a model sends
Document = dict[str, Any]

ENCODER = Word.parse("FFF")
ROOM = Budget.of(heads=1, dim=420, bits=400, state_bits=0)  # C4 sends less at the sizes that are found for it
HARD = decide(ENCODER, 3, ROOM)  # no causal FFF follows three tables here: C4, which looks both ways, does
UNSURE = shortest_prompt(ENCODER, 3, ROOM, Fraction(9, 10))


def sizes_of(found: Found) -> Document:
    sizes = found.hard_sizes()
    return {"L": 3, "m": int(sizes["m"]), "n": [int(size) for size in sizes["n"]]}


assert HARD.found is not None
BUILT: list[tuple[str, Document]] = [
    *(("C1", {"L": L, "m": 4, "n": [4] * (L - 1)}) for L in (1, 2)),
    *(("C2", {"L": 2, "m": 4, "n": [4], "word": word}) for word in ("RFF", "FRF")),
    *(("C2", {"L": 1, "m": 64, "word": word}) for word in ("RF", "FR")),
    *(("C3", {"L": L, "m": 4, "n": [2] * (L - 1)}) for L in (1, 2)),
    *(("C4", {"L": L, "m": 4, "n": [2] * (L - 1)}) for L in (1, 2, 3)),
    ("C4", sizes_of(HARD.found)),
    ("C4", sizes_of(UNSURE)),
    *(("C5", {"L": 2, "m": 2**20, "n": [2**20], "word": word}) for word in ("F", "RF", "FR")),
    ("C6", {"length": 33, "modulus": 31}),
    ("C7", {"length": 33, "modulus": 31, "block": 4, "opened": 1}),
]
LARGE = next(place for place, (_, options) in enumerate(BUILT) if options == sizes_of(HARD.found))


@cache
def built(place: int) -> Document:
    name, options = BUILT[place]
    construction = chosen_construction(name, None, options)
    if not construction.stages:
        construction = certified_proof(construction).construction  # with the invariants that were inferred
    with patch("separation.proving.certificates._refusal", return_value=""):  # the kernel is asked below
        return kernel_certificate(construction, Fraction(1), "test")


def claim_of(document: Document) -> Claim | None:
    """What the kernel says of a certificate that it accepts."""
    try:
        verdict = check_certificate(document)
    except Malformed:
        return None
    return verdict.claim if verdict.ok else None


@cache
def built_claims() -> list[Claim]:
    """kernel_certificate leaves the states out; where they have a grid, the least number that is true is claimed."""
    claims = []
    for place in range(len(BUILT)):
        document = built(place)
        found = check_certificate(put_states(document, 0)).message if "R" in document["claim"]["word"] else ""
        proved = re.search(r"(\d+) proved", found)
        claim = claim_of(document if proved is None else put_states(document, int(proved[1])))
        assert claim is not None
        claims.append(claim)
    return claims


def put_states(document: Document, bits: int) -> Document:
    return {**document, "claim": {**document["claim"], "state_bits": bits}}


def against(claim: Claim, place: int) -> Iterator[Document]:
    """What the theorems say at the sizes of a model, with its own messages and states, of its word and of others."""
    task = claim["task"]
    if task["task"] == "two_sum":
        yield from against_sparse(claim)
    if task["task"] != "funccomp":
        return
    sizes = Sizes(int(task["m"]), tuple(map(int, task["n"])))
    for found in (HARD.found, UNSURE):
        if sizes_of(found) == {"L": sizes.L, "m": sizes.m, "n": list(sizes.n)}:
            yield bound_certificate(found, ROOM.message)
            yield decision_certificate(replace(HARD, found=found))
    if min(sizes.m, *sizes.n, sizes.m) < 2 and sizes.L > 1:
        return
    message, states = claim.get("message"), int(claim.get("state_bits", 0))
    heads, dim, bits = (max(1, int(message[key])) for key in ("heads", "dim", "P")) if message else (1, 1, 1)
    beta = Budget.of(heads=heads, dim=dim, bits=bits, state_bits=0).beta_at(sizes.length)
    for word in dict.fromkeys([claim["word"], "F" * sizes.L, *("RF", "FR", "[FR]", "F", "R", "RR")[place % 3 :: 3]]):
        if not set(word) <= set("FR[]") or Word.parse(word).depth >= sizes.L or sizes.m > 2**64:
            continue
        parsed = Word.parse(word)
        linear = parsed.separate_state_bits([states] * (parsed.full + 1)) if "R" in word else [0] * (parsed.full + 1)
        budget = Budget.of(beta=beta, state_bits=list(linear))
        try:
            decision = decide(parsed, sizes.L, budget, sizes)
            if decision.solvable is False:
                yield decision_certificate(decision)
            if decision.found is not None and decision.solvable is False and decision.theorem != "C":
                yield bound_certificate(decision.found)
            share = ceiling(parsed, sizes.m, sizes.n, beta, linear)
            if share.value < 1:
                yield ceiling_certificate(AccuracyBound(parsed, sizes.m, sizes.n, beta, tuple(linear), share), None)
        except InputError:
            continue
    for less in (1, 2):  # R alone, with states just too small for the last table
        held = prod(sizes.n, start=sizes.m)
        if held < 1000:
            yield bound_certificate(by_theorem_c(sizes, held.bit_length() * held // 2 - less))


def against_sparse(claim: Claim) -> Iterator[Document]:
    own = claim.get("summary", {"block": 4, "open": 1, "bits": 1})
    block, opened, blocks = own["block"], own["open"], (int(claim["tokens"]) - 1) // own["block"]
    layer = by_theorem_d(int(claim["task"]["modulus"]), block, opened, blocks)
    yield sparse_certificate(layer, layer.bits - 1)
    for bits in (1, 2):
        hits = most_hits(bits, block, opened, blocks, Fraction(0))
        yield sparse_ceiling_certificate(block, opened, blocks, bits, Fraction(0), hits)


@cache
def excluding_claims() -> list[Claim]:
    documents = [document for place, claim in enumerate(built_claims()) for document in against(claim, place)]
    claims = [claim_of(document) for document in documents]
    assert all(claim is not None for claim in claims)
    return [claim for claim in claims if claim is not None]


@cache
def known_claims() -> tuple[list[Claim], list[Claim]]:
    """(built, excluding): of the corpus and of the small certificates of these tests."""
    documents = [certificate(kind, name) for kind in KINDS for name in KINDS[kind] if kind not in NO_RULE]
    for entry in json.loads((CORPUS / "manifest.json").read_text()):
        if entry["expect"] == "accept" and entry["kind"] not in (*NO_RULE, "text"):
            documents.append(json.loads((CORPUS / entry["file"]).read_text()))
    made: list[Claim] = []
    excluding: list[Claim] = []
    for document in documents:
        claim = claim_of(document)
        if claim is not None:
            (made if document["kind"] == "construction" else excluding).append(claim)
    return made, excluding


def test_what_is_built_is_nowhere_excluded() -> None:
    made, excluding = known_claims()
    assert made
    assert excluding
    assert not list(conflicts([*made, *built_claims()], [*excluding, *excluding_claims()]))


@pytest.mark.parametrize("ignored", [name for name in DIMENSIONS if name not in ("letters", "message")])
def test_each_dimension_of_a_claim_is_needed(ignored: str) -> None:
    """Claims without it would contradict each other: the pairs here come that near. (Letters and message: below.)"""
    assert list(conflicts(built_claims(), excluding_claims(), ignored))


def test_without_attention_an_encoder_contradicts_a_bound_a_decision_and_a_ceiling() -> None:
    found = [excluding for _, excluding in conflicts(built_claims(), excluding_claims(), "attention")]
    assert {("layers" in each, "ceiling" in each) for each in found} == {(False, False), (True, False), (True, True)}


def test_a_message_counts_only_if_numbers_are_integral() -> None:
    claim = {**built_claims()[LARGE], "attention": "causal"}
    loose = {key: value for key, value in claim.items() if key != "message"}
    decided = [each for each in excluding_claims() if each.get("layers") == ["F"] * 3]
    assert any(conflict(claim, each) for each in decided)
    assert not any(conflict(loose, each) for each in decided)
    document = built(LARGE)
    verdict = check_certificate({**document, "claim": {**document["claim"], "integral": False}})
    assert verdict.ok
    assert "message" not in verdict.claim
