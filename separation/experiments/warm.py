"""The built weights as a network that can be trained on: C1, C2 and C7 as float parameters, with noise.

    parameter = built + noise·σ·N(0, 1)

where σ is the root mean square of that matrix's entries that are not 0. From here training tells a word that cannot
from one that only was not found: at noise 0 a solvable word has accuracy 1 before the first step. A summary of C7 is
what C7's is: for each head the code of one token of the block, rounded to one bit a number, key and value in one;
r = B·⌈log2 M⌉ bits, noise or not.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.experiments.layers import rounded
from separation.models import Declared, Head, Layer, LinearHead, Model, SparseHead, Stored
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes


def floats(matrix: ExactMatrix) -> Tensor:
    dense = torch.zeros(matrix.shape)
    for row, column, value in matrix.entries():
        dense[row, column] = float(value)
    return dense


def add_noise(network: nn.Module, noise: float, seed: int) -> None:
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            size = parameter[parameter != 0].square().mean().sqrt() if (parameter != 0).any() else 0.0
            parameter.add_(noise * size * torch.randn(parameter.shape, generator=random))


class BuiltNetwork(nn.Module):
    """A construction's layers: softmax and linear heads, ReLU MLPs, no norms; streams and logits as in `Network`."""

    def __init__(self, model: Model, noise: float, seed: int) -> None:
        super().__init__()
        self.positions, self.tokens = _all_rows(model.positions), _all_rows(model.tokens)
        self.answers = _all_rows(model.unembedding)
        self.layers = nn.ModuleList([_BuiltLayer(layer) for layer in model.layers])
        add_noise(self, noise, seed)

    def forward(self, prompts: Tensor) -> list[Tensor]:
        stream, streams = self.positions + self.tokens[prompts], []
        for layer in self.layers:
            stream = layer(stream)
            streams.append(stream)
        return streams

    def logits(self, stream: Tensor) -> Tensor:
        return stream @ self.answers.T


class _BuiltLayer(nn.Module):
    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.heads = nn.ModuleList([_BuiltHead(head) for head in layer.heads if isinstance(head, Head | LinearHead)])
        if len(self.heads) < len(layer.heads):
            raise ValueError("only full and linear heads are trained from built weights")
        maps = [(floats(mlp.w_1), floats(mlp.b_1).T, floats(mlp.w_2), floats(mlp.b_2).T) for mlp in layer.mlps]
        self.mlps = nn.ParameterList([nn.Parameter(part) for parts in maps for part in parts])

    def forward(self, stream: Tensor) -> Tensor:
        stream = stream + sum(head(stream) for head in self.heads)
        for first in range(0, len(self.mlps), 4):
            w_1, b_1, w_2, b_2 = (self.mlps[first + part] for part in range(4))
            stream = stream + torch.relu(stream @ w_1.T + b_1) @ w_2.T + b_2
        return stream


class _BuiltHead(nn.Module):
    def __init__(self, head: Head | LinearHead) -> None:
        super().__init__()
        self.full, self.normalised = isinstance(head, Head), getattr(head, "normalised", True)
        self.maps = nn.ParameterDict({name: floats(getattr(head, name)) for name in head.MATRICES})

    def forward(self, stream: Tensor) -> Tensor:
        maps = self.maps
        query, key, value = stream @ maps["w_q"].T, stream @ maps["w_k"].T, stream @ maps["w_v"].T
        earlier = torch.ones(stream.shape[1], stream.shape[1], dtype=torch.bool, device=stream.device).tril()
        if self.full:
            scores = (query @ key.transpose(1, 2)).masked_fill(~earlier, -torch.inf)
            return torch.softmax(scores, -1) @ value @ maps["w_o"].T
        query, key = torch.relu(query + maps["b_q"].T), torch.relu(key + maps["b_k"].T)
        weights = (query @ key.transpose(1, 2)) * earlier
        if self.normalised:
            total = weights.sum(-1, keepdim=True)
            weights = weights / torch.where(total == 0, torch.ones_like(total), total)
        return weights @ value @ maps["w_o"].T


