"""The networks of `export --benchmark`: C1 over real inputs and in stock classes, right and with something changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from constructions import c1
from constructions.stock import target
from separation.numeric.onnx.networks import CodeNetwork, code_graph, code_network, stock_graph
from separation.tasks.funccomp import Sizes

SHARPER = 3
"""Added to C1's temperature, so that balls, which forget what depends on what, can follow it through the layers."""
CODE_SIZES = (Sizes(2, ()), Sizes(4, ()), Sizes(2, (2,)))
STOCK_SIZES = (Sizes(2, ()), Sizes(2, (2,)))

Inputs = Callable[[NDArray[np.int64]], NDArray[np.float32]]


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
    inputs: Inputs
    rows: NDArray[np.int64]
    networks: tuple[Network, ...]
    outputs: int
    bounded: bool


def families() -> list[Family]:
    """All families, small ones first."""
    return [*map(_code_family, CODE_SIZES), *(_stock_family(to, sizes) for to in STOCK for sizes in STOCK_SIZES)]


def _title(kind: str, sizes: Sizes) -> str:
    return "_".join([kind, f"L{sizes.L}", f"m{sizes.m}", *(f"n{size}" for size in sizes.n)])


def _code_family(sizes: Sizes) -> Family:
    plan = c1.Plan(sizes, c1.Plan(sizes).temperature + SHARPER)
    construction = c1.build(sizes, temperature=plan.temperature)
    values, queries = np.arange(sizes.N[-1]), np.arange(sizes.N[-1], sizes.vocabulary)
    network = code_network(construction.model, sizes.length, [values] * (sizes.length - 1) + [queries])
    changed: list[tuple[str, str | None, CodeNetwork]] = [("right", None, network)]
    changed += [
        (name, " ".join((change.__doc__ or "").split()), change(network, plan)) for name, change in CODE.items()
    ]
    title = _title("c1", sizes)

    def made(name: str, about: str | None, own: CodeNetwork) -> Network:
        told = f"C1 as a real function, {sizes.length} tokens; {about or 'unchanged'}"
        return Network(f"{title}_{name}", about, lambda batch: code_graph(own, told, batch))

    rows = np.array([row for row, _ in network.places])
    networks = tuple(made(*each) for each in changed)
    return Family(title, sizes, network.inputs, rows, networks, network.outputs, bounded=True)


def _layer(network: CodeNetwork, number: int, **weights: NDArray[np.float64]) -> CodeNetwork:
    layers = list(network.layers)
    layers[number] = {**layers[number], **weights}
    return replace(network, layers=tuple(layers))


def _cold(network: CodeNetwork, _plan: c1.Plan) -> CodeNetwork:
    """The last layer's temperature is an eighth of what it should be."""
    return _layer(network, -1, w_q=network.layers[-1]["w_q"] * 0.125)


def _mean(network: CodeNetwork, _plan: c1.Plan) -> CodeNetwork:
    """The last layer attends to the mean of all rows."""
    return _layer(network, -1, w_q=network.layers[-1]["w_q"] * 0.0)


def _neighbour(network: CodeNetwork, plan: c1.Plan) -> CodeNetwork:
    """The last layer asks for the neighbour of the right entry: the lowest bit of the index has the wrong sign."""
    asked = network.layers[-1]["w_q"].copy()
    asked[plan.address["index"][0]] *= -1
    return _layer(network, -1, w_q=asked)


def _shared_table(network: CodeNetwork, plan: c1.Plan) -> CodeNetwork:
    """The last layer does not ask which table an entry belongs to."""
    asked = network.layers[-1]["w_q"].copy()
    asked[list(plan.address["tag"])] = 0
    return _layer(network, -1, w_q=asked)


def _collision(network: CodeNetwork, plan: c1.Plan) -> CodeNetwork:
    """One entry of the last table has the address of its neighbour: only what is read there is wrong."""
    positions = network.positions.copy()
    positions[plan.sizes.table_start(plan.sizes.L), plan.stream["index"][0]] *= -1
    return replace(network, positions=positions)


