"""Every short word and every L: decided as the depth says, by a construction that is built, or certified."""

from __future__ import annotations

from itertools import product

import pytest

import separation
from constructions.words import depth
from separation.bounds import Budget, Word, decide, decision_certificate

pytestmark = pytest.mark.usefixtures("remembered_searches")


def agree(layers: tuple[str, ...], most: int) -> None:
    """Depth, decision, weights and theorem say the same up to one table beyond the depth.

    R heads beside F heads ([FR]) change no verdict: where it is solvable they idle, and the rest is built. That what is
    built is proved: statement C2.words.
    """
    word = "".join(f"[{layer}]" if layer == "FR" else layer for layer in layers)
    plain = "".join(layer[0] for layer in layers)
    for L in range(1, min(most, depth(plain) + 1) + 1):
        decision = separation.decide(word, L=L, beta=8, state_bits=8).decision
        assert decision.word.depth == depth(plain)
        assert decision.solvable is (depth(plain) >= L)
        if decision.solvable:
            assert separation.build(plain, separation.Sizes(2, (1,) * (L - 1))).model.word == plain
            assert decision.construction == ("C1" if plain.count("F") > L else "C2")
        else:
            assert decision.found is not None
            assert decision.found.certified
            with pytest.raises(separation.InputError, match="depth"):
                separation.build(plain, L)


@pytest.mark.parametrize(("length", "letters"), [(1, ("F", "R", "FR")), (2, ("F", "R", "FR")), (3, ("F", "R"))])
def test_short_words(length: int, letters: tuple[str, ...]) -> None:
    for layers in product(letters, repeat=length):
        agree(layers, 3)


def test_r_layers_without_bits_carry_nothing() -> None:
    """RFF with Λ = 0 is FF: what is certified of FF is certified of it, by a certificate that names FF."""
    with_r, without = (decide(Word.parse(word), 3, Budget(beta=8, total=0)) for word in ("RFF", "FF"))
    assert with_r.found == without.found
    assert (with_r.theorem, with_r.charged) == ("A3c", Word.parse("FF"))
    assert decision_certificate(with_r)["claim"] == decision_certificate(without)["claim"]
    assert decide(Word.parse("RFF"), 3, Budget(beta=8, total=1)).charged == Word.parse("RFF")
