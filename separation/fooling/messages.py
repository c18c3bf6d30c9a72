"""What later tokens hear of those before a boundary: head by head, for any model of F, R and [FR]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray
from separation.files import InputError
from separation.fooling.pair import Message, Transcript
from separation.models import (
    STATEFUL,
    Attention,
    FullAttention,
    Model,
    Scaled,
    attending,
    checked_ids,
    embedding_reader,
    joined,
    reader_of,
    run_layer,
)

LETTERS = ("", "F", "R", "[FR]")
Place = tuple[int, int]
"""Layer, from 1, and head, from 0."""


@dataclass(frozen=True)
class Heard:
    """The messages of one head: (batch, listeners, numbers, 2), numerators and denominators in lowest terms.

    A full head tells each later token Σ e v and Σ e over the tokens before the boundary. A recurrent head tells all of
    them its state, once: it has one listener.
    """

    place: Place
    soft: bool
    numbers: IntegerArray


def require_words(model: Model) -> None:
    for number, layer in enumerate(model.layers, 1):
        if layer.letter not in LETTERS:
            raise InputError(f"layer {number} is {layer.letter}; messages are defined for F, R and [FR]")
    if not model.causal:
        raise InputError("messages go from earlier tokens to later ones: a causal model is needed, this is an encoder")


def heard(model: Model, ids: NDArray[np.int64], boundary: int, layers: int | None = None) -> Iterator[Heard]:
    """All that the tokens from ``boundary`` on hear of those before it, in the first ``layers`` layers (or all)."""
    ids = checked_ids(model, ids)
    require_words(model)
    count, last = ids.shape[1], len(model.layers) if layers is None else layers
    stream = embedding_reader(model, ids).rows(0, count)
    for number, layer in enumerate(model.layers[:last], 1):
        reader, before, later = reader_of(stream), stream.tokens(0, boundary), stream.tokens(boundary, count)
        attentions = attending(model, layer, number, reader)
        if number < last:
            parts = [run_layer(model, layer, number, reader, 0, before, attentions)]
        else:  # nobody listens to what the last layer writes
            for head, attention in zip(layer.heads, attentions, strict=True):
                if isinstance(head, STATEFUL):
                    attention.rows(boundary - 1, stream.tokens(boundary - 1, boundary))
        for index, attention in enumerate(attentions):
            yield _told(model, (number, index), attention, later, boundary)
        if number < last:
            parts += [run_layer(model, layer, number, reader, boundary, later, attentions)] if boundary < count else []
            stream = joined(parts)


def _told(model: Model, place: Place, attention: Attention, later: Scaled, boundary: int) -> Heard:
    fraction = model.precision.fraction_bits
    if isinstance(attention, FullAttention):
        sums = attention.sums(attention.query(later), boundary)
        below = in_lowest_terms(sums.numerators, sums.denominator << fraction)
        return Heard(place, True, np.concatenate([below, in_lowest_terms(sums.totals[..., None], 1)], axis=2))
    state = attention.head_state()  # type: ignore[attr-defined]
    return Heard(place, False, in_lowest_terms(state.values, state.denominator << fraction)[:, None])


def packed(model: Model, messages: Sequence[Heard], listeners: NDArray[np.int64] | None = None) -> IntegerArray:
    """(batch, numbers): all messages side by side; soft ones of these ``listeners`` only, if given.

    In units of 2^-f where all numbers are multiples of it. What a batch happens to hold does not decide: the same
    message has the same numbers in every batch.
    """
    unit, flat = 1 << model.precision.fraction_bits, []
    for message in messages:
        numbers = message.numbers[:, listeners] if message.soft and listeners is not None else message.numbers
        if model.is_integral:
            numbers = numbers[..., 0] * (unit // numbers[..., 1])
        flat.append(numbers.reshape(len(numbers), -1))
    return np.concatenate(flat, axis=1)


def transcript(model: Model, prompt: NDArray[np.int64], boundary: int) -> Transcript:
    """The messages of one prompt, as they are written in a certificate: listener by listener."""
    return tuple(
        Message(*message.place, tuple(Fraction(int(up), int(down)) for up, down in message.numbers[0].reshape(-1, 2)))
        for message in heard(model, prompt, boundary)
    )


def packed_states(model: Model, prefixes: NDArray[np.int64]) -> IntegerArray:
    """(batch, numbers): all states after the last of these tokens, of a model whose layers are R or without heads."""
    for number, layer in enumerate(model.layers, 1):
        if layer.letter not in ("", "R"):
            raise InputError(f"layer {number} is {layer.letter}; states alone cross a boundary of R layers only")
    prefixes = np.atleast_2d(prefixes)
    if not model.word:
        return np.zeros((len(prefixes), 0), dtype=np.int64)
    return packed(model, list(heard(model, prefixes, prefixes.shape[1])))


def in_lowest_terms(numbers: IntegerArray, denominator: int) -> IntegerArray:
    """(…, 2): numerators and denominators of numbers / denominator."""
    if denominator == 1:
        return np.stack([numbers, np.ones_like(numbers)], axis=-1)
    wide = numbers if denominator < 2**62 else numbers.astype(object)
    common = np.gcd(wide, denominator)
    return np.stack([wide // common, denominator // common], axis=-1)
