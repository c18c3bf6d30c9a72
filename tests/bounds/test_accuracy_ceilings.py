"""Ceilings: rational bounds that integers prove, protocols that stay below them, and misreadings that do not."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from separation.bounds import Budget, Word, shortest_prompt
from separation.bounds.ceilings import ceiling
from separation.bounds.entropy import (
    certified_share,
    excess_factor,
    largest_share,
    share_inequalities,
    share_of,
    union_share,
)
from separation.bounds.known import is_proved
from separation.bounds.one_full_layer import most_reached, shortest_a2
from separation.bounds.theorems.theorem_a2 import theorem_a2, theorem_a2_average
from separation.bounds.theorems.theorem_d import forbids_errors, least_summary_bits, most_hits
from separation.files import InputError


@pytest.mark.parametrize(
    ("q", "kappa"),
    [
        (Fraction(1, 2), Fraction(1, 2)),
        (Fraction(1, 256), Fraction(1)),
        (Fraction(3, 1000), Fraction(1, 10**6)),
        (Fraction(1, 10**40), Fraction(1, 10**30)),
    ],
)
def test_a_share_is_proved_close_and_a_smaller_one_is_refuted(q: Fraction, kappa: Fraction) -> None:
    share = certified_share(q, kappa)
    assert share < 1
    assert all(inequality.holds for inequality in share_inequalities(q, kappa, share))
    smaller = share * Fraction(999, 1000)
    assert not all(inequality.holds for inequality in share_inequalities(q, kappa, smaller))
    assert float(largest_share(float(q), float(kappa))) == pytest.approx(float(share), rel=1e-5)


@pytest.mark.parametrize("tau", [Fraction(11, 10), Fraction(2), Fraction(10), Fraction(1000)])
def test_the_excess_factor_is_a_maximum_over_y(tau: Fraction) -> None:
    t = float(tau)
    y = t * (1 + np.exp2(np.linspace(-20, 6, 4000)))
    largest = float(np.max((y - t) / (y * np.log2(y) - (y - 1) * math.log2(math.e))))
    assert largest <= float(excess_factor(tau)) < largest * 1.001


@given(log_q=st.floats(-2000, -0.01), share=st.floats(1e-6, 0.99))
def test_a_share_where_q_is_no_float_any_more(log_q: float, share: float) -> None:
    """D(p‖q) = κ with 700 digits."""
    kappa = -share * log_q
    with mpmath.workdps(700):
        p, q = mpmath.mpf(share_of(log_q, kappa)), mpmath.mpf(2) ** log_q
        divergence = p * mpmath.log(p / q, 2) + (1 - p) * mpmath.log((1 - p) / (1 - q), 2)
        assert abs(divergence - kappa) <= 1e-9 * max(1, kappa)


def test_union_shares_against_binomial_tails() -> None:
    assert float(union_share(256, 256)) == pytest.approx(0.215, abs=5e-4)
    N, bits = 6, 3
    tails = [sum(math.comb(N, j) * (N - 1) ** (N - j) for j in range(a, N + 1)) for a in range(1, N + 1)]
    exact = Fraction(sum(min(N**N, 2**bits * tail) for tail in tails), N ** (N + 1))
    assert exact <= union_share(N, bits) <= exact + Fraction(1, 10**9)


def test_what_is_proved_only_is_never_below_what_is_known() -> None:
    questions = [
        ("RF", 749, (4,), 1000, 1000),
        ("RFR", 10**6, (4,), 1, (64, 128)),
        ("FR", 10**6, (64,), 1, (0, 1000)),
        ("RFF", 10**15, (1000, 1000), 8, 8),
    ]
    for word, m, n, beta, bits in questions:
        known, proved = (ceiling(Word.parse(word), m, n, beta, bits, proved_only=only) for only in (False, True))
        assert known.value <= proved.value * Fraction(101, 100) < 1
        assert is_proved(proved.theorem)


def test_a_table_in_front_bounds_what_theorem_e_cannot() -> None:
    found = ceiling(Word.parse("RF"), 1000, (4, 4), 8, 8)
    shorter = ceiling(Word.parse("RF"), 1000, (4,), 8, 8)
    assert "in front" in found.theorem
    assert shorter.value < found.value < Fraction(4, 100)


def test_a_word_says_which_blocks_are_empty() -> None:
    assert Word.parse("RF").separate_state_bits((8, 16)) == (8, 8)
    assert Word.parse("F[FR]").separate_state_bits((5, 6, 7)) == (0, 0, 7)
    assert Word.parse("RF").separate_state_bits(9) == (9, 9)
    assert Word.parse("FR").separate_state_bits(9) == (0, 9)
    assert Word.parse("FF[FR]").separate_state_bits(9) == (0, 0, 0, 9)


def test_bits_of_all_layers_together_count_in_every_block() -> None:
    """RFR with 8 bits in all may have them behind F: the prompt that (8, 8) would give is wrong for (0, 8)."""
    assert Word.parse("RFR").separate_state_bits(8) == (8, 16)
    wrong, _ = shortest_a2(8, (8, 8))
    assert wrong.certified
    assert not any(theorem_a2(wrong.m, wrong.n, t, 8, (0, 8)).certified for t in range(1, wrong.m + 1))
    right = shortest_prompt(Word.parse("RFR"), 2, Budget(beta=8, total=8))
    for early in range(9):
        best = most_reached(right.m, right.m, early)
        assert theorem_a2(right.m, right.n, best, 8, (early, 8)).certified


def test_blocks_are_checked() -> None:
    with pytest.raises(InputError, match="never decreases"):
        Word.parse("RFR").separate_state_bits((8, 4))


def test_tau_must_be_more_than_one_when_a_state_comes_first() -> None:
    with pytest.raises(InputError, match="tau"):
        theorem_a2_average(64, 1, Fraction(1), 8, (8, 8))


def test_sparse_layers_with_errors() -> None:
    errors = Fraction(1, 20), Fraction(1, 20)
    bits = least_summary_bits(16, 1, 64, *errors)
    assert all(i.holds for i in forbids_errors(bits - 1, 16, 1, 64, *errors))
    assert not all(i.holds for i in forbids_errors(bits, 16, 1, 64, *errors))
    chance_of_yes = 1 / 64 + 0.05
    exact = 16 * (0.95 * math.log2(0.95 / chance_of_yes) + 0.05 * math.log2(0.05 / (1 - chance_of_yes)))
    assert bits == math.ceil(exact)
    assert most_hits(bits, 16, 1, 64, errors[1]) >= Fraction(95, 100)
    assert not all(i.holds for i in forbids_errors(0, 16, 64, 64, *errors))
