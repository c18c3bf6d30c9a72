"""Theorems A2, B2, A3, A_L, A_W, B_L: verdicts against integers, and known prompts."""

from __future__ import annotations

import math
import random

import pytest
from separation.bounds.theorems.theorem_aw import theorem_aw

from separation.bounds.log_sums import LogSum, binomial_terms, compare
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.bounds.theorems.theorem_a3 import theorem_a3, theorem_a3_no_early_r
from separation.bounds.theorems.theorem_al import theorem_al
from separation.bounds.theorems.theorem_b2 import theorem_b2
from separation.bounds.theorems.theorem_bl import theorem_bl
from separation.files import InputError


def test_equal_products_are_equal_and_neighbours_are_not() -> None:
    six = LogSum(1, ((10**30, 6),))
    same = LogSum(10**30 + 1, ((10**30, 3),))
    assert compare("", "", six, same, strict=False).holds
    assert not compare("", "", six, same, strict=True).holds
    assert compare("", "", six, LogSum(10**30 + 2, ((10**30, 3),)), strict=True).holds
    assert not compare("", "", LogSum(10**30 + 2, ((10**30, 3),)), six, strict=False).holds


@pytest.mark.parametrize(("top", "bottom"), [(10_000, 5_000), (9_999, 4_000), (100_000, 2_000)])
def test_a_long_binomial_is_bounded_from_above_and_closely(top: int, bottom: int) -> None:
    terms = binomial_terms(top, bottom)
    assert len(terms) == 3
    bound = sum(float(factor) * (math.log2(base.numerator) - math.log2(base.denominator)) for factor, base in terms)
    assert math.log2(math.comb(top, bottom)) < bound < math.log2(math.comb(top, bottom)) + 0.01


def test_a2_is_its_two_inequalities_in_integers() -> None:
    rng = random.Random(1)
    verdicts = set()
    for _ in range(400):
        m, n1, theta, beta = rng.randint(2, 12), rng.randint(1, 5), rng.randint(1, 12), rng.randint(1, 20)
        early = rng.randint(0, 12)
        late = rng.randint(0, 8)
        told = early + theta * late + beta * n1
        expected = (theta - 1) ** m * 2**early < m**m and 2**told < (m * n1) ** (n1 * theta)
        assert theorem_a2(m, (n1,), theta, beta, (early, early + late)).certified == expected
        verdicts.add(expected)
    assert verdicts == {True, False}


def test_b2_is_its_inequalities_in_integers() -> None:
    rng = random.Random(2)
    verdicts = set()
    for _ in range(600):
        n1, x0, v = rng.randint(1, 6), rng.randint(1, 12), rng.randint(1, 8)
        m, beta = rng.randint(2, 90), rng.randint(1, 3)
        theta = rng.randint(1, x0 * v + 1)
        beside, late = rng.choice([0, 0, 3]), rng.choice([0, 2])
        expected = (
            x0 * v <= m
            and (theta - 1) ** x0 * 2 ** (beta * n1 + beside) < (x0 * v) ** x0
            and 2 ** (beside + beta * (n1 + x0 + x0 * v + n1 * x0) + theta * late) < (m * n1) ** (n1 * theta)
        )
        assert theorem_b2(m, (n1,), x0, v, theta, beta, (0, beside, beside + late)).certified == expected
        verdicts.add(expected)
    assert verdicts == {True, False}


def test_a3_is_its_inequalities_in_integers() -> None:
    rng = random.Random(3)
    verdicts = set()
    for trial in range(500):
        m, n1, n2 = rng.randint(2, 8), rng.randint(1, 2), rng.randint(1, 60)
        g, u, x2, theta1 = rng.randint(1, m), rng.randint(1, m), rng.randint(1, 3), rng.randint(1, 4)
        theta2 = rng.randint(1, m * n1 + 1)
        early, middle, late = (0, 0, 0) if trial % 2 else (rng.randint(0, 2), rng.randint(0, 2), rng.randint(0, 2))
        W, N1, N2 = n1 * n2, m * n1, m * n1 * n2
        t = x2 * n1 * theta1
        left = math.comb(N1, theta2 - 1) * (theta2 - 1) ** t * 2 ** (x2 * (n1 * early + W + theta1 * middle))
        heard = W + 1 + (m - g + g * theta1) + x2 * n1 * u + (n1 - 1) * (m - u) + W * theta1
        told = early + middle + (1 + x2 * theta1 * middle if middle else 0) + x2 * theta1 * late + heard
        expected = (
            (theta1 - 1) ** g * 2**early < u**g
            and theta2 <= N1
            and (2 * left <= N1**t if middle else left < N1**t)
            and 2**told < N2 ** (n2 * theta2)
        )
        linear = (early, early + middle, early + middle + late)
        assert theorem_a3(m, (n1, n2), g, u, theta1, x2, theta2, 1, linear).certified == expected
        verdicts.add(expected)
    assert verdicts == {True, False}


