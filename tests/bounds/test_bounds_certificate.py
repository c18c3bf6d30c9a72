"""Certificates and the kernel: it agrees with the calculator, and its intervals and logarithms are bounds."""

from __future__ import annotations

import collections
import functools
import json
import random
from typing import Any

import pytest
from bounds_cases import random_question, rule_for

from separation.bounds import (
    Budget,
    Parameters,
    Rule,
    Word,
    bound_certificate,
    decide,
    decision_certificate,
    evaluate,
    least_golden,
    sparse_certificate,
    theorem_a,
    theorem_d,
)
from separation.bounds.certificate import _document
from separation.bounds.powers import PowerProduct, exact_json
from separation.files import InputError
from separation.proving import kernel, kernel_bounds
from separation.proving.kernel import CHECKERS, Malformed, Rejected
from separation.tasks.funccomp import Sizes

Document = dict[str, Any]


def verdict(document: Document) -> str:
    """accepted, rejected or malformed, on the document as JSON carries it."""
    try:
        CHECKERS[document["kind"]](json.loads(json.dumps(document)))
    except Malformed:
        return "malformed"
    except Rejected:
        return "rejected"
    return "accepted"


@pytest.mark.parametrize("theorem", ["A", "B"])
def test_the_kernel_agrees_with_the_calculator(theorem: str) -> None:
    rng = random.Random(f"kernel {theorem}")
    counts: collections.Counter[bool] = collections.Counter()
    for _ in range(150):
        beta, state_bits, point = random_question(rng, theorem)
        if rng.random() < 0.7:  # near a certified point, so that both verdicts occur
            found = near(theorem, rng)
            beta, state_bits, point = found.beta, list(found.state_bits), found.parameters
            factor = rng.choice([1, 1, 1, 2, 10])
            point = Parameters(max(2, int(point.m) // factor), point.n, point.x)  # type: ignore[arg-type]
        rule = Rule.B if theorem == "B" else Rule.A_FREE if state_bits[0] == 0 and rng.random() < 0.5 else Rule.A
        found = evaluate(rule, point, beta, state_bits)
        document = _document("bound", found.certificate_claim(None), found.certificate_choice())  # certified or not
        assert (verdict(document) == "accepted") == found.certified
        counts[found.certified] += 1
    assert min(counts[True], counts[False]) > 10


@functools.cache
def near_points(theorem: str) -> list[Any]:
    linears = {"A": [[0, 0], [3, 3], [0, 0, 0]], "B": [[0, 0, 3], [0, 1, 1]]}[theorem]
    rules = [rule_for(theorem, bits) for bits in linears]
    return [
        least_golden(rule, len(bits) - (theorem == "B"), 3, bits).evaluation
        for rule, bits in zip(rules, linears, strict=True)
    ]


def near(theorem: str, rng: random.Random) -> Any:
    return rng.choice(near_points(theorem))


def test_intervals_contain_the_numbers() -> None:
    rng = random.Random(9)
    for _ in range(300):
        a, b = (rng.getrandbits(rng.choice([5, 300, 3000, 9000])) + 1 for _ in range(2))
        first, second = kernel_bounds.Interval(a), kernel_bounds.Interval(b)
        for value, found in ((a * b, first * second), (a + b, first + second), (a - b, first - second)):
            assert found.low << found.shift <= value <= found.high << found.shift
            assert found.low == found.high or max(a, b, value).bit_length() > kernel.BITS
        assert (first - second).low <= 0 or a > b
        assert a - b <= a >> 1000 or (first - second).low > 0


def test_numbers_of_certificates() -> None:
    assert exact_json(7) == 7
    assert exact_json(2**60) == str(2**60)
    assert exact_json(PowerProduct(((3, 10**6), (2, 5)))) == {"powers": [[3, 10**6], [2, 5]]}
    assert exact_json(5 << 20_000) == {"powers": [[5, 1], [2, 20_000]]}
    with pytest.raises(InputError, match="one of its numbers has more than 4,000 digits"):
        exact_json(3**20_000)


def test_only_what_is_certified_has_a_certificate() -> None:
    with pytest.raises(InputError, match="only what is certified has a certificate"):
        bound_certificate(theorem_a(Parameters(2, (17,), (1, 2)), 8, [0, 0]))
    with pytest.raises(InputError, match="7 summary bits are not too few; 7 are needed"):
        sparse_certificate(theorem_d(11, 3, 1, 4), 7)
    undecided = decide(Word.parse("F"), 2, Budget(beta=8, total=0), Sizes(2, (2,)))
    with pytest.raises(InputError, match="what is not decided has nothing to certify"):
        decision_certificate(undecided)
