"""Exact numbers as tensors of a type on a device, and what each kind of head reads in floats: keys and values kept from
token to token, or a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import scaled_dot_product_attention

from separation.arithmetic import ExactMatrix
from separation.models import DeltaHead, Head, LinearHead, ProductHead, RowTable, SparseHead, spans
from separation.numeric.arithmetic import (
    LONGEST_BLOCK,
    Arithmetic,
    Format,
    RunningSum,
    block_length,
    quick_sums,
    weighted_sums,
)


@cache
def torch_type(form: Format) -> Any:
    return getattr(torch, form.name)


@dataclass(frozen=True)
class Maker:
    """Makes tensors for one way to run, on one device."""

    arithmetic: Arithmetic
    device: str

    @property
    def stored(self) -> Any:
        return torch_type(self.arithmetic.stored)

    @property
    def weighed(self) -> Any:
        return torch_type(self.arithmetic.weighed)

    @property
    def wide(self) -> Any:
        return torch_type(self.arithmetic.wide)

    @property
    def result(self) -> Any:
        return torch_type(self.arithmetic.result)

    def weight(self, matrix: ExactMatrix) -> Any:
        """A matrix of weights, rounded to the stored type; in the type in which it is multiplied."""
        return self.numbers(matrix.numerators, matrix.denominator).to(self.result)

    def bias(self, matrix: ExactMatrix) -> Any:
        """A column of weights, as a row."""
        return self.weight(matrix)[:, 0]

    def numbers(self, numerators: NDArray[Any], denominator: int) -> Any:
        values = np.asarray(numerators, dtype=np.float64) / denominator
        # MPS takes no float64, so the first rounding is done before the move.
        return torch.from_numpy(np.ascontiguousarray(values)).to(self.stored).to(self.device)

    def rows(self, table: RowTable, numbers: NDArray[np.int64]) -> Any:
        return self.numbers(table.rows(numbers), table.denominator)

    def embedding(self, tables: Sequence[RowTable], ids: NDArray[np.int64], start: int) -> Any:
        """positions[start + i] + tokens[id_i] of two tables: (batch, tokens, width), in the stored type."""
        positions, tokens = tables
        return self.rows(positions, np.arange(start, start + ids.shape[1])) + self.rows(tokens, ids)

    def narrow(self, tensor: Any) -> Any:
        """Rounded to the stored type, to be kept."""
        return tensor.to(self.stored)


ROWS_AT_ONCE = 256


class Keys:
    """Keys, and values followed by a 1, of all tokens so far, in the stored type; ``capacity`` tokens fit."""

    def __init__(self, maker: Maker, head: Head, batch: int, capacity: int) -> None:
        self.maker = maker
        self.w_k, self.w_v = maker.weight(head.w_k).T, maker.weight(head.w_v).T
        widths = head.w_k.shape[0], head.w_v.shape[0] + 1
        self.key, self.value = (
            torch.empty(batch, capacity, width, dtype=maker.stored, device=maker.device) for width in widths
        )
        self.count = 0

    def append(self, stream: Any, start: int) -> None:
        """The tokens from ``start`` on; nothing happens if another head has them appended already."""
        if start < self.count:
            return
        stop = start + stream.shape[1]
        wide = stream.to(self.w_k.dtype)
        self.key[:, start:stop] = wide @ self.w_k
        self.value[:, start:stop, :-1] = wide @ self.w_v
        self.value[:, start:stop, -1] = 1
        self.count = stop


class Reader:
    """What a head keeps of the tokens so far, and what it hands to the last of them."""

    def append(self, stream: Any, start: int) -> None:
        """The tokens from ``start`` on are kept."""
        raise NotImplementedError("whole matrices are computed at once")

    def append_and_read(self, stream: Any, start: int) -> Any:
        """The same, and out of each of them."""
        raise NotImplementedError

    def read(self, stream: Any, start: int) -> Any:
        """out of the tokens from ``start`` on, which are kept already."""
        raise NotImplementedError("whole matrices are computed at once")


class KeysReader(Reader):
    """Reads the keys and values that a head keeps, so many rows at a time."""

    keys: Keys
    rows_at_once: ClassVar[int]

    def append(self, stream: Any, start: int) -> None:
        self.keys.append(stream, start)

    def append_and_read(self, stream: Any, start: int) -> Any:
        self.append(stream, start)
        parts = spans(0, stream.shape[1], self.rows_at_once)
        return torch.cat([self.read(stream[:, first:last], start + first) for first, last in parts], dim=1)


class FullReader(KeysReader):
    """out_i = Σ_j exp(q_i·k_j − shift) v_j / Σ_j exp(q_i·k_j − shift); 0 if all weights are 0.

    The shift is at least every score, so no largest score need be sought, and blocks of keys add up.
    """

    rows_at_once = ROWS_AT_ONCE

    def __init__(self, maker: Maker, head: Head, keys: Keys, causal: bool) -> None:
        self.maker, self.keys, self.causal = maker, keys, causal
        self.w_q, self.shift = maker.weight(head.w_q).T, float(head.shift)

    def read(self, stream: Any, start: int) -> Any:
        maker = self.maker
        query = (stream.to(self.w_q.dtype) @ self.w_q).to(maker.weighed)
        batch, rows, _ = query.shape
        stop = start + rows if self.causal else self.keys.count
        width = self.keys.value.shape[2]
        total = RunningSum(torch.zeros(batch, rows, width, dtype=maker.wide, device=maker.device))
        quick = batch * rows == 1 and stop > LONGEST_BLOCK and maker.wide != maker.weighed
        add_up = quick_sums if quick else weighted_sums
        for first, last in spans(0, stop, LONGEST_BLOCK if quick else block_length(batch * rows, width)):
            key, value = (part[:, first:last] for part in (self.keys.key, self.keys.value))
            weights = exponentials(query @ key.to(maker.weighed).transpose(1, 2), self.shift)
            if self.causal and last > start + 1:
                later = torch.arange(first, last, device=maker.device) > torch.arange(
                    start, start + rows, device=maker.device
                ).unsqueeze(1)
                weights = weights.masked_fill(later, 0)
            total.add(add_up(weights, value, maker.wide))
        return quotient(total.value())


class MatrixReader(Reader):
    """The same by torch's scaled_dot_product_attention, for all tokens at once."""

    def __init__(self, maker: Maker, head: Head, causal: bool) -> None:
        self.causal = causal
        self.w_q, self.w_k, self.w_v = (maker.weight(matrix).T for matrix in (head.w_q, head.w_k, head.w_v))

    def append_and_read(self, stream: Any, _start: int) -> Any:
        query, key, value = ((stream @ weight).unsqueeze(1) for weight in (self.w_q, self.w_k, self.w_v))
        return scaled_dot_product_attention(query, key, value, is_causal=self.causal, scale=1.0)[:, 0]


