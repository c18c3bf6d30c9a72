"""`show`: what is printed is the weights that are proved; whoever changes a block changes the weights."""

from __future__ import annotations

import copy
import io
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.display.show import few, grid, show_text, to_latex
from separation.files import InputError
from separation.models import MLP, Head, Stored, Stream
from separation.proving import prove
from separation.proving.construction import Construction
from separation.proving.forms import ONE, Forms, bit
from separation.proving.invariants import Invariant, InvariantBuilder
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Kind, Shape
from separation.verbs.show import Coefficient, ShowReport, describe, find_blocks, invariant_lines, rebuild, show

SIZES = [
    Sizes(2, ()),
    Sizes(5, ()),
    Sizes(3, (1,)),
    Sizes(2, (7,)),
    Sizes(4, (4, 4)),
    Sizes(5, (3, 2)),
    Sizes(2, (1, 1)),
    Sizes(2, (1, 3, 1)),
    Sizes(3, (2, 5, 4)),
]
SMALL = Sizes(3, (2,))


def document_of(construction: Construction, layer: int | None = None) -> dict[str, Any]:
    """The document as JSON gives it back."""
    result: dict[str, Any] = json.loads(json.dumps(describe(construction, layer).document()))
    return result


def scrambled(seed: int = 1, sizes: Sizes = SMALL) -> Construction:
    """C1 in a random rational basis, its token table stored, its slots with names that are hard to set."""
    plain = build("C1", sizes)
    width, rng = plain.model.width, Random(seed)
    while True:
        rows = [[Fraction(rng.randint(-3, 3), rng.choice([1, 1, 2, 3])) for _ in range(width)] for _ in range(width)]
        try:
            moved = plain.in_basis(ExactMatrix.from_rows(rows))
        except ZeroDivisionError:
            continue
        stream = Stream([("a_b%τ{", 3), ("a[0]", 1), ("\\x = y", width - 4)])
        stored = moved.model.tokens if isinstance(moved.model.tokens, Stored) else moved.model.tokens.stored()
        return replace(moved, model=replace(moved.model, stream=stream, tokens=stored))


# The weights come back


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_the_document_rebuilds_the_model(sizes: Sizes) -> None:
    construction = build("C1", sizes)
    assert rebuild(document_of(construction)) == construction.model


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_a_naive_reader_finds_the_same_entries(sizes: Sizes) -> None:
    """An oracle that shares no code with `rebuild`."""
    model = build("C1", sizes).model
    document = document_of(build("C1", sizes))
    slots = [(slot["name"], slot["width"]) for slot in document["slots"]]
    tau = {symbol: Fraction(value) for symbol, value in document["temperature"].items()}
    for layer, shown in zip(model.layers, document["layers"], strict=True):
        (head,), mlp = shown["heads"], shown["mlp"]
        inner = {name: [(name, width)] for part in (head, mlp) for name, width in part["spaces"].items()}
        one = [("one", 1)]
        for matrix, blocks, to, origin in [
            (layer.heads[0].w_q, head["W_Q"], inner["key"], slots),
            (layer.heads[0].w_k, head["W_K"], inner["key"], slots),
            (layer.heads[0].w_v, head["W_V"], inner["head"], slots),
            (layer.heads[0].w_o, head["W_O"], slots, inner["head"]),
            (layer.mlp.w_1, mlp["W_1"], inner["unit"], slots),
            (layer.mlp.b_1, mlp["b_1"], inner["unit"], one),
            (layer.mlp.w_2, mlp["W_2"], slots, inner["unit"]),
            (layer.mlp.b_2, mlp["b_2"], slots, one),
        ]:
            assert matrix.shape == (sum(width for _, width in to), sum(width for _, width in origin))
            assert naive_entries(blocks, to, origin, tau) == {(i, j): x for i, j, x in matrix.entries()}


