from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from separation.bounds import Word
from separation.files import InputError


@pytest.mark.parametrize(
    ("text", "layers"),
    [
        ("RFFR", ["R", "F", "F", "R"]),
        ("F3", ["F"] * 3),
        ("(RRF)4", ["R", "R", "F"] * 4),
        ("[FR]F", ["FR", "F"]),
        ("[RF]2R", ["FR", "FR", "R"]),
        ("((RF)2F)2", ["R", "F", "R", "F", "F"] * 2),
        ("R12", ["R"] * 12),
    ],
)
def test_parsing(text: str, layers: list[str]) -> None:
    word = Word.parse(text)
    assert list(word.layers) == layers
    assert Word.parse(str(word)) == word


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no word given; a word is made of F, R, W(128), K(8192) and [FR], with repetition like F3 or (RRF)4"),
        (
            "RXF",
            "character 2 of the word is 'X'; a word is made of F, R, W(128), K(8192) and [FR], with repetition like F3",
        ),
        ("WF", "character 1 of the word: a window is written with its length in tokens, W(128), from 2 to"),
        ("W(1)F", "character 1 of the word: a window is written with its length in tokens, W(128), from 2 to"),
        ("(RF", "1 group(s) of the word are never closed"),
        ("RF)", "character 3 of the word closes a group that was never opened"),
        ("()F", "character 2 of the word closes an empty group"),
        ("[F]R", "character 1 of the word: only [FR] may stand in square brackets"),
        ("F0", "character 2 of the word repeats something 0 times; a count is at least 1"),
        ("F5000", "the word has more than 4096 layers, which is all that is read"),
        ("((F64)64)2", "the word has more than 4096 layers, which is all that is read"),
        ("F" * 10_001, "the word has 10001 characters; at most 10000 are read"),
        ("F\nR", "character 2 of the word is '\\n'"),
    ],
)
def test_bad_words(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Word.parse(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_blocks_and_cumulative_bits() -> None:
    word = Word.parse("RR[FR]FR")
    assert word.blocks == (2, 0, 1)
    assert word.beside == (True, False)
    assert word.cumulative_bits([1, 10, 100, 1000]) == (11, 111, 1111)
    assert word.capped_state_bits(7) == (7, 7, 7)
    assert Word.parse("[FR]F").capped_state_bits(7) == (0, 7, 7)
    assert Word.parse("F2R").capped_state_bits(7) == (0, 0, 7)
    with pytest.raises(InputError, match=re.escape("RF has 1 layers with R, got state bits of 2")):
        Word.parse("RF").cumulative_bits([1, 2])


@given(st.lists(st.sampled_from(["F", "R", "FR"]), max_size=30), st.data())
def test_cumulative_bits_count_what_crosses_a_boundary(layers: list[str], data: st.DataObject) -> None:
    word = Word(tuple(layers))
    bits = data.draw(st.lists(st.integers(0, 99), min_size=word.recurrent, max_size=word.recurrent))
    state_bits = word.cumulative_bits(bits)
    assert len(state_bits) == word.full + 1
    # Λ_t counts the R layers before F layer t+1, and the R heads beside F layers 1..t.
    charged = iter(bits)
    charges = [(i, next(charged)) for i, layer in enumerate(layers) if "R" in layer]
    places = [i for i, layer in enumerate(layers) if "F" in layer]
    for t, total in enumerate(state_bits):
        end = places[t] if t < len(places) else len(layers)
        assert total == sum(size for i, size in charges if i < end)


def test_windows_have_their_length_and_count_as_r() -> None:
    word = Word.parse("(W(128)F)2W(4)2")
    assert (str(word), word.layers[0], word.carriers) == ("W(128)FW(128)FW(4)2", "W128", (128, 128, 4, 4))
    assert (word.depth, word.windows_alone, word.reaches) == (Word.parse("RFRFRR").depth, True, (127, 133))
    assert not Word.parse("W(128)RF").windows_alone
    assert Word.parse(str(word)) == word
