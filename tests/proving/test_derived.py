"""`infer` of a program: what the kernel derives, head by head and slot by slot; what a broken head would do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from constructions.programs import NAMES, gallery
from separation import infer, prove
from separation.arithmetic import ExactMatrix
from separation.models import Head
from separation.programs import Program, where
from separation.proving import Construction, derived
from separation.tasks.program import Map


def weaker(subject: Construction, layer: int, by: int, with_shift: bool) -> Construction:
    """The queries of one layer divided: others weigh more."""
    layers = list(subject.model.layers)
    (head,) = layers[layer].heads
    assert isinstance(head, Head)
    w_q = ExactMatrix(head.w_q.numerators, head.w_q.denominator * by)
    shift = head.shift / by if with_shift else head.shift
    layers[layer] = replace(layers[layer], heads=(replace(head, w_q=w_q, shift=shift),))
    return replace(subject, model=replace(subject.model, layers=tuple(layers)))


@pytest.mark.parametrize("name", NAMES)
def test_every_needed_definition_is_found_in_some_head(name: str) -> None:
    subject = gallery(name).compile().construction
    found = infer(subject)
    assert found.ok
    assert found.answers
    program = gallery(name).definitions
    for d in (program.definitions[number] for number in program.needed()):
        if not isinstance(d, Map):
            assert any(d.name in line for line in found.facts()["heads"]), d.name
    kind, answer = program.answer
    assert any(f"{kind}.{answer}" in line and "= 0" not in line for line in found.stages[-1][kind])


def test_a_head_that_is_not_sharp_is_named_with_its_definition_and_the_numbers() -> None:
    subject = gallery("induction", n=8, V=3).compile(bit_by_bit=False).construction
    blurred = infer(weaker(subject, 0, 4, with_shift=False))
    assert not blurred.answers
    assert "layer 1, head 0: at seq it would find sym_one_before, but others weigh up to 2.29 of it" in blurred.sentence
    assert "which is above 1/4" in blurred.sentence
    faint = infer(weaker(subject, 1, 2, with_shift=False))
    assert "layer 2, head 0: at seq it would find sym_found, but what it finds may weigh 0 in P = 63" in faint.sentence
    assert prove(weaker(subject, 1, 2, with_shift=False), seconds=0).found.failure == faint.sentence.split(": ", 1)[1]


def test_stages_end_where_the_derivation_does() -> None:
    broken = infer(
        weaker(gallery("induction", n=8, V=3).compile(bit_by_bit=False).construction, 0, 4, with_shift=False)
    )
    assert not broken.ok
    assert len(broken.stages) == 2  # layer 2 is refused


def test_values_of_maps_and_places_below_a_default_are_known() -> None:
    p = Program("gaps")
    _, seq = p.start(), p.tokens("seq", 4, a=3)
    fourfold = p.map(lambda a: 4 * a, seq.a, size=9, name="fourfold")
    p.answer(seq.exists(where(fourfold == seq.a)))
    assert p.prove().ok
    p = Program("place")
    _, seq = p.start(), p.tokens("seq", 4, a=3, b=3)
    p.answer(seq.latest(where(seq.a == seq.b), read=seq.position, default=4))
    assert p.prove().ok


def test_what_has_too_many_cases_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = gallery("induction", n=8, V=3).compile(bit_by_bit=False).construction
    wrong = infer(weaker(subject, 0, -1, with_shift=False)).sentence
    assert "another token may score" in wrong
    assert "too many" not in wrong

    def never(*_: object) -> None:
        raise OverflowError

    monkeypatch.setattr(derived, "eliminated", never)
    told = infer(weaker(subject, 0, -1, with_shift=False)).sentence
    assert "sym_found:position have too many joint values)" in told
