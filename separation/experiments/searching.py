"""2-Sum with sparse layers as a problem to train on: one with summaries of r bits, or several with workspace, as C8.

A prompt has g complete blocks of B values from {1, …, M−1}, then the query x, a block of its own. Every token holds the
codes of its value and of minus its value, from one table that is learned (as in C6). Every block is compressed to r
bits: r/p numbers, rounded to p bits each with a straight-through gradient. All that a query sees of a block that it
does not open, keys and values of every head, is a function of these bits; it opens the k blocks whose summaries score
highest. With k = g every block is read: full attention.

Without summaries (compressor "none") the layers are those of C8: k heads open a block each, chosen by where it stands
and by what the token asks for, and behind the data stand the workspace tokens (y, γ) that C8 has, as many and in the
same places. Losses of their own ask which block a head should open, and for the match of y among what (y, γ) reads.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from constructions.c8 import Workspace
from separation.experiments.distributions import TWO_SUM_DISTRIBUTIONS
from separation.experiments.layers import GatedMLP, rounded
from separation.experiments.proved import SparseShape
from separation.experiments.runs import Run
from separation.experiments.training import TEST_SEED, TESTED, Problem
from separation.tasks.two_sum import TwoSumSizes


def has_match(modulus: int, prompts: NDArray[np.int64]) -> NDArray[np.bool_]:
    return ((prompts[:, :-1] + prompts[:, -1:]) % modulus == 0).any(1)


class SparseNetwork(nn.Module):
    """One sparse layer with its MLP; the logit of "there is a match"."""

    def __init__(self, modulus: int, shape: SparseShape) -> None:
        super().__init__()
        self.modulus, self.shape = modulus, shape
        width, heads = shape.width, shape.heads * shape.head
        self.codes = nn.Embedding(modulus, width)
        self.compress = _compressor(shape)
        self.summary = nn.Linear(shape.numbers, 2 * heads)
        self.raw = nn.Linear(width, 2 * heads) if shape.opened else None
        self.query = nn.Linear(width, heads)
        self.mlp = GatedMLP(heads + width, shape.inner, width)
        self.answer = nn.Linear(width, 1)
        self.entries = nn.Linear(shape.numbers, shape.block * width)

    def forward(self, prompts: Tensor) -> Tensor:
        shape, entries = self.shape, prompts[:, :-1]
        wanted = self.codes(self.modulus - prompts[:, -1])
        query = self.query(wanted).unflatten(-1, (shape.heads, shape.head)) / math.sqrt(shape.head)
        keys, values = self.summary(self.summaries(entries)).unflatten(-1, (2, shape.heads, shape.head)).unbind(2)
        scores = torch.einsum("phd,pghd->phg", query, keys)
        if self.raw is None:
            heard = torch.einsum("phg,pghd->phd", torch.softmax(scores, -1), values)
        else:
            # An entry's key and value depend on its value alone: one key and one value for each of the M values.
            raw_keys, raw_values = self.raw(self.codes.weight).unflatten(-1, (2, shape.heads, shape.head)).unbind(1)
            places = entries[:, None].expand(-1, shape.heads, -1)
            opened = torch.einsum("phd,mhd->phm", query, raw_keys).gather(2, places)
            opened = opened.masked_fill(self._closed(scores), -torch.inf)
            weights = torch.softmax(torch.cat([scores, opened], -1), -1)
            by_value = weights.new_zeros(len(prompts), shape.heads, self.modulus)
            by_value = by_value.scatter_add(2, places, weights[..., shape.blocks :])
            heard = torch.einsum("phg,pghd->phd", weights[..., : shape.blocks], values)
            heard = heard + torch.einsum("phm,mhd->phd", by_value, raw_values)
        return self.answer(self.mlp(torch.cat([heard.flatten(1), wanted], -1))).squeeze(-1)

    def summaries(self, entries: Tensor) -> Tensor:
        """(prompts, g, r/p): all that is seen of the blocks without opening them, on a grid of 2^p values a number."""
        blocks = self.codes(entries).unflatten(1, (self.shape.blocks, self.shape.block))
        mixed = blocks.flatten(2) if self.shape.compressor == "positional" else blocks.mean(2)
        return rounded(torch.tanh(self.compress(mixed)), self.shape.bits)

    def entry_logits(self, entries: Tensor) -> Tensor:
        """(prompts, g·B, M): which value each entry has, read from the summary of its block."""
        read = self.entries(self.summaries(entries)).unflatten(-1, (self.shape.block, -1))
        return read.flatten(1, 2) @ self.codes.weight.T

    def _closed(self, scores: Tensor) -> Tensor:
        """Entries outside the k blocks whose summaries score highest, over all heads together."""
        best = scores.amax(1).topk(self.shape.opened, -1).indices
        closed = torch.ones(len(scores), self.shape.blocks, dtype=torch.bool, device=scores.device)
        return closed.scatter(1, best, False).repeat_interleave(self.shape.block, 1)[:, None]


def _compressor(shape: SparseShape) -> nn.Module:
    if shape.compressor == "mlp":
        inner = 2 * shape.width
        return nn.Sequential(nn.Linear(shape.width, inner), nn.SiLU(), nn.Linear(inner, shape.numbers))
    into = shape.width * (shape.block if shape.compressor == "positional" else 1)
    return nn.Linear(into, shape.numbers)


class OpenedAttention(nn.Module):
    """k heads of a token, each a softmax over the B tokens of the block that it opened and over itself; then an MLP."""

    def __init__(self, shape: SparseShape) -> None:
        super().__init__()
        self.heads, self.head, width = shape.opened, shape.head, shape.width
        self.query, self.key, self.value = (nn.Linear(width, self.heads * self.head, bias=False) for _ in range(3))
        self.mlp = GatedMLP(self.heads * self.head + width, shape.inner, width)

    def forward(self, stream: Tensor, opened: Tensor) -> Tensor:
        """(…, width), and what was opened: (…, k, B, width)."""
        seen = torch.cat([stream[..., None, None, :].expand(*opened.shape[:-2], 1, -1), opened], -2)

        def of_head(map_: nn.Module, tokens: Tensor) -> Tensor:
            split = map_(tokens).unflatten(-1, (self.heads, self.head))
            return split if tokens is stream else torch.einsum("...htha->...hta", split)

        scores = torch.einsum("...ha,...hta->...ht", of_head(self.query, stream), of_head(self.key, seen))
        weights = torch.softmax(scores / math.sqrt(self.head), -1)
        heard = torch.einsum("...ht,...hta->...ha", weights, of_head(self.value, seen)).flatten(-2)
        return stream + self.mlp(torch.cat([stream, heard], -1))


class WorkspaceNetwork(nn.Module):
    """One or two sparse layers that choose blocks without knowing what is in them; the logit of "there is a match"."""

    y: Tensor
    place: Tensor

    def __init__(self, modulus: int, shape: SparseShape, layers: int) -> None:
        super().__init__()
        self.modulus, self.shape = modulus, shape
        self.space = Workspace(shape.entries, modulus, shape.block, shape.opened)
        tokens = torch.arange((modulus - 1) * self.space.blocks_of(1) * shape.block)
        each = self.space.blocks_of(1) * shape.block
        self.register_buffer("y", 1 + tokens // each, persistent=False)
        self.register_buffer("place", tokens % each, persistent=False)
        self.codes = nn.Embedding(modulus, shape.width)
        self.kinds, self.places = nn.Embedding(2, shape.width), nn.Embedding(each, shape.width)
        self.layers = nn.ModuleList([OpenedAttention(shape) for _ in range(layers)])
        blocks = self.space.blocks_of(0), (modulus - 1) * self.space.blocks_of(1)
        sizes = (blocks[0],) if layers == 1 else blocks
        self.choose = nn.ModuleList([nn.Linear(shape.width, shape.opened * size) for size in sizes])
        self.answer = nn.ModuleList([nn.Linear(shape.width, 1) for _ in range(layers)])

    def forward(self, prompts: Tensor) -> Tensor:
        return self.asked(prompts)[0]

    def asked(self, prompts: Tensor) -> tuple[Tensor, list[tuple[Tensor, Tensor]], Tensor, Tensor]:
        """The logit; scores of blocks with those that C8 opens; what layer 1 says of a match, and whether it is one."""
        shape, entries, wanted = self.shape, prompts[:, :-1], self.modulus - prompts[:, -1]
        data = (self.codes(entries) + self.kinds.weight[0]).unflatten(1, (shape.blocks, shape.block))
        rows, heads = torch.arange(len(prompts), device=prompts.device), torch.arange(shape.opened).to(prompts.device)
        query = self.codes(wanted)
        if len(self.layers) == 1:
            scores = self._scores(0, query)
            logit = self.answer[0](self.layers[0](query, data[rows[:, None], scores.argmax(-1)])).squeeze(-1)
            return logit, [(scores, heads.expand(len(rows), -1))], logit[:0], logit[:0]
        space = self.codes(self.y) + self.kinds.weight[1] + self.places(self.place)
        first, second = self._scores(0, space), self._scores(1, query)
        chosen = second.argmax(-1)  # (prompts, k) blocks of workspace; of the rest of it nothing is asked
        tokens = chosen[..., None] * shape.block + torch.arange(shape.block, device=prompts.device)
        reads = first.argmax(-1)[tokens]  # (prompts, k, B, k)
        written = self.layers[0](space[tokens], data[rows[:, None, None, None], reads])
        found = (
            entries.unflatten(1, (shape.blocks, -1))[rows[:, None, None, None], reads]
            == self.y[tokens][..., None, None]
        )
        logit = self.answer[1](self.layers[1](query, written)).squeeze(-1)
        own = self.space.blocks_of(1)
        targets = [(self.place[:, None] * shape.opened + heads), (wanted[:, None] - 1) * own + heads]
        half = self.answer[0](written).squeeze(-1)
        return logit, [(first, targets[0]), (second, targets[1])], half, found.flatten(-2).any(-1)

    def _scores(self, layer: int, tokens: Tensor) -> Tensor:
        """Of every head for every block: (…, k, blocks)."""
        return self.choose[layer](tokens).unflatten(-1, (self.shape.opened, -1))

    def hop_loss(self, prompts: Tensor) -> tuple[Tensor, Tensor]:
        """The logit, and how far the layers are from C8's way."""
        logit, choices, half, match = self.asked(prompts)
        loss = logit.new_zeros(())
        for scores, target in choices:
            inside = target < scores.shape[-1]  # workspace that only fills a block opens anything
            loss = loss + nn.functional.cross_entropy(scores[inside], target[inside])
        if len(half):
            loss = loss + nn.functional.binary_cross_entropy_with_logits(half, match.to(half.dtype))
        return logit, loss


