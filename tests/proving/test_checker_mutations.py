"""Every leaf of a certificate, changed: the kernel refuses it, or it is harmless."""

from __future__ import annotations

import collections
import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest
from checker_cases import REAL, Document, construction, real
from plain_evaluator import holds

from separation.proving.checker import Malformed, check_certificate


def nodes(document: Document) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """All values in a document, with their paths."""
    stack: list[tuple[tuple[Any, ...], Any]] = [((), document)]
    while stack:
        path, value = stack.pop()
        yield path, value
        pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        stack += [((*path, key), child) for key, child in pairs]


def mutations(value: Any) -> Iterator[Any]:
    """Other values for a leaf; for an object or a list, the same with one member less or more."""
    if isinstance(value, dict):
        yield from ({k: v for k, v in value.items() if k != key} for key in value)
        yield value | {"unknown": 0}
    elif isinstance(value, list):
        yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
        yield from (value[: i + 1] + value[i:] for i in range(len(value)))
        yield from ([*value[:i], value[i + 1], value[i], *value[i + 2 :]] for i in range(len(value) - 1))
    elif isinstance(value, str) and value.lstrip("-").isdigit():
        yield from (str(other) for other in mutations(int(value)))
    elif isinstance(value, str):
        yield from ("", value + "x", None, "1", "i0.0", "i1.0", "i2.0", "w1.0", "index.0", "value.0", "h2.0", "z0", "w")
        yield from ("x.0", "y.0", "x.1", "position.0", "seen 1/0.0", "seen 1/1.0", "seen 2/0.0", "both", "causal")
        yield from ("full", "linear", "delta", "sparse", "funccomp", "two_sum", "hops", "addresses", "records")
    elif isinstance(value, bool):
        yield from (not value, None, 1, "true")
    else:
        yield from (value + 1, value - 1, -value, 0, 2 * value, f"{2 * value + 1}/2", f"{2 * value - 1}/2", 100)
        yield from (None, True, float(value), [value], "1.0", "1/0")


def put(document: Document, path: tuple[Any, ...], value: Any) -> Document:
    """The document with another value at a path; all else is shared."""
    if not path:
        return dict(value)
    copied: Any = copy.copy(document)
    copied[path[0]] = put(copied[path[0]], path[1:], value) if path[1:] else value
    return dict(copied) if isinstance(copied, dict) else copied


def mutants(document: Document) -> list[tuple[tuple[Any, ...], Any]]:
    return [(path, other) for path, value in nodes(document) for other in mutations(value) if other != value]


def outcome(document: Document, path: tuple[Any, ...], value: Any) -> str:
    """The verdict on a mutant; if accepted, it must hold by running its model on all inputs."""
    mutant = put(document, path, value)
    try:
        verdict = check_certificate(mutant)
    except Malformed:
        return "malformed"
    if verdict.ok and path not in {("tool",), ("claim", "construction")}:
        assert holds(mutant), (path, value)
    return "accepted" if verdict.ok else "rejected"


@pytest.mark.parametrize("stored", [False, True])
def test_mutants_are_refused_or_harmless(stored: bool) -> None:
    document = construction(2, [], stored=stored)
    sample = random.Random(1).sample(mutants(document), 1200)
    counts = collections.Counter(outcome(document, path, value) for path, value in sample)
    assert counts["rejected"] > 100
    assert counts["malformed"] > 100


@pytest.mark.parametrize("name", REAL)
def test_mutants_of_constructions_are_refused_or_harmless(name: str) -> None:
    document = real(name)
    sample = random.Random(name).sample(mutants(document), 250)
    counts = collections.Counter(outcome(document, path, value) for path, value in sample)
    assert counts["rejected"] > 20
    assert counts["malformed"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_all_mutants_of_constructions_are_refused_or_harmless(name: str) -> None:
    document = real(name)
    counts = collections.Counter(outcome(document, path, value) for path, value in mutants(document))
    assert counts["rejected"] > 1000


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "stored"), [(2, [], False), (2, [], True), (2, [1], False), (1, [2], False)])
def test_all_mutants_are_refused_or_harmless(m: int, n: list[int], stored: bool) -> None:
    document = construction(m, n, stored=stored)
    counts = collections.Counter(outcome(document, path, value) for path, value in mutants(document))
    assert counts["rejected"] > 1000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["by hand", *REAL])
def test_changed_weights_are_refused_or_harmless(name: str) -> None:
    """Weights of the model only, two at a time: the two changes may compensate each other."""
    rng = random.Random(7)
    document = construction(2, [1]) if name == "by hand" else real(name)
    places = [(path, value) for path, value in mutants(document) if path[:2] == ("model", "layers")]
    for _ in range(4000):
        (first, a), (second, b) = rng.sample(places, 2)
        if first[: len(second)] != second and second[: len(first)] != first:
            outcome(put(document, first, a), second, b)
