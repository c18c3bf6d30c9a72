"""Block-sparse attention in floats: summaries of earlier blocks, the tokens of the opened ones, the own block."""

from __future__ import annotations

from typing import Any

import torch

from separation.models import SparseHead
from separation.models.source import spans
from separation.numeric.read_full import Keys, exponentials, quotient
from separation.numeric.sums import weighted_sums
from separation.numeric.tensors import Maker

ROWS_AT_ONCE = 64


class SparseReader:
    """One softmax over what a query reads, weights exp(score − shift); of equal scores the earlier block is opened."""

    def __init__(self, maker: Maker, head: SparseHead, keys: Keys) -> None:
        self.maker, self.head, self.keys = maker, head, keys
        self.w_q, self.shift = maker.weight(head.w_q).T, float(head.shift)
        self.c_k, self.c_v = maker.weight(head.c_k).T, maker.weight(head.c_v).T

    def append(self, stream: Any, start: int) -> None:
        self.keys.append(stream, start)

    def append_and_read(self, stream: Any, start: int) -> Any:
        self.append(stream, start)
        parts = spans(0, stream.shape[1], ROWS_AT_ONCE)
        return torch.cat([self.read(stream[:, first:last], start + first) for first, last in parts], dim=1)

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
