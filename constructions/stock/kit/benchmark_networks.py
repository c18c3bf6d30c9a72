"""The networks of `export --benchmark`: C1 over real inputs and in stock classes, right and with something changed.

Of C1 the input is what the tokens write, ±1 into few coordinates of a row: every prompt is a corner of [−1, 1]^d, and a
box is a set of prompts with all that lies between them. Attention is softmax in real arithmetic, not floored weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from constructions import c1
from constructions.stock import target
from separation.numeric.onnx.graph import BIAS_OF_HIDDEN, Graph
from separation.numeric.onnx.networks import stock_graph
from separation.tasks.funccomp import Sizes

SHARPER = 3
"""Added to C1's temperature, so that balls, which forget what depends on what, can follow it through the layers."""
CODE_SIZES = (Sizes(2, ()), Sizes(4, ()), Sizes(2, (2,)))
STOCK_SIZES = (Sizes(2, ()), Sizes(2, (2,)))
EMBEDDINGS = {"gpt2": "transformer.wte.weight", "llama": "model.embed_tokens.weight"}

Tensors = dict[str, NDArray[Any]]
Part = tuple[str, Any, float]
"""The name of a tensor, which of its numbers, and what they are multiplied by."""


@dataclass(frozen=True)
class Network:
    """``graph(batch)`` makes the model; ``change`` says in words what is not as it should be, None if it is right."""

    name: str
    change: str | None
    graph: Callable[[int | str], Any]


@dataclass(frozen=True)
class Family:
    """Networks of one shape, the right one first, with how a prompt becomes their input.

    ``rows``: the row of the prompt that each coordinate of the input belongs to. ``bounded``: inputs are codes, within
    ±1, so that what is not read may be anything there; otherwise they are embeddings, and boxes are small.
    """

    name: str
    sizes: Sizes
    inputs: Callable[[NDArray[np.int64]], NDArray[np.float32]]
    rows: NDArray[np.int64]
    networks: tuple[Network, ...]
    outputs: int
    bounded: bool


def families() -> list[Family]:
    """All families, small ones first."""
    return [*map(_code_family, CODE_SIZES), *(_stock_family(to, sizes) for to in EMBEDDINGS for sizes in STOCK_SIZES)]