def naive_entries(
    blocks: list[dict[str, str]], to: list[tuple[str, int]], origin: list[tuple[str, int]], tau: dict[str, Fraction]
) -> dict[tuple[int, int], Fraction]:
    def coordinates(text: str, slots: list[tuple[str, int]]) -> list[int]:
        name, _, inside = text.partition("[")
        start = sum(width for _, width in slots[: [slot for slot, _ in slots].index(name)])
        first, _, stop = inside.rstrip("]").partition(":")
        return list(range(start + int(first or 0), start + int(stop or int(first or 0) + 1)))

    def number(text: str) -> Fraction:
        digits = text.rstrip("τ")
        unit = tau["τ"] if text.endswith("τ") else 1
        return Fraction({"": "1", "-": "-1", "+": "1"}.get(digits, digits)) * unit

    entries = {}
    for block in blocks:
        rows, columns = coordinates(block["to"], to), coordinates(block["from"], origin)
        factor, bracket, items = block["coefficient"].rpartition("(")
        if bracket:
            numbers = [number(factor.rstrip("·") or "1") * number(item) for item in items[:-1].split(",")]
        else:
            numbers = [number(block["coefficient"])] * len(rows)
        assert len(numbers) == len(rows)
        for place, row in enumerate(rows):
            key = row, columns[place] if len(columns) > 1 else columns[0]
            assert key not in entries
            entries[key] = numbers[place]
    return entries


def test_the_rebuilt_model_is_proved() -> None:
    construction = build("C1", Sizes(3, (2, 4)))
    model = rebuild(document_of(construction))
    assert prove(model, construction.stages, construction.sizes.shape()).ok


def test_one_layer_rebuilds_to_one_layer() -> None:
    construction = build("C1", Sizes(4, (4, 4)))
    document = document_of(construction, layer=2)
    assert [layer["layer"] for layer in document["layers"]] == [2]
    assert rebuild(document).layers == construction.model.layers[1:2]


@pytest.mark.parametrize("seed", range(3))
def test_any_weights_come_back(seed: int) -> None:
    """Rational weights without structure, a stored table, names with brackets, several heads and temperatures."""
    construction = scrambled(seed)
    first, second, *rest = construction.model.layers
    heads = (*first.heads, replace(first.heads[0], w_q=first.heads[0].w_q.scaled(2), shift=Fraction(-5, 7)))
    model = replace(construction.model, layers=(replace(first, heads=heads), replace(second, heads=()), *rest))
    document = document_of(replace(construction, model=model))
    assert rebuild(document) == model


def test_random_matrices_come_back_from_their_blocks() -> None:
    rng = Random(0)
    for _ in range(200):
        target, source = (Stream([(f"s{i}", rng.randint(0, 4)) for i in range(4)] + [("last", 1)]) for _ in range(2))
        triples = {(rng.randrange(target.width), rng.randrange(source.width)): rng.choice([1, -1, 3]) for _ in range(9)}
        for start in range(min(target.width, source.width)):
            triples |= {(start, start): 2} if rng.random() < 0.7 else {}
        matrix = ExactMatrix.from_entries((target.width, source.width), [(i, j, x) for (i, j), x in triples.items()])
        columns = rng.sample(range(source.width), min(2, source.width))
        blocks = find_blocks(matrix, target, source, as_columns=columns, cuts={2, 5})
        entries = [entry for block in blocks for entry in block.entries({})]
        assert len(entries) == len(triples)
        assert ExactMatrix.from_entries(matrix.shape, entries) == matrix
        rows, column_pieces, cells = grid(blocks)
        assert sorted(entry for cell in cells.values() for entry in cell.entries({})) == sorted(matrix.entries())
        assert {(cell.rows, cell.columns) for cell in cells.values()} <= {(r, c) for r in rows for c in column_pieces}


# Broken twins


def all_blocks(document: dict[str, Any]) -> Iterator[tuple[list[dict[str, str]], int]]:
    """Every block of a document, as (list, place in it)."""
    tables = [*document["embedding"].values(), document["unembedding"]]
    lists = [segment["blocks"] for table in tables for segment in table.get("segments", [table])]
    for layer in document["layers"]:
        for part in [*layer["heads"], layer["mlp"]]:
            lists += [part[name] for name in part if name.startswith(("W_", "b_"))]
    return ((blocks, place) for blocks in lists for place in range(len(blocks)))


def test_a_dropped_block_is_noticed() -> None:
    construction = build("C1", SMALL)
    document = document_of(construction)
    count = 0
    for number in range(len(list(all_blocks(document)))):
        broken = copy.deepcopy(document)
        blocks, place = list(all_blocks(broken))[number]
        del blocks[place]
        assert rebuild(broken) != construction.model
        count += 1
    assert count > 60


def test_a_changed_coefficient_gives_other_weights() -> None:
    construction = build("C1", SMALL)
    document = document_of(construction)
    for number in range(len(list(all_blocks(document)))):
        broken = copy.deepcopy(document)
        blocks, place = list(all_blocks(broken))[number]
        old = blocks[place]["coefficient"]
        blocks[place]["coefficient"] = "7/2" if "(" not in old else old.translate(str.maketrans("+-", "-+"))
        assert rebuild(broken) != construction.model


