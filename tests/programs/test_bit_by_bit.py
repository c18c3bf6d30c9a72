"""The best of several matches bit by bit: the answers of one head, with a P that hardly grows with the tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

from separation.files import InputError
from separation.programs import Program, where
from separation.proving import kernel_forms
from separation.tasks import task_of

BEST = ("latest", "first", "largest", "smallest")


def best_of(which: str, tokens: int, symbols: int, bit_by_bit: bool) -> Program:
    """Of the tokens with the same key the best one's symbol."""
    p = Program(which)
    p.start()
    seq = p.tokens("seq", tokens, key=2, sym=symbols)
    same, by = where(seq.key == seq.key), () if which in ("latest", "first") else (seq.sym,)
    read = () if by else (seq.sym,)
    p.answer(getattr(seq, which)(*by, same, *read, default=symbols, bit_by_bit=bit_by_bit))
    return p


@pytest.mark.parametrize("which", BEST)
def test_it_is_the_same_task_and_proved_with_a_small_precision(which: str) -> None:
    for tokens, symbols in ((3, 3), (4, 2)):
        bitwise, plain = (best_of(which, tokens, symbols, flag) for flag in (True, False))
        of_bits, of_one = task_of(bitwise.definitions), task_of(plain.definitions)
        for prompts in of_one.all_prompts(1 << 12):
            assert (of_bits.right_answers(prompts) == of_one.right_answers(prompts)).all()
        assert bitwise.prove().ok
    larger = best_of(which, 8, 8, bit_by_bit=True).compile()
    assert larger.prove().ok
    assert 2 * larger.model.precision.score_bits < best_of(which, 8, 8, False).compile().model.precision.score_bits


def test_a_kernel_that_does_not_link_what_maps_compute_does_not_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_forms, "linked", lambda *_: set())
    assert best_of("latest", 2, 2, bit_by_bit=True).prove().ok  # one bit needs no link
    assert not best_of("latest", 8, 2, bit_by_bit=True).prove().ok
    assert not best_of("largest", 8, 8, bit_by_bit=True).prove().ok


def test_without_an_order_there_is_nothing_to_find_bit_by_bit() -> None:
    p = Program("none")
    p.start()
    seq = p.tokens("seq", 4, sym=2)
    with pytest.raises(InputError, match="bit_by_bit is about the best"):
        seq.find(where(seq.sym == 1), seq.position, bit_by_bit=True)


def test_the_page_has_the_precision_of_256_tokens() -> None:
    p = Program("induction")
    p.start()
    seq = p.tokens("seq", 256, sym=16)
    before = seq.previous(seq.sym, default=16)
    p.answer(seq.latest(where(before == seq.sym), read=seq.sym, default=16, bit_by_bit=True))
    page = (Path(__file__).parents[2] / "docs" / "programs.md").read_text()
    assert f"P = {p.compile().model.precision.score_bits} at 256 tokens" in page
