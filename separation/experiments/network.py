"""A word of layers as a network that is trained on FuncComp: embeddings with shared codes, layers, one decoder.

The code of an index is the code of its i (and of its digit w_ℓ): values, addresses and answers share one table of
codes, so that what is read can be looked for in the next layer without a translation to be learned for each table.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from separation.experiments.layers import FullAttention, GatedDelta, GatedMLP, Mixer, Slots
from separation.tasks.funccomp import Sizes


@dataclass(frozen=True)
class Shape:
    """Widths of a network: the stream, a head of F, the state of R (keys × values), the MLP; ``bits`` a number or None.

    ``window``: tokens that a W layer sees. ``codes``: kinds, codes and digits start as orthogonal vectors whose entries
    have this root mean square; None, or too few dimensions for all of them: independent normal numbers. ``residual``:
    what the layers add to the stream at first is so many times the usual; words of many layers need less. ``probes``:
    hops are read behind each layer by a decoder of its own; what was read early need not be taken back for the answer.
    """

    width: int = 64
    head: int = 16
    keys: int = 4
    values: int = 8
    inner: int = 128
    window: int = 2
    bits: int | None = None
    codes: float | None = None
    residual: float = 1.0
    probes: bool = False


class Network(nn.Module):
    """word: layers in order, F, R, W (a window) or M (attention over a summary). Answers are read at the last token."""

    mixers: nn.ModuleList

    def __init__(self, word: str, sizes: Sizes, shape: Shape) -> None:
        super().__init__()
        self.word, self.sizes, self.shape = word, sizes, shape
        self.embedding = Embedding(sizes, shape.width, shape.codes)
        self.mixers = nn.ModuleList([mixer(letter, sizes, shape) for letter in word])
        self.mlps = nn.ModuleList([GatedMLP(shape.width, shape.inner) for _ in word])
        self.norms = nn.ModuleList([nn.RMSNorm(shape.width) for _ in range(2 * len(word))])
        self.last = nn.RMSNorm(shape.width)
        self.decoder = nn.Linear(shape.width, shape.width, bias=False)
        self.probes = nn.ModuleList(
            [nn.Linear(shape.width, shape.width, bias=False) for _ in word[1:]] if shape.probes else []
        )
        with torch.no_grad():
            for layer in (*self._mixers, *self.mlps):
                layer.get_submodule("out").weight.mul_(shape.residual)

    def forward(self, prompts: Tensor) -> list[Tensor]:
        """The stream after every layer; after the last one at the last token alone, where the answer is read."""
        streams = [self.embedding(prompts)]
        for number, (mixer, mlp) in enumerate(zip(self.mixers, self.mlps, strict=True), 1):
            stream = streams[-1]
            stream = stream + mixer(self.norms[2 * number - 2](stream))
            stream = stream if number < len(self.mlps) else stream[:, -1:]
            streams.append(stream + mlp(self.norms[2 * number - 1](stream)))
        return streams[1:]

    def logits(self, stream: Tensor, layer: int = -1) -> Tensor:
        """Of values, at every token of a stream: its product with their codes; ``layer``: behind which it is read."""
        read = self.probes[layer] if 0 <= layer < len(self.probes) else self.decoder
        found: Tensor = read(self.last(stream)) @ self.embedding.codes.weight.T
        return found

    @property
    def message_bits(self) -> int:
        """β, the maximum over the layers."""
        return max(each.message_bits for each in self._mixers)

    @property
    def state_bits(self) -> list[int]:
        """Of each layer; Λ_t is a sum of them."""
        return [each.state_bits for each in self._mixers]

    @property
    def _mixers(self) -> list[Mixer]:
        return [each for each in self.mixers if isinstance(each, Mixer)]


class Embedding(nn.Module):
    """kind + A·code(i) + D[w_ℓ] + B·code(value), for every token of a prompt given as token ids.

    where (w_ℓ, i) is the address of a token of table ℓ+1; D[0] stands for "no digit".
    """

    kinds: Tensor
    indices: Tensor
    digits: Tensor

    def __init__(self, sizes: Sizes, width: int, size: float | None = None) -> None:
        super().__init__()
        self.sizes = sizes
        for name, positions in zip(("kinds", "indices", "digits"), _addresses(sizes), strict=True):
            self.register_buffer(name, positions, persistent=False)
        self.kind = nn.Embedding(sizes.L + 2, width)
        self.codes = nn.Embedding(sizes.N[-1], width)
        self.digit = nn.Embedding(1 + sum(sizes.n), width)
        self.address = nn.Linear(width, width, bias=False)
        self.content = nn.Linear(width, width, bias=False)
        if size is not None:
            _orthogonal([self.kind.weight, self.codes.weight, self.digit.weight], size)

    def forward(self, prompts: Tensor) -> Tensor:
        addresses = self.address(self.codes(self.indices)) + self.digit(self.digits)
        values = self.content(self.codes(prompts[:, :-1]))
        query = self.digit(self._query(prompts[:, -1])).sum(1, keepdim=True)
        at_tables = torch.cat([addresses, addresses.new_zeros(1, addresses.shape[1])])
        return self.kind(self.kinds) + torch.cat([at_tables + values, query], 1)

    def _query(self, tokens: Tensor) -> Tensor:
        """Rows of D for the digits w_1, …, w_{L-1} of the last token; its id is w_{L-1} + n_{L-1}·(w_{L-2} + …)."""
        rest, rows, first = tokens - self.sizes.N[-1], [], 1 + sum(self.sizes.n)
        for size in reversed(self.sizes.n):
            first -= size
            rows.append(first + rest % size)
            rest = rest // size
        return torch.stack(rows or [torch.zeros_like(tokens)], 1)


def _orthogonal(tables: list[Tensor], size: float) -> None:
    """All rows of all tables at right angles to each other, if the width allows it; else only shorter."""
    width, rows = tables[0].shape[1], [len(table) for table in tables]
    with torch.no_grad():
        if sum(rows) > width:
            for table in tables:
                table.mul_(size)
            return
        directions = nn.init.orthogonal_(torch.empty(width, width)) * (size * width**0.5)
        for table, part in zip(tables, directions[: sum(rows)].split(rows), strict=True):
            table.copy_(part)


def _addresses(sizes: Sizes) -> tuple[Tensor, Tensor, Tensor]:
    """Kinds of all tokens; i and the row of D of the tokens of the tables, in prompt order."""
    kinds, indices, digits = [], [], []
    for level in range(sizes.L, 0, -1):
        inner = sizes.N[max(level - 2, 0)]
        place = torch.arange(sizes.N[level - 1])
        kinds.append(torch.full_like(place, level - 1))
        indices.append(place % inner)
        digits.append(1 + sum(sizes.n[: level - 2]) + place // inner if level > 1 else torch.zeros_like(place))
    return torch.cat([*kinds, torch.tensor([sizes.L, sizes.L + 1])]), torch.cat(indices), torch.cat(digits)


def mixer(letter: str, sizes: Sizes, shape: Shape) -> Mixer:
    """The layer that a letter stands for."""
    cuts = [sizes.table_start(level) + sizes.N[level - 1] for level in range(sizes.L, 0, -1)]
    if letter == "R":
        return GatedDelta(shape.width, shape.keys, shape.values, cuts, shape.bits)
    if letter == "M":
        return Slots(shape.width, shape.keys, shape.values, cuts, shape.bits)
    window = {"F": None, "W": shape.window}[letter]
    return FullAttention(shape.width, shape.head, cuts, shape.bits, window)
