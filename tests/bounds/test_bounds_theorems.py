"""Theorems A and B: edges, rounding, least constants, and what is refused. Their inequalities: the book (T.A, T.B)."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Context
from fractions import Fraction
from typing import Any

import pytest
from bounds_cases import rule_for
from flint import arb, ctx
from naive_bounds import certified

from separation.bounds import (
    Budget,
    Message,
    Parameters,
    Rule,
    evaluate,
    golden_parameters,
    least_golden,
    log_sums,
    paper_prompt,
    theorem_a,
    theorem_b,
    theorem_c,
    theorem_d,
)
from separation.bounds.condition import Condition, verdict
from separation.bounds.log_sums import Inequality, LogSum, binomial_terms
from separation.files import InputError
from separation.tasks.funccomp import Sizes


def demand(form: str, left: int, size: int, factor: int) -> Condition:
    """1 + x·D ≤ (t−Θ)·log2(N/Θ) − Θ·log2 𝖾 with t = 2Θ; D < Θ·log2 N; 𝖾·Θ < N."""
    if form == "draw":
        return Condition("", "", left, 2 * factor, size, factor, loose_binomials=((size, factor),), strict=False)
    return Condition("", "", left, factor, size) if form == "count" else Condition("", "", 0, 1, size, left, nats=1)


def at_the_edge(form: str, seed: int) -> tuple[Condition, Condition]:
    """A demand that holds by less than 1, and the same with a left side that is larger by 1."""
    rng = random.Random(seed)
    size, factor = rng.randint(10**6, 10**9), rng.randint(2, 10**5)
    with ctx.workprec(300):
        log = arb(size).log() / arb.const_log2()
        log_factor, log_e = arb(factor).log() / arb.const_log2(), 1 / arb.const_log2()
        right = {"draw": factor * (log - log_factor - log_e), "count": factor * log, "cover": size / arb.const_e()}[
            form
        ]
        whole = int(right.floor().unique_fmpz())
    return demand(form, whole, size, factor), demand(form, whole + 1, size, factor)


@pytest.mark.parametrize("form", ["draw", "count", "cover"])
def test_verdicts_at_the_edge(form: str) -> None:
    for seed in range(40):
        holds, fails = (verdict(condition) for condition in at_the_edge(form, seed))
        assert (holds.holds, fails.holds) == (True, False)
        assert holds.left <= holds.right
        assert fails.left > fails.right


def test_logarithms_rounded_the_wrong_way_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin that takes an upper bound of the logarithm, with few digits, calls some false inequality true."""

    def hopeful(name: str, formula: str, left: LogSum, right: LogSum, *, strict: bool) -> Inequality:
        low, high = Fraction(left.between(5)[0]), Fraction(right.between(5)[1])
        return Inequality(name, formula, low, high, low < high if strict else low <= high)

    monkeypatch.setattr("separation.bounds.condition.compare", hopeful)
    assert any(verdict(at_the_edge("draw", seed)[1]).holds for seed in range(40))


def test_without_a_start_both_forms_are_tried() -> None:
    """With Λ_0 = 0 the free form reaches more values, so many that 𝖾·t_2 < 2N_1 fails; the general form holds."""
    rng = random.Random(3)
    found = 0
    for _ in range(800):
        x = (rng.randint(1, 40), rng.randint(20, 900), rng.randint(1, 3))
        point = Parameters(rng.randint(10**3, 10**5), (rng.randint(10**4, 10**6), rng.randint(5, 20)), x)
        general, free = (evaluate(rule, point, 8, [0, 0, 0]).certified for rule in (Rule.A, Rule.A_FREE))
        assert theorem_a(point, 8, [0, 0, 0]).certified == (general or free)
        found += general and not free
    assert found > 0


