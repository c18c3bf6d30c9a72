"""Stock GPT-2 and Llama as graphs, from config.json and tensors.

Neither torch nor transformers takes part: the forward pass of each stock class is written down here a second time, in
the operators of the standard, and the program that runs the graph brings its own LayerNorm, RMSNorm, attention, rotary
embedding, GELU and SiLU.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.numeric.onnx.graph import Graph

Config = Mapping[str, Any]
Tensors = Mapping[str, NDArray[np.floating[Any]]]


def stock_graph(
    config: Config,
    tensors: Tensors,
    length: int,
    *,
    style: str = "standard",
    embedded: bool = False,
    batch: int | str = "batch",
    about: str | None = None,
) -> Any:
    """The model of prompts of ``length`` tokens: the logits of the last row.

    The input is `ids` (int64, batch × length), or if ``embedded`` the rows of the embedding, flat: `X` (float32,
    batch × length·width), positions not added yet.
    """
    (architecture,) = config["architectures"]
    if architecture not in LAYERS:
        raise InputError(f"ONNX graphs are written of {', '.join(LAYERS)}, not of {architecture}")
    names, width, vocabulary, rest = LAYERS[architecture]
    graph = Graph(style)
    source: tuple[str, str, list[Any]]
    if embedded:
        source = ("X", "FLOAT", [batch, length * int(config[width])])
        rows = graph.node("Reshape", "X", graph.stored(np.array([-1, length, int(config[width])])))
    else:
        source = ("ids", "INT64", [batch, length])
        rows = graph.node("Gather", graph.stored(tensors[names]), "ids", axis=0)
    result = rest(graph, config, tensors, rows, length)
    return graph.build(
        source, result, int(config[vocabulary]), f"{architecture}, {length} tokens; {about or 'unchanged'}"
    )


def _gpt2(graph: Graph, config: Config, tensors: Tensors, x: str, length: int) -> str:
    """x + wpe; x += attention(LN x); x += W_2 gelu(W_1 LN x): h times; the last row of LN x times the embedding."""
    width, heads, epsilon = config["n_embd"], config["n_head"], config["layer_norm_epsilon"]
    x = graph.node("Add", x, graph.stored(tensors["transformer.wpe.weight"][:length]))

    def part(name: str) -> tuple[Any, Any]:
        return tensors[f"transformer.{name}.weight"], tensors[f"transformer.{name}.bias"]

    for number in range(config["n_layer"]):
        normed = graph.layer_norm(x, *part(f"h.{number}.ln_1"), epsilon)
        weight, bias = part(f"h.{number}.attn.c_attn")
        thirds = [slice(third * width, (third + 1) * width) for third in range(3)]
        query, key, value = (graph.linear(normed, weight[:, third], bias[third]) for third in thirds)
        found = graph.causal_attention(query, key, value, heads, width // heads, length)
        x = graph.node("Add", x, graph.linear(found, *part(f"h.{number}.attn.c_proj")))
        normed = graph.layer_norm(x, *part(f"h.{number}.ln_2"), epsilon)
        inner = graph.gelu(graph.linear(normed, *part(f"h.{number}.mlp.c_fc")))
        x = graph.node("Add", x, graph.linear(inner, *part(f"h.{number}.mlp.c_proj")))
    last = graph.layer_norm(graph.last_row(x, length), *part("ln_f"), epsilon)
    return graph.linear(last, tensors["transformer.wte.weight"].T)


def _llama(graph: Graph, config: Config, tensors: Tensors, x: str, length: int) -> str:
    """x += attention of turned queries and keys(RMS x); x += down(silu(gate RMS x) ⊙ up RMS x): h times; the head."""
    heads, head_width, epsilon = config["num_attention_heads"], config["head_dim"], config["rms_norm_eps"]
    turns = _turns(config["rope_parameters"]["rope_theta"], head_width, length)
    stored = [] if graph.plain else [graph.stored(part[None]) for part in (np.cos(turns), np.sin(turns))]

    def turned(rows: str) -> str:
        if graph.plain:
            return _turned_plainly(graph, rows, turns, heads, head_width)
        batch = graph.node("Slice", graph.node("Shape", rows), *(graph.stored(np.array([at])) for at in (0, 1)))
        rest = graph.stored(np.array([length, head_width // 2]))
        shape = graph.node("Concat", batch, rest, axis=0)
        caches = (graph.node("Expand", cache, shape) for cache in stored)
        return graph.node("RotaryEmbedding", rows, *caches, num_heads=heads)

    for number in range(config["num_hidden_layers"]):
        layer = f"model.layers.{number}"

        def linear(rows: str, name: str, layer: str = layer) -> str:
            return graph.linear(rows, tensors[f"{layer}.{name}.weight"].T)

        normed = graph.rms_norm(x, tensors[f"{layer}.input_layernorm.weight"], epsilon)
        query, key, value = (linear(normed, f"self_attn.{part}_proj") for part in "qkv")
        found = graph.causal_attention(turned(query), turned(key), value, heads, head_width, length)
        x = graph.node("Add", x, linear(found, "self_attn.o_proj"))
        normed = graph.rms_norm(x, tensors[f"{layer}.post_attention_layernorm.weight"], epsilon)
        gate, up = graph.silu(linear(normed, "mlp.gate_proj")), linear(normed, "mlp.up_proj")
        x = graph.node("Add", x, linear(graph.node("Mul", gate, up), "mlp.down_proj"))
    last = graph.rms_norm(graph.last_row(x, length), tensors["model.norm.weight"], epsilon)
    return graph.linear(last, tensors["lm_head.weight"].T)


def _turns(base: float, head_width: int, length: int) -> NDArray[np.float64]:
    """length × head_width/2: the angle position/base^(2j/head_width), as the stock class rounds it."""
    frequencies = (1.0 / base ** (np.arange(0, head_width, 2) / head_width)).astype(np.float32)
    positions = np.arange(length, dtype=np.float32)
    return (positions[:, None] * frequencies[None, :]).astype(np.float64)


def _turned_plainly(graph: Graph, rows: str, turns: NDArray[np.float64], heads: int, head_width: int) -> str:
    """x ⊙ cos + (x P) ⊙ sin, where P takes coordinate j + h to −j and j to j + h, for each head."""
    half = head_width // 2
    one = np.zeros((head_width, head_width))
    one[np.arange(half, head_width), np.arange(half)] = -1
    one[np.arange(half), np.arange(half, head_width)] = 1
    swapped = graph.linear(rows, np.kron(np.eye(heads), one))
    cosine, sine = (graph.stored(np.tile(part, (1, 2 * heads))) for part in (np.cos(turns), np.sin(turns)))
    return graph.node("Add", graph.node("Mul", rows, cosine), graph.node("Mul", swapped, sine))


Rest = Callable[[Graph, Config, Tensors, str, int], str]
LAYERS: dict[str, tuple[str, str, str, Rest]] = {
    "GPT2LMHeadModel": ("transformer.wte.weight", "n_embd", "vocab_size", _gpt2),
    "LlamaForCausalLM": ("model.embed_tokens.weight", "hidden_size", "vocab_size", _llama),
}
"""By the class that config.json names: its embedding, the fields of its width and vocabulary, and the rest of it."""
