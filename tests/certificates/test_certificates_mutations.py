"""Leaves and members of every kind of certificate, changed: refused, or the claim is true all the same.

The judge of what is accepted shares no code with the kernel (`claim_truth`). A sample of all changes is made; all of
them with ``-m slow``.
"""

from __future__ import annotations

import collections
import random

import pytest
from certificate_cases import ALL, KINDS, certificate, verdict
from claim_truth import is_true
from document_mutations import Document, Mutant, mutants, nodes, put, some_mutants

Counts = collections.Counter[str]
SAMPLE = 25
CLAIMS_NOTHING = {("claim", "construction"), ("claim", "integral")}
"""Of a construction: a name; and that activations are no multiples of 2^-f is not claimed."""


def outcome(document: Document) -> str:
    """malformed, rejected or accepted; what is accepted is true."""
    found = verdict(document)
    assert found != "accepted" or is_true(document)
    return found


def sweep(document: Document, changes: list[Mutant]) -> Counts:
    counts: Counts = collections.Counter()
    for path, value in changes:
        try:
            counts[outcome(put(document, path, value))] += 1
        except Exception as error:
            raise AssertionError(f"{path}: {str(value)[:100]}") from error
    return counts


@pytest.mark.parametrize("kind", KINDS)
def test_some_changes_of_every_certificate(kind: str) -> None:
    counts: Counts = collections.Counter()
    for name in KINDS[kind]:
        document = certificate(kind, name)
        counts += sweep(document, some_mutants(document, random.Random(name), SAMPLE))
    assert set(counts) == {"malformed", "rejected", "accepted"}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), ALL)
def test_every_change_of_a_certificate(kind: str, name: str) -> None:
    document = certificate(kind, name)
    counts = sweep(document, mutants(document))
    print(f"\n{kind} {name}: {sum(counts.values())} mutants, {dict(counts)}")
    assert counts["malformed"] > 0
    assert counts["rejected"] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_every_leaf_of_a_claim_matters(kind: str) -> None:
    """For each leaf of the claim some change is refused, but for those that claim nothing."""
    free = CLAIMS_NOTHING if kind == "construction" else {("claim", "task", "name")}  # labels
    for name in list(KINDS[kind])[:: 3 if kind == "construction" else 1]:  # the claims of constructions are alike
        document, refused = certificate(kind, name), set()
        claims = {path for path, value in nodes(document) if path[:1] == ("claim",) and isinstance(value, int | str)}
        for path, value in mutants({"claim": document["claim"]}):
            alike = path in claims and type(value) is type(at(document, path))
            if alike and path not in refused and verdict(put(document, path, value)) != "accepted":
                refused.add(path)
        assert claims - refused <= free, name


def at(document: Document, path: tuple[object, ...]) -> object:
    value: object = document
    for key in path:
        value = value[key]  # type: ignore[index]
    return value
