"""What a newcomer meets: single values, one budget, names, hints that help."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from test_cli import run_cli

import separation
from separation.architectures import inverse, read_config, shipped_config
from separation.bounds import Budget, shortest_prompt
from separation.verbs import verify

pytestmark = pytest.mark.usefixtures("remembered_searches")


def test_one_value_is_as_good_as_a_list() -> None:
    assert separation.prove("C1", L=2, m=2, n=2).ok
    assert separation.decide("F", L=2, m=2, n=18, beta=8, state_bits=0).decision.solvable is False
    assert separation.ceiling("RF", m=64, n=8, beta=8, state_bits=8).found.value < 1
    assert separation.compare("RF", n=8).rows[0]["word"] == "RF"
    assert [audit.name for audit in separation.audit("gpt2").audits] == ["GPT-2"]


def test_one_budget_is_as_good_as_its_numbers() -> None:
    budget = Budget.of(beta=8, state_bits=8)
    for verb, asked in (
        (separation.bound, {"L": 2, "word": "RF"}),
        (lambda **given: separation.decide("RF", **given), {"L": 2}),
        (lambda **given: separation.ceiling("RF", **given), {"m": 64, "n": 8}),
        (lambda **given: separation.compare("RF", **given), {"L": 2}),
    ):
        one, several = verb(**asked, budget=budget).document(), verb(**asked, beta=8, state_bits=8).document()
        assert {**one, "seconds": 0} == {**several, "seconds": 0}
    with pytest.raises(separation.InputError, match="a budget has all of its numbers: leave out --beta"):
        separation.decide("RF", L=2, budget=budget, beta=8)


def test_tokens_say_why_the_prompt_is_longer(capfd: pytest.CaptureFixture[str]) -> None:
    text = " ".join(run_cli(capfd, "prove", "C1", "--L", "2", "--tokens", "100")[1].split())
    assert "the smallest equal powers of two that reach --tokens 100" in text
    assert "powers of two" not in run_cli(capfd, "prove", "C1", "--L", "2", "--m", "2", "--n", "2")[1]


def test_a_statement_is_shown_before_it_is_checked(capfd: pytest.CaptureFixture[str]) -> None:
    shown = run_cli(capfd, "proofs", "D1", "--no-check")[1]
    whole = run_cli(capfd, "proofs", "D1")[1]
    assert whole.startswith(shown)
    assert "it holds" in whole
    assert "it holds" not in shown
    document = json.loads(run_cli(capfd, "proofs", "D1", "--no-check", "--json")[1])
    assert document["checked"] is False
    assert str(separation.proofs("D1")).startswith(shown)


def test_shipped_names_are_configs(capfd: pytest.CaptureFixture[str]) -> None:
    path = str(shipped_config("gpt2").path)
    by_name, by_file = (json.loads(run_cli(capfd, "bound", "--config", name, "--json")[1]) for name in ("gpt2", path))
    assert {**by_name, "seconds": 0} == {**by_file, "seconds": 0}
    rows = separation.compare(["gpt2", "RF"], L=2).rows
    assert [(row["name"], row["config"], row["depth"]) for row in rows] == [("gpt2", True, 11), ("RF", False, 1)]
    assert "parameters; at most" in run_cli(capfd, "simulate", "--config", "gpt2")[2]


def test_the_inverse_question(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said to be certified is, and what is a step larger is not; of the first full layer, which is quick."""
    monkeypatch.setattr(inverse, "FIRST_FULL", (1,))
    monkeypatch.setattr(inverse, "MOST_FULL", 0)
    reading = read_config("lfm2_1_2b")
    alone, first = inverse.needed(reading, 32_768)
    assert (alone.name, first.name) == ("R alone", "first 1 full")
    cut = reading.first_full_layers(1)
    assert cut is not None
    assert first.own == (max(cut.state_bits), 32, 64)

    def tokens(share: Fraction) -> int | None:
        by_block = tuple(int(bits * share) for bits in cut.state_bits)
        return shortest_prompt(cut.word, 2, Budget(message=cut.message, by_block=by_block)).tokens()

    assert first.state_bits is not None
    share = Fraction(first.state_bits, first.own[0])
    near, beyond = tokens(share), tokens(share * Fraction(12, 10))
    assert near is not None
    assert beyond is not None
    assert near <= 32_768 < beyond
    assert first.factor is not None
    assert first.factor > 1
    text = " ".join(run_cli(capfd, "ceiling", "--config", "lfm2_1_2b", "--tokens", "32768")[1].split())
    assert "times too large" in text
    assert "█" in text
    (gpt2,) = inverse.needed(read_config("gpt2"), 32_768)
    assert (gpt2.factor, gpt2.heads) == (1.0, 12)
    assert gpt2.ceiling is not None


def test_the_first_result_comes_before_the_book_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def no_book() -> None:
        assert told[-1].startswith("✓ statement D1")
        raise InterruptedError

    monkeypatch.setattr(verify, "all_statements", no_book)
    with pytest.raises(InterruptedError):
        verify.verify(progress=lambda _done, what: told.append(what))
