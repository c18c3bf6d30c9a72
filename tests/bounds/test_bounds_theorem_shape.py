"""Every theorem behind one shape: its inequalities are those of its evaluation, and the shortest prompt wins."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

import separation.bounds.catalogue as catalogue
from separation.bounds import (
    THEOREMS,
    Budget,
    Evaluation,
    Parameters,
    Rule,
    Word,
    bound,
    bound_certificate,
    decide,
    evaluate,
    least_golden,
    shortest_impossibility,
    theorem_a,
    theorem_b,
    theorem_c,
)
from separation.bounds.catalogue import SPARSE_THEOREM, RecurrentClaim, RecursiveClaim, SparseClaim, TheoremA
from separation.files import InputError
from separation.tasks.funccomp import Sizes

BY_NAME = {theorem.name: theorem for theorem in reversed(THEOREMS)}


def test_names_are_different() -> None:
    """B stands twice: with its own search, and with one table and identities in front; no word has both."""
    names = [theorem.name for theorem in (*THEOREMS, SPARSE_THEOREM)]
    assert names == ["A", "B", "C", "A2", "A3", "A3 without early R", "A_L", "A_W", "B", "B2", "B_L", "E", "D"]
    for layers in itertools.product(("F", "R", "FR"), repeat=4):
        for L in range(1, 5):
            against = [theorem.name for theorem in catalogue.theorems_against(Word(layers), L)]
            assert len(set(against)) == len(against)


def test_inequalities_are_those_of_the_evaluation() -> None:
    a = RecursiveClaim(Parameters(2, (18,), (1, 2)), 8, (0, 0))
    b = RecursiveClaim(Parameters(60_000, (100,), (1000, 10)), 8, (0, 1, 1))
    c = RecurrentClaim(Sizes(4, (2,)), 23)
    assert BY_NAME["A"].inequalities(a) == list(theorem_a(a.parameters, a.beta, a.linear).inequalities)
    assert BY_NAME["B"].inequalities(b) == list(theorem_b(b.parameters, b.beta, b.linear).inequalities)
    assert BY_NAME["C"].inequalities(c) == [theorem_c(c.sizes, c.linear).inequality]
    for name, claim in (("A", a), ("B", b), ("C", c)):
        assert all(inequality.holds for inequality in BY_NAME[name].inequalities(claim))


def test_both_sides_are_exact() -> None:
    """Left sides are integers; a right side is a rational that decides. One token less breaks one of them."""
    for n, holds in ((18, True), (17, False)):
        found = BY_NAME["A"].inequalities(RecursiveClaim(Parameters(2, (n,), (1, 2)), 8, (0, 0)))
        assert all(isinstance(i.left, int) and isinstance(i.right, int | Fraction) for i in found)
        assert all(i.holds for i in found) == holds
    for linear, holds in ((23, True), (24, False)):  # 8·log2 8 = 24
        (found_c,) = BY_NAME["C"].inequalities(RecurrentClaim(Sizes(4, (2,)), linear))
        assert found_c.holds == holds


@pytest.mark.parametrize(("bits", "holds"), [(0, True), (6, True), (7, False), (60, False)])
def test_the_sparse_theorem(bits: int, holds: bool) -> None:
    """u = 10, d = ⌈10·3/4⌉ = 8, V(8,3) = 1 + 8 + 28 + 56 = 93 values: 2^6 are too few, 2^7 are not."""
    (inequality,) = SPARSE_THEOREM.inequalities(SparseClaim(11, 3, 1, 4, bits))
    assert (inequality.holds, inequality.right) == (holds, 7)
    assert not any(SPARSE_THEOREM.applies_to(Word.parse(text), 3) for text in ("F", "R", "RF", "[FR]"))


class Shorter(TheoremA):
    """A stand-in for one more theorem: it answers with the evaluation it was given."""

    name = "S"

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation

    def shortest(self, word: Word, L: int, budget: Budget, linear: Sequence[int], **_options: Any) -> Any:  # noqa: ARG002
        return Renamed(self.evaluation)


class Renamed:
    """An evaluation under the name of another theorem."""

    theorem = "S"

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation

    def __getattr__(self, name: str) -> Any:
        return getattr(self.evaluation, name)


def test_the_shortest_prompt_wins_and_names_its_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    word, budget = Word.parse("F"), Budget(beta=8, total=0)
    longer = least_golden(Rule.A_FREE, 2, 8, (0, 0)).evaluation
    shorter = evaluate(Rule.A_FREE, Parameters(2, (17,), (1, 2)), 7, (0, 0))
    assert shorter.certified
    for evaluation, winner in ((longer, "A"), (shorter, "S")):
        monkeypatch.setattr(catalogue, "THEOREMS", (*THEOREMS[:3], Shorter(evaluation)))
        assert shortest_impossibility(word, 2, budget, (0, 0)).theorem == winner
        assert decide(word, 2, budget).theorem == winner
        assert bound(2, budget).theorem == winner
        assert bound(2, budget).golden is not None


def test_nothing_is_found_against_a_word_that_can() -> None:
    with pytest.raises(InputError, match="RF solves L = 1 at all sizes"):
        shortest_impossibility(Word.parse("RF"), 1, Budget(beta=8, total=8), (8, 8))


def test_what_is_not_certified_has_no_certificate() -> None:
    with pytest.raises(InputError, match="only what is certified"):
        bound_certificate(theorem_c(Sizes(4, (2,)), 24))


def test_a_theorem_that_rarely_wins_has_its_own_best_prompt_when_it_is_asked_by_name() -> None:
    budget = Budget(beta=64, total=64)
    quick = bound(4, budget)
    assert quick.ground.theorem == "A_W"
    assert "A_L" not in {ground.theorem for ground in quick.grounds}
    named = bound(4, budget, theorem="A_L")
    assert {ground.theorem for ground in named.grounds} == {"A_L"}
    assert quick.ground.tokens_log2() < named.ground.tokens_log2() < 86  # with one value of every table it has 192


def test_a_theorem_that_rarely_wins_is_asked_where_it_wins() -> None:
    assert bound(4, Budget(beta=8, total=8)).ground.theorem == "A_L"
    late = bound(2, Budget(beta=64, by_block=(0, 0, 8192)), word=Word.parse("FFR"))
    assert late.ground.theorem == "E"
    assert late.ground.tokens_log2() < bound(2, late.budget, word=late.word, theorem="B2").ground.tokens_log2()


def test_a_theorem_that_does_not_speak_of_the_word_is_refused() -> None:
    with pytest.raises(InputError, match="theorem is 'B2'; here there are A, A3"):
        bound(3, Budget(beta=8, total=8), theorem="B2")
