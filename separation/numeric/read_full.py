"""Full attention in floats: keys and values are kept, and a query reads them block by block."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.functional import scaled_dot_product_attention

from separation.models import Head
from separation.models.source import spans
from separation.numeric.arithmetic import LONGEST_BLOCK
from separation.numeric.sums import RunningSum, block_length, quick_sums, weighted_sums
from separation.numeric.tensors import Maker

ROWS_AT_ONCE = 256


class Keys:
    """Keys, and values followed by a 1, of all tokens so far, in the stored type; ``room`` tokens fit."""

    def __init__(self, maker: Maker, head: Head, batch: int, room: int) -> None:
        self.maker = maker
        self.w_k, self.w_v = maker.weight(head.w_k).T, maker.weight(head.w_v).T
        widths = head.w_k.shape[0], head.w_v.shape[0] + 1
        self.key, self.value = (
            torch.empty(batch, room, width, dtype=maker.stored, device=maker.device) for width in widths
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


class FullReader:
    """out_i = Σ_j exp(q_i·k_j − shift) v_j / Σ_j exp(q_i·k_j − shift); 0 if all weights are 0.

    The shift is at least every score, so no largest score need be sought, and blocks of keys add up.
    """

    def __init__(self, maker: Maker, head: Head, keys: Keys, causal: bool) -> None:
        self.maker, self.keys, self.causal = maker, keys, causal
        self.w_q, self.shift = maker.weight(head.w_q).T, float(head.shift)

    def append(self, stream: Any, start: int) -> None:
        self.keys.append(stream, start)

    def append_and_read(self, stream: Any, start: int) -> Any:
        self.append(stream, start)
        return torch.cat(
            [
                self.read(stream[:, first:last], start + first)
                for first, last in spans(0, stream.shape[1], ROWS_AT_ONCE)
            ],
            dim=1,
        )

    def read(self, stream: Any, start: int) -> Any:
        """out of the tokens from ``start`` on, whose keys are there already."""
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


class MatrixReader:
    """The same by torch's scaled_dot_product_attention, for all tokens at once."""

    def __init__(self, maker: Maker, head: Head, causal: bool) -> None:
        self.causal = causal
        self.w_q, self.w_k, self.w_v = (maker.weight(matrix).T for matrix in (head.w_q, head.w_k, head.w_v))

    def append(self, stream: Any, start: int) -> None:
        raise NotImplementedError("whole matrices are computed at once")

    def append_and_read(self, stream: Any, _start: int) -> Any:
        query, key, value = ((stream @ weight).unsqueeze(1) for weight in (self.w_q, self.w_k, self.w_v))
        return scaled_dot_product_attention(query, key, value, is_causal=self.causal, scale=1.0)[:, 0]

    def read(self, stream: Any, start: int) -> Any:
        raise NotImplementedError("whole matrices are computed at once")


def exponentials(scores: Any, shift: float) -> Any:
    """exp(score − shift), in place."""
    return scores.sub_(shift).exp_()


def quotient(sums: Any) -> Any:
    """The first sums over the last one, the sum of the weights; 0/0 = 0."""
    return torch.nan_to_num(sums[..., :-1] / sums[..., -1:], nan=0.0)