def _clip_of_slope_one(network: CodeNetwork, plan: c1.Plan) -> CodeNetwork:
    """The clip of every layer has slope 1, so that it snaps nothing back; answers need not be wrong for that."""
    bits, changed = len(plan.stream["pointer"]), network
    for number, layer in enumerate(network.layers):
        rows = layer["w_1"].copy()
        rows[: 2 * bits] /= 2  # the units `above` and `below`: relu(x + 1) − relu(x − 1) − 1
        changed = _layer(changed, number, w_1=rows)
    return changed


CODE: Mapping[str, Callable[[CodeNetwork, c1.Plan], CodeNetwork]] = {
    "cold": _cold,
    "mean": _mean,
    "neighbour": _neighbour,
    "shared_table": _shared_table,
    "collision": _collision,
    "slope_one": _clip_of_slope_one,
}
"""Changes of C1; which of them are wrong, and where, is found out and not stated."""

Tensors = dict[str, NDArray[Any]]


def _stock_family(to: str, sizes: Sizes) -> Family:
    checkpoint = target(to).build(sizes)
    embedding, changes = STOCK[to]
    title = _title(to, sizes)

    def made(name: str, about: str | None, tensors: Tensors) -> Network:
        def graph(batch: int | str) -> Any:
            return stock_graph(
                checkpoint.config, tensors, sizes.length, style="plain", embedded=True, batch=batch, about=about
            )

        return Network(f"{title}_{name}", about, graph)

    right = dict(checkpoint.tensors)
    networks = [made("right", None, right)]
    for name, change in changes.items():
        tensors = {key: tensor.copy() for key, tensor in right.items()}
        change(tensors, sizes)
        networks.append(made(name, " ".join((change.__doc__ or "").split()), tensors))
    rows = right[embedding].astype(np.float32)

    def inputs(prompts: NDArray[np.int64]) -> NDArray[np.float32]:
        return rows[prompts].reshape(len(prompts), -1)

    places = np.repeat(np.arange(sizes.length), rows.shape[1])
    return Family(title, sizes, inputs, places, tuple(networks), sizes.vocabulary, bounded=False)


def _gpt2_old_hop(tensors: Tensors, sizes: Sizes) -> None:
    """The last layer's second head, which takes the old hop away, is not written."""
    weight = tensors[f"transformer.h.{sizes.L}.attn.c_proj.weight"]
    weight[len(weight) // 2 :] = 0


def _gpt2_cold(tensors: Tensors, sizes: Sizes) -> None:
    """The last layer's queries are 64 times too small."""
    width = tensors["transformer.wte.weight"].shape[1]
    tensors[f"transformer.h.{sizes.L}.attn.c_attn.weight"][:, :width] /= 64
    tensors[f"transformer.h.{sizes.L}.attn.c_attn.bias"][:width] /= 64


def _gpt2_collision(tensors: Tensors, _sizes: Sizes) -> None:
    """The first row of the prompt has the address of another one, in one bit of its position."""
    positions = tensors["transformer.wpe.weight"]
    half = positions.shape[1] // 2
    (bit,) = (int(place) for place in np.flatnonzero(positions[0, :half] != positions[1, :half])[:1])
    positions[0, [bit, half + bit]] *= -1


def _llama_one_product(tensors: Tensors, sizes: Sizes) -> None:
    """The MLP before the last layer has the sign of one of its products wrong."""
    tensors[f"model.layers.{sizes.L - 1}.mlp.up_proj.weight"][:2] *= -1


def _llama_cold(tensors: Tensors, sizes: Sizes) -> None:
    """The last layer's queries are 512 times too small."""
    tensors[f"model.layers.{sizes.L}.self_attn.q_proj.weight"] /= 512


def _llama_one_sign(tensors: Tensors, sizes: Sizes) -> None:
    """One number: the first coordinate of a value that the last layer's look-up reads has the wrong sign."""
    weight = tensors[f"model.layers.{sizes.L}.self_attn.v_proj.weight"]
    weight[0] *= -1


Change = Callable[[Tensors, Sizes], None]
STOCK: Mapping[str, tuple[str, Mapping[str, Change]]] = {
    "gpt2": (
        "transformer.wte.weight",
        {"old_hop": _gpt2_old_hop, "cold": _gpt2_cold, "collision": _gpt2_collision},
    ),
    "llama": (
        "model.embed_tokens.weight",
        {"one_product": _llama_one_product, "cold": _llama_cold, "one_sign": _llama_one_sign},
    ),
}
"""By stock class: its embedding, and what is changed in the tensors, in place."""
