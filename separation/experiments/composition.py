"""FuncComp as a problem to train on: a word of layers as a network, which inputs, which losses, how it is tested.

Embeddings with shared codes, layers, one decoder. The code of an index is the code of its i (and of its digit w_ℓ):
values, addresses and answers share one table of codes, so that what is read can be looked for in the next layer without
a translation to be learned for each table.

After layer k of K, w should hold i_{L-K+k}, the order in which C1 and C2 read; as long as that is negative nothing is
asked. After the first full layer (the first one, if none is full) z_0's own token should hold i_1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from separation.experiments.distributions import DISTRIBUTIONS, simplify
from separation.experiments.layers import FullAttention, GatedDelta, GatedMLP, Mixer, Slots
from separation.experiments.runs import Run, layers_of
from separation.experiments.training import TEST_SEED, TESTED, Problem
from separation.experiments.warm import BuiltNetwork, built_network
from separation.tasks.funccomp import Sizes, token_ids
from separation.tasks.funccomp.families import FAMILIES
from separation.tasks.funccomp.instance import batch_hops


@dataclass(frozen=True)
class Shape:
    """Widths of a network: the stream, a head of F, the state of R (keys × values), the MLP; ``bits`` a number or None.

    ``window``: tokens that a W layer sees; ``window_head``: its head, where it is not that of F. ``codes``: kinds,
    codes and digits start as orthogonal vectors whose entries have this root mean square; None, or too few dimensions
    for all of them: independent normal numbers. ``residual``: what the layers add to the stream at first is so many
    times the usual; words of many layers need less. ``probes``: hops are read behind each layer by a decoder of its
    own; what was read early need not be taken back for the answer.
    """

    width: int = 64
    head: int = 16
    keys: int = 4
    values: int = 8
    inner: int = 128
    window: int = 2
    window_head: int | None = None
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
    if letter == "W":
        return FullAttention(shape.width, shape.window_head or shape.head, cuts, shape.bits, shape.window)
    return FullAttention(shape.width, {"F": shape.head}[letter], cuts, shape.bits)


Prompts = NDArray[np.int64]
CHUNK = 512
PAIRS = 256


class Composition(Problem):
    """The network of a run, trained on inputs of its distribution (``train_on``, uniform if nothing else is said)."""

    def __init__(self, run: Run) -> None:
        self.sizes = Sizes(run.m, run.n)
        chosen = {name: value for name, value in run.settings if name in Shape.__dataclass_fields__}
        word, noise = layers_of(run.word), run.setting("noise", None)
        torch.manual_seed(run.seed)
        self.network: Network | BuiltNetwork = (
            Network(word, self.sizes, Shape(**chosen))
            if noise is None
            else built_network(word, self.sizes, noise, run.seed)
        )
        self.inputs = DISTRIBUTIONS[run.setting("train_on", "uniform")]
        self.first_full, layers = max(0, word.find("F")), len(word)
        self.hops = [self.sizes.L - layers + layer for layer in range(1, layers)]

    @property
    def bits(self) -> tuple[int | None, list[int] | None]:
        """β and the state bits of each layer; None where numbers are not rounded."""
        network = self.network
        if isinstance(network, BuiltNetwork) or network.shape.bits is None:
            return None, None
        return network.message_bits, network.state_bits

    def batch(self, random: np.random.Generator, count: int) -> tuple[Tensor, Tensor]:
        prompts = self.inputs(self.sizes, random, count)
        if self.simple:
            simplify(self.sizes, prompts, self.simple, random)
        return torch.as_tensor(prompts), torch.as_tensor(batch_hops(self.sizes, prompts))

    def loss(self, inputs: Tensor, wanted: Tensor, hop_weight: float) -> Tensor:
        streams = self.network(inputs)
        entropy = nn.functional.cross_entropy
        loss = entropy(self.network.logits(streams[-1][:, -1]), wanted[:, -1])
        asked = [(layer, -1, hop) for layer, hop in enumerate(self.hops) if hop >= 0]
        if self.first_full < len(streams) - 1:
            asked.append((self.first_full, -2, 1))
        for layer, token, hop in asked:
            loss = loss + hop_weight * entropy(self._read(streams[layer][:, token], layer), wanted[:, hop])
        return loss

    def _read(self, stream: Tensor, layer: int) -> Tensor:
        network = self.network
        return network.logits(stream, layer) if isinstance(network, Network) else network.logits(stream)

    def answers(self, prompts: Prompts, device: str = "cpu") -> NDArray[np.int64]:
        """What the network says, for each prompt and after every layer: (prompts, layers)."""
        found = []
        with torch.no_grad():
            for start in range(0, len(prompts), CHUNK):
                streams = self.network(torch.as_tensor(prompts[start : start + CHUNK]).to(device))
                said = [self._read(stream[:, -1], layer).argmax(-1) for layer, stream in enumerate(streams)]
                found.append(torch.stack(said, 1).cpu().numpy())
        return np.concatenate(found)

    def tested(self, name: str, device: str = "cpu") -> tuple[int, int, tuple[float, ...]]:
        """Right answers, of how many, and for each hop the best accuracy over the layers; inputs of a distribution."""
        prompts = DISTRIBUTIONS[name](self.sizes, np.random.default_rng(TEST_SEED), TESTED)
        hops, said = batch_hops(self.sizes, prompts), self.answers(prompts, device)
        shares = tuple(float((said == hops[:, [hop]]).mean(0).max()) for hop in range(self.sizes.L + 1))
        return int((said[:, -1] == hops[:, -1]).sum()), TESTED, shares

    def shifted(self, device: str = "cpu") -> dict[str, float]:
        """Accuracy on every other distribution and on every adversarial family."""
        found = {}
        for name in DISTRIBUTIONS:
            correct, tested, _ = self.tested(name, device)
            found[name] = correct / tested
        for name, family in FAMILIES.items():
            instances = [instance for seed in range(16) for instance in family(self.sizes, seed)]
            prompts = np.stack([token_ids(instance) for instance in instances])
            right = self.answers(prompts, device)[:, -1] == batch_hops(self.sizes, prompts)[:, -1]
            found[name] = float(right.mean())
        return found

    def confused_pairs(self, device: str = "cpu") -> list[tuple[list[int], list[int]]]:
        """Pairs of prompts that differ in one asked entry, with different answers, and get the same one."""
        family = FAMILIES["one_entry_apart"]
        instances = [instance for seed in range(PAIRS // (2 * self.sizes.L)) for instance in family(self.sizes, seed)]
        prompts = np.stack([token_ids(instance) for instance in instances])
        said = self.answers(prompts, device)[:, -1]
        return [
            (prompts[first].tolist(), prompts[first + 1].tolist())
            for first in range(0, len(prompts), 2)
            if said[first] == said[first + 1]
        ]
