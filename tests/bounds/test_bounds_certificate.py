"""Certificates and the kernel that shares no code: every leaf changed is refused, or what it says is true."""

from __future__ import annotations

import collections
import copy
import functools
import json
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from bounds_cases import random_question
from naive_bounds import inequalities

from separation.bounds import (
    Budget,
    Point,
    Rule,
    Word,
    bound,
    bound_certificate,
    cpw_point,
    decide,
    decision_certificate,
    evaluate,
    least_golden,
    optimise,
    sparse_certificate,
    theorem_a,
    theorem_b,
    theorem_c,
    theorem_d,
)
from separation.bounds.certificate import number
from separation.bounds.powers import PowerProduct
from separation.files import InputError
from separation.proving import checker
from separation.proving.checker import CHECKERS, Malformed, Rejected
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


@functools.cache
def certificates() -> dict[str, Document]:
    half, chosen = (optimise("A", 2, 3, [5, 5], cover=cover) for cover in ("half", "chosen"))
    model = bound(2, Budget.of(heads=2, dim=8, bits=8, linear=3))
    return {
        "A": bound_certificate(half),
        "A chosen": bound_certificate(chosen),
        "A free": bound_certificate(optimise("A", 3, 2, [0, 0, 0])),
        "A one table": bound_certificate(theorem_a(Point(5, (), (5,)), 1, [8])),
        "B": bound_certificate(optimise("B", 2, 2, [0, 1, 3])),
        "B one table": bound_certificate(theorem_b(Point(5, (), ()), 8, [0, 2])),
        "C": bound_certificate(theorem_c(Sizes(3, (2,)), 12)),
        "D": sparse_certificate(theorem_d(11, 3, 1, 4), 6),
        "model": bound_certificate(model.ground, model.budget.message),
        "solvable": decision_certificate(decide(Word.parse("RF2"), 2)),
        "stored": decision_certificate(decide(Word.parse("R4"), 2, Budget(beta=1, state_bits=19), Sizes(3, (2,)))),
        "word A": decision_certificate(decide(Word.parse("RF"), 3, Budget(beta=2, state_bits=4))),
        "word B": decision_certificate(decide(Word.parse("[FR]F"), 2, Budget(beta=2, total=3))),
        "word C": decision_certificate(decide(Word.parse("R2"), 2, Budget(beta=2, total=30))),
        "golden": bound_certificate(least_golden(Rule.A, 9, 8, [8] * 9).evaluation),
        "cpw": bound_certificate(theorem_b(cpw_point(4, 5), 10, [0, 0, *([2**48] * 3)])),
    }


def test_all_are_accepted() -> None:
    assert {name: verdict(document) for name, document in certificates().items()} == dict.fromkeys(
        certificates(), "accepted"
    )


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in pairs:
        yield from leaves(child, (*path, key))


def mutations(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from ({k: v for k, v in value.items() if k != key} for key in value)
        yield value | {"unknown": 0}
    elif isinstance(value, list):
        yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
        yield [*value, *value[-1:]]
        yield value[::-1]
    elif isinstance(value, str) and value.isdigit():
        yield from (str(other) for other in (int(value) + 1, int(value) - 1, 2 * int(value), 10 * int(value)))
    elif isinstance(value, str):
        yield from ("", "A", "B", "C", "D", "F", "R", "FR", "C1", "C2", "C3", None, "funccomp", value + "x")
    elif isinstance(value, bool):
        yield from (not value, None, 1)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 0, 1, 2 * value, 1000 * value, -value, None, True, str(value), float(value))
    else:
        yield from (0, 1, [1], {}, "x")


def put(document: Document, path: tuple[Any, ...], value: Any) -> Document:
    changed = copy.deepcopy(document)
    target: Any = changed
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return changed


