"""One question, one answer: every door gives the same prompt, and the search reaches what was found before."""

from fractions import Fraction

import numpy as np
import pytest

from separation.architectures import ArchitectureReading, Layer, Mixer
from separation.architectures.audit import audit_model
from separation.bounds import Budget, Message, Word, bound, decide, prompts, shortest_prompt
from separation.bounds.ceilings import ceiling
from separation.bounds.certificate import bound_certificate, decision_certificate
from separation.bounds.condition import slack, verdict
from separation.bounds.theorems.theorem_b2 import TheoremB2
from separation.files import InputError
from separation.proving.certificates import accepted
from separation.tasks.funccomp import Sizes
from separation.verbs.bound import bound as bound_verb
from separation.verbs.compare import compare
from separation.verbs.decide import decide as decide_verb

pytestmark = pytest.mark.usefixtures("remembered_searches")
QUESTIONS = [
    (word, L, numbers)
    for word, L in (("F", 1), ("F", 2), ("RF", 2), ("FR", 2), ("RFR", 2), ("FF", 2), ("FF", 3), ("RFF", 3))
    for numbers in ({"beta": 8, "state_bits": 8}, {"beta": 64, "state_bits": 1000}, {"heads": 4, "dim": 16, "bits": 8})
] + [(word, L, {"beta": 8, "state_bits": 0}) for word, L in (("R", 2), ("FFF", 3), ("FFF", 4), ("FFRF", 4), ("F4", 5))]
# Tokens found by searches of their own, before there was one for all theorems; A2's are minima by exhaustion.
FOUND = [
    ("F", 2, 8, 0, 12),
    ("RF", 2, 8, 8, 22),
    ("RF", 2, 64, 64, 106),
    ("RF", 2, 1000, 1000, 1276),
    ("RFR", 2, 8, 8, 37),
    ("FF", 2, 8, 0, 121),
    ("FFR", 2, 8, 8, 335),
    ("FF", 3, 8, 0, 962),
    ("RFF", 3, 8, 8, 10_490),
    ("RFRFR", 3, 8, 8, 65_634),
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
    with pytest.raises(InputError, match="theorem B2 is replaced by B2c"):
        shortest_prompt(Word.parse("FF"), 2, Budget(beta=8, total=0), theorem="B2")


def test_an_accuracy_below_one_needs_a_longer_prompt() -> None:
    word, budget = Word.parse("FF"), Budget(beta=8, total=0)
    lengths = [shortest_prompt(word, 2, budget, Fraction(1, share)).tokens_log2() for share in (1, 2, 10)]
    assert lengths == sorted(lengths)
    assert lengths[1] < 18.72


def test_floats_and_integers_agree_on_conditions_and_a_broken_twin_does_not() -> None:
    rng = np.random.default_rng(0)
    disagreed = 0
    for _ in range(200):
        m, n1, x0, v, theta, beta = (int(value) for value in rng.integers(2, 30, 6))
        asked = TheoremB2().conditions(m, (n1,), (x0, v, theta), beta, (0, 3, 50))
        columns = [np.array([float(value)]) for value in (m, n1, x0, v, theta)]
        in_floats = TheoremB2().conditions(columns[0], columns[1:2], columns[2:], float(beta), (0.0, 3.0, 50.0))
        for exact, floats in zip(asked, in_floats, strict=True):
            if abs(float(np.ravel(slack(floats))[0])) > 1e-9:
                assert (float(np.ravel(slack(floats))[0]) > 0) == verdict(exact).holds
        twin = TheoremB2().conditions(m, (n1,), (x0, v, theta), beta, (0, 0, 0))  # late states are free of charge
        disagreed += [verdict(each).holds for each in twin] != [verdict(each).holds for each in asked]
    assert disagreed > 0


@pytest.mark.parametrize("letters", ["F", "RF", "FF", "RFF"])
def test_an_audit_gives_the_same_answer(letters: str) -> None:
    full, recurrent = Mixer("full", "test", 1, 4), Mixer("window", "test", 1, 4, numbers=8)
    layers = tuple(Layer(((full if letter == "F" else recurrent,),)) for letter in letters)
    reading = ArchitectureReading("test", layers, Message(1, 4, 8, 8), {"bits": "test"})
    word = reading.word
    budget = Budget(message=reading.message, by_block=reading.state_bits)
    level = audit_model(reading, letters).beyond
    assert level.shortest is not None
    assert level.shortest.tokens == shortest_prompt(word, word.depth + 1, budget).tokens()


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
