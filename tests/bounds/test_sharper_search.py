"""The shortest prompts: known ones are reached or beaten, and at L = 2 nothing shorter is certified at all."""

from __future__ import annotations

import math
import random

import pytest

from separation.bounds import Message, Word, ceil_log2
from separation.bounds.search.blas_threads import _libraries, one_blas_thread
from separation.bounds.search.many_tables import LogProblem
from separation.bounds.search.one_full_layer import most_reached, shortest_a2
from separation.bounds.search.rounding import rounded_optimum
from separation.bounds.search.sharper import least_prompt, prompts_by_theorem
from separation.bounds.search.sharper_at_sizes import impossible_at
from separation.bounds.search.three_tables import shortest_a3
from separation.bounds.search.two_full_layers import shortest_b2
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.bounds.theorems.theorem_al import delayed_bits
from separation.bounds.theorems.theorem_bl import later_bits
from separation.bounds.theorems.theorem_e import PAYMENTS, told_bits
from separation.files import InputError


@pytest.mark.parametrize(
    ("word", "L", "beta", "linear", "tokens"),
    [
        ("F", 2, 8, 0, 12),
        ("RF", 2, 8, 8, 22),
        ("RF", 2, 64, 64, 106),
        ("RF", 2, 1000, 1000, 1276),
        ("FR", 2, 8, (0, 8), 23),
        ("RFR", 2, 8, (8, 16), 37),
        ("FF", 2, 8, 0, 562),
        ("FFR", 2, 8, (0, 0, 8), 897),
    ],
)
def test_prompts_of_two_tables_are_the_shortest(word: str, L: int, beta: int, linear, tokens: int) -> None:  # type: ignore[no-untyped-def]
    found = least_prompt(Word.parse(word), L, beta, linear)
    assert found.holds
    assert found.tokens == tokens


@pytest.mark.parametrize(
    ("word", "L", "beta", "linear", "known"),
    [
        ("FF", 3, 8, 0, 1346),
        ("FF", 3, 64, 0, 487_426),
        ("RFF", 3, 8, 8, 10_502),
        ("RFRFR", 3, 8, (8, 16, 24), 75_737),
    ],
)
def test_prompts_of_three_tables_are_at_most_the_known_ones(word: str, L: int, beta: int, linear, known: int) -> None:  # type: ignore[no-untyped-def]
    found = least_prompt(Word.parse(word), L, beta, linear)
    assert found.holds
    assert found.tokens <= known


def test_beta_that_grows_with_the_prompt_is_consistent() -> None:
    message = Message(4, 16, 8, 8)
    found = least_prompt(Word.parse("RF"), 2, lambda tokens: message.beta(ceil_log2(tokens)), 8192)
    assert found.tokens == 7618
    assert found.beta >= message.beta(ceil_log2(found.tokens))