def is_true(document: Document) -> bool:
    """What an accepted document claims, by the formulas of the tests alone."""
    claim, choice = document["claim"], document["choice"]
    if document["kind"] == "decision":
        word = Word(tuple(claim["layers"]))
        if claim["solvable"] and claim["construction"] == "C3":
            sizes = Sizes(claim["task"]["m"], tuple(claim["task"]["n"]))
            enough = claim["state_bits"] >= sizes.N[-1] * math.ceil(math.log2(sizes.N[-1]))
            return bool(enough and sizes.L == claim["L"] < len(word.layers) and word.full == 0)
        if claim["solvable"]:
            construction = "C1" if claim["L"] < word.full else "C2"
            return bool(claim["L"] <= word.depth and claim["construction"] == construction)
        if claim["L"] <= word.depth or claim["L"] != len(claim["task"]["n"]) + 1:
            return False
    if claim["theorem"] == "D":
        u = claim["modulus"] - 1
        bound_ = theorem_d(u + 1, claim["block"], claim["open"], claim["blocks"])
        return 2 ** claim["summary_bits"] < bound_.values
    m, n = claim["task"]["m"], claim["task"]["n"]
    if not isinstance(m, int) or not all(isinstance(size, int) for size in n):
        return True  # larger than these formulas go; the two large certificates are looked at below
    sizes = Sizes(m, tuple(n))
    if claim["tokens"] not in (None, sizes.length):
        return False
    linear = list(claim["lambda"])
    if document["kind"] == "decision" and claim["theorem"] == "A":
        linear = [0] * (claim["L"] - len(linear)) + linear
    if claim["theorem"] == "C":
        return 2 ** linear[0] < sizes.N[-1] ** sizes.N[-1]
    if claim["message"] is not None:
        heads, dim, P, p = (claim["message"][key] for key in ("heads", "dim", "P", "p"))
        k = (sizes.length - 1).bit_length()
        if claim["beta"] < heads * (dim * (P + p + k + 1) + P + k):
            return False
    if choice is None:
        return claim["theorem"] == "B" and 2 ** (claim["beta"] + linear[1]) < m**m
    free, reached = choice["free_start"], choice["reached"]
    if free and (claim["theorem"] == "B" or linear[0]):
        return False
    found = inequalities(claim["theorem"], claim["beta"], linear, m, n, choice["x"], free, reached)
    return all(holds for _, holds in found.values()) and not (claim["theorem"] == "B" and linear[0])


@pytest.mark.parametrize("name", list(certificates()))
def test_every_leaf_changed_is_refused_or_true(name: str) -> None:
    document = certificates()[name]
    counts: collections.Counter[str] = collections.Counter()
    for path, value in leaves(document):
        if not path or path in {("kind",), ("schema",), ("tool",)}:
            continue
        for other in mutations(value):
            if other == value and type(other) is type(value):
                continue
            mutant = put(document, path, other)
            outcome = verdict(mutant)
            counts[outcome] += 1
            if outcome == "accepted":
                assert is_true(mutant), (path, other)
    assert counts["malformed"] > 10
    assert counts["rejected"] > 0


def test_large_certificates_are_not_accepted_by_accident() -> None:
    """At sizes beyond integers: a tenth of m, ten times β's power, one Λ too large, are rejected."""
    for name in ("golden", "cpw"):
        document = certificates()[name]
        smaller = put(document, ("claim", "task", "m"), {"powers": [[7, 3]]})
        assert verdict(smaller) == "rejected"
        huge = {"powers": [[2, 10**12]]}
        last = len(document["claim"]["lambda"]) - 1
        assert verdict(put(document, ("claim", "lambda", last), huge)) == "rejected"