def hard_al(beta: int, lam: list[int], m: int, ns: list[int], g: int, theta1: int, cs: list[tuple[int, int]]) -> bool:
    """The recursion of A_L as it is proved in Coq (hardAL in SharperDefinitions.v), in integers."""
    W, first = math.prod(ns), m - g + g * theta1
    if g > m or (theta1 - 1) ** g * 2 ** lam[0] >= m**g:
        return False
    P, e, D, T, Tv, B, k, N = (
        lam[0] + beta * W,
        0,
        theta1 * lam[1],
        1 + first,
        theta1 + first,
        theta1,
        ns[0] * theta1,
        m * ns[0],
    )
    for n, (x, theta) in zip(ns[1:], cs, strict=True):
        if theta > N or math.comb(N, theta - 1) * (theta - 1) ** (x * k) * 2 ** (x * (P + D) + 1) > N ** (x * k):
            return False
        states = sum(lam[1 : e + 2])
        D, T, Tv, B, k, N, e = (
            1 + x * D + states + x * B * lam[e + 2] + beta * ((e + 1) * x * N + T + W * B),
            x * (N + Tv),
            x * (N + Tv),
            x * B,
            n * theta,
            N * n,
            e + 1,
        )
    return N**k > 2 ** (P + D)


def test_a_w_with_three_tables_is_a3_with_the_bit_of_the_copies() -> None:
    rng, verdicts = random.Random(5), set()
    for _ in range(300):
        m, n1, n2 = rng.randint(2, 40), rng.randint(1, 2), 2 ** rng.randint(1, 9)
        early, middle, late = rng.choice([0, 1, 3]), rng.randint(1, 2), rng.choice([0, 1])
        g, u, theta1, x2 = rng.randint(1, m), rng.randint(1, m), rng.randint(1, 3), rng.randint(1, 2)
        theta2, linear = rng.randint(1, 4), (early, early + middle, early + middle + late)
        a3 = theorem_a3(m, (n1, n2), g, u, theta1, x2, theta2, 1, linear)
        a_w = theorem_aw(m, (n1, n2), g, u, (theta1, theta2), (x2,), 1, linear)
        assert a_w.certified == a3.certified
        verdicts.add(a3.certified)
    assert verdicts == {True, False}


def test_a_l_is_the_recursion_that_is_proved_in_coq() -> None:
    rng = random.Random(4)
    verdicts = set()
    for _ in range(500):
        L = rng.choice([2, 3, 4])
        m = rng.randint(2, 4)
        ns = (
            [1] * (L - 2) + [2 ** rng.randint(1, 7)]
            if rng.random() < 0.8
            else [rng.randint(1, 3) for _ in range(L - 1)]
        )
        lam = [rng.choice([0, 0, 1, 2]) for _ in range(L)]
        g, theta1 = rng.randint(1, m), rng.choice([1, 1, 2])
        cs = [(rng.choice([1, 1, 2]), rng.choice([1, 1, 2])) for _ in range(L - 2)]
        expected = hard_al(1, lam, m, ns, g, theta1, cs)
        linear = [sum(lam[: t + 1]) for t in range(L)]
        thetas = [theta1, *(theta for _, theta in cs)]
        assert theorem_al(m, ns, g, thetas, [x for x, _ in cs], 1, linear).certified == expected
        verdicts.add(expected)
    assert verdicts == {True, False}


@pytest.mark.parametrize(
    ("outcome", "tokens"),
    [
        (lambda s: theorem_a2(5 - s, (1,), 5 - s, 8, (0, 0)), 12),
        (lambda s: theorem_a2(7 - s, (4,), 4, 8, (8, 16)), 37),
        (lambda s: theorem_b2(140 - s, (3,), 35, 4, 88, 8, (0, 0, 0)), 562),
        (lambda s: theorem_a3_no_early_r(192 - s, (1, 5), 64, 3, 125, 8, (0, 0, 0)), 1346),
        (lambda s: theorem_a3(874 - s, (1, 10), 10, 209, 121, 11, 342, 8, (8, 8, 8)), 10490),
    ],
)
def test_known_prompts_hold_and_one_entry_less_does_not(outcome, tokens: int) -> None:  # type: ignore[no-untyped-def]
    assert outcome(0).certified
    assert outcome(0).tokens() == tokens
    assert not outcome(1).certified


def test_b_l_refuses_early_r_and_vacuous_covers() -> None:
    with pytest.raises(InputError, match="Lambda_0 is 0"):
        theorem_bl(2, (1, 1), 1, 1, (1, 1), (1,), 1, (1, 1, 1, 1))
    large = theorem_bl(2, (1, 1), 1, 1, (3, 1), (1,), 1, (0, 0, 0, 0))
    assert not large.certified
