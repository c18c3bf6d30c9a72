"""The built weights as a network that can be trained on: C1 and C2 as float parameters, with noise.

    parameter = built + noise·σ·N(0, 1)

where σ is the root mean square of that matrix's entries that are not 0. From here training tells a word that cannot
from one that only was not found: at noise 0 a solvable word has accuracy 1 before the first step.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.models import Head, Layer, LinearHead, Model
from separation.tasks.funccomp import Sizes


def floats(matrix: ExactMatrix) -> Tensor:
    dense = torch.zeros(matrix.shape)
    for row, column, value in matrix.entries():
        dense[row, column] = float(value)
    return dense


class BuiltNetwork(nn.Module):
    """A construction's layers: softmax and linear heads, ReLU MLPs, no norms; streams and logits as in `Network`."""

    def __init__(self, model: Model, noise: float, seed: int) -> None:
        super().__init__()
        positions = np.arange(model.positions.height)
        tokens, answers = np.arange(model.tokens.height), np.arange(model.unembedding.height)
        self.positions = _table(model.positions.rows(positions), model.positions.denominator)
        self.tokens = _table(model.tokens.rows(tokens), model.tokens.denominator)
        self.answers = _table(model.unembedding.rows(answers), model.unembedding.denominator)
        self.layers = nn.ModuleList([_BuiltLayer(layer) for layer in model.layers])
        random = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for parameter in self.parameters():
                size = parameter[parameter != 0].square().mean().sqrt() if (parameter != 0).any() else 0.0
                parameter.add_(noise * size * torch.randn(parameter.shape, generator=random))

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


def _table(numerators: object, denominator: int) -> nn.Parameter:
    return nn.Parameter(torch.as_tensor(np.asarray(numerators).astype(np.float64) / denominator).float())


def built_network(word: str, sizes: Sizes, noise: float, seed: int) -> BuiltNetwork:
    """C1 or C2 of a word of exactly the layers that its depth needs, e.g. FFF or RFF for L = 2."""
    options = {"word": word} if "R" in word else {}
    construction = build("C2" if "R" in word else "C1", sizes, **options)
    if construction.model.word != word:
        raise ValueError(f"{word} at L = {sizes.L} is not built; {construction.model.word} is")
    return BuiltNetwork(construction.model, noise, seed)
