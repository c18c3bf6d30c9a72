"""Theorems A2, B2c, A3, A3c, A_L, B_L, A2_W: known prompts, searches, comparisons. Their charges: the book."""

from __future__ import annotations

import math
import random

import pytest

from separation.bounds import Budget, Word, search, shortest_prompt
from separation.bounds.log_sums import LogSum, binomial_terms, compare
from separation.bounds.theorems.theorem_a3 import TheoremA3
from separation.bounds.theorems.theorem_al import theorem_al
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


def test_unused_rows_shorten_the_prompt() -> None:
    found = shortest_prompt(Word.parse("RFFF"), 4, Budget(beta=64, total=8), proved_only=True)
    g, *rest = (value for _, value in found.chosen)
    thetas, x, rows = rest[:3], rest[3:5], rest[5:]
    assert found.theorem == "A_L"
    assert any(used < size for used, size in zip(rows, found.n, strict=False))
    assert theorem_al(found.m, found.n, g, thetas, x, 64, (8,) * 4, rows).certified
    assert not theorem_al(found.m, found.n, g, thetas, x, 64, (8,) * 4).certified
    some = theorem_al(3, (2, 128), 1, (1, 1), (1,), 1, (1, 1, 1), (2,))
    plain = theorem_al(3, (2, 128), 1, (1, 1), (1,), 1, (1, 1, 1))
    assert [each.left for each in some.inequalities if each.name in "EF"] == [
        each.left for each in plain.inequalities if each.name in "EF"
    ]
    assert not theorem_al(3, (2, 128), 1, (1, 1), (1,), 1, (1, 1, 1), (3,)).certified


@pytest.mark.parametrize(
    ("word", "heads", "dim", "tokens"), [("W(128)F", 64, 64, 28770), ("W(1024)5F", 32, 128, 28632)]
)
def test_a_window_costs_its_reach(word: str, heads: int, dim: int, tokens: int) -> None:
    found = shortest_prompt(Word.parse(word), 2, Budget.of(heads=heads, dim=dim, bits=16))
    assert (found.theorem, found.certified) == ("A2_W", True)
    assert found.tokens() is not None
    assert tokens - 20 < found.tokens() <= tokens


def test_b_l_refuses_early_r_and_vacuous_covers() -> None:
    with pytest.raises(InputError, match="Lambda_0 is 0"):
        theorem_bl(2, (1, 1), 1, 1, (1, 1), (1,), 1, (1, 1, 1, 1))
    large = theorem_bl(2, (1, 1), 1, 1, (3, 1), (1,), 1, (0, 0, 0, 0))
    assert not large.certified


def test_a3_at_given_sizes_finds_integers_around_the_shortest_prompts() -> None:
    """With an m that is 5 % larger always, with one that is 10 % smaller never. At the sizes themselves few integers
    are certified, and `decide` asks the search over all sizes too."""
    rng = random.Random(0)
    for _ in range(40):
        early, middle, late = (rng.choice([0, rng.randint(1, 100)]) for _ in range(3))
        beta, bits = rng.choice([4, 16, 64]), (early, early + middle, early + middle + late)
        question = search.PromptQuestion(TheoremA3(), 3, beta, bits)
        optimum = search.real_optimum(question)
        assert optimum is not None
        shortest = search.shortest(question, optimum)
        assert shortest is not None
        m, n = int(shortest.m), tuple(map(int, shortest.n))  # type: ignore[arg-type]
        for share, certified in ((0.9, False), (1.05, True), (3, True)):
            sizes = (max(2, int(m * share)), *n)
            found = search.with_most_slack(search.PromptQuestion(TheoremA3(), 3, beta, bits, (), sizes))
            assert (found is not None) == certified, (beta, bits, share)