POINT = Parameters(4, (2,), (1, 1))
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: theorem_a(Parameters(4, (2,), (1,)), 8, [0, 0]), "L = 2 needs 2 values of x, got 1"),
    (lambda: theorem_a(POINT, 8, [0]), "Theorem A with L = 2 needs Λ_0..Λ_1, got 1 values"),
    (lambda: theorem_b(POINT, 8, [0, 0]), "Theorem B with L = 2 needs Λ_0..Λ_2, got 2 values"),
    (lambda: theorem_a(POINT, 0, [0, 0]), "beta is 0; allowed are 1 and above"),
    (lambda: theorem_a(POINT, 8, [0, -1]), "Λ_1 is -1; allowed are 0 and above"),
    (lambda: theorem_b(POINT, 8, [1, 1, 1]), "this form of Theorem B needs Λ_0 = 0, no R layer before the first full"),
    (lambda: theorem_b(Parameters(4, (), (1,)), 8, [0, 0]), "Theorem B with L = 1 has no x"),
    (lambda: Parameters(1, (2,), (1, 1)), "m is 1; allowed are 2 and above"),
    (lambda: Parameters(2, (0,), (1, 1)), "n_1 is 0; allowed are 1 and above"),
    (lambda: Parameters(2, (1,), (1, 0)), "x_1 is 0; allowed are 1 and above"),
    (lambda: Parameters(2, (1,), (1, True)), "x_1 is True; an integer is needed"),
    (lambda: Parameters(2, (1,), (1, 1), (0,)), "Θ_1 is 0; allowed are 1 and above"),
    (lambda: Parameters(2, (1,), (1, 1), ()), "L = 2 needs 1 values of Θ, got 0"),
    (lambda: theorem_c(Sizes(3, ()), -1), "lambda is -1; allowed are 0 and above"),
    (lambda: theorem_d(4, 1, 1, 2), "modulus is 4; an odd number is needed"),
    (lambda: theorem_d(1, 1, 1, 2), "modulus is 1; allowed are 3 and above"),
    (lambda: theorem_d(5, 0, 1, 2), "block is 0; allowed are 1 and above"),
    (lambda: theorem_d(5, 1, 2, 2), "2 of 2 blocks are opened; the bound is about more blocks than are opened"),
    (lambda: theorem_d(5, 1, -1, 2), "open is -1; allowed are 0 and above"),
    (lambda: theorem_d(11, 3, 1, 4).forbids(-1), "summary bits is -1; allowed are 0 and above"),
    (lambda: Message(0, 1, 1, 1), "heads is 0; allowed are 1 and above"),
    (lambda: Message(1, 0, 1, 1), "dim is 0; allowed are 1 and above"),
    (lambda: Message(1, 1, 0, 1), "bits is 0; allowed are 1 and above"),
    (lambda: Message(1, 1, 1, 1).beta(-1), "log2 of the tokens is -1; allowed are 0 and above"),
    (lambda: paper_prompt(0, 8), "L is 0; allowed are 1 and above"),
    (lambda: Budget(), "give either beta, or heads, dim and bits"),
    (lambda: Budget(beta=1, total=-1), "lambda is -1; allowed are 0 and above"),
    (lambda: Budget(beta=1, state_bits=-1), "state bits is -1; allowed are 0 and above"),
    (lambda: Budget.of(beta=8, heads=2), "beta and heads are both given; either is enough"),
    (lambda: Budget.of(beta=8, score_bits=2), "beta and score bits are both given; either is enough"),
    (lambda: Budget.of(heads=2, dim=4), "bits is missing: heads, dim and bits belong together"),
    (lambda: Budget.of(state_bits=4), "beta is missing: give beta, or heads, dim and bits"),
    (lambda: Budget.of(accumulate="float32"), "accumulators in floating point belong to heads and dim: give both"),
    (
        lambda: Budget.of(accumulate="float8", heads=1, dim=1),
        "accumulators in 'float8' are not known; one of float16, ",
    ),
    (
        lambda: Budget.of(accumulate="float32", heads=1, dim=1, bits=8),
        "accumulators in floating point are all that is heard: leave out beta, bits, score bits",
    ),
    (lambda: Budget.of(beta=0), "beta is 0; allowed are 1 and above"),
    (
        lambda: Budget.of(beta=8, state_bits=1, layer_state_bits=1),
        "give either lambda, or the state bits of one R layer",
    ),
    (lambda: Budget.of(beta=8, layer_state_bits="4"), "state bits is '4'; an integer is needed"),  # type: ignore[arg-type]
]


def test_what_cannot_be_meant_is_refused() -> None:
    for ask, text in REFUSED:
        with pytest.raises(InputError) as caught:
            ask()
        assert str(caught.value).startswith(text)


def test_logarithms_from_below_and_above_enclose_arbs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random sums at random precisions, long bases and binomials among them; a twin without the last digit misses."""
    rng = random.Random(0)

    def misses(terms: int) -> int:
        found = 0
        for _ in range(terms):
            bases = [rng.randint(2, 10 ** rng.choice([1, 5, 30, 3000])) for _ in range(3)]
            top = rng.randint(4, 10 ** rng.choice([1, 5, 30]))
            pairs = tuple((rng.randint(1, 10**6), base) for base in bases)
            side = LogSum(rng.randint(0, 10**6), pairs, ((top, rng.randint(1, top - 1)),), rng.randint(0, 3))
            low, high = map(Fraction, side.between(rng.choice([5, 39, 80])))
            with ctx.workprec(2000):
                parts = [(Fraction(factor), Fraction(base)) for factor, base in side.terms]
                parts += binomial_terms(*side.binomials[0])
                logs = [ball_of(factor) * ball_of(base).log() for factor, base in parts]
                true = side.bits + (sum(logs, arb(0)) + side.nats) / arb.const_log2()
                found += not (ball_of(low) < true < ball_of(high))
        return found

    assert not misses(150)
    monkeypatch.setattr(log_sums, "_ln_between", lambda number, digits: (Context(prec=digits).ln(number),) * 2)
    log_sums._log2_of_integer.cache_clear()
    assert misses(150)
    log_sums._log2_of_integer.cache_clear()


def ball_of(number: Fraction) -> arb:
    return arb(number.numerator) / number.denominator


@pytest.mark.parametrize(
    ("theorem", "L", "state_bits", "y"),
    [
        ("A", 2, [8, 8], 8),
        ("A", 3, [8] * 3, 72),
        ("A", 4, [8] * 4, 201),
        ("A", 3, [0] * 3, 53),
        ("B", 2, [0, 0, 8], 10),
        ("B", 3, [0, 0, 8, 8], 133),
    ],
)
def test_least_constants(theorem: str, L: int, state_bits: list[int], y: int) -> None:
    rule = rule_for(theorem, state_bits)
    golden = least_golden(rule, L, 8, state_bits)
    assert golden.y == y
    assert golden.constant * 8 == y
    for value, holds in ((y, True), (y - 1, False)):
        point = golden_parameters(rule, L, value, state_bits[0])
        arguments = theorem, 8, state_bits, point.m, list(point.n), list(point.x)
        assert certified(*arguments, free=rule is Rule.A_FREE) is holds
