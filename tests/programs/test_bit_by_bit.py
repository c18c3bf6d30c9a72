"""The best of several matches by one head or bit by bit: the same answers, and the cheaper one that is proved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from constructions.programs import gallery
from separation.programs import Program, best, where
from separation.proving import kernel_forms
from separation.tasks import task_of

BEST = ("latest", "first", "largest", "smallest")
PAGE = (Path(__file__).parents[2] / "docs" / "programs.md").read_text()


def best_of(which: str, tokens: int, symbols: int, **more: bool | None) -> Program:
    """Of the tokens with the same key the best one's symbol."""
    p = Program(which)
    p.start()
    seq = p.tokens("seq", tokens, key=2, sym=symbols)
    same, by = where(seq.key == seq.key), () if which in ("latest", "first") else (seq.sym,)
    read = () if by else (seq.sym,)
    p.answer(getattr(seq, which)(*by, same, *read, default=symbols, **more))
    return p


@pytest.mark.parametrize("which", BEST)
def test_it_is_the_same_task_and_proved_with_a_small_precision(which: str) -> None:
    for tokens, symbols in ((3, 3), (4, 2)):
        p = best_of(which, tokens, symbols)
        bitwise, task = p.compile(bit_by_bit=True), task_of(p.definitions)
        assert (bitwise.program, bitwise.form) != (p.definitions, "by one head")
        for prompts in task.all_prompts(1 << 12):
            assert (task_of(bitwise.program).right_answers(prompts) == task.right_answers(prompts)).all()
        assert bitwise.prove().ok
    larger = best_of(which, 8, 8, bit_by_bit=True).compile()
    assert larger.prove().ok
    plain = best_of(which, 8, 8).compile(bit_by_bit=False)
    assert 2 * larger.model.precision.score_bits < plain.model.precision.score_bits
    assert best_of(which, 8, 8).compile().cost == min(larger.cost, plain.cost)


def test_without_a_default_the_promise_is_kept() -> None:
    """The largest of the tokens with a key; that there is one is a promise in both forms."""
    p = Program("promised")
    start, seq, query = p.start(), p.tokens("seq", 3, key=2, sym=3), p.tokens("query", 1, key=2)
    p.answer(seq.largest(seq.sym, where(seq.key == query.key)))
    compiled = p.compile(bit_by_bit=True)
    of_one, of_bits = ([row.tolist() for row in next(task_of(d).all_prompts(1 << 12))]
                       for d in (p.definitions, compiled.program))  # fmt: skip
    assert start.name == "start"
    assert of_one == of_bits
    assert 0 < len(of_one) < 6**3 * 2
    assert compiled.prove().ok
    assert compiled.wrong() is None


def test_a_form_that_is_not_proved_gives_way_to_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = gallery("induction", n=8).compile()
    assert (compiled.form, compiled.layers) == ("bit by bit", 5)
    assert gallery("induction", n=8).compile(word="FF").form == "by one head"
    assert compiled.prove().note == "of the program with its look-ups bit by bit, as show prints them"
    assert compiled.other.prove().note == ""  # type: ignore[union-attr]
    monkeypatch.setattr(kernel_forms, "linked", lambda *_: set())
    proved, found = compiled.proved()
    assert (found.ok, proved.form, len(proved.model.layers)) == (True, "by one head", 2)
    assert "by one head, as bit by bit it is not proved: " in found.sentence
    assert not gallery("induction", n=8).compile(bit_by_bit=True).prove().ok


def test_a_kernel_that_does_not_link_what_maps_compute_does_not_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_forms, "linked", lambda *_: set())
    assert best_of("latest", 2, 2, bit_by_bit=True).prove().ok  # one bit needs no link
    assert not best_of("latest", 8, 2, bit_by_bit=True).prove().ok
    assert not best_of("largest", 8, 8, bit_by_bit=True).prove().ok


def test_the_page_has_the_costs_of_both_forms_and_the_one_that_is_chosen() -> None:
    rows = re.findall(r"^\| (\d+), (\d+) \| (\d+), ([\d,]+) \| (\d+), ([\d,]+) \| ([a-z ]+)", PAGE, re.M)
    assert len(rows) == 4
    for n, symbols, *said, chosen in rows:
        p = gallery("induction", n=int(n), V=int(symbols))
        made = [p.compile(bit_by_bit=flag) for flag in (False, True)]
        assert [x for c in made for x in (str(c.layers), f"{c.cost:,}")] == said
        assert p.compile().form == chosen.strip()
    p = gallery("induction", n=256, V=16)
    assert f"P = {p.compile(bit_by_bit=True).model.precision.score_bits} at 256 tokens" in PAGE.replace("\n", " ")
    assert f"to {best.MOST_PAIRS} pairs" in PAGE
    assert f"up to {best.MOST_VALUES} values" in PAGE
