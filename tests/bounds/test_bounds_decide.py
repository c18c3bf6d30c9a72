from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import separation
from separation.bounds import (
    Budget,
    Word,
    bound,
    decide,
    shortest_for_recurrent_only,
    theorem_c,
    theorems_against,
)
from separation.files import InputError
from separation.tasks.funccomp import Sizes

pytestmark = pytest.mark.usefixtures("remembered_searches")


def naive_theorem(layers: tuple[str, ...], L: int) -> str:
    """solved, A, B or C, from the statements: C1, C2, and what the theorems ask of a word."""
    full = [place for place, layer in enumerate(layers) if "F" in layer]
    if len(full) >= L + 1:
        return "C1"
    alone = [place for place, layer in enumerate(layers) if layer == "R"]
    if len(full) == L and alone and (L == 1 or alone[0] < full[1]):
        return "C2"
    if not full:
        return "C"
    return "A" if len(full) <= L - 1 else "B"


def naive_sharper(layers: tuple[str, ...], L: int) -> list[str]:
    """The sharper theorems of a word whose depth is below L, from their statements."""
    full = [place for place, layer in enumerate(layers) if "F" in layer]
    if not full:
        return []
    second = full[1] if len(full) > 1 else len(layers)
    late = "R" not in layers[:second]  # no R layer before the second full layer
    names = []
    if len(full) < L:
        names += {1: ["A2"], 2: ["A3c" if full[0] == 0 else "A3"]}.get(len(full), ["A_L"])
    if late and (len(full) > 1 or L > 1):
        names += {1: ["B"], 2: ["B2c"]}.get(len(full), ["B_L"])
    return names


def first_state_bits(word: Word, L: int, budget: Budget) -> tuple[int, ...]:
    """The Λ_t in the inequalities of the first theorem against a word."""
    return theorems_against(word, L)[0].state_bits(word, L, budget)


def test_all_short_words() -> None:
    """All words up to length 6, L up to 6: solved by a construction, or forbidden by the theorem that applies to it."""
    for length in range(7):
        for layers in itertools.product(("F", "R", "FR"), repeat=length):
            word = Word(layers)
            for L in range(1, 7):
                expected = naive_theorem(layers, L)
                if expected in ("C1", "C2"):
                    decision = decide(word, L)
                    assert (decision.solvable, decision.construction) == (True, expected)
                    assert theorems_against(word, L) == []
                else:
                    assert word.depth < L
                    against = theorems_against(word, L)
                    assert against[0].name == expected
                    sharper = [theorem.name for theorem in against[1:]]
                    assert sharper == naive_sharper(layers, L)


def test_a_chain_of_thought() -> None:
    """C5 needs one full layer; Theorem C applies to chains of thought too. The verdict is about none."""
    for text, expected in (("F", "C5"), ("RF", "C5"), ("[FR]", "C5"), ("R", None), ("R4", None)):
        decision = decide(Word.parse(text), 3, Budget(beta=2, total=2))
        found = decision.document()["chain_of_thought"]
        assert found == {"construction": expected, "theorem": None if expected else "C"}
        assert decision.solvable is False


def test_idle_layers_stand_in_front() -> None:
    budget = Budget(beta=6, state_bits=5)
    assert first_state_bits(Word.parse("RRF"), 4, budget) == (0, 0, 10, 10)
    assert first_state_bits(Word.parse("RRF"), 2, budget) == (10, 10)
    assert first_state_bits(Word.parse("[FR]FR"), 2, budget) == (0, 5, 10)
    assert first_state_bits(Word.parse("R3"), 2, budget) == (15,)


def test_given_sizes() -> None:
    word, budget = Word.parse("F"), Budget(beta=8, total=0)
    assert decide(word, 2, budget, Sizes(5, (1,))).solvable is False
    assert decide(word, 2, budget, Sizes(4, (1,))).solvable is None
    assert decide(Word.parse("F3"), 2, budget, Sizes(2, (18,))).solvable is True
    assert "not given" in decide(word, 2, None, Sizes(2, (18,))).reason
    with pytest.raises(InputError, match="the sizes are those of L = 2, asked is L = 3"):
        decide(word, 3, budget, Sizes(2, (18,)))


def test_r_alone_depends_on_the_sizes() -> None:
    """C3 needs N·⌈log2 N⌉ bits a layer, Theorem C forbids fewer than N·log2 N in all; nothing is said in between."""
    word = Word.parse("R2")
    answers = [decide(word, 1, Budget(beta=1, state_bits=s), Sizes(5, ())).solvable for s in range(17)]
    assert answers == [*([False] * 6), *([None] * 9), True, True]
    assert decide(word, 1, Budget(beta=1, state_bits=15), Sizes(5, ())).construction == "C3"
    assert decide(Word.parse("R"), 1, Budget(beta=1, state_bits=99), Sizes(5, ())).solvable is None
    assert "C3" in decide(word, 1).reason


