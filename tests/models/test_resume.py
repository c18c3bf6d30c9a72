"""Recurrent heads cut between two tokens: who is handed the state goes on as if nothing had happened."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_model import evaluate
from random_models import Prompts, batch, document_of, model_with_a_head

from separation.arithmetic import ExactMatrix, Precision
from separation.models import (
    STATEFUL,
    HeadState,
    LinearHead,
    Model,
    Scaled,
    StatefulHead,
    advance,
    blank_recurrent_head,
    decode_state,
    encode_state,
    initial_state,
    joined,
    state_bits,
    streams,
)
from separation.recurrences import FAMILIES

KINDS = (*FAMILIES, "linear head", "delta head")


def subject(kind: str, seed: int) -> tuple[Model, StatefulHead, Scaled]:
    """A model, the first head of its first layer, and the stream that the head reads."""
    model, prompts = model_of(kind, seed)
    head = model.layers[0].heads[0]
    assert isinstance(head, STATEFUL)
    return model, head, next(streams(model, batch(prompts)))


def prompts_of(kind: str, seed: int) -> Prompts:
    return model_of(kind, seed)[1]


model_of = cache(model_with_a_head)


def in_pieces(model: Model, head: StatefulHead, stream: Scaled, cuts: Sequence[int]) -> tuple[list[Scaled], HeadState]:
    carried = initial_state(head, len(stream.values))
    outs = []
    for first, last in zip([0, *cuts], [*cuts, stream.values.shape[1]], strict=True):
        if last > first:
            out, carried = advance(model, 1, head, carried, first, stream.tokens(first, last))
            outs.append(out)
    return outs, carried


def numbers(outs: Sequence[Scaled]) -> list[Fraction]:
    whole = joined(outs)
    return [Fraction(int(value), whole.denominator) for value in whole.values.flat]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12)
@given(seed=st.integers(0, 5), cuts=st.lists(st.integers(0, 6), max_size=5))
def test_any_cut_gives_the_same_outputs_and_the_same_state(kind: str, seed: int, cuts: list[int]) -> None:
    model, head, stream = subject(kind, seed)
    places = sorted(min(cut, stream.values.shape[1]) for cut in cuts)
    whole, last = in_pieces(model, head, stream, [])
    pieces, carried = in_pieces(model, head, stream, places)
    assert numbers(pieces) == numbers(whole)
    assert carried == last
    assert [carried.canonical(prompt) for prompt in range(carried.batch)] == [
        last.canonical(prompt) for prompt in range(last.batch)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_the_state_is_the_naive_one(kind: str) -> None:
    model, head, stream = subject(kind, 3)
    _, carried = in_pieces(model, head, stream, [1, 2])
    step = model.precision.step
    for number, prompt in enumerate(prompts_of(kind, 3)):
        rows, normaliser = evaluate(document_of(model), prompt).states[1, 0][-1]
        entries = [entry / step for row in rows for entry in row]
        if isinstance(head, LinearHead) and head.normalised:
            entries += [entry / step for entry in normaliser]
        assert entries == list(carried.numbers(number))


@pytest.mark.parametrize("kind", KINDS)
def test_who_gets_another_state_goes_on_otherwise(kind: str) -> None:
    """A state forgotten at a cut, or one entry of it off by one step, is noticed in some model."""
    forgotten = changed = False
    for seed in range(12):
        model, head, stream = subject(kind, seed)
        _, carried = advance(model, 1, head, initial_state(head, len(stream.values)), 0, stream.tokens(0, 2))
        rest = stream.tokens(2, stream.values.shape[1])
        wanted = advance(model, 1, head, carried, 2, rest)
        nothing = advance(model, 1, head, initial_state(head, len(stream.values)), 2, rest)
        forgotten |= nothing[1] != wanted[1] or numbers([nothing[0]]) != numbers([wanted[0]])
        values = carried.values.astype(object)
        values[:, -1] += 7 * carried.denominator
        other = advance(model, 1, head, HeadState(values, carried.denominator), 2, rest)
        changed |= other[1] != wanted[1] or numbers([other[0]]) != numbers([wanted[0]])
    assert (forgotten, changed) == (True, True)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_state_has_exactly_the_bits_of_the_formula(family: str) -> None:
    for seed in range(4):
        model, head, stream = subject(family, seed)
        _, carried = in_pieces(model, head, stream, [])
        assert carried.denominator == 1
        sizes = {"d_k": head.d_k, "d_v": head.d_v, "d": head.d_v, "w": head.count, "H": 1, "p": model.precision.bits}  # type: ignore[union-attr]
        formula = FAMILIES[family].bits()
        assert state_bits(head, model.precision) == formula.subs({s: sizes[s.name] for s in formula.free_symbols})
        codes = encode_state(head, model.precision, carried)
        assert all(0 <= code < 1 << state_bits(head, model.precision) for code in codes)
        assert decode_state(head, model.precision, codes) == carried


def head_of(kind: str) -> StatefulHead:
    zeros = ExactMatrix.zeros
    linear = LinearHead(zeros(1, 2), zeros(1, 1), zeros(1, 2), zeros(1, 1), zeros(1, 2), zeros(2, 1), normalised=True)
    return linear if kind == "linear" else blank_recurrent_head("linear-normalised", 1, 1)


@pytest.mark.parametrize(("kind", "bits", "low", "high"), [("linear", 5, -16, 15), ("recurrent", 3, -4, 3)])
def test_every_state_has_a_code_of_its_own(kind: str, bits: int, low: int, high: int) -> None:
    """p = 3: an entry in two's complement; all pairs of entries together have all codes, each once."""
    head, precision = head_of(kind), Precision(8, 3, 1)
    assert (head.entry_bits(precision), state_bits(head, precision)) == (bits, 2 * bits)
    pairs = [(a, b) for a in range(low, high + 1) for b in range(low, high + 1)]
    carried = HeadState(np.array(pairs))
    codes = encode_state(head, precision, carried)
    assert sorted(codes) == list(range(1 << (2 * bits)))
    assert decode_state(head, precision, codes) == carried
    for beyond in (low - 1, high + 1):
        with pytest.raises(ValueError, match=f"has entries beyond {bits} bits$"):
            encode_state(head, precision, HeadState(np.array([[0, beyond]])))
    for code in (-1, 1 << (2 * bits)):
        with pytest.raises(ValueError, match=f"a state of {2 * bits} bits is an integer in"):
            decode_state(head, precision, [code])


def test_a_state_off_the_grid_has_no_fixed_number_of_bits() -> None:
    with pytest.raises(ValueError, match=r"^the state of a linear head is no multiple of 2\^-f"):
        encode_state(head_of("linear"), Precision(8, 9, 1), HeadState(np.array([[1, 2]]), 3))
