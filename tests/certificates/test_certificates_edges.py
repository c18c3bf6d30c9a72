"""Claims that are only just false: one unit beyond what is true is rejected, and what is just true is accepted.

Certificates are made up here, at random sizes; where the truth ends is found by the judge that shares no code with the
kernel, never by the kernel itself.
"""

from __future__ import annotations

import collections
import random
from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from certificate_cases import BOUNDS, CONSTRUCTIONS, DECISIONS, PAIRS, certificate, verdict
from claim_truth import is_true
from document_mutations import Document, nodes, put
from fuzzed_models import shown
from hypothesis import assume, given, settings
from hypothesis import strategies as st

quick = settings(max_examples=25)


def accepted(document: Document) -> bool:
    return verdict(document) == "accepted"


def document(kind: str, claim: Document, choice: Document | None) -> Document:
    return {"schema": "separation.certificate/1", "kind": kind, "tool": "0", "claim": claim, "choice": choice}


def largest(holds: Callable[[int], bool]) -> int:
    """The largest number from 0 on at which a falling statement holds; −1 if it does not hold at 0."""
    if not holds(0):
        return -1
    high = 1
    while holds(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def golden(theorem: str, L: int, y: int, linear: list[int], *, reached: bool) -> Document:
    """A bound at x_{L-k} = y·Π_{j>L-k} n_j, n_{L-k} = y·Π_{j≥L-k} x_j and m = 6·Πx; β is still to be chosen."""
    x, n = [1] * L, [1] * L
    for level in range(L - 1, 0, -1):
        x[level] = y * prod(n[level + 1 :])
        n[level] = y * prod(x[level:])
    x[0] = max(1, 2 * linear[0]) if theorem == "A" else y * prod(n)
    m = max(6 * prod(x), 2)
    draws, theta = [], [x[0]]
    for level in range(1, L):
        draws.append(x[level] * n[level - 1] * theta[-1])
        theta.append(max(1, draws[-1] // 2))
    sizes = {"task": "funccomp", "m": shown(m), "n": [shown(part) for part in n[1:]]}
    claim = {"theorem": theorem, "task": sizes, "tokens": None, "beta": 1, "message": None}
    choice = {"x": [shown(part) for part in x], "reached": None, "free_start": False}
    if reached:
        choice["reached"] = [shown(part) for part in theta[1:]]
    return document("bound", claim | {"lambda": [shown(bits) for bits in linear]}, choice)


@quick
@given(
    theorem=st.sampled_from("AB"),
    L=st.integers(1, 3),
    y=st.integers(4, 60),
    bits=st.lists(st.integers(0, 40), min_size=5, max_size=5),
    reached=st.booleans(),
)
def test_the_largest_beta_and_lambda(theorem: str, L: int, y: int, bits: list[int], reached: bool) -> None:
    """β and every Λ_t, one above the largest for which the inequalities hold."""
    L = max(L, 2) if theorem == "B" else L
    linear = sorted(bits)[:L] if theorem == "A" else [0, *sorted(bits)[:L]]
    made = golden(theorem, L, y, linear, reached=reached)
    if L > 1:  # without full layers β says nothing
        beta = ("claim", "beta")
        most = largest(lambda number: is_true(put(made, beta, shown(number + 1)))) + 1
        assert not accepted(put(made, beta, shown(most + 1)))
        assume(most >= 1)
        made = put(made, beta, shown(most))
        assert accepted(made)
    for place in range(1 if theorem == "B" else 0, len(linear)):
        path = ("claim", "lambda", place)
        top = largest(lambda number, path=path: is_true(put(made, path, shown(number))))
        if top >= 0:
            assert accepted(put(made, path, shown(top)))
        assert not accepted(put(made, path, shown(top + 1)))


@pytest.mark.parametrize(("kind", "name"), [*(("bound", x) for x in BOUNDS), *(("decision", x) for x in DECISIONS)])
def test_every_number_of_a_bound_by_one(kind: str, name: str) -> None:
    """Each integer (of a long list every few) one more and one less: accepted if and only if it is true."""
    made, verdicts = certificate(kind, name), set()
    found = numbers(made)
    for path, value in found[:: 1 + len(found) // 40]:
        for other in (value + 1, value - 1):
            said = verdict(twin := put(made, path, other))
            verdicts.add(said)
            assert said == "malformed" or (said == "accepted") == is_true(twin), (path, other)
    assert "rejected" in verdicts


def numbers(made: Any) -> list[tuple[tuple[Any, ...], int]]:
    return [(path, value) for path, value in nodes(made) if type(value) is int]


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_every_number_of_a_construction_by_one(name: str) -> None:
    """Margin, states and inputs have one side that is weaker, and true; all other numbers have one value."""
    made = certificate("construction", name)
    claim, weaker = made["claim"], {"state_bits": 1, "inputs_covered_log2": -1, "margin": -1}
    assert accepted(put(made, ("claim", "margin"), str(Fraction(claim["margin"]) / 10**9)))
    assert not accepted(put(made, ("claim", "margin"), str(Fraction(claim["margin"]) + Fraction(1, 10**9))))
    for path, value in numbers(claim):
        for step in (1, -1):
            if path[0] == "task" or value + step < 0 or (path[0] == "margin" and value + step == 0):
                continue
            twin = put(made, ("claim", *path), value + step)
            assert accepted(twin) == (weaker.get(path[0]) == step), (path, step)


@pytest.mark.parametrize("name", PAIRS)
def test_every_number_of_a_pair_by_one(name: str) -> None:
    """One table entry, one output, one number of the transcript, one weight: accepted if and only if it is true."""
    made = certificate("pair", name)
    everything = [(path, value + step) for path, value in numbers(made) for step in (1, -1) if value + step >= 0]
    places = [(path, value) for path, value in everything if is_value(path)]
    weights = [(path, value) for path, value in everything if "entries" in path and path[-1] == 2]
    chosen = places + random.Random(name).sample(weights, min(25, len(weights)))
    verdicts = collections.Counter[str]()
    for path, value in chosen:
        verdicts[found := verdict(put(made, path, value))] += 1
        assert found == "malformed" or (found == "accepted") == is_true(put(made, path, value)), (path, value)
    assert verdicts["rejected"] > 0


def is_value(path: tuple[Any, ...]) -> bool:
    """Of the inputs, right answers, outputs, transcripts and summaries."""
    return path[:2] in {("claim", key) for key in ("a", "b", "expected_a", "expected_b", "output_a", "output_b")} or (
        path[:2] in {("claim", "transcript"), ("claim", "swaps"), ("map", "tables"), ("map", "rows")}
    )