def test_bound_of_other_numbers_of_full_layers() -> None:
    budget = Budget.of(beta=4, layer_state_bits=3)
    for L, full, expected in ((2, 2, {"B": (0, 0, 6), "B2c": (0, 0, 6)}), (3, 1, {"A": (0, 6, 6), "A2": (6, 6)})):
        found = {each.theorem: each.state_bits for each in bound(L, budget, full_layers=full, linear_layers=2).prompts}
        assert expected.items() <= found.items()
    none = bound(2, budget, full_layers=0, linear_layers=2)
    assert none.shortest.beta is None
    assert none.theorem == "C"
    assert none.document()["golden"] is None
    with pytest.raises(InputError, match="4 full layers solve L = 3 at all sizes"):
        bound(3, budget, full_layers=4)


def test_pads_between_z0_and_w() -> None:
    """A window counts as R exactly as far as it reaches; what is certified counts its pads, and is known by hand."""
    over, short = (separation.decide("W(8)F", L=1, pad=pads, beta=20, state_bits=0).document() for pads in (7, 6))
    assert (over["solvable"], over["depth"], short["solvable"], short["depth"]) == (False, 0, True, 1)
    hard = over["hard_sizes"]
    assert hard["tokens"] == hard["m"] + 2 + 7
    assert over["known"] == "proved by hand, tested"
    m = hard["m"]
    assert (m - 7) * math.log2(m) > 20
    assert (m - 8) * math.log2(m - 1) <= 20
    two = separation.decide("FW(3)F", L=2, pad=2, beta=4, state_bits=4).document()
    assert (two["solvable"], two["theorem"]) == (False, "B, behind pads")
    for named in ({"m": 4, "n": (2,)}, {"theorem": "B"}, {"proved_only": True}, {"out": "x.json"}):
        with pytest.raises(InputError, match="--pad is about all sizes"):
            separation.decide("FW(3)F", L=2, pad=2, beta=4, state_bits=4, **named)
    with pytest.raises(InputError, match="leave out"):
        separation.decide("[FR]W(3)F", L=2, pad=2, beta=4, state_bits=4)


def test_chunks_are_windows_that_may_be_split() -> None:
    """What a window of that length cannot, chunks cannot, at the same prompt; z_0 is handed on inside a chunk alone."""
    given: dict[str, Any] = {"L": 2, "heads": 4, "dim": 16, "bits": 8, "layer_state_bits": 1000}
    chunk, window = (separation.decide(f"{letter}(64)F", **given).document() for letter in "KW")
    assert chunk["hard_sizes"] == window["hard_sizes"]
    assert (chunk["word"], chunk["theorem"]) == ("K(64)F", "A2_W")
    verdicts = [separation.decide("K(64)F", L=1, m=m).document()["solvable"] for m in (61, 62, 63, 64)]
    assert verdicts == [True, True, None, True]  # with m = 63 w is the 65th token
    assert separation.decide("K(64)W(2)F", L=1, m=63).document()["solvable"] is True
    assert "stand in one chunk" in separation.decide("K(64)F", L=1).document()["reason"]
    with pytest.raises(InputError, match="not a claim of a word"):
        separation.decide("K(64)F", L=1, out="x.json")


@settings(max_examples=20)
@given(st.integers(2, 200), st.integers(1, 200), st.integers(1, 12), st.integers(0, 6))
def test_a_decision_applies_to_exactly_the_sizes_asked(m: int, n: int, beta: int, bits: int) -> None:
    sizes = Sizes(m, (n,))
    decision = decide(Word.parse("RF"), 2, Budget(beta=beta, total=bits), sizes)
    assert decision.solvable in (False, None)
    if decision.solvable is False:
        found = decision.found
        assert found is not None
        assert found.certified
        document = found.hard_sizes()
        assert (document["m"], document["n"]) == (m, [n])
        assert found.beta == beta
    else:
        assert decision.found is None


@pytest.mark.parametrize("L", [1, 2, 3])
@pytest.mark.parametrize("bits", [0, 1, 4, 5, 20, 63])
def test_the_shortest_prompt_for_r_alone(L: int, bits: int) -> None:
    found = shortest_for_recurrent_only(L, bits)
    assert found.certified
    for m in range(2, 30):
        for n in itertools.product(range(1, 16), repeat=L - 1):
            sizes = Sizes(m, n)
            if sizes.length < (found.tokens() or 0):
                assert not theorem_c(sizes, bits).certified