@pytest.mark.parametrize("theorem", ["A", "B"])
def test_the_kernel_agrees_with_the_calculator(theorem: str) -> None:
    rng = random.Random(f"kernel {theorem}")
    counts: collections.Counter[bool] = collections.Counter()
    for _ in range(150):
        beta, linear, point = random_question(rng, theorem)
        if rng.random() < 0.7:  # near a certified point, so that both verdicts occur
            found = near(theorem, rng)
            beta, linear, point = found.beta, list(found.linear), found.point
            factor = rng.choice([1, 1, 1, 2, 10])
            point = Point(max(2, int(point.m) // factor), point.n, point.x)  # type: ignore[arg-type]
        rule = Rule.B if theorem == "B" else Rule.A_FREE if linear[0] == 0 and rng.random() < 0.5 else Rule.A
        found = evaluate(rule, point, beta, linear)
        document = bound_document(found)
        assert (verdict(document) == "accepted") == found.certified
        counts[found.certified] += 1
    assert min(counts[True], counts[False]) > 10


@functools.cache
def near_points(theorem: str) -> list[Any]:
    linears = {"A": [[0, 0], [3, 3], [0, 0, 0]], "B": [[0, 0, 3], [0, 1, 1]]}[theorem]
    return [optimise(theorem, len(bits) - (theorem == "B"), 3, bits) for bits in linears]


def near(theorem: str, rng: random.Random) -> Any:
    return rng.choice(near_points(theorem))


def bound_document(found: Any) -> Document:
    """A certificate's document for an evaluation that may not be certified."""
    return {
        "schema": "separation.certificate/1",
        "kind": "bound",
        "tool": "0",
        "claim": {
            "theorem": found.theorem,
            "task": {"task": "funccomp", "m": number(found.point.m), "n": [number(size) for size in found.point.n]},
            "tokens": None,
            "beta": number(found.beta),
            "lambda": [number(bits) for bits in found.linear],
            "message": None,
        },
        "choice": {
            "x": [number(kept) for kept in found.point.x],
            "reached": None,
            "free_start": found.rule is Rule.A_FREE,
        },
    }


def test_intervals_contain_the_numbers() -> None:
    rng = random.Random(9)
    for _ in range(300):
        a, b = (rng.getrandbits(rng.choice([5, 300, 3000, 9000])) + 1 for _ in range(2))
        first, second = checker.Interval(a), checker.Interval(b)
        for value, found in ((a * b, first * second), (a + b, first + second), (a - b, first - second)):
            assert found.low << found.shift <= value <= found.high << found.shift
            assert found.low == found.high or max(a, b, value).bit_length() > checker.BITS
        assert (first - second).low <= 0 or a > b
        assert a - b <= a >> 1000 or (first - second).low > 0


def test_logarithms_are_bounds() -> None:
    import mpmath

    rng = random.Random(1)
    with mpmath.workdps(120):
        for number_bits in (2, 3, 200, 400, 3000) * 4:
            a = rng.getrandbits(number_bits) + 1
            found = checker.Interval(a).log2()
            low, high = (mpmath.ldexp(mpmath.mpf(end), found.shift) for end in (found.low, found.high))
            assert low <= mpmath.log(a, 2) <= high
            assert high - low < mpmath.mpf(2) ** -200
        upper = mpmath.ldexp(mpmath.mpf(checker.LOG2_E.high), checker.LOG2_E.shift)
        assert 0 <= upper - 1 / mpmath.log(2) < mpmath.mpf(2) ** -200
    assert [checker.log2_lower(2**power) for power in (0, 1, 77, 5000)] == [0, 1, 77, 5000]


def test_numbers_of_certificates() -> None:
    assert number(7) == 7
    assert number(2**60) == str(2**60)
    assert number(PowerProduct(((3, 10**6), (2, 5)))) == {"powers": [[3, 10**6], [2, 5]]}
    assert number(5 << 20_000) == {"powers": [[5, 1], [2, 20_000]]}
    with pytest.raises(InputError, match="one of its numbers has more than 4,000 digits"):
        number(3**20_000)


def test_only_what_is_certified_has_a_certificate() -> None:
    with pytest.raises(InputError, match="only what is certified has a certificate"):
        bound_certificate(theorem_a(Point(2, (17,), (1, 2)), 8, [0, 0]))
    with pytest.raises(InputError, match="7 summary bits are not too few; 7 are needed"):
        sparse_certificate(theorem_d(11, 3, 1, 4), 7)
    undecided = decide(Word.parse("F"), 2, Budget(beta=8, total=0), Sizes(2, (17,)))
    with pytest.raises(InputError, match="what is not decided has nothing to certify"):
        decision_certificate(undecided)


STORED_TWINS = {
    "one bit less than the table": {"state_bits": 17},
    "as many layers as tables": {"layers": ["R", "R"]},
    "a full layer": {"layers": ["R", "R", "FR"]},
    "more tables than asked for": {"task": {"task": "funccomp", "m": 3, "n": [2, 1]}},
    "another L": {"L": 1},
    "a larger table": {"task": {"task": "funccomp", "m": 3, "n": [3]}},
}


@pytest.mark.parametrize("name", STORED_TWINS)
def test_a_stored_table_needs_room_and_layers(name: str) -> None:
    document = decision_certificate(decide(Word.parse("R3"), 2, Budget(beta=1, state_bits=18), Sizes(3, (2,))))
    assert document["claim"]["construction"] == "C3"
    assert verdict(document) == "accepted"
    assert verdict({**document, "claim": document["claim"] | STORED_TWINS[name]}) == "rejected"
