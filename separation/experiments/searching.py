"""2-Sum with one sparse layer as a problem to train on: summaries of r bits, k opened blocks.

A prompt has g complete blocks of B values from {1, …, M−1}, then the query x, a block of its own. Every token holds the
codes of its value and of minus its value, from one table that is learned (as in C6). Every block is compressed to r
bits: r/p numbers, rounded to p bits each with a straight-through gradient. All that a query sees of a block that it
does not open, keys and values of every head, is a function of these bits; it opens the k blocks whose summaries score
highest. With k = g every block is read: full attention.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

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


class Searching(Problem):
    """2-Sum modulo M = ``run.m`` with the sparse layer that the settings describe."""

    network: SparseNetwork

    def __init__(self, run: Run) -> None:
        self.shape = SparseShape.chosen(dict(run.settings))
        self.modulus, self.sizes = run.m, TwoSumSizes(self.shape.entries + 1, run.m)
        self.inputs = TWO_SUM_DISTRIBUTIONS[run.setting("train_on", "uniform")]
        torch.manual_seed(run.seed)
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
        """The hop of 2-Sum: a summary of tokens in order should tell which they are."""
        logits = self.network(inputs)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, wanted.to(logits.dtype))
        if hop_weight and self.shape.compressor == "positional" and self.shape.opened < self.shape.blocks:
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
