"""The forward pass in the exact arithmetic model: integers throughout, one rounding a head.

An embedding; then layer by layer the heads side by side and the blocks of the MLP; then the logits. `decode` goes on
token by token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray, integer_matmul, widen
from separation.models.other_tokens import columns_read, layer_reading, layers_others_need
from separation.models.reading import (
    Attention,
    Reading,
    StreamReader,
    checked,
    reader_of,
    reader_with_memory,
    rows_at_once,
    spans,
)
from separation.models.scaled import Scaled, joined
from separation.models.tables import RowTable
from separation.models.transformer import MLP, Layer, Model


@dataclass(frozen=True)
class Looks:
    """Where one head looked from the last token: the heaviest token, its weight, and the sum of all weights.

    Linear attention weighs with φ_q·φ_k, here integers up to a common factor; of a sparse head the tokens that it reads
    one by one count, while the sum has the summaries too; the delta rule has no weights and looks nowhere.
    """

    layer: int
    head: int
    positions: NDArray[np.int64]
    weights: IntegerArray
    totals: IntegerArray


Watch = Callable[[int, int, int, Scaled], None]
"""(layer from 1, head from 0, first token, what the head hands to the tokens from there on)."""


@dataclass(frozen=True)
class Run:
    """The answer of each prompt, its logits (exact, over a common denominator), and where attention looked.

    answers: (batch,), or (batch, tokens) if every row was asked for; logits have one dimension more.
    """

    answers: NDArray[np.int64]
    logits: IntegerArray
    looks: tuple[Looks, ...]
    denominator: int


def run(
    model: Model,
    token_ids: NDArray[np.int64],
    all_rows: bool = False,
    progress: Callable[[float, str], None] | None = None,
    every_row: bool = False,
    watch: Watch | None = None,
) -> Run:
    """The answers of a batch of prompts, (batch, tokens) or (tokens,), at the last token or at ``every_row``.

    Rows that nothing read later depends on are not computed, unless ``all_rows``; the answers are the same: from then
    on no head reads, of any token but as a query, what layers write. ``watch`` is told what heads hand over.
    """
    ids = checked_ids(model, token_ids)
    tokens = ids.shape[1]
    # A coordinate that is left behind, though nobody reads it, could trip the size check of a later layer: all layers
    # up to the last needed one are computed.
    needed = layers_others_need(model)
    updated = [all_rows or every_row or any(needed[number:]) for number in range(len(needed))]
    last = embedding_reader(model, ids).rows(tokens - 1, tokens)
    columns = np.arange(model.width) if every_row or any(updated) else columns_read(model)
    layers = [layer_reading(layer, columns) for layer in model.layers]
    reader = reader_with_memory(embedding_reader(model, ids, columns))
    looks: list[Looks] = []
    for number, layer in enumerate(layers, start=1):
        if progress is not None:
            progress((number - 1) / len(model.layers), f"layer {number}")
        if updated[number - 1]:
            rows, found = run_layer(model, layer, number, reader, 0, reader.rows(0, tokens), watch=watch)
            reader, last = reader_of(rows), rows.tokens(tokens - 1, tokens)
        else:
            last, found = run_layer(model, layer, number, reader, tokens - 1, last, watch=watch)
        looks += found
    rows = reader.rows(0, tokens) if every_row else last
    logits = logits_of(model, rows) if every_row else logits_of(model, rows)[:, 0]
    denominator = (rows.denominator * model.unembedding.denominator) << model.precision.fraction_bits
    return Run(logits.argmax(axis=-1), logits, tuple(looks), denominator)


def streams(model: Model, token_ids: NDArray[np.int64]) -> Iterator[Scaled]:
    """The stream of every token: the embedding, then that after each layer."""
    ids = checked_ids(model, token_ids)
    rows = embedding_reader(model, ids).rows(0, ids.shape[1])
    yield rows
    for number, layer in enumerate(model.layers, start=1):
        rows, _ = run_layer(model, layer, number, reader_of(rows), 0, rows)
        yield rows


def weights_seen(model: Model, token_ids: NDArray[np.int64]) -> Iterator[tuple[int, int, IntegerArray, int]]:
    """(layer, head, weight of each token, sum of all weights) of the last token of one prompt, head by head.

    where heads without weights are left out; the sum is that of `Looks`.
    """
    ids = checked_ids(model, token_ids)
    rows = embedding_reader(model, ids).rows(0, ids.shape[1])
    for number, layer in enumerate(model.layers, start=1):
        reader = reader_of(rows)
        attentions = [head.attend(Reading(model, number, reader)) for head in layer.heads]
        rows, looks = run_layer(model, layer, number, reader, 0, rows, attentions)
        totals = {look.head: int(look.totals[0]) for look in looks}
        for index, attention in enumerate(attentions):
            weights = attention.weights()
            if weights is not None:
                yield number, index, weights[0], totals[index]


def stream_before(model: Model, token_ids: NDArray[np.int64], layer: int) -> Scaled:
    """The stream of every token that layer ``layer`` (counted from 1) reads."""
    return next(islice(streams(model, token_ids), layer - 1, None))


def checked_ids(model: Model, token_ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """A batch of prompts that the model can read: 1 to as many tokens as there are positions."""
    ids = np.atleast_2d(np.asarray(token_ids, dtype=np.int64))
    if ids.ndim != 2 or not ids.shape[0]:
        raise ValueError(f"one prompt or a batch of prompts is needed, got an array of shape {ids.shape}")
    if not 1 <= ids.shape[1] <= model.positions.height:
        raise ValueError(f"the model reads 1 to {model.positions.height} tokens, got {ids.shape[1]}")
    if ids.min() < 0 or ids.max() >= model.tokens.height:
        raise ValueError(f"token ids lie in 0..{model.tokens.height - 1}, got {ids.min()}..{ids.max()}")
    return ids


def logits_of(model: Model, stream: Scaled) -> IntegerArray:
    """unembedding · x of each token: (batch, tokens, answers)."""
    height = model.unembedding.height
    parts = []
    for first, last in spans(0, height, rows_at_once(model.width)):
        rows = model.unembedding.rows(np.arange(first, last))
        parts.append(integer_matmul(stream.values, rows.T))
    return np.concatenate(parts, axis=2)


def decode(model: Model, token_ids: NDArray[np.int64], steps: int) -> NDArray[np.int64]:
    """t_{n+1} = argmax of unembedding · x_n, ``steps`` times: the generated tokens, (batch, steps) or (steps,).

    where a row's number in the unembedding is the token's id. All but the last generated token are read again.
    """
    prompts = np.asarray(token_ids, dtype=np.int64)
    ids = np.atleast_2d(prompts)
    for _ in range(steps):
        answers = run(model, ids).answers
        ids = np.concatenate([ids, answers[:, None]], axis=1)
    generated = ids[:, prompts.shape[-1] :]
    return generated if prompts.ndim == 2 else generated[0]


def run_layer(
    model: Model,
    layer: Layer,
    number: int,
    reader: StreamReader,
    start: int,
    queries: Scaled,
    attentions: Sequence[Attention] | None = None,
    watch: Watch | None = None,
) -> tuple[Scaled, list[Looks]]:
    """The stream after a layer at the tokens from ``start`` to the last, where before it is ``queries``.

    All heads read the keys and values of ``reader``; ``attentions``, if given, are these heads at work, and ``watch``
    is told what each of them hands over.
    """
    reading = Reading(model, number, reader)
    attentions = [head.attend(reading) for head in layer.heads] if attentions is None else attentions
    entries = [attention.row_entries for attention in attentions] + [mlp.w_1.shape[0] for mlp in layer.mlps]
    size = rows_at_once(reader.batch * max(reader.width, *entries, 0))
    parts = []
    for first, last in spans(0, queries.values.shape[1], size):
        stream = queries.tokens(first, last)
        result = stream
        for index, (head, attention) in enumerate(zip(layer.heads, attentions, strict=True)):
            out = attention.rows(start + first, stream)
            if watch is not None:
                watch(number, index, start + first, out)
            result = result.plus(out.times(head.w_o))
        result = reading.checked(result, "stream")
        for mlp in layer.mlps:
            result = _mlp(reading, mlp, result)
        parts.append(result)
    seen = [(index, attention.seen()) for index, attention in enumerate(attentions)]
    return joined(parts), [Looks(number, index, *found) for index, found in seen if found is not None]


def _mlp(reading: Reading, mlp: MLP, stream: Scaled) -> Scaled:
    hidden = reading.map(stream, mlp.w_1, "hidden", mlp.b_1).rectified()
    change = hidden.times(mlp.w_2).plus(reading.bias(mlp.b_2))
    return reading.checked(stream.plus(change), "stream")


def embedding_reader(
    model: Model, ids: NDArray[np.int64], columns: NDArray[np.int64] | None = None, first: int = 0
) -> StreamReader:
    """positions[i] + tokens[id_i], of all coordinates or of these; computed each time that it is read.

    ``first``: the position of the first token.
    """
    tables = model.positions, model.tokens
    if columns is not None and len(columns) < model.width:
        tables = model.positions.columns(columns), model.tokens.columns(columns)
    batch, count = ids.shape
    return StreamReader(
        batch, count, tables[0].width, lambda start, stop: _embed(model, tables, ids, start, stop, first)
    )


def _embed(
    model: Model, tables: tuple[RowTable, RowTable], ids: NDArray[np.int64], start: int, stop: int, first: int
) -> Scaled:
    step = 1 << model.precision.fraction_bits
    positions, tokens = tables
    place, word = positions.rows(np.arange(first + start, first + stop)), tokens.rows(ids[:, start:stop])
    placed = Scaled(widen(np.broadcast_to(place, word.shape), step), positions.denominator)
    return checked(model, placed.plus(Scaled(widen(word, step), tokens.denominator)), 0, "embedding")
