"""A model of full layers as a graph over real numbers: its input is what the tokens write, and nothing else.

The stream of row i is positions[i] plus what the token there writes. Tokens write ±1 into few coordinates of a row (the
bits of a value, the digits of a query); each such coordinate is one number of the input, so every prompt is a corner of
the cube [−1, 1]^d, and a box of that cube is a set of prompts together with all that lies between them. Attention is
softmax in real arithmetic, not the floored weights of the exact run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.models import Head, Model
from separation.numeric.onnx.graph import BIAS_OF_HIDDEN, Graph

Array = NDArray[np.float64]
Weights = Mapping[str, Array]


@dataclass(frozen=True)
class CodeNetwork:
    """Weights as floats, which whole numbers of this size are exactly.

    where coordinate k of the input is added to the stream of row ``places[k][0]`` at ``places[k][1]``; ``tokens`` has
    the row that each token id writes; a layer has one head (w_q, w_k, w_v, w_o) and one MLP (w_1, b_1, w_2, b_2).
    """

    positions: Array
    tokens: Array
    places: tuple[tuple[int, int], ...]
    layers: tuple[Weights, ...]
    unembedding: Array

    @property
    def length(self) -> int:
        return len(self.positions)

    @property
    def outputs(self) -> int:
        return len(self.unembedding)

    def inputs(self, prompts: NDArray[np.int64]) -> NDArray[np.float32]:
        """The corners that prompts stand for, (batch, d)."""
        rows, columns = np.array(self.places).T
        return np.asarray(self.tokens[prompts[:, rows], columns], dtype=np.float32)


def code_network(model: Model, length: int, ids: list[NDArray[np.int64]]) -> CodeNetwork:
    """The network of a model of one-headed full layers; ``ids[i]`` are the token ids that may stand at position i."""
    tokens = _rows(model.tokens, np.arange(model.tokens.height))
    places = [(row, int(column)) for row in range(length) for column in np.flatnonzero(tokens[ids[row]].any(axis=0))]
    layers = []
    for layer in model.layers:
        (head,), (mlp,) = layer.heads, layer.mlps
        if not isinstance(head, Head):
            raise ValueError(f"a head of type {head.TYPE} has no softmax")
        weights = {name: _float(getattr(part, name)) for part in (head, mlp) for name in part.MATRICES}
        layers.append(weights)
    unembedding = _rows(model.unembedding, np.arange(model.unembedding.height))
    positions = _rows(model.positions, np.arange(length))
    return CodeNetwork(positions, tokens, tuple(places), tuple(layers), unembedding)


def code_graph(network: CodeNetwork, about: str, batch: int | str = 1) -> Any:
    """x = P + E·input; x += W_O softmax(q·k) v; x += W_2 relu(W_1 x + b_1) + b_2: each layer; U·x of the last row."""
    graph, (length, width) = Graph("plain"), network.positions.shape
    written = np.zeros((len(network.places), length * width))
    for number, (row, column) in enumerate(network.places):
        written[number, row * width + column] = 1
    x = graph.linear("X", written, network.positions.reshape(-1))
    x = graph.node("Reshape", x, graph.stored(np.array([-1, length, width])))
    hidden = np.triu(np.full((length, length), BIAS_OF_HIDDEN), k=1)
    for layer in network.layers:
        query, key, value = (graph.linear(x, layer[name].T) for name in ("w_q", "w_k", "w_v"))
        scores = graph.node("MatMul", query, graph.node("Transpose", key, perm=[0, 2, 1]))
        weights = graph.node("Softmax", graph.node("Add", scores, graph.stored(hidden)), axis=-1)
        found = graph.linear(graph.node("MatMul", weights, value), layer["w_o"].T)
        x = graph.node("Add", x, found)
        inner = graph.node("Relu", graph.linear(x, layer["w_1"].T, layer["b_1"][:, 0]))
        x = graph.node("Add", x, graph.linear(inner, layer["w_2"].T, layer["b_2"][:, 0]))
    result = graph.linear(graph.last_row(x, length), network.unembedding.T)
    return graph.build(("X", "FLOAT", [batch, len(network.places)]), result, network.outputs, about)


def _rows(table: Any, numbers: NDArray[np.int64]) -> Array:
    return np.asarray(table.rows(numbers) / table.denominator, dtype=np.float64)


def _float(matrix: Any) -> Array:
    return np.asarray(matrix.numerators / matrix.denominator, dtype=np.float64)
