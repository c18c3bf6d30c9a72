"""Small certificates of every kind, true ones, by name."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import kernel_cases
import numpy as np
import pair_cases

from constructions import build
from constructions.programs import gallery
from separation.bounds import (
    AccuracyBound,
    Budget,
    Decision,
    Parameters,
    Rule,
    Word,
    bound,
    bound_certificate,
    cpw_parameters,
    decide,
    decision_certificate,
    least_golden,
    shortest_prompt,
    sparse_certificate,
    theorem_a,
    theorem_b,
    theorem_c,
    theorem_d,
)
from separation.bounds.ceilings import ceiling
from separation.bounds.certificate import ceiling_certificate, sparse_ceiling_certificate
from separation.bounds.theorem import Impossibility
from separation.bounds.theorems.theorem_a3 import theorem_a3
from separation.bounds.theorems.theorem_a3c import theorem_a3c
from separation.bounds.theorems.theorem_al import theorem_al
from separation.bounds.theorems.theorem_b2c import theorem_b2c
from separation.bounds.theorems.theorem_d import most_hits
from separation.bounds.theorems.theorem_e import theorem_e
from separation.fooling import find_pair
from separation.fooling.hybrids import find_hybrid_pair
from separation.fooling.pair import pair_certificate
from separation.fooling.random_subjects import random_hybrid
from separation.fooling.sparse import SparseShape, find_sparse_pair, map_certificate
from separation.fooling.sparse.maps import MatrixMap
from separation.proving import Construction, exhaustive_certificate, wrong_certificate
from separation.proving.kernel import Malformed, check_certificate
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

Document = dict[str, Any]


def _bound(name: str) -> Document:
    if name == "heads":
        model = bound(2, Budget.of(heads=2, dim=8, bits=8, state_bits=3), theorem="A")
        return bound_certificate(model.shortest, model.budget.message)
    made: dict[str, Callable[[], Any]] = {
        "A": lambda: least_golden(Rule.A, 2, 3, [5, 5]).evaluation,
        "A chosen": lambda: _of_word("RF", 2, 3, 5, "A"),
        "A free": lambda: _of_word("FF", 3, 2, 0, "A"),
        "A one table": lambda: theorem_a(Parameters(5, (), (5,)), 1, [8]),
        "B": lambda: shortest_prompt(Word.parse("[FR][FR]"), 2, Budget.of(beta=2, state_bits=[0, 1, 3]), theorem="B"),
        "B one table": lambda: theorem_b(Parameters(5, (), ()), 8, [0, 2]),
        "C": lambda: theorem_c(Sizes(3, (2,)), 12),
        "golden powers": lambda: least_golden(Rule.A, 9, 8, [8] * 9).evaluation,
        "CPW powers": lambda: theorem_b(cpw_parameters(4, 5), 10, [0, 0, *([2**48] * 3)]),
    }
    return bound_certificate(made[name]())


def _decision(
    word: str, L: int, budget: Budget | None = None, sizes: Sizes | None = None, theorem: str | None = None
) -> Document:
    return decision_certificate(decide(Word.parse(word), L, budget, sizes, theorem=theorem))


def _of_word(word: str, L: int, beta: int, state_bits: int, theorem: str) -> Impossibility:
    found = shortest_prompt(Word.parse(word), L, Budget(beta=beta, total=state_bits), theorem=theorem)
    assert isinstance(found, Impossibility)
    return found


def _against(word: str, found: Impossibility) -> Document:
    budget = Budget(beta=found.beta, by_block=found.state_bits)
    return decision_certificate(Decision(Word.parse(word), found.L, False, "", found=found, budget=budget))


LARGE_M, REACHED = 36047802506895632, (482386860449, 139854488504915856, 9116140039605001199288320)
SHARPER: dict[str, Callable[[], Impossibility]] = {
    "A2": lambda: _of_word("RFR", 2, 8, 8, "A2"),
    "A2, identity in front": lambda: _of_word("RF", 4, 3, 5, "A2"),
    "B, identity in front": lambda: _of_word("[FR]", 2, 8, 3, "B"),
    "A3": lambda: _of_word("RFF", 3, 2, 2, "A3"),
    "A3, R between": lambda: theorem_a3(7442, (16, 16), 38, 707, 612, 16, 34236, 24, (8, 16, 24)),
    "AL": lambda: theorem_al(LARGE_M, (28, 27687580, 77), 17, REACHED, (19017, 8), 64, (8, 16, 24, 32)),
    "B2c": lambda: theorem_b2c(17, (6,), (16, 17), 8, (0, 0, 0)),
    "B2c, groups": lambda: theorem_b2c(37, (8,), (37, 37, 2, 4), 8, (0, 0, 8)),
    "A3c": lambda: theorem_a3c(17, (1, 8), (17, 17), 8, (0, 0, 0)),
    "A3c, R between": lambda: theorem_a3c(20, (26, 5), (20, 520), 8, (0, 8, 8)),
    "AL, RFRFRFR": lambda: _of_word("RFRFRFR", 4, 16, 4, "A_L"),
    "AL, five tables": lambda: _of_word("RFRFFF", 5, 64, 8, "A_L"),
    "AL, small": lambda: _of_word("RFRFF", 4, 2, 1, "A_L"),
    "BL": lambda: _of_word("F[FR]FR", 3, 64, 4, "B_L"),
}


def _of_the_corpus(name: str) -> Document:
    """By a theorem that is not searched for any more."""
    file = Path(__file__).parents[2] / "corpus" / f"{name}.json"
    found: Document = json.loads(file.read_text(encoding="utf-8"))
    return found


def _ceiling(word: str, m: int, n: tuple[int, ...], beta: int, state_bits: int | tuple[int, ...]) -> Document:
    parsed = Word.parse(word)
    found, bits = ceiling(parsed, m, n, beta, state_bits), parsed.separate_state_bits(state_bits)
    return ceiling_certificate(AccuracyBound(parsed, m, n, beta, bits, found), None)


def _theorem_e(word: str, m: int, n: tuple[int, ...], x: tuple[int, ...], state_bits: list[int]) -> Document:
    kind = "B" if Word.parse(word).full == len(n) + 1 else "A"
    found = theorem_e(kind, m, n, x, 1, state_bits)
    bits = tuple(state_bits[: Word.parse(word).full + 1])
    return ceiling_certificate(AccuracyBound(Word.parse(word), m, n, 1, bits, found), None)


def _hybrid(word: str, m: int, n: tuple[int, ...]) -> Document:
    sizes = Sizes(m, n)
    made = random_hybrid(Word.parse(word), sizes, 0, score_bits=2)
    found = find_hybrid_pair(made.model, sizes, seed=0).search
    assert found.pair is not None
    return pair_certificate(found.pair, made.model, (0, sizes.N[-1]))


def _delta() -> Document:
    sizes = Sizes(2, ())
    for seed in range(50):
        model = pair_cases.delta_model(sizes, seed)
        found = find_pair(model, sizes, seed=0)
        if found.pair is not None:
            return pair_certificate(found.pair, model, (0, sizes.length - 2))
    raise AssertionError("no delta model is fooled")


def _linear_map() -> Document:
    shape = SparseShape(5, 2, 3, 1)
    summary = MatrixMap(np.array([[[1, 2]], [[2, 1]], [[1, 1]]]), 3)
    found = map_certificate(find_sparse_pair(summary, shape), summary)
    assert found is not None
    return found


CONSTRUCTIONS: dict[str, Callable[[], Document]] = {
    "by hand": lambda: kernel_cases.construction(2, []),
    "by hand, stored": lambda: kernel_cases.construction(2, [], stored=True),
    "by hand, two tables": lambda: kernel_cases.construction(2, [1]),
    "by hand, m = 1": lambda: kernel_cases.construction(1, [2]),
    **{name: lambda name=name: kernel_cases.real(name) for name in kernel_cases.REAL},
}
POWERS = ("golden powers", "CPW powers")
BOUNDS: dict[str, Callable[[], Document]] = {
    name: lambda name=name: _bound(name)
    for name in ("A", "A chosen", "A free", "A one table", "B", "B one table", "C", "heads", *POWERS)
} | {
    "D": lambda: sparse_certificate(theorem_d(11, 3, 1, 4), 6),
    "D, none opened": lambda: sparse_certificate(theorem_d(5, 2, 0, 3), 2),
    "B2": lambda: _of_the_corpus("bound/sharper-b2"),
    "A3.free": lambda: _of_the_corpus("bound/sharper-a3-free"),
    **{name: lambda name=name: bound_certificate(SHARPER[name]()) for name in SHARPER},
}
DECISIONS: dict[str, Callable[[], Document]] = {
    "by C1": lambda: _decision("F3", 2),
    "by C2": lambda: _decision("RF2", 2),
    "by C3": lambda: _decision("R4", 2, Budget(beta=1, state_bits=19), Sizes(3, (2,))),
    "not by A": lambda: _decision("RF", 3, Budget(beta=2, state_bits=4), theorem="A"),
    "not by B": lambda: _decision("[FR]F", 2, Budget(beta=2, total=3), theorem="B"),
    "not by C": lambda: _decision("R2", 2, Budget(beta=2, total=30)),
    "not by A2": lambda: _against("RFR", SHARPER["A2"]()),
    "not by B2": lambda: _of_the_corpus("decision/not-b2"),
    "not with heads": lambda: _decision("F", 2, Budget.of(heads=1, dim=2, bits=3, state_bits=0), theorem="A"),
}
CEILINGS: dict[str, Callable[[], Document]] = {
    "A2 average": lambda: _ceiling("RF", 64, (8,), 16, 64),
    "A2 average, no early R": lambda: _ceiling("FR", 2000, (3,), 8, 2),
    "A2 union": lambda: _ceiling("FR", 16, (4,), 2, 1),
    "A2, tables in front": lambda: _ceiling("RF", 64, (8, 3, 5), 4, 8),
    "C' average": lambda: _ceiling("R", 2000, (), 1, 4000),
    "C' union": lambda: _ceiling("R", 8, (2,), 1, 20),
    "C' of one full layer": lambda: _ceiling("[FR]", 16, (), 8, 3),
    "E": lambda: _theorem_e("RFF", 10**7, (100, 100), (199, 923, 3), [2, 2, 2]),
    "E, full": lambda: _of_the_corpus("ceiling/e-full"),
    "E, late": lambda: _theorem_e("RFR", 10**4, (10**4,), (100, 20), [1, 2]),
    "E, two full layers": lambda: _of_the_corpus("ceiling/e-quiet"),
    "E, late R": lambda: _theorem_e("FFR", 100_000, (50,), (3000, 4), [0, 0, 1]),
    "E, idle layers": lambda: _of_the_corpus("ceiling/e-idle"),
    "D'": lambda: sparse_ceiling_certificate(16, 4, 64, 20, Fraction(1, 20), most_hits(20, 16, 4, 64, Fraction(1, 20))),
}
PAIRS: dict[str, Callable[[], Document]] = {
    "R": lambda: pair_cases.recurrent_certificate(1, 3, (), 4, 1),
    "RR, thoughts": lambda: pair_cases.recurrent_certificate(2, 3, (), 3, 3),
    "R, two tables": lambda: pair_cases.recurrent_certificate(1, 2, (2,), 5, 1),
    "delta": _delta,
    "F": lambda: _hybrid("F", 3, ()),
    "RF": lambda: _hybrid("RF", 2, (2,)),
    "[FR]": lambda: _hybrid("[FR]", 3, ()),
    "S": pair_cases.sparse_certificate,
    "map": pair_cases.map_case,
    "linear map": _linear_map,
}


def _blind(construction: Construction) -> Construction:
    """The same without the last layer: it answers some inputs wrongly."""
    model = construction.model
    return replace(construction, model=replace(model, layers=model.layers[:-1]), stages=())


EXHAUSTIVE: dict[str, Callable[[], Document]] = {
    "C1": lambda: exhaustive_certificate(build("C1", Sizes(2, ()))),
    "half of C1": lambda: exhaustive_certificate(_blind(build("C1", Sizes(2, ())))),
    "both ways": lambda: exhaustive_certificate(build("C4", Sizes(2, ()))),
    "thoughts": lambda: exhaustive_certificate(build("C5", Sizes(2, ()))),
    "2-Sum": lambda: exhaustive_certificate(build("C6", TwoSumSizes(3, 3))),
    "blocks": lambda: exhaustive_certificate(build("C7", TwoSumSizes(4, 3))),
    "a program": lambda: exhaustive_certificate(gallery("induction", n=2, V=2).compile().construction),
    "promises": lambda: exhaustive_certificate(gallery("recall", pairs=2, V=2, queries=1).compile().construction),
}
WRONG: dict[str, Callable[[], Document]] = {
    "C1": lambda: wrong_certificate(_blind(build("C1", Sizes(2, ()))), [1, 1, 0, 2]),
    "a program": lambda: wrong_certificate(_blind(gallery("induction", n=2, V=2).compile().construction), [0, 1, 2]),
    "endless": lambda: wrong_certificate(_blind(gallery("parity").compile().construction), [0, 2, 2, 1]),
}
KINDS = {
    "construction": CONSTRUCTIONS,
    "bound": BOUNDS,
    "decision": DECISIONS,
    "ceiling": CEILINGS,
    "pair": PAIRS,
    "exhaustive": EXHAUSTIVE,
    "wrong": WRONG,
}
ALL = [(kind, name) for kind, cases in KINDS.items() for name in cases]


@cache
def _made(kind: str, name: str) -> str:
    return json.dumps(KINDS[kind][name]())


def certificate(kind: str, name: str) -> Document:
    """A fresh copy, as JSON carries it."""
    document: Document = json.loads(_made(kind, name))
    return copy.deepcopy(document)


def verdict(document: Document) -> str:
    """What the kernel says: malformed, rejected or accepted; any other exception is a defect of the kernel."""
    try:
        return "accepted" if check_certificate(document).ok else "rejected"
    except Malformed:
        return "malformed"
