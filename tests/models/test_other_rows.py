"""Which layers must be computed at other tokens than the last, and that leaving out the rest changes nothing."""

from __future__ import annotations

import importlib
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from random_models import Prompts, batch, fractions_of, naive_logits, random_model, with_fitting_shifts
from relay_cases import DIRECT, HUB, ONE, RELAY, STREAM, chain, head, layer, slot

from separation.arithmetic import ExactMatrix
from separation.models import (
    HEAD_TYPES,
    AnyHead,
    Blocks,
    DeltaHead,
    Head,
    Layer,
    LinearHead,
    Model,
    ProductHead,
    RecurrentHead,
    SparseHead,
    Stored,
    Stream,
    layers_others_need,
    run,
)

RUN = importlib.import_module("separation.models.forward")


def test_a_note_at_another_token_matters() -> None:
    assert layers_others_need(RELAY) == [True, False]
    prompt = [3, 1, 2, 0, 1]
    assert slot(RELAY, prompt, "heard") == slot(RELAY, prompt, "heard", all_rows=True) == 2
    assert slot(RELAY, [3, 2, 2, 0, 1], "heard") == Fraction(37, 16), "7/3, rounded down to 1/16"


def test_the_relay_without_the_other_rows_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RUN, "layers_others_need", lambda model: [False] * len(model.layers))
    assert slot(RELAY, [3, 1, 2, 0, 1], "heard") == 0
    assert slot(RELAY, [3, 1, 2, 0, 1], "heard", all_rows=True) == 2


def test_a_token_that_keeps_its_own_needs_no_other_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert layers_others_need(DIRECT) == [False, False]
    # If they were computed all the same, this would fail.
    monkeypatch.setattr(RUN, "reader_of", None)
    assert slot(DIRECT, [3, 1, 2, 0, 1], "heard") == 2


def test_needs_pass_on() -> None:
    # noted → passed → heard, over two hubs.
    two = chain(
        layer(head("value", "noted")),
        layer(head("noted", "passed", target=1)),
        layer(head("passed", "heard", target=3)),
    )
    assert layers_others_need(two) == [True, True, False]
    assert slot(two, [3, 1, 0, 0, 0], "heard") == slot(two, [3, 1, 0, 0, 0], "heard", all_rows=True) == 2


def test_a_query_of_a_needed_row_is_needed_too() -> None:
    # Layer 1 writes what the queries of layer 2 read; layer 2 matters at the hub.
    asking = chain(
        layer(head("one", "noted")),
        layer(head("value", "passed", target=0, asks="noted")),
        layer(head("passed", "heard", target=HUB)),
    )
    assert layers_others_need(asking) == [True, True, False]
    prompt = [3, 1, 2, 0, 1]
    assert slot(asking, prompt, "heard") == slot(asking, prompt, "heard", all_rows=True) == 3
    # Asked at the last token only, it does not matter.
    last_only = chain(*asking.layers[:2], layer(head("value", "heard", target=HUB)))
    assert layers_others_need(last_only) == [False, False, False]
    assert slot(last_only, prompt, "passed") == slot(last_only, prompt, "passed", all_rows=True) == 3


def test_what_an_mlp_writes_counts() -> None:
    add = Blocks(STREAM, ONE).constants("noted", [5])
    by_bias = chain(layer(b_2=add), layer(head("noted", "heard", target=HUB)))
    assert layers_others_need(by_bias) == [True, False]
    assert slot(by_bias, [0] * 5, "heard") == 5
    copy = layer(w_1=Blocks(ONE, STREAM).copy("one", "value"), w_2=Blocks(STREAM, ONE).copy("noted", "one"))
    by_hidden = chain(copy, layer(head("noted", "heard", target=HUB)))
    assert layers_others_need(by_hidden) == [True, False]
    assert slot(by_hidden, [0, 0, 3, 0, 0], "heard") == 3
    # What the MLP reads is needed where the MLP is.
    via_mlp = layer(w_1=Blocks(ONE, STREAM).copy("one", "noted"), w_2=Blocks(STREAM, ONE).copy("passed", "one"))
    three = chain(layer(head("value", "noted")), via_mlp, layer(head("passed", "heard", target=HUB)))
    assert layers_others_need(three) == [True, True, False]
    assert slot(three, [3, 1, 2, 0, 1], "heard") == slot(three, [3, 1, 2, 0, 1], "heard", all_rows=True) == 2


def reader(kind: str, **reads: str) -> AnyHead:
    """A head of a type whose matrices read the slots named and nothing else; it writes ``heard``."""
    matrices = {
        name: Blocks(ONE, STREAM).copy("one", reads[name]).build()
        if name in reads
        else ExactMatrix.zeros(1, STREAM.width)
        for name in HEAD_TYPES[kind].READERS
    }
    w_o = Blocks(STREAM, ONE).copy("heard", "one").build()
    one, no = ExactMatrix.from_rows([[1]]), ExactMatrix.zeros(1, 1)
    if kind == "linear":
        return LinearHead(**matrices, b_q=one, b_k=one, w_o=w_o, normalised=False)
    if kind == "delta":
        return DeltaHead(**matrices, b_a=no, b_b=no, w_o=w_o)
    if kind == "product":
        return ProductHead(**matrices, b_b=no, w_o=w_o, updates=1)
    if kind == "sparse":
        pair = ExactMatrix.from_rows([[1, 1]])
        return SparseHead(**matrices, c_k=pair, c_v=pair, w_o=w_o, shift=Fraction(18), block=2, opened=1)
    if kind == "recurrent":
        three = Blocks(Stream([("one", 3)]), STREAM)
        for row in range(3):
            three.put(row, STREAM[reads["w_x"]][0], 1)
        bias = ExactMatrix.from_rows([[1], [1], [0]])
        return RecurrentHead(three.build(), bias, ExactMatrix.zeros(0, 1), w_o, "linear", 1, 1)
    return Head(**matrices, w_o=w_o, shift=Fraction(18))


