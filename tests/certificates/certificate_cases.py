"""Small certificates of every kind, true ones, by name."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "proving"))
sys.path.append(str(Path(__file__).parents[1] / "fooling"))
import checker_cases
import pair_cases

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
    least_golden,
    optimise,
    sparse_certificate,
    theorem_a,
    theorem_b,
    theorem_c,
    theorem_d,
)
from separation.fooling import find_pair
from separation.fooling.certificate import pair_certificate
from separation.fooling.hybrids import find_hybrid_pair, random_hybrid
from separation.fooling.sparse import SparseShape, find_sparse_pair, map_certificate
from separation.fooling.sparse.maps import MatrixMap
from separation.proving.checker import Malformed, check_certificate
from separation.tasks.funccomp import Sizes

Document = dict[str, Any]


def _bound(name: str) -> Document:
    if name == "heads":
        model = bound(2, Budget.of(heads=2, dim=8, bits=8, linear=3))
        return bound_certificate(model.ground, model.budget.message)
    made: dict[str, Callable[[], Any]] = {
        "A": lambda: optimise("A", 2, 3, [5, 5], cover="half"),
        "A chosen": lambda: optimise("A", 2, 3, [5, 5], cover="chosen"),
        "A free": lambda: optimise("A", 3, 2, [0, 0, 0]),
        "A one table": lambda: theorem_a(Point(5, (), (5,)), 1, [8]),
        "B": lambda: optimise("B", 2, 2, [0, 1, 3]),
        "B one table": lambda: theorem_b(Point(5, (), ()), 8, [0, 2]),
        "C": lambda: theorem_c(Sizes(3, (2,)), 12),
        "golden powers": lambda: least_golden(Rule.A, 9, 8, [8] * 9).evaluation,
        "CPW powers": lambda: theorem_b(cpw_point(4, 5), 10, [0, 0, *([2**48] * 3)]),
    }
    return bound_certificate(made[name]())


def _decision(word: str, L: int, budget: Budget | None = None, sizes: Sizes | None = None) -> Document:
    return decision_certificate(decide(Word.parse(word), L, budget, sizes))


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
    "by hand": lambda: checker_cases.construction(2, []),
    "by hand, stored": lambda: checker_cases.construction(2, [], stored=True),
    "by hand, two tables": lambda: checker_cases.construction(2, [1]),
    "by hand, m = 1": lambda: checker_cases.construction(1, [2]),
    **{name: lambda name=name: checker_cases.real(name) for name in checker_cases.REAL},
}
POWERS = ("golden powers", "CPW powers")
BOUNDS: dict[str, Callable[[], Document]] = {
    name: lambda name=name: _bound(name)
    for name in ("A", "A chosen", "A free", "A one table", "B", "B one table", "C", "heads", *POWERS)
} | {
    "D": lambda: sparse_certificate(theorem_d(11, 3, 1, 4), 6),
    "D, none opened": lambda: sparse_certificate(theorem_d(5, 2, 0, 3), 2),
}
DECISIONS: dict[str, Callable[[], Document]] = {
    "by C1": lambda: _decision("F3", 2),
    "by C2": lambda: _decision("RF2", 2),
    "by C3": lambda: _decision("R4", 2, Budget(beta=1, state_bits=19), Sizes(3, (2,))),
    "not by A": lambda: _decision("RF", 3, Budget(beta=2, state_bits=4)),
    "not by B": lambda: _decision("[FR]F", 2, Budget(beta=2, total=3)),
    "not by C": lambda: _decision("R2", 2, Budget(beta=2, total=30)),
    "not with heads": lambda: _decision("F", 2, Budget.of(heads=1, dim=2, bits=3, linear=0)),
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
KINDS = {"construction": CONSTRUCTIONS, "bound": BOUNDS, "decision": DECISIONS, "pair": PAIRS}
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
