"""The forward pass in the exact arithmetic model: integers throughout, one rounding a head."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import integer_matmul
from separation.arithmetic.matrices import IntegerArray
from separation.models.layer_run import Looks, Watch, run_layer
from separation.models.narrow import columns_read, narrowed_layer
from separation.models.needs import layers_other_rows_need
from separation.models.scaled import Scaled
from separation.models.source import embedding, kept, remembered, rows_at_once, spans
from separation.models.transformer import Model


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
    needed = layers_other_rows_need(model)
    updated = [all_rows or every_row or any(needed[number:]) for number in range(len(needed))]
    last = embedding(model, ids).rows(tokens - 1, tokens)
    columns = np.arange(model.width) if every_row or any(updated) else columns_read(model)
    layers = [narrowed_layer(layer, columns) for layer in model.layers]
    source = remembered(embedding(model, ids, columns))
    looks: list[Looks] = []
    for number, layer in enumerate(layers, start=1):
        if progress is not None:
            progress((number - 1) / len(model.layers), f"layer {number}")
        if updated[number - 1]:
            rows, found = run_layer(model, layer, number, source, 0, source.rows(0, tokens), watch=watch)
            source, last = kept(rows), rows.tokens(tokens - 1, tokens)
        else:
            last, found = run_layer(model, layer, number, source, tokens - 1, last, watch=watch)
        looks += found
    rows = source.rows(0, tokens) if every_row else last
    logits = logits_of(model, rows) if every_row else logits_of(model, rows)[:, 0]
    denominator = (rows.denominator * model.unembedding.denominator) << model.precision.fraction_bits
    return Run(logits.argmax(axis=-1), logits, tuple(looks), denominator)


def streams(model: Model, token_ids: NDArray[np.int64]) -> Iterator[Scaled]:
    """The stream of every token: the embedding, then that after each layer."""
    ids = checked_ids(model, token_ids)
    rows = embedding(model, ids).rows(0, ids.shape[1])
    yield rows
    for number, layer in enumerate(model.layers, start=1):
        rows, _ = run_layer(model, layer, number, kept(rows), 0, rows)
        yield rows


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
