"""Expressions against integers at random points."""

from __future__ import annotations

import random

import pytest
import sympy as sp

from separation.bounds import Parameters, Rule, evaluate, golden_parameters
from separation.bounds.symbolic import (
    BETA,
    M,
    Y,
    n_symbol,
    state_symbol,
    symbolic_golden,
    symbolic_theorem,
    x_symbol,
)


def values_at(point: Parameters, beta: int, state_bits: list[int]) -> dict[object, object]:
    values = {BETA: beta, M: point.m}
    values |= {n_symbol(k): size for k, size in enumerate(point.n, start=1)}
    values |= {x_symbol(k): kept for k, kept in enumerate(point.x)}
    return values | {state_symbol(t): bits for t, bits in enumerate(state_bits)}


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("L", [2, 4])
def test_expressions_are_the_integers(rule: Rule, L: int) -> None:
    theorem = symbolic_theorem(rule, L)
    rng = random.Random(f"{rule} {L}")
    for _ in range(3):
        n = tuple(rng.randint(1, 50) for _ in range(L - 1))
        x = tuple(rng.randint(1, 9) for _ in range(L))
        point = Parameters(rng.randint(2, 10**4), n, x)
        state_bits = [0 if t == 0 and rule is not Rule.A else rng.randint(0, 30) for t in range(rule.state_count(L))]
        beta = rng.randint(1, 40)
        exact = evaluate(rule, point, beta, state_bits)
        values = values_at(point, beta, state_bits)
        for name in ("N", "theta", "D"):
            assert [e.subs(values) for e in getattr(theorem.recursion, name)] == getattr(exact.recursion, name)
        if rule is not Rule.A_FREE:
            assert [e.subs(values) for e in theorem.recursion.t[1:]] == exact.recursion.t[1:]
        verdicts = {i.name: i.holds for i in exact.inequalities}
        assert {name: bool(i.subs(values)) for name, i in theorem.inequalities.items()} == verdicts


@pytest.mark.parametrize("rule", list(Rule))
def test_golden_expressions(rule: Rule) -> None:
    for L in (2, 3, 4):
        golden = symbolic_golden(rule, L)
        values = {Y: 7, state_symbol(0): 5}
        point = golden_parameters(rule, L, 7, 5 if rule is Rule.A else 0)
        assert golden.m.subs(values) == point.m
        assert [e.subs(values) for e in golden.n] == list(point.n)
        assert [e.subs(values) for e in golden.x] == list(point.x)
        sizes = {M: golden.m} | {n_symbol(k): size for k, size in enumerate(golden.n, start=1)}
        last = symbolic_theorem(rule, L).recursion.N[-1].subs(sizes)
        assert sp.simplify(last - golden.last_size) == 0
        # y as a function of n is the inverse of N_{L-1} as a function of y.
        size = golden.last_size.subs(values)
        (length,) = golden.threshold.free_symbols - {state_symbol(0)}
        assert sp.simplify(golden.threshold.subs(values).subs(length, size) - 7) == 0
