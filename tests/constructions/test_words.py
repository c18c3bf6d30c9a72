"""Every word over {F, R} and every L up to its depth: proved, and some run over all inputs."""

from __future__ import annotations

from itertools import product

import pytest
from construction_changes import count_wrong, in_other_coordinates, proof_of

from constructions.c2 import FAMILIES
from constructions.words import build_word, depth
from separation.files import InputError
from separation.models import DeltaHead, LinearHead
from separation.tasks.funccomp import Sizes

WORDS = ["".join(letters) for length in range(1, 6) for letters in product("FR", repeat=length)]


def tiny(L: int) -> Sizes:
    """Three values, then digits of one and two."""
    return Sizes(3, tuple(1 + level % 2 for level in range(L - 1)))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("length", "least"),
    [*((length, 1) for length in range(1, 4)), (4, 4), pytest.param(5, 1, marks=pytest.mark.slow)],
)
def test_every_word_is_proved_up_to_its_depth(length: int, least: int, family: str) -> None:
    """Longer words, where more layers idle, for as many tables as they can follow; for fewer too, if there is time."""
    for word in (word for word in WORDS if len(word) == length):
        for L in range(min(least, depth(word)), depth(word) + 1):
            if L == 0:
                continue
            construction = build_word(word, tiny(L), family)
            assert construction.name == construction.model.word == word
            proof = proof_of(construction)
            assert proof.ok, (word, L, proof.failures[:1])
            assert proof.margin == 2


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("word", ["FR", "RRFR", "FFR", "RFF", "FRRF", "RFRF", "FFRFR"])
def test_a_word_answers_every_input_of_a_tiny_size(word: str, family: str) -> None:
    for sizes in (Sizes(2, (1,) * (depth(word) - 1)), Sizes(3, ())):
        assert count_wrong(build_word(word, sizes, family)) == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_idle_layers_are_of_the_same_family(family: str) -> None:
    kind = {"linear": LinearHead, "delta": DeltaHead}[family]
    for layer in build_word("RFRFR", Sizes(3, ()), family).model.layers:
        assert layer.letter == "F" or isinstance(layer.heads[0], kind)


def test_a_word_with_idle_layers_is_proved_in_other_coordinates() -> None:
    for family in FAMILIES:
        assert proof_of(in_other_coordinates(build_word("FRRFFR", Sizes(3, (2, 2)), family), 1)).ok


def test_large_sizes() -> None:
    for word in ("RFFRF", "FRRFF"):
        assert proof_of(build_word(word, Sizes(2**21, (7, 2**9)))).ok


@pytest.mark.parametrize("word", ["R", "F", "FFR", "RFF", "FRF", "FFRFR"])
def test_beyond_its_depth_a_word_is_refused(word: str) -> None:
    sizes = Sizes(3, (2,) * depth(word))
    with pytest.raises(InputError, match=f"^L is {sizes.L}; the word '{word}' has depth {depth(word)}$"):
        build_word(word, sizes)


@pytest.mark.parametrize("word", ["", "FX", "fr", "F R", 3, None])
def test_other_letters_are_refused(word: object) -> None:
    with pytest.raises(InputError, match="letters F and R are needed"):
        depth(word)  # type: ignore[arg-type]
