"""`show`: matrices as blocks, as a person writes them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from rebuilt_weights import rebuild
from show_cases import SMALL, document_of, with_every_head

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import HEAD_TYPES, MLP, Head, Stream
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.verbs.show import ShowReport, describe, show
from separation.weights import Coefficient, find_blocks
from separation.weights.contents import grid


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
    assert layer["mlps"][0]["b_1"] == [
        {"to": "unit[0:6]", "from": "one", "coefficient": "1"},
        {"to": "unit[6:12]", "from": "one", "coefficient": "-1"},
    ]
    assert {"to": "pointer[0:6]", "from": "unit[6:12]", "coefficient": "-1"} in layer["mlps"][0]["W_2"]


def test_the_report_has_the_keys_and_is_ok() -> None:
    report = show("C1", L=2, tokens=100)
    document = report.document()
    assert report.ok
    assert isinstance(report, ShowReport)
    assert document["ok"] is True
    assert document.keys() >= {"construction", "slots", "temperature", "embedding", "layers", "unembedding"}
    assert document["layers"][0].keys() == {"layer", "heads", "mlps", "before", "after"}
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
    assert r"\tau_{2}" in describe(mixed).latex()


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


def test_a_long_chain_has_few_blocks() -> None:
    construction = build("C1", Sizes(2, (2,) * 15))
    document = document_of(construction, layer=16)
    (layer,) = document["layers"]
    assert sum(len(layer["mlps"][0][name]) for name in ("W_1", "b_1", "W_2", "b_2")) == 15
    assert len(layer["heads"][0]["W_Q"]) <= 4


def test_matrices_are_all_shown() -> None:
    """No matrix of the model is left out of the document."""
    (layer, *_) = document_of(build("C1", SMALL))["layers"]
    shown = {name.lower() for name in (*layer["heads"][0], *layer["mlps"][0])} - {"type", "spaces", "shift"}
    assert shown == {*Head.MATRICES, *MLP.MATRICES}
    for kind, part in HEAD_TYPES.items():
        layers = document_of(with_every_head(build("C1", SMALL)))["layers"]
        head = next(head for layer in layers for head in layer["heads"] if head["type"] == kind)
        assert {name.lower() for name in head} == {*part.MATRICES, *part.NUMBERS, "type", "spaces"}
