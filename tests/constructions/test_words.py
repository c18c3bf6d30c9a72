"""Words with idle layers are of one family, and of the letters F and R; statement C2.words proves every word."""

from __future__ import annotations

import pytest

from constructions.c2 import FAMILIES
from constructions.words import build_word, depth
from separation.files import InputError
from separation.models import DeltaHead, LinearHead
from separation.tasks.funccomp import Sizes


@pytest.mark.parametrize("family", FAMILIES)
def test_idle_layers_are_of_the_same_family(family: str) -> None:
    kind = {"linear": LinearHead, "delta": DeltaHead}[family]
    for layer in build_word("RFRFR", Sizes(3, ()), family).model.layers:
        assert layer.letter == "F" or isinstance(layer.heads[0], kind)


@pytest.mark.parametrize("word", ["", "FX", "fr", "F R", 3, None])
def test_other_letters_are_refused(word: object) -> None:
    with pytest.raises(InputError, match="letters F and R are needed"):
        depth(word)  # type: ignore[arg-type]