@pytest.mark.parametrize(
    ("key", "value"), [("temperature", {"τ": "4"}), ("precision", {"P": 8, "p": 8, "fraction": 5})]
)
def test_a_changed_number_gives_another_model(key: str, value: Any) -> None:
    construction = build("C1", SMALL)
    assert rebuild({**document_of(construction), key: value}) != construction.model


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"to": "found[0:2]"}, "do not fit"),
        ({"to": "found[0:9]"}, "does not fit the slot found, which has width 3"),
        ({"to": "found"}, "does not fit the slot found"),
        ({"to": "fund[0:3]"}, "'fund\\[0:3\\]' is no place in the slots one, tag"),
        ({"to": 3}, "is no place"),
        ({"from": "unit[0:2]"}, "is no place in the slots head"),
        ({"coefficient": "(+,-)"}, "do not fit"),
        ({"coefficient": "σ"}, "must be a coefficient like"),
        ({"coefficient": ""}, "must be a coefficient like"),
        ({"coefficient": "(+,-"}, "must be a coefficient like"),
        ({"coefficient": "1.5"}, "must be a coefficient like"),
        ({"coefficient": "1/0"}, "has denominator 0"),
        ({"coefficient": "τ2"}, "has the symbol τ2, which temperature does not give"),
        ({"colour": "red"}, "is not a known key"),
    ],
)
def test_a_block_that_makes_no_sense_is_refused(change: dict[str, Any], message: str) -> None:
    document = document_of(build("C1", SMALL))
    document["layers"][1]["heads"][0]["W_O"][0] |= change
    with pytest.raises(InputError, match=message):
        rebuild(document)


def test_what_is_written_twice_or_missing_is_refused() -> None:
    document = document_of(build("C1", SMALL))
    twice = copy.deepcopy(document)
    twice["layers"][0]["mlp"]["W_2"] *= 2
    with pytest.raises(InputError, match="is written twice"):
        rebuild(twice)
    for key in ("temperature", "slots", "embedding", "layers", "unembedding", "precision"):
        with pytest.raises(InputError, match=f"{key} is missing"):
            rebuild({name: value for name, value in document.items() if name != key})
        with pytest.raises(InputError):
            rebuild({**document, key: 3})


# As a person writes them


def test_layer_3_reads_table_2_at_w1_and_i1() -> None:
    (layer,) = show("C1", L=3, layer=3).document()["layers"]
    (head,) = layer["heads"]
    assert head["W_Q"] == [
        {"to": "key[0:3]", "from": "one", "coefficient": "τ·(-,+,-)"},
        {"to": "key[3:5]", "from": "query[0:2]", "coefficient": "τ"},
        {"to": "key[5:7]", "from": "pointer[0:2]", "coefficient": "τ"},
        {"to": "key[7:9]", "from": "one", "coefficient": "-τ"},
    ]
    assert head["W_K"] == [
        {"to": "key[0:3]", "from": "tag[0:3]", "coefficient": "1"},
        {"to": "key[3:5]", "from": "digit[0:2]", "coefficient": "1"},
        {"to": "key[5:9]", "from": "index[0:4]", "coefficient": "1"},
    ]
    assert head["W_V"] == [{"to": "head[0:6]", "from": "value[0:6]", "coefficient": "1"}]
    assert head["W_O"] == [{"to": "found[0:6]", "from": "head[0:6]", "coefficient": "1"}]
    assert head["shift"] == "9τ"
    assert layer["mlp"]["b_1"] == [
        {"to": "unit[0:6]", "from": "one", "coefficient": "1"},
        {"to": "unit[6:12]", "from": "one", "coefficient": "-1"},
    ]
    assert {"to": "pointer[0:6]", "from": "unit[6:12]", "coefficient": "-1"} in layer["mlp"]["W_2"]


def test_the_report_has_the_keys_and_is_ok() -> None:
    report = show("C1", L=2, tokens=100)
    document = report.document()
    assert report.ok
    assert isinstance(report, ShowReport)
    assert document["ok"] is True
    assert document.keys() >= {"construction", "slots", "temperature", "embedding", "layers", "unembedding"}
    assert document["layers"][0].keys() == {"layer", "heads", "mlp", "before", "after"}
    assert document["temperature"] == {"τ": "3"}
    assert document["slots"][0] == {"name": "one", "width": 1}


def test_a_layer_that_is_not_there_is_refused() -> None:
    for layer in (9, 0, -1):
        with pytest.raises(InputError, match=rf"^layer is {layer}; allowed are 1\.\.4$"):
            show("C1", L=3, layer=layer)


