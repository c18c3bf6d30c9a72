"""A transformer without norms, trained; then its weights, rounded to multiples of 2^-6, as an exact model.

    x = place + token;  x ← x + W_O·softmax(W_Q x · W_K x)·W_V x;  x ← x + W_2 relu(W_1 x + b_1) + b_2;  W_U x

where nothing is left that exact arithmetic lacks, so the kernel can run every input: an `exhaustive` certificate.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from separation.arithmetic import ExactMatrix, Precision
from separation.experiments.composition import Composition
from separation.experiments.runs import Run
from separation.models import MLP, Head, Layer, Model, Stored, Stream
from separation.proving import Construction, exhaustive_certificate
from separation.tasks.funccomp import Sizes

WIDTH, INNER, GRID = 16, 32, 64
SPARE = 16
"""Bits behind the point of an activation, and bits of an attention weight more than the smallest maximum needs."""


class BareNetwork(nn.Module):
    """Full layers of one head; ``seen``: if a list, of every layer the largest scores of queries, and the stream."""

    seen: list[tuple[Tensor, Tensor]] | None = None

    def __init__(self, word: str, sizes: Sizes) -> None:
        super().__init__()
        matrix, rows = partial(nn.Linear, WIDTH, bias=False), (sizes.length, sizes.N[-1] + sizes.queries)
        tables = [nn.Embedding(each, WIDTH, _weight=torch.randn(each, WIDTH) / 2) for each in rows]
        self.tables: Any = nn.ModuleList(tables)
        self.heads: Any = nn.ModuleList([nn.ModuleList([matrix(WIDTH) for _ in range(4)]) for _ in word])
        mlps = [nn.ModuleList([nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)]) for _ in word]
        self.mlps: Any = nn.ModuleList(mlps)
        self.read = nn.ModuleList([matrix(sizes.N[-1]) for _ in word])

    def forward(self, prompts: Tensor) -> list[Tensor]:
        """After every layer the stream of z_0 and w, (table sets, queries, 2, width); each query is a prompt."""
        places, tokens = self.tables
        asked = prompts[:, len(places.weight) - 2 :].unflatten(1, (-1, 2))
        tables = prompts[:, None, : len(places.weight) - 2].expand(-1, asked.shape[1], -1)
        stream, streams = places.weight + tokens(torch.cat([tables, asked], 2)), []
        for (query, key, value, out), (into, back) in zip(self.heads, self.mlps, strict=True):
            scores = query(stream) @ key(stream).transpose(-1, -2)
            scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
            stream = stream + out(torch.softmax(scores, -1) @ value(stream))
            stream = stream + back(torch.relu(into(stream)))
            streams.append(stream[:, :, -2:])
            if self.seen is not None:
                self.seen.append((scores.amax(-1), stream.abs()))
        return streams

    def logits(self, stream: Tensor, layer: int = -1) -> Tensor:
        found: Tensor = self.read[layer](stream)
        return found


class BareComposition(Composition):
    """FuncComp put to a bare transformer; same losses, batches, tests."""

    network: BareNetwork
    bits = None, None  # nothing is rounded in training

    def built(self, word: str, run: Run) -> BareNetwork:  # noqa: ARG002
        return BareNetwork(word, self.sizes)

    def certificate(self, times: int = 4) -> dict[str, Any]:
        """Round the weights in place; how many of all inputs are answered rightly, as the kernel runs them."""
        network = self.network
        with torch.no_grad():
            for value in network.parameters():
                value.copy_((GRID * value).round() / GRID)
        seen: list[tuple[Tensor, Tensor]] = []
        network.seen = seen
        for _ in self.every_input(network):
            pass
        layers, network.seen = [], None
        tops = [[top for top, _ in seen[number :: len(network.heads)]] for number in range(len(network.heads))]
        shifts = [math.ceil(max(float(top.max()) for top in each)) + 1 for each in tops]
        deepest = max(shift - float(top.min()) for shift, each in zip(shifts, tops, strict=True) for top in each)
        largest = math.ceil(math.log2(max(float(stream.max()) for _, stream in seen))) + 2
        for head, mlp, shift in zip(network.heads, network.mlps, shifts, strict=True):
            matrices = dict(zip(Head.MATRICES, (_exact(each.weight) for each in head), strict=True))
            parts = (_exact(part) for each in mlp for part in (each.weight, each.bias))
            layers.append(Layer((Head(**matrices, shift=Fraction(shift)),), (MLP(*parts),)))
        positions, tokens, answers = (Stored(_exact(each.weight)) for each in (*network.tables, network.read[-1]))
        precision = Precision(SPARE + math.ceil(deepest / math.log(2)), SPARE + largest, SPARE)
        model = Model(Stream([("trained", WIDTH)]), positions, tokens, tuple(layers), answers, precision)
        return exhaustive_certificate(Construction("trained", self.sizes, model), times)


def _exact(values: Any) -> ExactMatrix:
    """A matrix, or a bias as a column."""
    rows = (GRID * values.detach().double()).round().long().reshape(len(values), -1).tolist()
    return ExactMatrix.from_rows([[Fraction(number, GRID) for number in row] for row in rows])
