"""FuncComp as a problem to train on: a word of layers as a network, which inputs, which losses, how it is tested.

Embeddings with shared codes, layers, decoders. The code of an index is the code of its i (and of its digit w_ℓ):
values, addresses and answers share one table of codes, so that what is read can be looked for in the next layer without
a translation to be learned for each table.

After layer k of K, w should hold i_{L-K+k}, the order in which C1 and C2 read; as long as that is negative nothing is
asked. After the first full layer (the first one, if none is full) z_0's own token should hold i_1.

Inputs are token ids, (table sets, T + 2·queries): the tables of a prompt, then z_0 and w of each query.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from separation.experiments.distributions import DISTRIBUTIONS
from separation.experiments.layers import FullAttention, GatedDelta, Mixer, Window, stacked
from separation.experiments.runs import Run, layers_of
from separation.experiments.training import TEST_SEED, TESTED, Problem
from separation.tasks.funccomp import FuncComp, Sizes, random_prompts
from separation.tasks.funccomp.instance import batch_hops

LAYERS_IN_FULL = 4
"""In words of more layers than this, each R layer and each MLP adds so many times less: their sum stays as large."""


@dataclass(frozen=True)
class Shape:
    """Widths of a network: the stream, a head of F, the state of R (keys × values), the MLP; ``bits`` a number or None.

    ``match``: dimensions of queries and keys of F; ``head``: of its values. ``window``: tokens that a W layer sees;
    ``window_head``: its head. ``codes``: kinds, codes and digits start as orthogonal vectors whose entries have this
    root mean square (too few dimensions for all of them: independent normal numbers). ``shared``: whether values,
    addresses and answers have one table of codes, or three.
    """

    width: int = 64
    match: int = 64
    head: int = 16
    keys: int = 2
    values: int = 4
    inner: int = 64
    window: int = 2
    window_head: int = 16
    bits: int | None = None
    codes: float = 0.3
    shared: bool = True


class Network(nn.Module):
    """word: layers in order, F, R or W (attention in a window). Answers are read at the last token."""

    def __init__(self, word: str, sizes: Sizes, shape: Shape) -> None:
        super().__init__()
        self.word, self.shape = word, shape
        self.embedding = Embedding(sizes, shape)
        mixers = [mixer(letter, sizes, shape) for letter in word]
        self.mixers, self.mlps, self.norms = stacked(mixers, shape.width, shape.inner)
        self.decoder = Decoder(sizes, shape, len(word))
        self.share = min(1.0, LAYERS_IN_FULL / len(word))

    def forward(self, prompts: Tensor) -> list[Tensor]:
        """After every layer the stream of the queries, (table sets, queries, z_0 and w, width); in the end w alone."""
        stream, streams = self.embedding(prompts), []
        tables = self.embedding.tables
        for number, (mixer, mlp) in enumerate(zip(self.mixers, self.mlps, strict=True), 1):
            last = number == len(self.mlps)
            heard = mixer(self.norms[2 * number - 2](stream), last)
            stream = stream[:, tables:] if last else stream
            stream = stream + (heard if isinstance(mixer, FullAttention) else self.share * heard)
            stream = stream[:, 1::2] if last else stream
            stream = stream + self.share * mlp(self.norms[2 * number - 1](stream))
            streams.append(stream[:, :, None] if last else stream[:, tables:].unflatten(1, (-1, 2)))
        return streams

    def logits(self, stream: Tensor, layer: int = -1) -> Tensor:
        """Of values, read behind a layer."""
        found: Tensor = self.decoder(stream, layer, self.embedding.codes.weight)
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
    """kind + A·code(i) + D[w_ℓ] + B·code(value), for every token.

    where (w_ℓ, i) is the address of a token of table ℓ+1; D[0] stands for "no digit".
    """

    kinds: Tensor
    indices: Tensor
    digits: Tensor

    def __init__(self, sizes: Sizes, shape: Shape) -> None:
        super().__init__()
        self.sizes, self.tables, width = sizes, sizes.length - 2, shape.width
        for name, positions in zip(("kinds", "indices", "digits"), _addresses(sizes), strict=True):
            self.register_buffer(name, positions, persistent=False)
        self.kind = nn.Embedding(sizes.L + 2, width)
        self.codes = nn.Embedding(sizes.N[-1], width)
        self.digit = nn.Embedding(1 + sum(sizes.n), width)
        _orthogonal([self.kind.weight, self.codes.weight, self.digit.weight], shape.codes)
        self.places = self.codes if shape.shared else nn.Embedding(sizes.N[-1], width)
        if not shape.shared:
            _orthogonal([self.places.weight], shape.codes)
        self.address, self.content = (nn.Linear(width, width, bias=False) for _ in range(2))
        for matrix in (self.address.weight, self.content.weight):
            nn.init.orthogonal_(matrix)

    def forward(self, prompts: Tensor) -> Tensor:
        asked = prompts[:, self.tables :].unflatten(1, (-1, 2))
        places = self.kind(self.kinds) + self.address(self.places(self.indices)) + self.digit(self.digits)
        tables = places + self.content(self.codes(prompts[:, : self.tables]))
        z_0 = self.kind.weight[-2] + self.content(self.codes(asked[..., 0]))
        w = self.kind.weight[-1] + self.digit(self._query(asked[..., 1])).sum(2)
        return torch.cat([tables, torch.stack([z_0, w], 2).flatten(1, 2)], 1)

    def _query(self, tokens: Tensor) -> Tensor:
        """Rows of D for the digits w_1, …, w_{L-1} of the last token; its id is w_{L-1} + n_{L-1}·(w_{L-2} + …)."""
        rest, rows, first = tokens - self.sizes.N[-1], [], 1 + sum(self.sizes.n)
        for size in reversed(self.sizes.n):
            first -= size
            rows.append(first + rest % size)
            rest = rest // size
        return torch.stack(rows or [torch.zeros_like(tokens)], -1)


class Decoder(nn.Module):
    """Logits of values: the product of their codes with a matrix of the stream.

    The last L + 1 layers have a matrix each, as what was read early need not be taken back for the answer.
    """

    def __init__(self, sizes: Sizes, shape: Shape, layers: int) -> None:
        super().__init__()
        width = shape.width
        self.layers, self.norm = layers, nn.RMSNorm(width)
        self.read = nn.ModuleList([nn.Linear(width, width, bias=False) for _ in range(min(sizes.L + 1, layers))])
        self.own = None if shape.shared else nn.Linear(width, sizes.N[-1], bias=False)

    def forward(self, stream: Tensor, layer: int, codes: Tensor) -> Tensor:
        from_the_end = -1 - layer if layer < 0 else self.layers - 1 - layer
        read = self.read[min(from_the_end, len(self.read) - 1)]
        found: Tensor = read(self.norm(stream)) @ (codes if self.own is None else self.own.weight).T
        return found


def _orthogonal(tables: list[Tensor], size: float) -> None:
    """All rows of all tables at right angles to each other, if the width allows it; else only shorter."""
    width, rows = tables[0].shape[1], [len(table) for table in tables]
    with torch.no_grad():
        if sum(rows) > width:
            for table in tables:
                table.mul_(size)
            return
        directions = nn.init.orthogonal_(torch.empty(sum(rows), width)) * (size * width**0.5)
        for table, part in zip(tables, directions.split(rows), strict=True):
            table.copy_(part)


def _addresses(sizes: Sizes) -> tuple[Tensor, Tensor, Tensor]:
    """Kind, i and the row of D of the tokens of the tables, in prompt order."""
    kinds, indices, digits = [], [], []
    for level in range(sizes.L, 0, -1):
        inner = sizes.N[max(level - 2, 0)]
        place = torch.arange(sizes.N[level - 1])
        kinds.append(torch.full_like(place, level - 1))
        indices.append(place % inner)
        digits.append(1 + sum(sizes.n[: level - 2]) + place // inner if level > 1 else torch.zeros_like(place))
    return torch.cat(kinds), torch.cat(indices), torch.cat(digits)


def mixer(letter: str, sizes: Sizes, shape: Shape) -> Mixer:
    """The layer that a letter stands for."""
    cuts = [sizes.table_start(level) + sizes.N[level - 1] for level in range(sizes.L, 0, -1)]
    if letter == "R":
        return GatedDelta(shape.width, shape.keys, shape.values, cuts, shape.bits)
    if letter == "W":
        return Window(shape.width, shape.window_head, shape.window, cuts, shape.bits)
    return FullAttention(shape.width, shape.match, {"F": shape.head}[letter], cuts, shape.bits)


Prompts = NDArray[np.int64]
CHUNK = 512
"""Queries that are asked at once."""
TABLES_AT_ONCE = 64


class Composition(Problem):
    """The network of a run, trained on inputs of its distribution (``train_on``, uniform if nothing else is said)."""

    network: Any

    def __init__(self, run: Run) -> None:
        self.sizes = Sizes(run.m, run.n)
        names = {field.name for field in fields(Shape)}
        self.shape = Shape(**{name: value for name, value in run.settings if name in names})
        word = layers_of(run.word)
        torch.manual_seed(run.seed)
        self.network = self.built(word, run)
        self.drawn = DISTRIBUTIONS[run.setting("train_on", "uniform")]
        self.first_full, layers = max(0, word.find("F")), len(word)
        self.hops = [self.sizes.L - layers + layer for layer in range(1, layers)]
        self.inputs_log2 = self.sizes.inputs_log2()

    def built(self, word: str, run: Run) -> nn.Module:  # noqa: ARG002
        return Network(word, self.sizes, self.shape)

    @property
    def bits(self) -> tuple[int | None, list[int] | None]:
        """β and the state bits of each layer; None where numbers are not rounded."""
        return (None, None) if self.shape.bits is None else (self.network.message_bits, self.network.state_bits)

    def batch(self, random: np.random.Generator, tables: int, queries: int) -> tuple[Tensor, Tensor]:
        """Table sets of the distribution, each asked by its own query and by random ones."""
        prompts = self.drawn(self.sizes, random, tables)
        others = random_prompts(self.sizes, random, tables * (queries - 1))[:, -2:].reshape(tables, -1)
        inputs = np.concatenate([prompts, others], 1)
        return torch.as_tensor(inputs), torch.as_tensor(self.right_hops(inputs))

    def right_hops(self, inputs: Prompts) -> Prompts:
        """(table sets, queries, L + 1)."""
        tables, asked = np.split(inputs, [self.sizes.length - 2], axis=1)
        asked = asked.reshape(len(inputs), -1, 2)
        spread = np.broadcast_to(tables[:, None], (*asked.shape[:2], tables.shape[1]))
        alone = np.concatenate([spread, asked], 2).reshape(-1, self.sizes.length)
        return batch_hops(self.sizes, alone).reshape(*asked.shape[:2], -1)

    def loss(self, inputs: Tensor, wanted: Tensor, hop_weight: float) -> tuple[Tensor, float]:
        streams = self.network(inputs)

        def entropy(logits: Tensor, hop: int) -> Tensor:
            return nn.functional.cross_entropy(logits.flatten(0, 1), wanted[..., hop].flatten())

        answers = self.network.logits(streams[-1][:, :, -1])
        loss = entropy(answers, -1)
        asked = [(layer, -1, hop) for layer, hop in enumerate(self.hops) if hop >= 0]
        if self.first_full < len(streams) - 1:
            asked.append((self.first_full, 0, 1))
        for layer, token, hop in asked if hop_weight else ():
            loss = loss + hop_weight * entropy(self.network.logits(streams[layer][:, :, token], layer), hop)
        return loss, float((answers.argmax(-1) == wanted[..., -1]).float().mean())

    def answers(self, prompts: Prompts, device: str = "cpu") -> Prompts:
        """What the network says to prompts of one query each, after every layer: (prompts, layers)."""
        found = []
        with torch.no_grad():
            for start in range(0, len(prompts), CHUNK):
                streams = self.network(torch.as_tensor(prompts[start : start + CHUNK]).to(device))
                said = [self.network.logits(each[:, 0, -1], layer).argmax(-1) for layer, each in enumerate(streams)]
                found.append(torch.stack(said, 1).cpu().numpy())
        return np.concatenate(found)

    def tested(
        self, name: str, device: str = "cpu", count: int = TESTED, seed: int = TEST_SEED
    ) -> tuple[int, int, tuple[float, ...]]:
        """Right answers, of how many, and for each hop the best accuracy over the layers; inputs of a distribution."""
        prompts = DISTRIBUTIONS[name](self.sizes, np.random.default_rng(seed), count)
        hops, said = batch_hops(self.sizes, prompts), self.answers(prompts, device)
        shares = tuple(float((said == hops[:, [hop]]).mean(0).max()) for hop in range(self.sizes.L + 1))
        return int((said[:, -1] == hops[:, -1]).sum()), count, shares

    def every_input(self, twin: Any) -> Iterator[tuple[Prompts, Tensor, Tensor]]:
        """Every table set once, with all of its queries."""
        task, tables, queries = FuncComp(self.sizes), self.sizes.length - 2, self.sizes.m * self.sizes.queries
        for prompts in task.all_prompts(TABLES_AT_ONCE * queries):  # queries of one table set are neighbours
            asked = prompts[:, tables:].reshape(-1, 2 * queries)
            with torch.no_grad():
                stream = twin(torch.as_tensor(np.concatenate([prompts[::queries, :tables], asked], 1)))[-1]
                logits = twin.logits(stream[:, :, -1]).flatten(0, 1)
            yield prompts, torch.as_tensor(task.right_answers(prompts))[:, None], logits[:, None]

    def right(self, prompts: Prompts, device: str = "cpu") -> NDArray[np.bool_]:
        return self.answers(prompts, device)[:, -1] == FuncComp(self.sizes).right_answers(prompts)
