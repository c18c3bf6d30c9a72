"""2-Sum with one sparse layer as a problem to train on: summaries of r bits, k opened blocks.

A prompt has g complete blocks of B values from {1, …, M−1}, then the query x, a block of its own. In half of the
prompts x is minus a random entry, in the other half no entry matches. Every block is compressed to r numbers of one
bit (a sign, with a straight-through gradient); a query sees the summaries and opens the k blocks whose summaries score
highest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from separation.experiments.layers import GatedMLP
from separation.experiments.runs import Run
from separation.experiments.training import TEST_SEED, TESTED, Problem

COMPRESSORS = ("linear", "mlp", "positional")


@dataclass(frozen=True)
class SparseShape:
    """B, k, g, r, and how a block is compressed: a linear map or an MLP of the mean, or one of the block in order."""

    block: int = 4
    opened: int = 1
    blocks: int = 4
    summary_bits: int = 16
    compressor: str = "positional"
    width: int = 32
    heads: int = 4


def balanced(modulus: int, shape: SparseShape, random: np.random.Generator, count: int) -> NDArray[np.int64]:
    """Prompts (count, g·B + 1), the first half with a match; if every value stands in the blocks x is one too."""
    entries = random.integers(1, modulus, size=(count, shape.blocks * shape.block))
    asked = random.integers(1, modulus, size=count)
    matched = modulus - entries[np.arange(count), random.integers(entries.shape[1], size=count)]
    present = (entries[:, :, None] == modulus - np.arange(1, modulus)).any(1)
    free = np.where(present, np.inf, random.random(present.shape)).argmin(1) + 1
    asked = np.where(present.all(1), asked, free)
    asked[: count // 2] = matched[: count // 2]
    return np.concatenate([entries, asked[:, None]], 1)


def has_match(modulus: int, prompts: NDArray[np.int64]) -> NDArray[np.bool_]:
    return ((prompts[:, :-1] + prompts[:, -1:]) % modulus == 0).any(1)


class SparseNetwork(nn.Module):
    """One sparse layer with its MLP; the logit of "there is a match"."""

    def __init__(self, modulus: int, shape: SparseShape) -> None:
        super().__init__()
        self.shape, width = shape, shape.width
        self.values = nn.Embedding(modulus, width)
        self.asked = nn.Embedding(modulus, width)
        self.order = nn.Parameter(torch.randn(shape.block, width) / math.sqrt(width))
        into = shape.block * width if shape.compressor == "positional" else width
        inner = () if shape.compressor == "linear" else (nn.Linear(into, 4 * width), nn.SiLU())
        self.compress = nn.Sequential(*inner, nn.Linear(4 * width if inner else into, max(1, shape.summary_bits)))
        self.summary = nn.Linear(max(1, shape.summary_bits), 2 * shape.heads * width)
        self.raw = nn.Linear(width, 2 * shape.heads * width)
        self.query = nn.Linear(width, shape.heads * width)
        self.join = nn.Linear(shape.heads * width + width, 2 * width)
        self.mlp = GatedMLP(2 * width, 4 * width)
        self.answer = nn.Linear(2 * width, 1)

    def forward(self, prompts: Tensor) -> Tensor:
        shape, count = self.shape, len(prompts)
        entries = self.values(prompts[:, :-1]).reshape(count, shape.blocks, shape.block, shape.width) + self.order
        query = self.query(self.asked(prompts[:, -1])).reshape(count, shape.heads, 1, shape.width)
        summaries = self._heads(self.summary(self._bits(entries)))
        raw = self._heads(self.raw(entries.flatten(1, 2)))
        keys = torch.cat([summaries[0], raw[0]], 2)
        scores = (query @ keys.transpose(2, 3)).squeeze(2) / math.sqrt(shape.width)
        seen = torch.cat([scores[..., : shape.blocks], self._opened(scores)], -1)
        heard = torch.softmax(seen, -1)[:, :, None] @ torch.cat([summaries[1], raw[1]], 2)
        joined = self.join(torch.cat([heard.flatten(1), self.asked(prompts[:, -1])], -1))
        return self.answer(joined + self.mlp(joined)).squeeze(-1)

    def _bits(self, entries: Tensor) -> Tensor:
        """±1 for every bit of the summaries; nothing at all where r = 0."""
        blocks = entries.flatten(2) if self.shape.compressor == "positional" else entries.mean(2)
        found = torch.tanh(self.compress(blocks))
        if not self.shape.summary_bits:
            return torch.zeros_like(found)
        return found + (torch.where(found >= 0, 1.0, -1.0) - found).detach()

    def _heads(self, mapped: Tensor) -> tuple[Tensor, Tensor]:
        split = mapped.reshape(*mapped.shape[:2], 2, self.shape.heads, self.shape.width).permute(2, 0, 3, 1, 4)
        return split[0], split[1]

    def _opened(self, scores: Tensor) -> Tensor:
        """Scores of raw entries, −∞ outside the k blocks with the best summaries (over all heads together)."""
        blocks, entries = scores[..., : self.shape.blocks], scores[..., self.shape.blocks :]
        best = blocks.amax(1).topk(self.shape.opened, -1).indices
        visible = torch.zeros(len(scores), self.shape.blocks, dtype=torch.bool, device=scores.device)
        visible.scatter_(1, best, True)
        return entries.masked_fill(~visible.repeat_interleave(self.shape.block, 1)[:, None], -torch.inf)


class Searching(Problem):
    """2-Sum modulo M = ``run.m`` with the sparse layer that the settings describe."""

    def __init__(self, run: Run) -> None:
        self.modulus = run.m
        chosen = {name: value for name, value in run.settings if name in SparseShape.__dataclass_fields__}
        self.shape = SparseShape(**chosen)
        torch.manual_seed(run.seed)
        self.network = SparseNetwork(self.modulus, self.shape)

    def batch(self, random: np.random.Generator, count: int) -> tuple[Tensor, Tensor]:
        prompts = balanced(self.modulus, self.shape, random, count)
        return torch.as_tensor(prompts), torch.as_tensor(has_match(self.modulus, prompts)).float()

    def loss(self, inputs: Tensor, wanted: Tensor, hop_weight: float) -> Tensor:  # noqa: ARG002
        return nn.functional.binary_cross_entropy_with_logits(self.network(inputs), wanted)

    def tested(self, device: str = "cpu") -> tuple[int, int, tuple[float, float]]:
        """Right answers, of how many; the shares of matches found and of prompts without one that are told so."""
        prompts = balanced(self.modulus, self.shape, np.random.default_rng(TEST_SEED), TESTED)
        wanted = has_match(self.modulus, prompts)
        with torch.no_grad():
            said = self.network(torch.as_tensor(prompts).to(device)).cpu().numpy() > 0
        return int((said == wanted).sum()), TESTED, (float(said[wanted].mean()), float(1 - said[~wanted].mean()))