def test_embedding_names_what_the_digits_are() -> None:
    embedding = show("C1", L=3).document()["embedding"]
    table_2 = embedding["positions"]["segments"][1]
    assert (table_2["kinds"], table_2["digits"], table_2["radices"]) == (["table 2"], ["digit", "index"], [4, 4])
    assert {"to": "index[2:4]", "from": "one", "coefficient": "-1"} in table_2["blocks"]
    query = embedding["tokens"]["segments"][1]
    assert query["blocks"] == [
        {"to": "query[0:2]", "from": "w1[0:2]", "coefficient": "1"},
        {"to": "query[2:4]", "from": "w2[0:2]", "coefficient": "1"},
    ]


def with_heads(construction: Construction, *heads: Head) -> Construction:
    """The heads given, one a layer, with the layers' own MLPs."""
    layers = tuple(replace(layer, heads=(head,)) for layer, head in zip(construction.model.layers, heads, strict=True))
    return replace(construction, model=replace(construction.model, layers=layers))


def test_no_symbol_without_a_common_factor() -> None:
    plain = build("C1", SMALL)
    heads = [layer.heads[0] for layer in plain.model.layers]
    odd = with_heads(plain, *(replace(head, shift=head.shift + 1) for head in heads))
    document = document_of(odd)
    assert document["temperature"] == {}
    assert "τ" not in json.dumps(document["layers"], ensure_ascii=False)
    assert rebuild(document) == odd.model


def test_two_temperatures_have_two_symbols() -> None:
    plain = build("C1", SMALL)
    first, second, third = (layer.heads[0] for layer in plain.model.layers)
    hot = replace(second, w_q=second.w_q.scaled(Fraction(1, 2)), shift=second.shift / 2)
    mixed = with_heads(plain, first, hot, third)
    document = document_of(mixed)
    tau = Fraction(document["temperature"]["τ1"])
    assert document["temperature"] == {"τ1": str(tau), "τ2": str(tau / 2)}
    assert document["layers"][1]["heads"][0]["shift"].endswith("τ2")
    assert rebuild(document) == mixed.model
    assert r"\tau_{2}" in to_latex(describe(mixed))


@pytest.mark.parametrize(
    ("numbers", "symbol", "text"),
    [
        ((1,), "", "1"),
        ((-1,), "τ", "-τ"),
        ((Fraction(3, 2),), "", "3/2"),
        ((-2,), "τ", "-2τ"),
        ((1, -1, 1), "τ", "τ·(+,-,+)"),
        ((1, -1), "", "(+,-)"),
        ((-3, 3), "", "3·(-,+)"),
        ((1, Fraction(-1, 2), 3), "", "(1,-1/2,3)"),
        ((1, -2), "τ1", "τ1·(1,-2)"),
    ],
)
def test_coefficients_are_exact_texts(numbers: tuple[int, ...], symbol: str, text: str) -> None:
    coefficient = Coefficient(tuple(map(Fraction, numbers)), symbol)
    assert coefficient.text == text
    assert Coefficient.parse(text, "x", {"τ", "τ1"}) == coefficient
    assert Coefficient.parse(text.replace("-", "−"), "x", {"τ", "τ1"}) == coefficient


# Invariants


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


# For a terminal and for paper


def printed(report: ShowReport, width: int = 80) -> str:
    out = io.StringIO()
    show_text(report, Console(file=out, width=width))
    return out.getvalue()


def test_text_for_people_fits_80_columns() -> None:
    text = printed(show("C1", L=3))
    lines = [line.rstrip() for line in text.splitlines()]
    assert max(map(len, lines)) <= 80
    assert "C1 for FuncComp, L = 3, m = 4, n = (4, 4)" in lines
    assert "τ = 3, the factor of W_Q" in lines
    assert "W_Q     key[0:3]       one           τ·(−,+,−)" in lines
    assert "  key[5:7]: q = τ·pointer[0:2], k = index[0:2]" in lines
    assert "  unit[0:6] = relu(2·found + 1)" in lines
    assert "  pointer += unit[0:6] − unit[6:12] − unit[12:18] + unit[18:24] − 1" in lines
    assert "before: as after layer 2" in lines
    assert "MLP: as in layer 1" in lines
    assert "pointer  code(i1) padded with −1  w" in lines


