"""Linear attention and the gated delta rule in floats: a state in the wide type."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch

from separation.models import DeltaHead, LinearHead
from separation.models.source import spans
from separation.numeric.read_full import quotient
from separation.numeric.tensors import Maker

ROWS_AT_ONCE = 256


class LinearReader:
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


class DeltaReader:
    """S_t = α (S_{t-1} − β k kᵀ S_{t-1}) + β k vᵀ; out_t = S_tᵀ q; tokens with α = 1 and β = 0 are passed over."""

    def __init__(self, maker: Maker, head: DeltaHead, batch: int) -> None:
        self.maker = maker
        self.w_q, self.w_k, self.w_v = (maker.weight(matrix).T for matrix in (head.w_q, head.w_k, head.w_v))
        self.w_a, self.w_b = maker.weight(head.w_a).T, maker.weight(head.w_b).T
        self.b_a, self.b_b = maker.bias(head.b_a), maker.bias(head.b_b)
        shape = batch, head.w_k.shape[0], head.w_v.shape[0]
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
        key, value = self._map(stream, self.w_k), self._map(stream, self.w_v)
        alpha, beta = (
            (self._map(stream, weight) + bias).clamp(0, 1)
            for weight, bias in ((self.w_a, self.b_a), (self.w_b, self.b_b))
        )
        busy = ((alpha != 1) | (beta != 0)).any(dim=0)[:, 0].nonzero()[:, 0].tolist()
        cuts, outs = [*busy, stream.shape[1]], []
        if query is not None and cuts[0] > 0:
            outs.append(query[:, : cuts[0]] @ self.state)
        for token, following in pairwise(cuts):
            k, v = key[:, token, :, None], value[:, token, None, :]
            a, b = alpha[:, token, :, None], beta[:, token, :, None]
            read = k.transpose(1, 2) @ self.state
            self.state = a * (self.state - b * (k * read)) + b * (k * v)
            if query is not None:
                outs.append(query[:, token:following] @ self.state)
        return torch.cat(outs, dim=1).to(self.maker.result) if query is not None else None
