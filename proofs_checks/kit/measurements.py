"""Measured on weights: layers, heads, width, precision, H·d·p, states and summaries in bits."""

from __future__ import annotations

import numpy as np
from flint import fmpz_mat

from separation.arithmetic import integer_matmul
from separation.models import Head, Layer, Model, SparseHead
from separation.progress import Progress, silent
from separation.proving import Construction, certified_proof

Measured = dict[str, int | None]


def measure(subject: Construction, progress: Progress = silent) -> Measured:
    """All quantities of the built weights; states as the proof finds them."""
    return {**measure_weights(subject.model), "state_bits": state_bits(subject, progress)}


def measure_weights(model: Model) -> Measured:
    """Everything that needs no proof."""
    return {
        "layers": len(model.layers),
        "heads": model.heads,
        "width": model.width,
        "P": model.precision.score_bits,
        "p": model.precision.bits,
        "summary_bits": summary_bits(model),
    }


def state_bits(subject: Construction, progress: Progress = silent) -> int | None:
    """The bits of all recurrent states together; None if there is no proof."""
    if "R" not in subject.model.word:
        return 0
    found = certified_proof(subject, progress=progress)
    return found.proof.state_bits if found.ok else None


def sparse_heads(model: Model) -> tuple[SparseHead, ...]:
    return tuple(head for layer in model.layers for head in layer.heads if isinstance(head, SparseHead))


def summary_bits(model: Model) -> int:
    """How many ±1 bits of a block all its summaries together depend on: the rank of that linear map of its tokens."""
    heads = sparse_heads(model)
    maps = [(c.numerators, w.numerators) for h in heads for c, w in ((h.c_k, h.w_k), (h.c_v, h.w_v))]
    read = sorted({int(column) for _, reader in maps for column in np.flatnonzero(reader.any(axis=0))})
    rows: set[tuple[int, ...]] = set()
    for compressor, reader in maps:
        of_token = compressor.reshape(-1, reader.shape[0])
        of_block = integer_matmul(of_token, reader[:, read]).reshape(compressor.shape[0], -1)
        rows.update(map(tuple, of_block.tolist()))
    return int(fmpz_mat([list(row) for row in rows]).rank()) if rows else 0


def heads_times_bits(model: Model) -> int:
    """H·d·p of the largest layer, d the larger of the dimensions of keys and values."""

    def numbers(layer: Layer) -> int:
        attention = (head for head in layer.heads if isinstance(head, (Head, SparseHead)))
        return len(layer.heads) * max(max(head.w_k.shape[0], head.w_v.shape[0]) for head in attention)

    return max(map(numbers, model.layers)) * model.precision.bits
