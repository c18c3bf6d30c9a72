"""`show`: what is printed is the weights that are proved; whoever changes a block changes the weights."""

from __future__ import annotations

import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from rebuilt_weights import rebuild
from show_cases import SIZES, SMALL, all_blocks, document_of, scrambled, with_every_head

from constructions import build
from separation.files import InputError
from separation.models import HEAD_TYPES, Head
from separation.proving import prove
from separation.tasks.funccomp import Sizes

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
        (head,), (mlp,) = shown["heads"], shown["mlps"]
        (block,) = layer.mlps
        inner = {name: [(name, width)] for part in (head, mlp) for name, width in part["spaces"].items()}
        one = [("one", 1)]
        for matrix, blocks, to, origin in [
            (layer.heads[0].w_q, head["W_Q"], inner["key"], slots),
            (layer.heads[0].w_k, head["W_K"], inner["key"], slots),
            (layer.heads[0].w_v, head["W_V"], inner["head"], slots),
            (layer.heads[0].w_o, head["W_O"], slots, inner["head"]),
            (block.w_1, mlp["W_1"], inner["unit"], slots),
            (block.b_1, mlp["b_1"], inner["unit"], one),
            (block.w_2, mlp["W_2"], slots, inner["unit"]),
            (block.b_2, mlp["b_2"], slots, one),
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
    assert prove(model, construction.stages, construction.shape).ok


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


@pytest.mark.parametrize("seed", range(4))
def test_every_type_of_head_comes_back(seed: int) -> None:
    """Heads of all types side by side, no MLP, two of them, attention both ways, a mirrored table."""
    construction = with_every_head(build("C1", SMALL), seed)
    model = construction.model
    assert {head.TYPE for layer in model.layers for head in layer.heads} == set(HEAD_TYPES)
    assert {len(layer.mlps) for layer in model.layers} == {0, 1, 2}
    assert rebuild(document_of(construction)) == model
    full = [replace(layer, heads=tuple(h for h in layer.heads if isinstance(h, Head))) for layer in model.layers]
    both = replace(model, layers=tuple(full), causal=False)
    assert rebuild(document_of(replace(construction, model=both))) == both


# Broken twins


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("normalised", False),
        ("opened", 5),
        ("shift", "3/7"),
        ("type", "sparse"),
        ("block", 3),
        ("family", "gla"),
        ("count", 1),
        ("d_k", 3),
    ],
)
def test_a_changed_number_of_a_head_is_noticed(name: str, value: Any) -> None:
    construction = with_every_head(build("C1", SMALL))
    document = document_of(construction)
    assert rebuild(document) == construction.model
    for layer in document["layers"]:
        for head in layer["heads"]:
            if name in head and head[name] != value:
                old, head[name] = head[name], value
                try:
                    assert rebuild(document) != construction.model
                except InputError:
                    assert name in ("type", "block", "family", "count", "d_k")
                head[name] = old


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("type", "other", "type must be one of full, linear, delta, sparse, recurrent, got 'other'"),
        ("normalised", 1, "normalised must be true or false"),
        ("block", 0, "block must be an integer in 1"),
        ("opened", "x", "opened must be an exact number"),
        ("shift", "(1,2)", "shift must be one number"),
        ("family", "lstm", "family must be one of linear, linear-normalised, retnet"),
        ("d_k", 0, "d_k must be an integer in 1"),
        ("count", 1 << 21, "count width must be an integer in 0"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused(name: str, value: Any, message: str) -> None:
    document = document_of(with_every_head(build("C1", SMALL)))
    head = next(head for layer in document["layers"] for head in layer["heads"] if name in head)
    head[name] = value
    with pytest.raises(InputError, match=message):
        rebuild(document)


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
        ({"to": "fund[0:3]"}, "'fund\\[0:3\\]' names no coordinates of the slots one, tag"),
        ({"to": 3}, "names no coordinates"),
        ({"from": "unit[0:2]"}, "names no coordinates of the slots head"),
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
    twice["layers"][0]["mlps"][0]["W_2"] *= 2
    with pytest.raises(InputError, match="is written twice"):
        rebuild(twice)
    for key in ("temperature", "slots", "embedding", "layers", "unembedding", "precision", "attention"):
        with pytest.raises(InputError, match=f"{key} is missing"):
            rebuild({name: value for name, value in document.items() if name != key})
        with pytest.raises(InputError):
            rebuild({**document, key: 3})