@pytest.mark.parametrize("kind", HEAD_TYPES)
def test_all_but_queries_are_read_of_other_tokens(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And leaving them out changes answers."""
    prompts = [[3, 1, 2, 0, 1], [1, 1, 0, 2, 3], [0, 1, 1, 1, 1], [1, 0, 0, 1, 0], [2, 2, 2, 2, 2]]
    for name in HEAD_TYPES[kind].READERS:
        reads = dict.fromkeys(HEAD_TYPES[kind].READERS, "value") | {name: "noted"}
        model = chain(layer(head("value", "noted")), layer(reader(kind, **reads)))
        assert layers_others_need(model) == [name != "w_q", False]
        wanted = naive_logits(model, prompts)
        assert fractions_of(run(model, batch(prompts))) == wanted
        assert fractions_of(run(model, batch(prompts), all_rows=True)) == wanted
        monkeypatch.setattr(RUN, "layers_others_need", lambda model: [False] * len(model.layers))
        assert (fractions_of(run(model, batch(prompts))) == wanted) == (name == "w_q"), name
        monkeypatch.undo()


def test_a_note_behind_the_hub_is_heard_both_ways() -> None:
    both = replace(RELAY, causal=False)
    assert layers_others_need(both) == [True, False]
    for prompt in ([3, 1, 2, 0, 1], [0, 0, 0, 3, 3]):
        average = Fraction(sum(prompt) * 16 // 5, 16)
        assert slot(both, prompt, "heard") == slot(both, prompt, "heard", all_rows=True) == average
    assert slot(RELAY, [0, 0, 0, 3, 3], "heard") == 0


def test_the_second_mlp_reads_what_the_first_wrote() -> None:
    note = Blocks(ONE, STREAM).copy("one", "value"), Blocks(STREAM, ONE).copy("noted", "one")
    hand_on = Blocks(ONE, STREAM).copy("one", "noted"), Blocks(STREAM, ONE).copy("passed", "one")
    (first,), (second,) = (layer(w_1=w_1, w_2=w_2).mlps for w_1, w_2 in (note, hand_on))
    last = layer(head("passed", "heard", target=HUB))
    model = chain(Layer((), (first, second)), last)
    assert layers_others_need(model) == [True, False]
    assert slot(model, [0, 0, 3, 0, 0], "heard") == slot(model, [0, 0, 3, 0, 0], "heard", all_rows=True) == 3
    turned = chain(Layer((), (second, first)), last)
    assert slot(turned, [0, 0, 3, 0, 0], "heard") == 0


def test_rows_that_were_left_out_cannot_trip_a_later_size_check() -> None:
    # ``unused`` is at its limit at token 0; layer 1 takes 8 off it, layer 2 puts 8 on it and writes what is needed.
    down = layer(b_2=Blocks(STREAM, ONE).constants("unused", [-8]))
    up = layer(b_2=Blocks(STREAM, ONE).constants("unused", [8]).constants("noted", [1]))
    model = chain(down, up, layer(head("noted", "heard", target=0)))
    positions = model.positions
    assert isinstance(positions, Stored)
    limit = model.precision.limit
    full = positions.matrix.with_entry(0, STREAM["unused"][0], limit)
    model = replace(model, positions=Stored(full))
    assert layers_others_need(model) == [False, True, False]
    assert slot(model, [0] * 5, "heard") == slot(model, [0] * 5, "heard", all_rows=True) == 1


def sparse_model(seed: int) -> tuple[Model, Prompts]:
    """A random model with few entries, in which some layers are needed and some are not."""
    model, prompts = random_model(seed, integral=True)
    rng = np.random.default_rng(seed)

    def thin(part: Any) -> Any:
        changed = {}
        for name in part.MATRICES:
            kept = [entry for entry in getattr(part, name).entries() if rng.random() < 0.4]
            changed[name] = ExactMatrix.from_entries(getattr(part, name).shape, kept)
        return replace(part, **changed)

    layers = tuple(Layer(tuple(map(thin, old.heads)), tuple(map(thin, old.mlps))) for old in model.layers)
    return with_fitting_shifts(replace(model, layers=layers), prompts), prompts


def test_what_is_left_out_changes_no_sparse_model() -> None:
    needs = set()
    for seed in range(1000, 1030):
        model, prompts = sparse_model(seed)
        found = fractions_of(run(model, batch(prompts)))
        assert found == fractions_of(run(model, batch(prompts), all_rows=True)) == naive_logits(model, prompts)
        needs.add(tuple(layers_others_need(model)))
    assert {(False, False), (True, False), (True, True, False)} <= needs