@pytest.mark.parametrize("sizes", [Sizes(2, ()), Sizes(3, (1,)), Sizes(2, (1, 3, 1))], ids=str)
def test_text_for_people_at_odd_sizes(sizes: Sizes) -> None:
    text = printed(describe(build("C1", sizes)))
    assert "Unembedding" in text
    assert "digit(0)" not in text


def test_many_kinds_are_cut_short() -> None:
    assert few(["table 8", "table 7", "table 6", "table 5", "z0"]) == ["table 8", "…", "table 5", "z0"]
    assert few(["table 3", "table 2", "table 1", "z0"]) == ["table 3", "table 2", "table 1", "z0"]
    assert few(["table 9", "table 7", "table 6", "table 4", "w"]) == ["table 9", "table 7", "table 6", "table 4", "w"]


def is_balanced(latex: str) -> bool:
    """Braces, environments and dollars are closed in the order in which they are opened."""
    plain = re.sub(r"\\[\\{}$&#_%]", " ", latex)
    opened: list[str] = []
    for token in re.findall(r"\\begin\{\w+\*?\}|\\end\{\w+\*?\}|[{}]|\$", plain):
        closes = {"}": "{", "$": "$"}.get(token, token.replace("end", "begin") if token.startswith(r"\end") else "")
        if closes and opened and opened[-1] == closes:
            opened.pop()
        elif token == "}" or token.startswith(r"\end"):
            return False
        else:
            opened.append(token)
    return not opened


REPORTS = {
    "L=1": lambda: show("C1", L=1),
    "L=3": lambda: show("C1", L=3),
    "one layer": lambda: show("C1", L=3, layer=2),
    "n=1": lambda: describe(build("C1", Sizes(2, (1, 3, 1)))),
    "L=16": lambda: show("C1", L=16, m=2, n=[2] * 15),
    "scrambled": lambda: describe(scrambled()),
}


@pytest.mark.parametrize("name", REPORTS)
def test_latex_is_ascii_and_balanced(name: str) -> None:
    latex = to_latex(REPORTS[name]())
    assert latex.isascii()
    assert is_balanced(latex)
    assert re.findall(r"\\usepackage\{(\w+)\}", latex) == ["amsmath"]
    assert latex.rstrip().endswith(r"\end{document}")


def test_the_balance_check_can_fail() -> None:
    latex = to_latex(show("C1", L=1))
    assert is_balanced(latex)
    for token in ("{", "}", "$", r"\begin{array}", r"\end{tabular}", r"\end{document}"):
        assert not is_balanced(latex.replace(token, "", 1))


def test_latex_shows_the_blocks() -> None:
    latex = to_latex(show("C1", L=3))
    assert r"\textsf{key}_{0:3} & \tau(-,+,-)^{\top} & 0 & 0 \\" in latex
    assert r"\textsf{key}_{5:7} & 0 & 0 & \tau I_{2} \\" in latex
    assert r"\textsf{key}_{7:9} & -\tau \mathbf{1}_{2} & 0 & 0 \\" in latex
    assert r"\textsf{unit}_{0:6} &= \relu(2\,\textsf{found} + \mathbf{1}_{6})" in latex
    assert r"$\code(i_{1})$ padded with $-1$ & $w$ \\" in latex
    assert r"$\tau = 3$" in latex


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", REPORTS)
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    (tmp_path / "show.tex").write_text(to_latex(REPORTS[name]()), encoding="ascii")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "show.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    if name != "scrambled":
        assert b"Overfull \\hbox" not in run.stdout


# Large ones


def test_thousands_of_blocks_are_quick() -> None:
    construction = scrambled(seed=2, sizes=Sizes(4, (4,)))
    start = time.perf_counter()
    document = document_of(construction)
    assert len(list(all_blocks(document))) > 4000
    assert rebuild(document) == construction.model
    text = printed(describe(construction))
    assert "more" in text
    assert time.perf_counter() - start < 20


def test_a_long_chain_has_few_blocks() -> None:
    construction = build("C1", Sizes(2, (2,) * 15))
    document = document_of(construction, layer=16)
    (layer,) = document["layers"]
    assert sum(len(layer["mlp"][name]) for name in ("W_1", "b_1", "W_2", "b_2")) == 15
    assert len(layer["heads"][0]["W_Q"]) <= 4


def test_matrices_are_all_shown() -> None:
    """No matrix of the model is left out of the document."""
    (layer, *_) = document_of(build("C1", SMALL))["layers"]
    shown = {name.lower() for name in (*layer["heads"][0], *layer["mlp"])} - {"spaces", "shift"}
    assert shown == {*Head.MATRICES, *MLP.MATRICES}