class Searching(Problem):
    """2-Sum modulo M = ``run.m`` with the sparse layer that the settings describe."""

    network: SparseNetwork | WorkspaceNetwork

    def __init__(self, run: Run) -> None:
        self.shape = SparseShape.chosen(dict(run.settings))
        self.modulus, self.sizes = run.m, TwoSumSizes(self.shape.entries + 1, run.m)
        self.inputs = TWO_SUM_DISTRIBUTIONS[run.setting("train_on", "uniform")]
        torch.manual_seed(run.seed)
        if self.shape.compressor == "none":
            self.network = WorkspaceNetwork(self.modulus, self.shape, len(run.word))
        else:
            self.network = SparseNetwork(self.modulus, self.shape)

    @property
    def bits(self) -> tuple[None, list[int]]:
        """No β; the bits of one summary stand for Λ."""
        return None, [self.shape.summary_bits]

    def batch(self, random: np.random.Generator, tables: int, queries: int) -> tuple[Tensor, Tensor]:
        """Each query with entries of its own."""
        prompts = self.inputs(self.sizes, random, tables * queries)
        return torch.as_tensor(prompts), torch.as_tensor(has_match(self.modulus, prompts))

    def loss(self, inputs: Tensor, wanted: Tensor, hop_weight: float) -> tuple[Tensor, float]:
        """The hops of 2-Sum: a summary of tokens in order should tell which they are; with workspace, C8's way."""
        if isinstance(self.network, WorkspaceNetwork):
            logits, way = self.network.hop_loss(inputs)
        else:
            logits, way = self.network(inputs), torch.zeros(())
        loss = nn.functional.binary_cross_entropy_with_logits(logits, wanted.to(logits.dtype)) + hop_weight * way
        if (
            isinstance(self.network, SparseNetwork)
            and hop_weight
            and self.shape.compressor == "positional"
            and self.shape.opened < self.shape.blocks
        ):
            found = self.network.entry_logits(inputs[:, :-1]).flatten(0, 1)
            loss = loss + hop_weight * nn.functional.cross_entropy(found, inputs[:, :-1].flatten())
        return loss, float(((logits > 0) == wanted).float().mean())

    def right(self, prompts: NDArray[np.int64], device: str = "cpu") -> NDArray[np.bool_]:
        with torch.no_grad():
            said = self.network(torch.as_tensor(prompts).to(device)).cpu().numpy() > 0
        return said == has_match(self.modulus, prompts)

    def tested(
        self, name: str, device: str = "cpu", count: int = TESTED, seed: int = TEST_SEED
    ) -> tuple[int, int, tuple[float, ...]]:
        """Right answers, of how many; the shares of matches found and of prompts without one that are told so."""
        prompts = TWO_SUM_DISTRIBUTIONS[name](self.sizes, np.random.default_rng(seed), count)
        right, match = self.right(prompts, device), has_match(self.modulus, prompts)
        return int(right.sum()), count, (float(right[match].mean()), float(right[~match].mean()))
