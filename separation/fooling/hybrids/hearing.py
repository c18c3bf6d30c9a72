"""What later tokens hear of the first ones: partial sums of full heads, and the states of recurrent ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray
from separation.files import InputError
from separation.fooling.boundary import Place, in_lowest_terms
from separation.fooling.pair import Message, Transcript
from separation.models import (
    STATEFUL,
    AnyHead,
    FullAttention,
    Head,
    Model,
    Reading,
    Scaled,
    checked_ids,
    embedding_reader,
    reader_of,
    run_layer,
)

LETTERS = ("", "F", "R", "[FR]")


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
        for index, head in enumerate(layer.heads):
            yield _told(model, number, index, head, stream, boundary)
        if number < last:  # nobody listens to what the last layer writes
            stream, _ = run_layer(model, layer, number, reader_of(stream), 0, stream)


def packed(messages: list[Heard], listeners: NDArray[np.int64] | None = None) -> IntegerArray:
    """(batch, numbers): all messages side by side; soft ones of these listeners only, if given."""
    flat = [
        (message.numbers[:, listeners] if message.soft and listeners is not None else message.numbers)
        for message in messages
    ]
    return np.concatenate([part.reshape(len(part), -1) for part in flat], axis=1)


def transcript(model: Model, prompt: NDArray[np.int64], boundary: int) -> Transcript:
    """The messages of one prompt, as they are written in a certificate: listener by listener."""
    return tuple(
        Message(*message.place, tuple(Fraction(int(up), int(down)) for up, down in message.numbers[0].reshape(-1, 2)))
        for message in heard(model, prompt, boundary)
    )


def _told(model: Model, number: int, index: int, head: AnyHead, stream: Scaled, boundary: int) -> Heard:
    reading, fraction = Reading(model, number, reader_of(stream.tokens(0, boundary))), model.precision.fraction_bits
    if isinstance(head, STATEFUL):
        attention = head.attend(reading)
        attention.rows(boundary - 1, stream.tokens(boundary - 1, boundary))
        state = attention.head_state()
        return Heard((number, index), False, in_lowest_terms(state.values, state.denominator << fraction)[:, None])
    assert isinstance(head, Head)
    full = FullAttention(head, reading)
    sums = full.sums(full.query(stream.tokens(boundary, stream.values.shape[1])), boundary)
    parts = [in_lowest_terms(sums.numerators, sums.denominator << fraction), in_lowest_terms(sums.totals[..., None], 1)]
    return Heard((number, index), True, np.concatenate(parts, axis=2))