def built_network(word: str, sizes: Sizes, noise: float, seed: int) -> BuiltNetwork:
    """C1 or C2 of a word of exactly the layers that its depth needs, e.g. FFF or RFF for L = 2."""
    options = {"word": word} if "R" in word else {}
    construction = build("C2" if "R" in word else "C1", sizes, **options)
    if construction.model.word != word:
        raise ValueError(f"{word} at L = {sizes.L} is not built; {construction.model.word} is")
    return BuiltNetwork(construction.model, noise, seed)


class BuiltSparse(nn.Module):
    """The logit of "there is a match" at the last token, a block of its own behind g complete ones."""

    def __init__(self, sizes: TwoSumSizes, block: int, opened: int, noise: float, seed: int) -> None:
        super().__init__()
        model = build("C7", sizes, block=block, opened=opened).model
        (layer,) = model.layers
        self.positions = _all_rows(model.positions)
        self.tokens = _all_rows(model.tokens)
        self.answers = _all_rows(model.unembedding)
        self.heads = nn.ModuleList([_BuiltSparseHead(head) for head in _sparse_heads(layer)])
        parts = [part for mlp in layer.mlps for part in (mlp.w_1, mlp.b_1, mlp.w_2, mlp.b_2)]
        self.mlps = nn.ParameterList([nn.Parameter(floats(part)) for part in parts])
        add_noise(self, noise, seed)

    @property
    def summary_bits(self) -> int:
        """r: one bit for every number of every head's summary."""
        return sum(head.maps["c_k"].shape[0] for head in self.heads if isinstance(head, _BuiltSparseHead))

    def forward(self, prompts: Tensor) -> Tensor:
        stream = self.positions + self.tokens[prompts]
        last = stream[:, -1] + sum(head(stream) for head in self.heads)
        for first in range(0, len(self.mlps), 4):
            w_1, b_1, w_2, b_2 = (self.mlps[first + part] for part in range(4))
            last = last + torch.relu(last @ w_1.T + b_1.T) @ w_2.T + b_2.T
        no, yes = (last @ self.answers.T).unbind(-1)
        return yes - no


class _BuiltSparseHead(nn.Module):
    """What the last token hears: summaries, the tokens of the opened blocks, itself."""

    def __init__(self, head: SparseHead) -> None:
        super().__init__()
        if not torch.equal(floats(head.w_k), floats(head.w_v)) or not torch.equal(floats(head.c_k), floats(head.c_v)):
            raise ValueError("only heads whose keys are their values have summaries of one bit a number")
        self.block, self.opened = head.block, head.opened
        self.maps = nn.ParameterDict({name: floats(getattr(head, name)) for name in ("w_q", "w_k", "c_k", "w_o")})

    def forward(self, stream: Tensor) -> Tensor:
        keys = stream @ self.maps["w_k"].T
        query = stream[:, -1:] @ self.maps["w_q"].T
        blocks = keys[:, :-1].unflatten(1, (-1, self.block)).flatten(2)
        summaries = rounded(blocks @ self.maps["c_k"].T, 1)
        best = (summaries @ query.transpose(1, 2)).squeeze(2).topk(self.opened, -1).indices
        visible = torch.zeros(summaries.shape[:2], dtype=torch.bool, device=stream.device).scatter(1, best, True)
        shut = ~visible.repeat_interleave(self.block, 1)
        seen = torch.cat([summaries, keys], 1)
        scores = (seen @ query.transpose(1, 2)).squeeze(2)
        hidden = nn.functional.pad(nn.functional.pad(shut, (summaries.shape[1], 0)), (0, 1))
        weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), -1)
        return (weights[:, None] @ seen).squeeze(1) @ self.maps["w_o"].T


def _sparse_heads(layer: Layer) -> list[SparseHead]:
    return [head for head in layer.heads if isinstance(head, SparseHead)]


def _all_rows(declared: Stored | Declared) -> nn.Parameter:
    numerators = np.asarray(declared.rows(np.arange(declared.height)))
    return nn.Parameter(torch.as_tensor(numerators.astype(np.float64) / declared.denominator).float())
