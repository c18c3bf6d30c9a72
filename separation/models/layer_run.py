"""One layer of the forward pass: its heads side by side, then the blocks of its MLP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic.matrices import IntegerArray
from separation.models.attend_full import FullAttention
from separation.models.attend_sparse import SparseAttention
from separation.models.attention import Attention, Reading
from separation.models.heads import STATEFUL, AnyHead, SparseHead
from separation.models.resume import stateful_attention
from separation.models.scaled import Scaled, joined
from separation.models.source import Source, rows_at_once, spans
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


def run_layer(
    model: Model,
    layer: Layer,
    number: int,
    source: Source,
    start: int,
    queries: Scaled,
    attentions: Sequence[Attention] | None = None,
    watch: Watch | None = None,
) -> tuple[Scaled, list[Looks]]:
    """The stream after a layer at the tokens from ``start`` to the last, where before it is ``queries``.

    All heads read the keys and values of ``source``; ``attentions``, if given, are these heads at work, and ``watch``
    is told what each of them hands over.
    """
    reading = Reading(model, number, source)
    attentions = [attention_of(head, reading) for head in layer.heads] if attentions is None else attentions
    entries = [attention.row_entries for attention in attentions] + [mlp.w_1.shape[0] for mlp in layer.mlps]
    size = rows_at_once(source.batch * max(source.width, *entries, 0))
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


def attention_of(head: AnyHead, reading: Reading) -> Attention:
    """A head at work on a stream that it has not begun to read."""
    if isinstance(head, STATEFUL):
        return stateful_attention(head, reading)
    if isinstance(head, SparseHead):
        return SparseAttention(head, reading)
    return FullAttention(head, reading)


def _mlp(reading: Reading, mlp: MLP, stream: Scaled) -> Scaled:
    hidden = reading.map(stream, mlp.w_1, "hidden", mlp.b_1).rectified()
    change = hidden.times(mlp.w_2).plus(reading.bias(mlp.b_2))
    return reading.checked(stream.plus(change), "stream")
