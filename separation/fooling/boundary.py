"""What crosses a token boundary of a model without full attention: the states of all its recurrent heads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray
from separation.files import InputError
from separation.models import Model, Reading, checked_ids, embedding_reader, reader_of, run_layer

Place = tuple[int, int]
"""Layer, from 1, and head, from 0."""


def recurrent_places(model: Model) -> list[Place]:
    """All heads of a model whose layers are all R (or without heads), in the order of the computation."""
    places = [(number, index) for number, layer in enumerate(model.layers, 1) for index, _ in enumerate(layer.heads)]
    for number, layer in enumerate(model.layers, 1):
        if layer.letter not in ("", "R"):
            raise InputError(f"layer {number} is {layer.letter}; states alone cross a boundary of R layers only")
    return places


def boundary_states(model: Model, prefixes: NDArray[np.int64]) -> dict[Place, IntegerArray]:
    """For each recurrent head (batch, entries, 2): its state after the last token, as numerators and denominators.

    In lowest terms, so that two states are equal exactly if their numbers here are.
    """
    ids = checked_ids(model, prefixes)
    recurrent_places(model)
    count = ids.shape[1]
    stream = embedding_reader(model, ids).rows(0, count)
    found: dict[Place, IntegerArray] = {}
    for number, layer in enumerate(model.layers, 1):
        reading = Reading(model, number, reader_of(stream))
        attentions = [head.attend(reading) for head in layer.stateful_heads]
        if number < len(model.layers):
            stream, _ = run_layer(model, layer, number, reading.reader, 0, stream, attentions)
        else:  # nobody reads what the last layer writes here
            for attention in attentions:
                attention.rows(count - 1, stream.tokens(count - 1, count))
        for index, attention in enumerate(attentions):
            state = attention.head_state()
            found[number, index] = in_lowest_terms(state.values, state.denominator << model.precision.fraction_bits)
    return found


def packed_states(model: Model, prefixes: NDArray[np.int64]) -> IntegerArray:
    """(batch, numbers): all states side by side; in units of 2^-f where all numbers are multiples of it."""
    states = list(boundary_states(model, prefixes).values())
    unit = 1 << model.precision.fraction_bits
    # What a batch happens to hold must not decide: the same state has the same numbers in every batch.
    if model.is_integral:
        states = [part[:, :, 0] * (unit // part[:, :, 1]) for part in states]
    flat = [part.reshape(len(part), -1) for part in states]
    return np.concatenate(flat, axis=1) if flat else np.zeros((len(np.atleast_2d(prefixes)), 0), dtype=np.int64)


def in_lowest_terms(numbers: IntegerArray, denominator: int) -> IntegerArray:
    """(…, 2): numerators and denominators of numbers / denominator."""
    if denominator == 1:
        return np.stack([numbers, np.ones_like(numbers)], axis=-1)
    wide = numbers if denominator < 2**62 else numbers.astype(object)
    common = np.gcd(wide, denominator)
    return np.stack([wide // common, denominator // common], axis=-1)
