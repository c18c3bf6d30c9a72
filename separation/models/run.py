"""The forward pass in the exact arithmetic model: integers throughout, one rounding a head."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import lcm

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, PrecisionOverflow, attention_weights, integer_matmul
from separation.arithmetic.matrices import IntegerArray, largest, narrow, widen
from separation.models.transformer import MLP, Head, Layer, Model

BLOCK_ENTRIES = 1 << 20


@dataclass(frozen=True)
class Looks:
    """Where one head looked from the last token: the heaviest key, its weight, and the sum of all weights."""

    layer: int
    head: int
    positions: NDArray[np.int64]
    weights: IntegerArray
    totals: IntegerArray


@dataclass(frozen=True)
class Run:
    """The answer of each prompt, its logits (exact, up to one common factor), and where attention looked."""

    answers: NDArray[np.int64]
    logits: IntegerArray
    looks: tuple[Looks, ...]


@dataclass(frozen=True)
class _Scaled:
    """values · 2^-f / denominator."""

    values: IntegerArray
    denominator: int

    def times(self, matrix: ExactMatrix) -> _Scaled:
        """matrix · x for the vector x of each token."""
        product = integer_matmul(self.values, matrix.numerators.T)
        return _reduced(product, self.denominator * matrix.denominator)

    def plus(self, other: _Scaled) -> _Scaled:
        common = lcm(self.denominator, other.denominator)
        left = widen(self.values, common // self.denominator)
        right = widen(other.values, common // other.denominator)
        return _reduced(left + right, common)


Block = tuple[NDArray[np.int64], _Scaled]
"""Positions, and the stream there: (batch, positions, width)."""


def run(
    model: Model,
    token_ids: NDArray[np.int64],
    all_rows: bool = False,
    progress: Callable[[float, str], None] | None = None,
) -> Run:
    """The answers of a batch of prompts, (batch, tokens) or (tokens,).

    Rows that no later key or value depends on are not computed, unless ``all_rows``; the answers are the same: from
    then on nobody's keys and values, the last token's own included, read what layers write.
    """
    ids = np.atleast_2d(np.asarray(token_ids, dtype=np.int64))
    if ids.ndim != 2 or not ids.shape[0]:
        raise ValueError(f"one prompt or a batch of prompts is needed, got an array of shape {ids.shape}")
    if ids.shape[1] != model.positions.height:
        raise ValueError(f"the model reads {model.positions.height} tokens, got {ids.shape[1]}")
    if ids.min() < 0 or ids.max() >= model.tokens.height:
        raise ValueError(f"token ids lie in 0..{model.tokens.height - 1}, got {ids.min()}..{ids.max()}")
    # A coordinate that is left behind, though nobody reads it, could trip the size check of a later layer: all layers
    # up to the last needed one are computed.
    needed = layers_other_rows_need(model)
    updated = [all_rows or any(needed[number:]) for number in range(len(needed))]
    last = _embed(model, ids, np.arange(ids.shape[1] - 1, ids.shape[1]))
    rows = _embed(model, ids, np.arange(ids.shape[1])) if any(updated) else None
    looks: list[Looks] = []
    for number, layer in enumerate(model.layers, start=1):
        if progress is not None:
            progress((number - 1) / len(model.layers), f"layer {number}")
        blocks = _stored_blocks(rows) if rows is not None else _embedded_blocks(model, ids)
        new_last = _layer(model, layer, ids.shape[1] - 1, last, blocks, number, looks)
        if rows is not None and updated[number - 1]:
            rows = _all_rows(model, layer, rows, number)
        last = new_last
    return _answer(model, last, looks)


def layers_other_rows_need(model: Model) -> list[bool]:
    """For each layer: does a key or value of a later layer depend on what it writes in rows other than the last?"""
    live: set[int] = set()
    needed: list[bool] = []
    for layer in reversed(model.layers):
        writes = set().union(*(_rows_used(head.w_o) for head in layer.heads))
        writes |= _rows_used(layer.mlp.w_2) | _rows_used(layer.mlp.b_2)
        update = bool(writes & live)
        needed.append(update)
        for head in layer.heads:
            live |= _columns_used(head.w_k) | _columns_used(head.w_v)
            if update:
                live |= _columns_used(head.w_q)
        if update:
            live |= _columns_used(layer.mlp.w_1)
    return needed[::-1]


def _columns_used(matrix: ExactMatrix) -> set[int]:
    return set(np.flatnonzero((matrix.numerators != 0).any(axis=0)).tolist())


def _rows_used(matrix: ExactMatrix) -> set[int]:
    return set(np.flatnonzero((matrix.numerators != 0).any(axis=1)).tolist())


def _embed(model: Model, ids: NDArray[np.int64], positions: NDArray[np.int64]) -> _Scaled:
    step = 1 << model.precision.fraction_bits
    place = model.positions.rows(positions)
    word = model.tokens.rows(ids[:, positions])
    placed = _Scaled(widen(np.broadcast_to(place, word.shape), step), model.positions.denominator)
    return _checked(model, placed.plus(_Scaled(widen(word, step), model.tokens.denominator)), 0, "embedding")


def _embedded_blocks(model: Model, ids: NDArray[np.int64]) -> Callable[[int], Iterator[Block]]:
    """Blocks of the embedding itself, made anew for each layer, for models whose other rows keep what is read."""
    size = max(1, BLOCK_ENTRIES // (ids.shape[0] * model.width))

    def blocks(stop: int) -> Iterator[Block]:
        for start in range(0, stop, size):
            positions = np.arange(start, min(start + size, stop))
            yield positions, _embed(model, ids, positions)

    return blocks


def _stored_blocks(rows: _Scaled) -> Callable[[int], Iterator[Block]]:
    batch, _, width = rows.values.shape
    size = max(1, BLOCK_ENTRIES // (batch * width))

    def blocks(stop: int) -> Iterator[Block]:
        for start in range(0, stop, size):
            positions = np.arange(start, min(start + size, stop))
            yield positions, _Scaled(rows.values[:, positions], rows.denominator)

    return blocks


def _all_rows(model: Model, layer: Layer, rows: _Scaled, number: int) -> _Scaled:
    batch, tokens, _ = rows.values.shape
    size = max(1, BLOCK_ENTRIES // (batch * tokens))
    parts = []
    for start in range(0, tokens, size):
        chosen = _Scaled(rows.values[:, start : start + size], rows.denominator)
        parts.append(_layer(model, layer, start, chosen, _stored_blocks(rows), number, None))
    common = lcm(*(part.denominator for part in parts))
    return _Scaled(np.concatenate([widen(p.values, common // p.denominator) for p in parts], axis=1), common)


def _layer(
    model: Model,
    layer: Layer,
    start: int,
    queries: _Scaled,
    blocks: Callable[[int], Iterator[Block]],
    number: int,
    looks: list[Looks] | None,
) -> _Scaled:
    """One layer for the consecutive tokens from ``start`` on, whose stream is ``queries``."""
    result = queries
    for index, head in enumerate(layer.heads):
        out, seen = _attend(model, head, start, queries, blocks, number)
        if looks is not None:
            looks.append(Looks(number, index, *seen))
        result = result.plus(out.times(head.w_o))
    return _mlp(model, layer.mlp, _checked(model, result, number, "stream"), number)


def _attend(
    model: Model, head: Head, start: int, queries: _Scaled, blocks: Callable[[int], Iterator[Block]], number: int
) -> tuple[_Scaled, tuple[NDArray[np.int64], IntegerArray, IntegerArray]]:
    """⌊Σ_j e_ij v_j / Σ_j e_ij⌋ for the query tokens i = start, start+1, …, keys in blocks (integer sums add up)."""
    query = _checked(model, queries.times(head.w_q), number, "query")
    batch, count, _ = query.values.shape
    stop = start + count
    own = np.arange(start, stop)
    best = np.full(batch, -1, dtype=np.int64)
    best_weight: IntegerArray = np.full(batch, -1, dtype=object)
    # |Σ e v| ≤ tokens · 2^P · 2^p when values are whole multiples of 2^-f; Python integers where that is too much.
    fits = stop << (model.precision.score_bits + model.precision.bits) < 2**62
    integers: type = np.int64 if fits else object
    totals: IntegerArray = np.zeros((batch, count), dtype=integers)
    sums: IntegerArray = np.zeros((batch, count, head.w_v.shape[0]), dtype=integers)
    denominator = 1
    for positions, stream in blocks(stop):
        key = _checked(model, stream.times(head.w_k), number, "key")
        value = _checked(model, stream.times(head.w_v), number, "value")
        scale = (query.denominator * key.denominator) << (2 * model.precision.fraction_bits)
        visible = positions[None, :] <= own[:, None]
        scores = integer_matmul(query.values, np.swapaxes(key.values, 1, 2))
        # A key that a causal query cannot see gets the lowest score there is: it must not trip the shift check.
        scores = np.where(visible, scores, scores.min())
        try:
            weights = attention_weights(scores, scale, head.shift, model.precision.score_bits)
        except PrecisionOverflow as error:
            raise PrecisionOverflow(f"layer {number}: {error}") from None
        weights = np.where(visible, weights, 0)
        heaviest = weights[:, -1].argmax(axis=1)
        heaviest_weight = weights[np.arange(batch), -1, heaviest].astype(object)
        better = heaviest_weight > best_weight
        best = np.where(better, positions[heaviest], best)
        best_weight = np.where(better, heaviest_weight, best_weight)
        if value.denominator != 1:
            integers, sums, totals = object, sums.astype(object), totals.astype(object)
        part: IntegerArray = integer_matmul(weights, value.values).astype(integers)
        common = lcm(denominator, value.denominator)
        sums = sums * (common // denominator) + part * (common // value.denominator)
        denominator = common
        totals = totals + weights.sum(axis=2, dtype=integers)
    out = narrow(sums // (np.where(totals == 0, 1, totals) * denominator)[..., None])
    return _Scaled(out, 1), (best, narrow(best_weight), narrow(totals[:, -1]))


def _mlp(model: Model, mlp: MLP, stream: _Scaled, number: int) -> _Scaled:
    hidden = _checked(model, stream.times(mlp.w_1).plus(_bias(model, mlp.b_1)), number, "hidden")
    rectified = _Scaled(np.maximum(hidden.values, 0), hidden.denominator)
    change = rectified.times(mlp.w_2).plus(_bias(model, mlp.b_2))
    return _checked(model, stream.plus(change), number, "stream")


def _bias(model: Model, bias: ExactMatrix) -> _Scaled:
    return _Scaled(widen(bias.numerators[:, 0], 1 << model.precision.fraction_bits), bias.denominator)


def _answer(model: Model, last: _Scaled, looks: list[Looks]) -> Run:
    parts = []
    size = max(1, BLOCK_ENTRIES // model.width)
    for start in range(0, model.unembedding.height, size):
        numbers = np.arange(start, min(start + size, model.unembedding.height))
        rows = model.unembedding.rows(numbers)
        parts.append(integer_matmul(last.values[:, -1], rows.T))
    logits = np.concatenate(parts, axis=1)
    return Run(logits.argmax(axis=1), logits, tuple(looks))


def _reduced(values: IntegerArray, denominator: int) -> _Scaled:
    if denominator == 1:
        return _Scaled(narrow(values), 1)
    flat = ExactMatrix(values.reshape(1, -1), denominator)
    return _Scaled(flat.numerators.reshape(values.shape), flat.denominator)


def _checked(model: Model, scaled: _Scaled, number: int, what: str) -> _Scaled:
    """An activation outside ±2^p is an error."""
    if largest(scaled.values) > scaled.denominator << model.precision.bits:
        bits = model.precision.bits
        raise PrecisionOverflow(f"layer {number}: an activation ({what}) needs more than p = {bits} bits")
    return scaled