@pytest.mark.parametrize(("beta", "early", "late"), [(1, 0, 0), (2, 3, 0), (4, 0, 5), (3, 4, 4), (8, 8, 8), (12, 1, 2)])
def test_no_shorter_prompt_of_a2_exists(beta: int, early: int, late: int) -> None:
    linear = (early, early + late)
    best, exhaustive = shortest_a2(beta, linear)
    assert exhaustive
    assert best.holds
    for m in range(2, best.tokens):
        for n1 in range(1, best.tokens // m):
            if m * (1 + n1) + 2 >= best.tokens:
                break
            for theta in range(1, m + 1):
                told = early + theta * late + beta * n1
                assert not ((theta - 1) ** m * 2**early < m**m and 2**told < (m * n1) ** (n1 * theta))


@pytest.mark.parametrize(("beta", "beside", "late"), [(1, 0, 0), (2, 0, 0), (2, 1, 2), (3, 0, 0), (3, 2, 1), (4, 0, 0)])
def test_no_shorter_prompt_of_b2_exists(beta: int, beside: int, late: int) -> None:
    best, exhaustive = shortest_b2(beta, (0, beside, beside + late))
    assert exhaustive
    assert best.holds
    for m in range(2, best.tokens):
        for n1 in range(1, best.tokens):
            if m * (1 + n1) + 2 >= best.tokens:
                break
            for x0 in range(1, m + 1):
                for v in range(1, m // x0 + 1):
                    theta = most_reached(x0, x0 * v, beta * n1 + beside)
                    told = beside + beta * (n1 + x0 + x0 * v + n1 * x0) + theta * late
                    assert told >= n1 * theta * math.log2(m * n1) - 1e-9


def test_identity_tables_cost_their_tokens_and_a_cheaper_theorem_wins() -> None:
    found = least_prompt(Word.parse("RF"), 4, 8, 8)
    assert (found.theorem, found.tables, found.n[1:]) == ("A2", 2, (1, 1))
    assert found.tokens == 42
    names = {outcome.theorem: outcome.tokens for outcome in prompts_by_theorem(Word.parse("FF"), 3, 8, 0)}
    assert names["B2"] < names["A3 without early R"] < names["A3"]


@pytest.mark.parametrize(
    ("kind", "tables", "beta", "linear", "most"),
    [
        ("A", 4, 64, (64,) * 4, 85.6),
        ("A", 5, 64, (64,) * 5, 229.9),
        ("B", 3, 64, (0,) * 4, 56.5),
        ("A", 8, 10**6, (10**6,) * 8, 14_400.0),
    ],
)
def test_many_tables_reach_the_real_optimum(kind: str, tables: int, beta: int, linear, most: float) -> None:  # type: ignore[no-untyped-def]
    found = rounded_optimum(LogProblem(kind, tables, beta, linear, 1), 0)
    assert found is not None
    assert found.holds
    assert math.log2(found.tokens) < most


def growth(kind: str, tables: int, first: int, second: int) -> float:
    """How log2 of the shortest prompt found grows with log2 β."""
    logs = []
    for power in (first, second):
        linear = (0,) * (tables if kind == "A" else tables + 1)
        found = rounded_optimum(LogProblem(kind, tables, 2**power, linear, 1), 0)
        assert found is not None
        assert found.holds
        logs.append(math.log2(found.tokens))
    return (logs[1] - logs[0]) / (second - first)


@pytest.mark.parametrize(
    ("kind", "tables", "exponent"), [("A", 2, 1), ("A", 3, 6), ("A", 4, 19), ("B", 2, 4), ("B", 3, 13)]
)
def test_exponents_of_a_l_and_b_l(kind: str, tables: int, exponent: int) -> None:
    """By their inequalities: A_L has 1, 6, 19 (x_2 ≥ β, n_2 ≥ β·x_2, Θ_1 ≥ β·n_2, N_1 ≥ x_2·Θ_1 at L = 3); B_L has
    4, 13."""
    assert exponent - 0.7 < growth(kind, tables, 60, 68) < exponent


def test_windows_make_the_exponent_of_a3_four() -> None:
    logs = []
    for beta in (2**10, 2**16):
        found = shortest_a3(beta, (beta, beta, beta))
        assert found is not None
        logs.append(math.log2(found.tokens))
    assert 3.4 < (logs[1] - logs[0]) / 6 < 4.1


def test_what_is_solvable_or_recurrent_only() -> None:
    with pytest.raises(InputError, match="a larger L is needed"):
        least_prompt(Word.parse("RF"), 1, 8, 8)
    found = least_prompt(Word.parse("R"), 3, 8, 100)
    assert found.theorem == "C"
    assert found.holds
    assert found.n[-1] == 12
    assert 22 * math.log2(22) < 100 < 24 * math.log2(24)


def test_a_hard_pair_is_not_claimed_one_bit_earlier() -> None:
    """A2 at (5, 1) bears β = 11 (5·log2 5 = 11.6), and not β = 12."""
    assert theorem_a2(5, (1,), 5, 11, (0, 0)).holds
    assert not theorem_a2(5, (1,), 5, 12, (0, 0)).holds


@pytest.mark.parametrize(
    ("word", "m", "n", "beta", "linear"),
    [("F", 5, (1,), 8, 0), ("RFR", 7, (4,), 8, (8, 16)), ("FF", 140, (3,), 8, 0), ("FF", 192, (1, 5), 8, 0)],
)
def test_given_sizes_are_hard_and_smaller_ones_are_not_found_to_be(word: str, m: int, n, beta: int, linear) -> None:  # type: ignore[no-untyped-def]
    found = impossible_at(Word.parse(word), m, n, beta, linear)
    assert found is not None
    assert found.holds
    assert (found.m, found.n) == (m, n)
    assert impossible_at(Word.parse(word), m // 2, n, beta, linear) is None


def test_a_table_beyond_the_theorem_keeps_sizes_hard() -> None:
    found = impossible_at(Word.parse("F"), 5, (1, 7), 8, 0)
    assert found is not None
    assert (found.theorem, found.tables) == ("A2", 2)
    assert impossible_at(Word.parse("RF"), 5, (), 8, 8) is None


def test_one_blas_thread_is_given_back() -> None:
    libraries = _libraries()
    threads = [getattr(library, name.replace("set", "get"))() for library, name in libraries]
    with one_blas_thread():
        assert all(getattr(library, name.replace("set", "get"))() == 1 for library, name in libraries)
    assert [getattr(library, name.replace("set", "get"))() for library, name in libraries] == threads


def test_theorem_e_tells_no_less_than_the_delayed_theorems_but_for_a_bit_a_level() -> None:
    """With one copy of everything: why E is left out of a quick search for prompts in the worst case."""
    rng = random.Random(1)
    for L in (3, 4, 5, 6):
        gains = set()
        for _ in range(100):
            m, beta = rng.randint(2, 5), rng.randint(1, 50)
            n = (*(rng.choice([1, 1, 2]) for _ in range(L - 2)), rng.randint(5, 10**6))
            linear = sorted(rng.randint(0, 20) for _ in range(L)) if rng.random() < 0.5 else [0] * L
            one, idle, W = (1,) * L, (1,) * (L - 2), math.prod(n)
            payments = [pays for pays in PAYMENTS["A"] if pays != "quiet" or linear[-1] == linear[-2]]
            first = linear[0] + beta * W + delayed_bits(m, n, 1, 1, idle, beta, linear)[-1]
            gains.add(first - min(told_bits("A", pays, m, n, one, beta, linear)[-1] for pays in payments))
            none = [0] * (L + 1)
            second = beta * W + beta * (m + 1) + later_bits(m, n, 1, 1, 1, idle, beta, none)[-1]
            gains.add(second - min(told_bits("B", pays, m, n, one, beta, none)[-1] for pays in PAYMENTS["B"]))
        assert max(gains) == L - 2
