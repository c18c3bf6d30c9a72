"""The forward pass in the exact arithmetic model: integers throughout, one rounding a head.

An embedding; then layer by layer the heads side by side and the blocks of the MLP; then the logits. `decode` goes on
token by token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, IntegerArray, Precision, integer_matmul, narrow, widen
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
from separation.models.scaled import HeadState, Scaled, joined
from separation.models.tables import RowTable
from separation.models.transformer import MLP, AnyHead, Layer, Model, StatefulHead


def layers_others_need(model: Model) -> list[bool]:
    """For each layer: does what a head of a later layer reads of other tokens depend on what it writes there?

    Of other tokens a head reads keys, values, features and gates: everything but its queries.
    """
    live: set[int] = set()
    needed: list[bool] = []
    for layer in reversed(model.layers):
        writes = set().union(*(_rows_used(head.w_o) for head in layer.heads))
        writes |= set().union(*(_rows_used(mlp.w_2) | _rows_used(mlp.b_2) for mlp in layer.mlps))
        update = bool(writes & live)
        needed.append(update)
        for head in layer.heads:
            readers: Sequence[str] = head.READERS if update else _read_of_others(head)
            live |= set().union(*(_columns_used(getattr(head, name)) for name in readers))
        if update:
            live |= set().union(*(_columns_used(mlp.w_1) for mlp in layer.mlps))
    return needed[::-1]


def columns_read(model: Model) -> NDArray[np.int64]:
    """The coordinates of other tokens' streams that some head reads; all of them if they might be too large.

    Rows that are not made cannot be checked for their size: it must follow from the tables.
    """
    if model.positions.bound + model.tokens.bound > model.precision.limit:
        return np.arange(model.width)
    used = np.zeros(model.width, dtype=bool)
    for head in (head for layer in model.layers for head in layer.heads):
        for name in _read_of_others(head):
            used |= (getattr(head, name).numerators != 0).any(axis=0)
    return np.flatnonzero(used)


def layer_reading(layer: Layer, columns: NDArray[np.int64]) -> Layer:
    """What reads other tokens reads these coordinates only; queries and MLPs read the whole stream."""
    if all(getattr(head, _read_of_others(head)[0]).shape[1] == len(columns) for head in layer.heads):
        return layer
    return replace(layer, heads=tuple(_head_reading(head, columns) for head in layer.heads))


def _head_reading(head: AnyHead, columns: NDArray[np.int64]) -> AnyHead:
    matrices: dict[str, Any] = {name: getattr(head, name).columns(columns) for name in _read_of_others(head)}
    return replace(head, **matrices)


def _read_of_others(head: AnyHead) -> list[str]:
    """Everything but queries."""
    return [name for name in head.READERS if name != "w_q"]


def _columns_used(matrix: ExactMatrix) -> set[int]:
    return set(np.flatnonzero((matrix.numerators != 0).any(axis=0)).tolist())


def _rows_used(matrix: ExactMatrix) -> set[int]:
    return set(np.flatnonzero((matrix.numerators != 0).any(axis=1)).tolist())


def initial_state(head: StatefulHead, batch: int) -> HeadState:
    """The state before the first token: zeros."""
    return HeadState(np.zeros((batch, head.state_entries), dtype=np.int64))


def advance(
    model: Model, number: int, head: StatefulHead, state: HeadState, first: int, stream: Scaled
) -> tuple[Scaled, HeadState]:
    """(out_i of the tokens i = first, first + 1, …, the state after the last of them).

    where ``state`` is the state before token ``first`` and ``stream``, (batch, tokens, width), what layer
    ``number`` reads at these tokens and at no others. The stream gets out.times(head.w_o).
    """
    batch, count, width = stream.values.shape
    own = StreamReader(batch, first + count, width, lambda begin, end: stream.tokens(begin - first, end - first))
    attention = head.attend(Reading(model, number, own))
    attention.restore(state, first)
    return attention.rows(first, stream), attention.head_state()


def state_bits(head: StatefulHead, precision: Precision) -> int:
    """s = (numbers in the state) · (bits of one)."""
    return head.state_entries * head.entry_bits(precision)


def encode_state(head: StatefulHead, precision: Precision, state: HeadState) -> tuple[int, ...]:
    """For each prompt its state as an integer in [0, 2^s): two's complement, the first entry highest.

    Only multiples of 2^-f can be written: states of linear attention and of the delta rule are never rounded, and
    those of a model that is not integral (`Model.is_integral`) have no fixed number of bits.
    """
    if state.denominator != 1:
        raise ValueError(f"the state of a {head.TYPE} head is no multiple of 2^-f, so it has no fixed number of bits")
    bits = head.entry_bits(precision)
    if bits == 0:
        return (0,) * state.batch
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    if state.values.size and not low <= int(state.values.min()) <= int(state.values.max()) <= high:
        raise ValueError(f"the state of a {head.TYPE} head has entries beyond {bits} bits")
    mask = (1 << bits) - 1
    return tuple(reduce(lambda found, number: found << bits | int(number) & mask, row, 0) for row in state.values)


def decode_state(head: StatefulHead, precision: Precision, numbers: Sequence[int]) -> HeadState:
    """The inverse of `encode_state`."""
    bits, entries = head.entry_bits(precision), head.state_entries
    values = np.zeros((len(numbers), entries), dtype=object)
    for prompt, number in enumerate(numbers):
        if not 0 <= number < 1 << (bits * entries):
            raise ValueError(f"a state of {bits * entries} bits is an integer in 0..2^{bits * entries} - 1")
        for index in reversed(range(entries if bits else 0)):
            number, entry = divmod(number, 1 << bits)
            values[prompt, index] = entry - (1 << bits) if entry >> (bits - 1) else entry
    return HeadState(values)


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

    @classmethod
    def of(cls, layer: int, attentions: Sequence[Attention]) -> Iterator[Looks]:
        """Those of the heads of a layer that have weights; of equally heavy tokens the first."""
        for head, attention in enumerate(attentions):
            found = attention.weights()
            if found is not None:
                places = found.weights.argmax(axis=1)
                heaviest = np.take_along_axis(found.weights, places[:, None], axis=1)[:, 0]
                yield cls(layer, head, places, narrow(heaviest), narrow(found.totals))


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
        attentions = attending(model, layer, number, reader)
        if updated[number - 1]:
            rows = run_layer(model, layer, number, reader, 0, reader.rows(0, tokens), attentions, watch)
            reader, last = reader_of(rows), rows.tokens(tokens - 1, tokens)
        else:
            last = run_layer(model, layer, number, reader, tokens - 1, last, attentions, watch)
        looks += Looks.of(number, attentions)
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
        rows = run_layer(model, layer, number, reader_of(rows), 0, rows)
        yield rows


def weights_seen(model: Model, token_ids: NDArray[np.int64]) -> Iterator[tuple[int, int, IntegerArray, int]]:
    """(layer, head, weight of each token, sum of all weights) of the last token of one prompt, head by head.

    where heads without weights are left out; the sum is that of `Looks`.
    """
    ids = checked_ids(model, token_ids)
    rows = embedding_reader(model, ids).rows(0, ids.shape[1])
    for number, layer in enumerate(model.layers, start=1):
        reader = reader_of(rows)
        attentions = attending(model, layer, number, reader)
        rows = run_layer(model, layer, number, reader, 0, rows, attentions)
        for index, attention in enumerate(attentions):
            found = attention.weights()
            if found is not None:
                yield number, index, found.weights[0], int(found.totals[0])


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


def attending(model: Model, layer: Layer, number: int, reader: StreamReader) -> list[Attention]:
    """The heads of a layer at work on a stream that they have not begun to read."""
    reading = Reading(model, number, reader)
    return [head.attend(reading) for head in layer.heads]


def run_layer(
    model: Model,
    layer: Layer,
    number: int,
    reader: StreamReader,
    start: int,
    queries: Scaled,
    attentions: Sequence[Attention] | None = None,
    watch: Watch | None = None,
) -> Scaled:
    """The stream after a layer at the tokens from ``start`` to the last, where before it is ``queries``.

    All heads read the keys and values of ``reader``; ``attentions``, if given, are these heads at work, and ``watch``
    is told what each of them hands over.
    """
    reading = Reading(model, number, reader)
    attentions = attending(model, layer, number, reader) if attentions is None else attentions
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
    return joined(parts)


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
