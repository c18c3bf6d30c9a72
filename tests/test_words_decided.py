"""Every short word and every L: decided as the depth says, built and proved if solvable, certified if not."""

from __future__ import annotations

import functools
from itertools import product

import pytest

import separation
from constructions.words import depth
from separation.proving import prove


def words(length: int) -> list[str]:
    return ["".join(letters) for letters in product("FR", repeat=length)]


def agree(word: str, levels: range) -> None:
    """Depth, decision, weights and theorem say the same of a word."""
    for L in levels:
        decision = separation.decide(word, L=L, beta=8, state_bits=8).decision
        assert decision.word.depth == depth(word)
        assert decision.solvable is (depth(word) >= L)
        if decision.solvable:
            subject = separation.build(word, separation.Sizes(2, (1,) * (L - 1)))
            assert subject.model.word == word
            assert prove(subject.model, subject.stages, subject.shape).ok
            assert decision.construction == ("C1" if word.count("F") > L else "C2")
        else:
            assert decision.found is not None
            assert decision.found.certified
            with pytest.raises(separation.InputError, match="depth"):
                separation.build(word, L)


@functools.cache
def proved(word: str, L: int) -> bool:
    subject = separation.build(word, separation.Sizes(2, (1,) * (L - 1)))
    return bool(prove(subject.model, subject.stages, subject.shape).ok)


def agree_beside(layers: tuple[str, ...], levels: range) -> None:
    """R heads beside F heads change no verdict: where it is solvable they idle, and the rest is built and proved."""
    word = "".join(f"[{layer}]" if layer == "FR" else layer for layer in layers)
    plain = "".join(layer[0] for layer in layers)
    for L in levels:
        decision = separation.decide(word, L=L, beta=8, state_bits=8).decision
        assert decision.solvable is (depth(plain) >= L)
        if decision.solvable:
            assert proved(plain, L)
        else:
            assert decision.found is not None
            assert decision.found.certified


def beside(length: int) -> list[tuple[str, ...]]:
    return [layers for layers in product(("F", "R", "FR"), repeat=length) if "FR" in layers]


@pytest.mark.parametrize("layers", [layers for length in (1, 2) for layers in beside(length)], ids="".join)
def test_short_words_with_heads_beside(layers: tuple[str, ...]) -> None:
    agree_beside(layers, range(1, 4))


@pytest.mark.slow
@pytest.mark.parametrize("length", [3, 4])
def test_words_with_heads_beside(length: int) -> None:
    for layers in beside(length):
        agree_beside(layers, range(1, 5))


@pytest.mark.parametrize("word", [word for length in (1, 2, 3) for word in words(length)])
def test_short_words(word: str) -> None:
    agree(word, range(1, 4))


@pytest.mark.slow
@pytest.mark.parametrize("word", [word for length in range(1, 7) for word in words(length)])
def test_all_words_of_up_to_six_layers(word: str) -> None:
    agree(word, range(1, 7))
