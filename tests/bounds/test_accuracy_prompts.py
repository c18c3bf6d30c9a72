"""A prompt for every accuracy, accepted by the kernel; ceilings at sizes of any length."""

from __future__ import annotations

import copy
import math
from fractions import Fraction

import numpy as np
import pytest

from separation.bounds import Word
from separation.bounds.answer_certificate import accuracy_certificate
from separation.bounds.budget import ceil_log2
from separation.bounds.search.accuracy_prompts import least_prompt_for_accuracy
from separation.bounds.search.by_length import out_of_reach
from separation.bounds.search.ceilings import ceiling
from separation.bounds.search.log_numbers import LogNumber, integer
from separation.bounds.search.real_accuracy import RealAccuracy
from separation.bounds.search.tables_in_front import accuracy_behind
from separation.bounds.sharper_catalogue import AccuracyGround
from separation.bounds.theorems.theorem_e import told_bits
from separation.proving.kernel import check_certificate

# A word, L, β, Λ, an accuracy, and log2 of the tokens found, rounded up.
CASES = [
    ("FFFFF", 5, 8, 0, "0.5", 83),
    ("FFFFFFFF", 8, 8, 0, "0.5", 131),
    ("FFFF", 4, 64, 0, "0.5", 256),
    ("FFFFF", 5, 64, 0, "0.5", 635),
    ("RFRFRFRFR", 5, 1000, 8192, "0.99", 521),
    ("[FR]FFF", 4, 100_000, 64, "0.001", 1123),
    ("FFR", 4, 64, 64, "0.5", 45),
    ("RF", 8, 8, 64, "0.5", 25),
    ("F", 8, 100_000, 0, "0.01", 42),
]


@pytest.mark.parametrize(("word", "L", "beta", "bits", "accuracy", "most"), CASES)
def test_every_accuracy_has_a_prompt_that_the_kernel_accepts(
    word: str, L: int, beta: int, bits: int, accuracy: str, most: int
) -> None:
    parsed = Word.parse(word)
    found = least_prompt_for_accuracy(parsed, L, beta, bits, Fraction(accuracy))
    assert len(found.n) == L - 1
    assert found.ceiling.value <= Fraction(accuracy)
    assert math.log2(found.tokens) <= most
    ground = AccuracyGround(parsed, found, parsed.separate_linear_bits(bits))
    document = accuracy_certificate(ground, None)
    assert check_certificate(document).ok
    assert Fraction(document["claim"]["ceiling"]) == found.ceiling.value
    smaller = copy.deepcopy(document)
    smaller["claim"]["ceiling"] = str(found.ceiling.value * Fraction(9, 10))
    assert not check_certificate(smaller).ok


def test_prompts_beyond_the_digits_of_a_certificate_are_found_too() -> None:
    found = least_prompt_for_accuracy(Word.parse("F8"), 8, 100_000, 0, Fraction(1, 2))
    assert found.ceiling.value <= Fraction(1, 2)
    assert 25_540 < math.log2(found.tokens) < 25_545


def test_beta_of_the_prompt_itself() -> None:
    """β = 4·⌈log2 tokens⌉: the prompt is certified for the β of its own length."""
    found = least_prompt_for_accuracy(Word.parse("FFR"), 2, lambda tokens: 4 * ceil_log2(tokens), 8, Fraction(1, 2))
    assert found.beta >= 4 * ceil_log2(found.tokens)
    assert found.ceiling.value <= Fraction(1, 2)


def test_late_states_are_charged_once_by_theorem_e() -> None:
    """With λ_1 = 8,192 bits behind the full layer A2 charges each value of table 1, Theorem E the table."""
    late = least_prompt_for_accuracy(Word.parse("FR"), 2, 64, 8192, Fraction(1, 2))
    assert late.ceiling.theorem == "E"
    assert late.tokens < 14_000
    assert ceiling(Word.parse("[FR]"), 55_863, (90,), 64, 1000).value < Fraction(3, 100)


@pytest.mark.parametrize(
    ("word", "beta", "bits", "accuracy"), [("FFFF", 64, 0, "0.5"), ("RFFFF", 64, 64, "0.5"), ("FF", 2**3000, 0, "0.5")]
)
def test_a_ceiling_at_the_sizes_of_a_prompt_is_its_accuracy(word: str, beta: int, bits: int, accuracy: str) -> None:
    parsed = Word.parse(word)
    found = least_prompt_for_accuracy(parsed, parsed.depth + 1, beta, bits, Fraction(accuracy))
    assert ceiling(parsed, found.m, found.n, beta, bits).value <= Fraction(accuracy) * Fraction(1001, 1000)
    shorter = (*found.n[:-1], max(1, found.n[-1] // 16))
    assert ceiling(parsed, found.m, shorter, beta, bits).value > Fraction(accuracy)


def test_a_ceiling_where_random_copies_say_nothing() -> None:
    found = ceiling(Word.parse("RFF"), 178_634_977_556, (1179, 9011), 64, 64)
    assert float(found.value) == pytest.approx(0.90595, abs=1e-4)


def test_tables_in_front_are_made_up_for() -> None:
    """k·p + n^(−k)/k! for the best k gives the accuracy back; a larger p does not."""
    for accuracy, digits in ((Fraction(1, 2), (1, 2, 8)), (Fraction(1, 10), (5,)), (Fraction(9, 10), (2, 2))):
        behind = accuracy_behind(accuracy, digits)
        for p, enough in ((behind, True), (behind * Fraction(1001, 1000), False)):
            reached = p
            for last in digits:
                reached = min(k * reached + Fraction(1, last**k * math.factorial(k)) for k in range(1, 30))
            assert (reached <= accuracy) == enough
    assert accuracy_behind(Fraction(1, 10), (1, 1, 1, 1, 1, 1)) > 0
    assert accuracy_behind(Fraction(1, 1000), (1,)) > 0


def test_logarithms_compute_what_integers_do() -> None:
    n, x, linear = (3, 5), (4, 6, 2), (8, 16, 24)
    exact = told_bits("A", "late", 40, n, x, 7, linear)
    logs = told_bits("A", "late", LogNumber(math.log2(40)), _logs(n), _logs(x), 7, linear)
    for number, log in zip(exact, logs, strict=True):
        assert (log.log if isinstance(log, LogNumber) else math.log2(log)) == pytest.approx(math.log2(number))
    assert (LogNumber(3.0) * 0).log == -math.inf
    assert [integer(log) for log in (0.0, 10.0, math.log2(3), 100.0)] == [1, 1024, 3, 2**100]


def _logs(numbers: tuple[int, ...]) -> list[LogNumber]:
    return [LogNumber(math.log2(number)) for number in numbers]


def test_the_real_optimum_has_slack_and_less_cost_has_none() -> None:
    problem = RealAccuracy("B", "quiet", 3, 64, (0, 0, 0, 0), 0.5)
    found = problem.optimum(1e-4)
    assert found.slack > 0
    shorter = found.point.copy()
    shorter[0] -= 0.1
    assert float(np.min(problem.evaluate(shorter)[1])) < 0


def test_what_is_out_of_reach_has_no_ceiling_and_what_is_not_may_have_one() -> None:
    assert out_of_reach(Word.parse("FFF"), 3, 1 << 20, 8, (0, 0, 0, 0))
    assert not out_of_reach(Word.parse("FF"), 2, 1 << 15, 8, (0, 0, 0))
