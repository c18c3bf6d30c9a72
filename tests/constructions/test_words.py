"""Words with idle layers: run over all inputs, proved in other coordinates; statement C2.words proves every word."""

from __future__ import annotations

import pytest
from construction_changes import count_wrong, in_other_coordinates, proof_of

from constructions.c2 import FAMILIES
from constructions.words import build_word, depth
from separation.files import InputError
from separation.models import DeltaHead, LinearHead
from separation.tasks.funccomp import Sizes


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


@pytest.mark.parametrize("word", ["", "FX", "fr", "F R", 3, None])
def test_other_letters_are_refused(word: object) -> None:
    with pytest.raises(InputError, match="letters F and R are needed"):
        depth(word)  # type: ignore[arg-type]