def _code_family(sizes: Sizes) -> Family:
    tensors = _code_tensors(sizes)
    tokens, last = tensors["tokens"], sizes.N[-1]
    kinds = [tokens[:last]] * (sizes.length - 1) + [tokens[last:]]
    rows, columns = np.array([(row, k) for row, own in enumerate(kinds) for k in np.flatnonzero(own.any(axis=0))]).T

    def graph(own: Tensors, about: str | None, batch: int | str) -> Any:
        told = f"C1 as a real function, {sizes.length} tokens; {about or 'unchanged'}"
        return _code_graph(own, rows * tokens.shape[1] + columns, told, batch)

    def inputs(prompts: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.asarray(tokens[prompts[:, rows], columns], dtype=np.float32)

    networks = _networks("c1", sizes, tensors, graph)
    return Family(_title("c1", sizes), sizes, inputs, rows, networks, len(tensors["unembedding"]), bounded=True)


def _stock_family(to: str, sizes: Sizes) -> Family:
    checkpoint = target(to).build(sizes)
    rows = checkpoint.tensors[EMBEDDINGS[to]].astype(np.float32)

    def graph(own: Tensors, about: str | None, batch: int | str) -> Any:
        told: Any = {"style": "plain", "embedded": True, "batch": batch, "about": about}
        return stock_graph(checkpoint.config, own, sizes.length, **told)

    def inputs(prompts: NDArray[np.int64]) -> NDArray[np.float32]:
        return rows[prompts].reshape(len(prompts), -1)

    networks = _networks(to, sizes, dict(checkpoint.tensors), graph)
    places = np.repeat(np.arange(sizes.length), rows.shape[1])
    return Family(_title(to, sizes), sizes, inputs, places, networks, sizes.vocabulary, bounded=False)


def _title(kind: str, sizes: Sizes) -> str:
    return "_".join([kind, f"L{sizes.L}", f"m{sizes.m}", *(f"n{size}" for size in sizes.n)])


def _networks(
    kind: str, sizes: Sizes, right: Tensors, graph: Callable[[Tensors, str | None, int | str], Any]
) -> tuple[Network, ...]:
    def made(name: str, about: str | None, parts: list[Part]) -> Network:
        tensors = dict(right)
        for key, where, factor in parts:
            tensors[key] = tensors[key].copy()
            tensors[key][where] *= factor
        return Network(f"{_title(kind, sizes)}_{name}", about, lambda batch: graph(tensors, about, batch))

    return (made("right", None, []), *(made(*change) for change in CHANGES[kind](sizes, right)))


def _code_tensors(sizes: Sizes) -> Tensors:
    """C1's weights as floats, which whole numbers of this size are exactly."""
    model = c1.build(sizes, temperature=c1.Plan(sizes).temperature + SHARPER).model
    tables = {"positions": model.positions, "tokens": model.tokens, "unembedding": model.unembedding}
    counts = {"positions": sizes.length, "tokens": sizes.vocabulary, "unembedding": model.unembedding.height}
    tensors = {name: table.rows(np.arange(counts[name])) / table.denominator for name, table in tables.items()}
    for number, layer in enumerate(model.layers):
        for part in (*layer.heads, *layer.mlps):
            weights = {name: getattr(part, name) for name in part.MATRICES}
            tensors |= {f"{number}.{name}": weight.numerators / weight.denominator for name, weight in weights.items()}
    return {name: np.asarray(tensor, dtype=np.float64) for name, tensor in tensors.items()}


def _code_graph(tensors: Tensors, places: NDArray[np.int64], about: str, batch: int | str) -> Any:
    """x = P + E·input; x += W_O softmax(q·k) v; x += W_2 relu(W_1 x + b_1) + b_2: each layer; U·x of the last row."""
    graph, (length, width) = Graph("plain"), tensors["positions"].shape
    written = np.zeros((len(places), length * width))
    written[np.arange(len(places)), places] = 1
    x = graph.linear("X", written, tensors["positions"].reshape(-1))
    x = graph.node("Reshape", x, graph.stored(np.array([-1, length, width])))
    hidden = np.triu(np.full((length, length), BIAS_OF_HIDDEN), k=1)
    for number in range(sum(name.endswith(".w_q") for name in tensors)):
        q, k, v, o, w_1, b_1, w_2, b_2 = (
            tensors[f"{number}.{name}"].T for name in ("w_q", "w_k", "w_v", "w_o", "w_1", "b_1", "w_2", "b_2")
        )
        scores = graph.node("MatMul", graph.linear(x, q), graph.node("Transpose", graph.linear(x, k), perm=[0, 2, 1]))
        weights = graph.node("Softmax", graph.node("Add", scores, graph.stored(hidden)), axis=-1)
        x = graph.node("Add", x, graph.linear(graph.node("MatMul", weights, graph.linear(x, v)), o))
        x = graph.node("Add", x, graph.linear(graph.node("Relu", graph.linear(x, w_1, b_1[0])), w_2, b_2[0]))
    result = graph.linear(graph.last_row(x, length), tensors["unembedding"].T)
    return graph.build(("X", "FLOAT", [batch, len(places)]), result, len(tensors["unembedding"]), about)


# Which of these changes are wrong, and where, is found out and not stated.

Changes = list[tuple[str, str, list[Part]]]


def _c1(sizes: Sizes, _tensors: Tensors) -> Changes:
    plan, asked = c1.Plan(sizes), f"{sizes.L}.w_q"
    clip = slice(2 * len(plan.stream["pointer"]))  # the units `above` and `below`: relu(x + 1) − relu(x − 1) − 1
    neighbour = (
        "The last layer asks for the neighbour of the right entry: the lowest bit of the index has the wrong sign."
    )
    collision = "One entry of the last table has the address of its neighbour: only what is read there is wrong."
    slope = "The clip of every layer has slope 1, so that it snaps nothing back; answers need not be wrong for that."
    first = sizes.table_start(sizes.L), plan.stream["index"][0]
    return [
        ("cold", "The last layer's temperature is an eighth of what it should be.", [(asked, ..., 0.125)]),
        ("mean", "The last layer attends to the mean of all rows.", [(asked, ..., 0.0)]),
        ("neighbour", neighbour, [(asked, plan.address["index"][0], -1)]),
        (
            "shared_table",
            "The last layer does not ask which table an entry belongs to.",
            [(asked, list(plan.address["tag"]), 0)],
        ),
        ("collision", collision, [("positions", first, -1)]),
        ("slope_one", slope, [(f"{number}.w_1", clip, 0.5) for number in range(sizes.L + 1)]),
    ]


def _gpt2(sizes: Sizes, tensors: Tensors) -> Changes:
    attention, positions = f"transformer.h.{sizes.L}.attn.", tensors["transformer.wpe.weight"]
    half = positions.shape[1] // 2
    bit = int(np.flatnonzero(positions[0, :half] != positions[1, :half])[0])
    cold = [(f"{attention}c_attn.{part}", (..., slice(2 * half)), 1 / 64) for part in ("weight", "bias")]
    collision = "The first row of the prompt has the address of another one, in one bit of its position."
    old_hop = "The last layer's second head, which takes the old hop away, is not written."
    return [
        ("old_hop", old_hop, [(f"{attention}c_proj.weight", slice(half, None), 0)]),
        ("cold", "The last layer's queries are 64 times too small.", cold),
        ("collision", collision, [("transformer.wpe.weight", (0, [bit, half + bit]), -1)]),
    ]


def _llama(sizes: Sizes, _tensors: Tensors) -> Changes:
    last = f"model.layers.{sizes.L}.self_attn."
    one_product = "The MLP before the last layer has the sign of one of its products wrong."
    one_sign = "One number: the first coordinate of a value that the last layer's look-up reads has the wrong sign."
    return [
        ("one_product", one_product, [(f"model.layers.{sizes.L - 1}.mlp.up_proj.weight", slice(2), -1)]),
        ("cold", "The last layer's queries are 512 times too small.", [(f"{last}q_proj.weight", ..., 1 / 512)]),
        ("one_sign", one_sign, [(f"{last}v_proj.weight", 0, -1)]),
    ]


CHANGES: dict[str, Callable[[Sizes, Tensors], Changes]] = {"c1": _c1, "gpt2": _gpt2, "llama": _llama}
