"""`show`: invariants line by line, which say all and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from show_cases import SIZES, SMALL, document_of

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.models import Stream
from separation.proving import ONE, Forms, Invariant, InvariantBuilder, bit
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Kind, Shape
from separation.verbs.show import show
from separation.weights import invariant_lines


def test_invariants_say_what_changes() -> None:
    second = show("C1", L=3, layer=2).document()["layers"][0]
    assert second["before"]["w"] == [
        "one = 1",
        "tag = code(4) = (−,−,+)",
        "digit = code(0) = (−,−)",
        "index = code(0) = (−,−,−,−)",
        "value = 0",
        "query[0:2] = code(w1)",
        "query[2:4] = code(w2)",
        "pointer = code(i0) padded with −1",
        "found = 0",
    ]
    assert "pointer = code(i1) padded with −1" in second["after"]["w"]
    assert "pointer = junk within ±1" in second["after"]["table 2"]
    assert "pointer = code(i3)" in show("C1", L=3, layer=4).document()["layers"][0]["after"]["w"]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_invariants_can_be_read_back(sizes: Sizes) -> None:
    construction = build("C1", sizes)
    document = document_of(construction)
    shape, stream = sizes.shape(), construction.model.stream
    for number, layer in enumerate(document["layers"]):
        for stage, lines in ((number, layer["before"]), (number + 1, layer["after"])):
            for kind in shape.kinds:
                assert same(read_back(lines[kind.name], stream, shape, kind), construction.stages[stage][kind.name])


def test_another_invariant_has_other_lines() -> None:
    construction = build("C1", SMALL)
    shape, stream = SMALL.shape(), construction.model.stream
    true = construction.stages[1]["w"]
    lines = invariant_lines(true, stream, {"i0": 2, "w1": 1})
    row = stream["pointer"][1]
    for symbol in true.forms.symbols[:3]:
        twin = replace(true, forms=true.forms.plus(Forms([ONE, symbol], _unit(stream.width, row))))
        assert invariant_lines(twin, stream, {"i0": 2, "w1": 1}) != lines
    assert not same(read_back(lines, stream, shape, shape.kind("w")), construction.stages[2]["w"])


def _unit(width: int, row: int) -> ExactMatrix:
    return ExactMatrix.from_entries((width, 2), [(row, 1, 1)])


def read_back(lines: list[str], stream: Stream, shape: Shape, kind: Kind) -> Invariant:
    """The invariant that C1's lines state."""
    bits = {v.name: v.bits for v in (*kind.address, *kind.value, *shape.global_variables)}
    builder = InvariantBuilder(stream.width)
    for line in lines:
        place, _, text = line.partition(" = ")
        name, _, inside = place.partition("[")
        first, _, stop = inside.rstrip("]").partition(":")
        rows = stream[name] if not inside else stream[name][int(first) : int(stop or int(first) + 1)]
        code = re.match(r"code\((\w+)\)( padded with −1)?", text)
        if text == "junk within ±1":
            builder.junk(rows, 1)
        elif code and code[1].isdigit():
            builder.constants(rows, [1 if int(code[1]) >> place & 1 else -1 for place in range(len(rows))])
        elif code:
            assert bool(code[2]) == (bits[code[1]] < len(rows))
            builder.code(rows, code[1], bits[code[1]])
        else:
            builder.constants(rows, [int(text.replace("−", "-"))] * len(rows))
    return builder.build()


def same(first: Invariant, second: Invariant) -> bool:
    difference = first.forms.minus(second.forms).matrix
    return not difference.entries() and (first.noise, first.radii) == (second.noise, second.radii)


def test_general_forms_are_written_out() -> None:
    stream = Stream([("a", 2), ("b", 3), ("c", 1), ("empty", 0), ("d", 2)])
    builder = InvariantBuilder(8)
    builder.put(0, bit("v", 0), Fraction(1, 2)).put(0, ONE, Fraction(1, 2))
    builder.put(1, bit("v", 1), Fraction(1, 2)).put(1, ONE, Fraction(1, 2))
    builder.put(2, bit("v", 1), 1).put(3, bit("v", 0), -2).put(3, bit("u", 0), 1).put(3, ONE, -1)
    builder.put(5, ONE, Fraction(-3, 2))
    forms = builder.build().forms
    noise = ExactMatrix.from_entries((8, 3), [(4, 0, 2), (6, 1, 1), (7, 1, -3), (0, 2, 1)])
    invariant = Invariant(forms, noise, (Fraction(1, 4), Fraction(2), Fraction(0)))
    assert invariant_lines(invariant, stream, {"v": 2, "u": 1}) == [
        "a = 1/2·code(v) + 1/2",
        "b[0] = code(v)[1]",
        "b[1] = −2·v.0 + u.0 − 1",
        "b[2] = junk within ±1/2",
        "c = −3/2",
        "d[0] = ν2, |ν2| ≤ 2",
        "d[1] = −3·ν2, |ν2| ≤ 2",
    ]