def exponentials(scores: Any, shift: float) -> Any:
    """exp(score − shift), in place."""
    return scores.sub_(shift).exp_()


def quotient(sums: Any) -> Any:
    """The first sums over the last one, the sum of the weights; 0/0 = 0."""
    return torch.nan_to_num(sums[..., :-1] / sums[..., -1:], nan=0.0)


class SparseReader(KeysReader):
    """One softmax over what a query reads, weights exp(score − shift); of equal scores the earlier block is opened."""

    rows_at_once = 64

    def __init__(self, maker: Maker, head: SparseHead, keys: Keys) -> None:
        self.maker, self.head, self.keys = maker, head, keys
        self.w_q, self.shift = maker.weight(head.w_q).T, float(head.shift)
        self.c_k, self.c_v = maker.weight(head.c_k).T, maker.weight(head.c_v).T

    def read(self, stream: Any, start: int) -> Any:
        maker, rows = self.maker, stream.shape[1]
        query = (stream.to(self.w_q.dtype) @ self.w_q).to(maker.weighed)
        # A block that no prompt fills is as long as the prompt.
        block = min(self.head.block, start + rows)
        own = torch.arange(start, start + rows, device=maker.device)
        key, value = self._summaries(block, (start + rows - 1) // block)
        earlier = torch.arange(key.shape[1], device=maker.device) < (own // block).unsqueeze(1)
        scores = query @ key.transpose(1, 2)
        tokens, visible = self._tokens(scores, earlier, own, block)
        weights = exponentials(scores, self.shift).masked_fill(~earlier, 0)
        sums = weighted_sums(weights, value, maker.wide)
        return quotient(sums + self._raw(query, tokens, visible)).to(maker.result)

    def _summaries(self, block: int, count: int) -> tuple[Any, Any]:
        """Summary keys, and summary values followed by a 1, of the first ``count`` blocks."""
        batch = self.keys.key.shape[0]
        found = []
        for vectors, compressor in ((self.keys.key, self.c_k), (self.keys.value[..., :-1], self.c_v)):
            together = vectors[:, : count * block].reshape(batch, count, block * vectors.shape[2])
            short = compressor[: together.shape[2]]
            found.append(self.maker.narrow(together.to(short.dtype) @ short))
        return found[0].to(self.maker.weighed), torch.nn.functional.pad(found[1], (0, 1), value=1.0)

    def _tokens(self, scores: Any, earlier: Any, own: Any, block: int) -> tuple[Any, Any]:
        """(batch, rows, tokens read one by one), and which of them are: of the opened blocks and of the own one."""
        batch, rows, blocks = scores.shape
        opened = min(self.head.opened, blocks)
        order = scores.masked_fill(~earlier, -torch.inf).sort(dim=2, descending=True, stable=True).indices
        chosen = order[:, :, :opened]
        allowed = torch.take_along_dim(earlier.expand(batch, rows, blocks), chosen, dim=2)
        home = (own // block).expand(batch, rows).unsqueeze(2)
        chosen = torch.cat([torch.where(allowed, chosen, -1), home], dim=2).unsqueeze(3)
        tokens = (chosen * block + torch.arange(block, device=own.device)).reshape(batch, rows, -1)
        visible = (tokens >= 0) & (tokens <= own.unsqueeze(1))
        return tokens.clamp(0, self.keys.count - 1), visible

    def _raw(self, query: Any, tokens: Any, visible: Any) -> Any:
        prompts = torch.arange(len(tokens), device=tokens.device)[:, None, None]
        key, value = self.keys.key[prompts, tokens].to(self.maker.weighed), self.keys.value[prompts, tokens]
        scores = query.unsqueeze(2) @ key.transpose(2, 3)
        weights = exponentials(scores, self.shift).masked_fill(~visible.unsqueeze(2), 0)
        return weighted_sums(weights, value, self.maker.wide)[:, :, 0]


class LinearReader(Reader):
    """S_t = S_{t-1} + φ_k v_tᵀ, out_t = φ_qᵀ S_t / φ_qᵀ n_t or φ_qᵀ S_t; n_t is the last column of S_t."""

    def __init__(self, maker: Maker, head: LinearHead, batch: int) -> None:
        self.maker, self.normalised = maker, head.normalised
        self.w_q, self.w_k, self.w_v = (maker.weight(matrix).T for matrix in (head.w_q, head.w_k, head.w_v))
        self.b_q, self.b_k = maker.bias(head.b_q), maker.bias(head.b_k)
        shape = batch, head.w_k.shape[0], head.w_v.shape[0] + 1
        self.state = torch.zeros(shape, dtype=maker.wide, device=maker.device)

    def append(self, stream: Any, _start: int) -> None:
        key, value = self._writes(stream)
        self.state = self.state + key.transpose(1, 2) @ value

    def append_and_read(self, stream: Any, start: int) -> Any:
        outs = []
        for first, last in spans(0, stream.shape[1], ROWS_AT_ONCE):
            part = stream[:, first:last]
            query, (key, value) = self._features(part, self.w_q, self.b_q), self._writes(part)
            inside = (query @ key.transpose(1, 2)).tril() @ value
            outs.append(self._divided(query @ self.state + inside))
            self.append(part, start + first)
        return torch.cat(outs, dim=1)

    def read(self, stream: Any, _start: int) -> Any:
        return self._divided(self._features(stream, self.w_q, self.b_q) @ self.state)

    def _writes(self, stream: Any) -> tuple[Any, Any]:
        value = (stream.to(self.w_v.dtype) @ self.w_v).to(self.maker.wide)
        return self._features(stream, self.w_k, self.b_k), torch.nn.functional.pad(value, (0, 1), value=1.0)

    def _features(self, stream: Any, weight: Any, bias: Any) -> Any:
        return torch.relu(stream.to(weight.dtype) @ weight + bias).to(self.maker.wide)

    def _divided(self, sums: Any) -> Any:
        return (quotient(sums) if self.normalised else sums[..., :-1]).to(self.maker.result)


class DeltaReader(Reader):
    """S_t = α (S_{t-1} − β k kᵀ S_{t-1}) + β k vᵀ; out_t = S_tᵀ q; tokens with α = 1 and β = 0 are passed over.

    A product head makes several of these updates a token.
    """

    def __init__(self, maker: Maker, head: DeltaHead | ProductHead, batch: int) -> None:
        self.maker = maker
        self.w_q = maker.weight(head.w_q).T
        self.updates = [
            [maker.weight(part).T for part in (one.w_k, one.w_v, one.w_a, one.w_b)]
            + [maker.bias(part) for part in (one.b_a, one.b_b)]
            for one in head.single_updates()
        ]
        shape = batch, head.w_q.shape[0], head.w_o.shape[1]
        self.state = torch.zeros(shape, dtype=maker.wide, device=maker.device)

    def append(self, stream: Any, _start: int) -> None:
        self._scan(stream, None)

    def append_and_read(self, stream: Any, _start: int) -> Any:
        return self._scan(stream, self._map(stream, self.w_q))

    def read(self, stream: Any, _start: int) -> Any:
        return (self._map(stream, self.w_q) @ self.state).to(self.maker.result)

    def _map(self, stream: Any, weight: Any) -> Any:
        return (stream.to(weight.dtype) @ weight).to(self.maker.wide)

    def _scan(self, stream: Any, query: Any) -> Any:
        parts = [self._parts(stream, *update) for update in self.updates]
        idle = [((alpha == 1) & (beta == 0)).all(dim=0)[:, 0] for _, _, alpha, beta in parts]
        busy = (~torch.stack(idle).all(dim=0)).nonzero()[:, 0].tolist()
        cuts, outs = [*busy, stream.shape[1]], []
        if query is not None and cuts[0] > 0:
            outs.append(query[:, : cuts[0]] @ self.state)
        for token, following in pairwise(cuts):
            for key, value, alpha, beta in parts:
                k, v = key[:, token, :, None], value[:, token, None, :]
                a, b = alpha[:, token, :, None], beta[:, token, :, None]
                read = k.transpose(1, 2) @ self.state
                self.state = a * (self.state - b * (k * read)) + b * (k * v)
            if query is not None:
                outs.append(query[:, token:following] @ self.state)
        return torch.cat(outs, dim=1).to(self.maker.result) if query is not None else None

    def _parts(self, stream: Any, *update: Any) -> tuple[Any, Any, Any, Any]:
        """k, v, α, β of all tokens."""
        w_k, w_v, w_a, w_b, b_a, b_b = update
        alpha, beta = ((self._map(stream, w) + b).clamp(0, 1) for w, b in ((w_a, b_a), (w_b, b_b)))
        return self._map(stream, w_k), self._map(stream, w_v), alpha, beta
