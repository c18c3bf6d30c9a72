"""One question, one answer: every door gives the same prompt, and the search reaches what was found before."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from separation.architectures import read_config, shipped_config
from separation.bounds import Budget, Word, bound, decide, prompts, shortest_prompt
from separation.bounds.ceilings import ceiling
from separation.bounds.certificate import bound_certificate, decision_certificate
from separation.bounds.shortest import Found
from separation.files import InputError
from separation.matrix import ROWS, cell, column_of
from separation.proving.certificates import accepted
from separation.tasks.funccomp import Sizes
from separation.verbs.audit import audit
from separation.verbs.bound import bound as bound_verb
from separation.verbs.ceiling import ceiling as ceiling_verb
from separation.verbs.compare import compare
from separation.verbs.decide import decide as decide_verb
from separation.verbs.design import design

LARGEST = 1 << 40
pytestmark = pytest.mark.usefixtures("remembered_searches")
QUESTIONS = [
    (word, L, numbers)
    for word, L in (("F", 1), ("F", 2), ("RF", 2), ("FR", 2), ("RFR", 2), ("FF", 2), ("FF", 3), ("RFF", 3))
    for numbers in ({"beta": 8, "state_bits": 8}, {"heads": 4, "dim": 16, "bits": 8})
] + [(word, L, {"beta": 8, "state_bits": 0}) for word, L in (("R", 2), ("FFF", 3), ("FFF", 4), ("FFRF", 4), ("F4", 5))]
LONG = {"heads": 64, "dim": 64, "bits": 16}
QUESTIONS += [("W(128)F", 2, LONG), ("W(1024)5F", 2, {"heads": 32, "dim": 128, "bits": 16}), ("K(8192)F", 2, LONG)]
QUESTIONS += [
    (word, L, {"beta": 8, "state_bits": 64})
    for word, L in (("W(4)F", 2), ("RW(4)F", 2), ("W(4)FF", 3), ("FFW(4)", 2), ("K(4)FF", 3), ("[FR]F", 2))
]
# Tokens found by searches of their own, before there was one for all theorems; A2's are minima by exhaustion.
FOUND = [
    ("F", 2, 8, 0, 12),
    ("RF", 2, 8, 8, 22),
    ("RF", 2, 64, 64, 106),
    ("RF", 2, 1000, 1000, 1276),
    ("RFR", 2, 8, 8, 37),
    ("FF", 2, 8, 0, 121),
    ("FFR", 2, 8, 8, 335),
    ("FF", 2, 64, 0, 3429),
    ("FF", 3, 8, 0, 172),
    ("FF", 3, 64, 0, 4966),
    ("FRF", 3, 8, 8, 3142),
    ("FFR", 3, 64, 64, 55_052),
    ("RFF", 3, 8, 8, 10_490),
    ("RFRFR", 3, 8, 8, 65_634),
    ("RFF", 3, 8, 64, 41_688),
    ("RFF", 3, 64, 64, 8_877_074),
    ("RFRFR", 3, 64, 64, 301_582_010),
    ("FFFF", 4, 8, 0, 4_294_967_540),
]


@pytest.mark.parametrize(("word", "L", "numbers"), QUESTIONS)
def test_every_door_gives_the_same_answer(word: str, L: int, numbers: dict[str, int]) -> None:
    budget = Budget.of(**numbers)  # type: ignore[arg-type]
    found = shortest_prompt(Word.parse(word), L, budget)
    every = prompts(Word.parse(word), L, budget, every=True)
    answers = {
        found.tokens(),
        min(each.tokens() for each in every),  # type: ignore[type-var]
        bound(L, budget, word=Word.parse(word)).shortest.tokens(),
        decide(Word.parse(word), L, budget).document()["hard_sizes"]["tokens"],
        bound_verb(L=L, word=word, **numbers).document()["ours"]["tokens"],  # type: ignore[arg-type]
        decide_verb(word, L=L, **numbers).document()["hard_sizes"]["tokens"],  # type: ignore[arg-type]
    }
    assert {int(answer) for answer in answers if answer is not None} == {found.tokens()}
    accepted(bound_certificate(found, budget.message))
    accepted(decision_certificate(decide(Word.parse(word), L, budget)))
    at_its_sizes_nobody_says_more(word, L, found, numbers)


def test_effort_is_one_effort_at_both_doors() -> None:
    asked: Any = {"L": 4, "beta": 3, "state_bits": 5}
    for effort, tokens in (("quick", 586), ("thorough", 584)):
        assert bound_verb(word="FFFR", effort=effort, **asked).document()["ours"]["tokens"] == tokens
        assert decide_verb("FFFR", effort=effort, **asked).document()["hard_sizes"]["tokens"] == tokens


CORNERS = [  # two valleys; a start where nothing depends on x_0; floats that err beyond the last digit
    ("RFFF", 4, {"beta": 16, "state_bits": 100_000}, Fraction(1), 45.7181),
    ("FR", 2, {"beta": 1, "state_bits": 1000}, Fraction(1), 7.2762),
    ("RFF", 3, {"beta": 500, "state_bits": 1}, Fraction(1, 2), 71.1171),
    ("RFRFR", 4, {"beta": 500, "state_bits": 100}, Fraction(9, 10), 66.9151),
]


@pytest.mark.parametrize(("word", "L", "numbers", "accuracy", "most"), CORNERS)
def test_the_search_finds_its_way_out_of_corners(
    word: str, L: int, numbers: dict[str, int], accuracy: Fraction, most: float
) -> None:
    found = shortest_prompt(Word.parse(word), L, Budget.of(**numbers), accuracy)  # type: ignore[arg-type]
    assert found.certified
    assert found.tokens_log2() <= most


def at_its_sizes_nobody_says_more(word: str, L: int, found: Found, numbers: dict[str, int]) -> None:
    """`decide`, `compare` and `ceiling` at the sizes of the prompt, `design` of as many layers: not solvable."""
    if found.m is None or int(found.m) > LARGEST:
        return
    sizes = {"L": L, "m": int(found.m), "n": tuple(int(size) for size in found.n)}  # type: ignore[union-attr]
    documents = [
        decide_verb(word, **sizes, **numbers).document(),  # type: ignore[arg-type]
        compare((word,), **sizes, **numbers).document()["rows"][0],  # type: ignore[arg-type]
        ceiling_verb(word, **sizes, **numbers).document(),  # type: ignore[arg-type]
    ]
    assert [each["solvable"] for each in documents] == [False] * 3
    assert all(each["theorem"] for each in documents)
    parsed = Word.parse(word)
    others = {letter for letter in parsed.layers if letter != "F"}
    if parsed.full and len(others) < 2 and "FR" not in others:
        asked = {{"W": "window", "K": "chunk"}[letter[0]]: int(letter[1:]) for letter in others if letter != "R"}
        rows = design(layers=len(parsed.layers), full=parsed.full, **asked).document()["rows"]
        assert max(row["depth"] for row in rows) >= parsed.depth
        assert min(row["depth"] for row in rows) <= parsed.depth < L


@pytest.mark.parametrize(
    ("layers", "L"), [(("sliding", "full"), 2), (("sliding", "sliding", "full"), 2), (("full", "sliding"), 2)]
)
def test_a_config_gives_the_same_answer_through_every_door(layers: tuple[str, ...], L: int, tmp_path: Path) -> None:
    """gpt-oss, cut: `bound --config`, `audit` and `compare` against the word with its heads and windows."""
    document = dict(shipped_config("gpt_oss_20b").document())
    document |= {"num_hidden_layers": len(layers), "layer_types": [f"{kind}_attention" for kind in layers]}
    file = tmp_path / "config.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    reading = read_config(file)
    budget = Budget(message=reading.message, by_block=reading.state_bits)
    found = shortest_prompt(reading.word, L, budget)
    beyond = audit(file).audits[0].beyond
    answers = [bound_verb(config=file).document()["ours"]["tokens"], beyond.shortest and beyond.shortest.tokens()]
    answers.append(decide(reading.word, L, budget).document()["hard_sizes"]["tokens"])
    assert {int(answer) for answer in answers} == {found.tokens()}
    n = tuple(int(size) for size in found.n)  # type: ignore[union-attr]
    row = compare((str(file),), L=L, m=int(found.m), n=n).document()["rows"][0]  # type: ignore[arg-type]
    assert (row["solvable"], row["depth"]) == (False, L - 1)


def test_what_compare_and_ceiling_may_not_say() -> None:
    """A twin: one bit more of β, where B2c does not hold any more, and nobody says that it does."""
    for beta, solvable in ((8, False), (9, None)):
        row = compare(("FF",), L=2, m=17, n=(6,), beta=beta, state_bits=0).document()["rows"][0]
        most = ceiling_verb("FF", m=17, n=(6,), beta=beta, state_bits=0).document()
        assert (row["solvable"], most["solvable"], most["certified"]) == (solvable, solvable, solvable is False)
    assert "below 100 %" in str(ceiling_verb("FF", m=17, n=(6,), beta=8, state_bits=0))
    chunks = compare(("K(8)F",), L=1, m=7, beta=8, state_bits=8).document()["rows"][0]
    assert chunks["construction"] is None  # w begins a chunk: nothing hands it z_0


@pytest.mark.parametrize(("word", "L", "beta", "bits", "tokens"), FOUND)
def test_prompts_are_as_short_as_they_were(word: str, L: int, beta: int, bits: int, tokens: int) -> None:
    found = shortest_prompt(Word.parse(word), L, Budget(beta=beta, total=bits)).tokens()
    assert found is not None
    assert found <= tokens
    assert L != 2 or found == tokens  # of two tables these are minima, or as short as any search has found


def test_a_theorem_by_name_and_one_that_is_not_there() -> None:
    question = Word.parse("F"), 2, Budget(beta=8, total=0)
    assert (shortest_prompt(*question, theorem="A").tokens(), shortest_prompt(*question).tokens()) == (40, 12)
    with pytest.raises(InputError, match="here there are A, A2, B, E"):
        shortest_prompt(*question, theorem="X")


@pytest.mark.parametrize(("word", "L"), [("F", 1), ("F", 2), ("RF", 2), ("RFR", 2), ("FF", 2), ("R", 2)])
@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 10)])
def test_the_ceiling_is_below_an_accuracy_where_a_prompt_for_it_was_found(word: str, L: int, share: Fraction) -> None:
    """`ceiling`, `compare` and `decide` at the sizes found: no more than was asked for, and not solvable."""
    asked, numbers = Word.parse(word), {"beta": 8, "state_bits": 8 if "R" in word else 0}
    budget = Budget.of(**numbers)  # type: ignore[arg-type]
    found = shortest_prompt(asked, L, budget, share)
    m, n = int(found.m), tuple(int(size) for size in found.n)  # type: ignore[arg-type]
    assert ceiling(asked, m, n, 8, budget.separate_state_bits(asked)).value <= share
    row = compare((word,), m=m, n=n, L=L, **numbers).document()["rows"][0]  # type: ignore[arg-type]
    assert row["ceiling_float"] <= share
    assert decide(asked, L, budget, Sizes(m, n)).solvable is False


@pytest.mark.parametrize(("beta", "bits", "least"), [(64, 64, 23.0841), (16, 1000, 21.6349)])
def test_prompts_beyond_a_million_tokens_are_polished_too(beta: int, bits: int, least: float) -> None:
    """Within 1 % of the search from two sides with other shapes, which takes seconds there."""
    found = shortest_prompt(Word.parse("RFF"), 3, Budget(beta=beta, total=bits))
    assert found.tokens_log2() < least + 0.0144


def test_what_a_chunk_hands_on_is_said_alike_at_every_door() -> None:
    """K(8)F: where w begins a chunk nothing hands it z_0, as for m = 7; F before K needs it not."""
    for word, needs in (("K(8)F", True), ("FK(8)F", False), ("W(8)F", False)):
        for m in (6, 7, 8, 15, 23):
            found = ceiling_verb(word, L=1, m=m, beta=8, state_bits=8)
            split = needs and m % 8 == 7
            assert found.document()["solvable"] == (None if split else True)
            decided = decide_verb(word, L=1, m=m, beta=8, state_bits=8)
            assert decided.document()["solvable"] == (None if split else True)
            text = " ".join(str(found).split())
            assert ("at all sizes at which z_0 and w stand in one chunk" in text) == (needs and not split)
    one = cell(ROWS["composition"], column_of("K(8)F"), 1)
    assert one.sentence.endswith("up to 1 are, at all sizes at which z_0 and w stand in one chunk.")
    assert cell(ROWS["composition"], column_of("W(8)F"), 1).sentence.endswith("up to 1 are, at all sizes.")
