"""The weights of a compiled program in the layout of a stock class, whatever the program is: finds, counts and maps.

The stream of the stock model is (B, x), for GPT-2 (B, x, −B, −x): the ballast B is so large that a norm divides every
row by nearly the same number, which its gain multiplies by again. What is read is ρ·x with ρ = 1/√(1 + |x|²/B²), the
same factor for all of a row, and relu(ρ·z) = ρ·relu(z). One layer of a program is one block, and one more without
attention for each further MLP; activations are relu, which both classes offer. Nothing bounds the floats' errors: what
is written has been run.

Llama and hybrids have no rows for positions: what stands in their stream is a function of the token alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from constructions.stock.kit.layouts import gated_mlp, gpt2_layout, llama_layout, norms, weights
from constructions.stock.kit.target import Array, Layout, Tensors
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import MLP, Head, Model
from separation.tasks.program import Definitions

BALLAST = 4096.0
"""Entries of x are at most 2 (but for what a scan hands over), so 1 − ρ ≤ 2·width/B² = width/2^23."""
GPT2_BALLAST = {"float32": 2.0**10, "float64": 2.0**20}
"""GPT-2 subtracts the mean of a row too, which is 0 up to about B·u: with these B both are about as large."""
STILL = 2.0**60
"""The base of rotary embeddings: of the upper half of all frequencies none turns by more than 2^-30 a token."""
EPSILON = {"gpt2": 1e-5, "llama": 1e-6}


class ProgramStock:
    """The blocks of a model with heads of one type, and their sizes in a stock class."""

    def __init__(self, program: Definitions, model: Model) -> None:
        self.program, self.model = program, model
        self.blocks: list[tuple[tuple[Any, ...], MLP | None]] = list(_blocks(model)) or [
            ((), None)
        ]  # a class has layers
        self.heads = max([1, *(len(heads) for heads, _ in self.blocks)])
        self.wide = max([1, *(max(h.w_q.shape[0], h.w_v.shape[0]) for heads, _ in self.blocks for h in heads)])
        self.hidden = max([1, *(mlp.w_1.shape[0] for _, mlp in self.blocks if mlp is not None)])
        self.ids = max(program.vocabulary, self.answers)

    @property
    def answers(self) -> int:
        return self.program.size(*self.program.answer)

    def unembedding(self) -> Array:
        """A row for each id; what is no answer is below all answers, as `one` is 1."""
        rows = np.zeros((self.ids, self.model.width))
        rows[:, self.model.stream["one"][0]] = -1.0
        rows[: self.answers] = table(self.model.unembedding, np.arange(self.answers))
        return rows

    def tokens(self) -> Array:
        rows = np.zeros((self.ids, self.model.width))
        rows[: self.program.vocabulary] = table(self.model.tokens, np.arange(self.program.vocabulary))
        return rows

    def positions(self) -> Array:
        return table(self.model.positions, np.arange(self.program.length))

    # ---- the stream (B, x) of classes with RMSNorm

    @property
    def width(self) -> int:
        return self.model.width + 1

    def reading(self, rows: Array, ballast: float = 0.0) -> Array:
        """(B, x), row by row."""
        return np.concatenate([np.full((len(rows), 1), ballast), rows], axis=1)

    def rows(self, gain: Array) -> tuple[Array, Array, Array]:
        """Embedding, last gain, unembedding, of a class without rows for positions."""
        return self.reading(self.tokens() + placed(self), BALLAST), gain, self.reading(self.unembedding())

    @property
    def one(self) -> Array:
        """What reads the slot that is 1."""
        row = np.zeros((1, self.model.width))
        row[0, self.model.stream["one"][0]] = 1.0
        return row

    def gated_mlp(self, mlp: MLP | None, scale: float = 1.0) -> dict[str, Array]:
        """act(scale·gate)·up/scale, up = `one`; nothing for None."""
        gate, down = np.zeros((self.hidden, self.width)), np.zeros((self.width, self.hidden))
        if mlp is not None:
            units = mlp.w_1.shape[0]
            gate[:units], down[1:, :units] = self.reading(scale * floats(mlp.w_1)), floats(mlp.w_2) / scale
        return gated_mlp(gate, self.reading(np.tile(self.one, (self.hidden, 1))), down)


def _blocks(model: Model) -> Iterator[tuple[tuple[Any, ...], MLP | None]]:
    for layer in model.layers:
        mlps = layer.mlps or (None,)
        yield layer.heads, mlps[0]
        yield from (((), mlp) for mlp in mlps[1:])


def require_attention(program: Definitions, model: Model) -> None:
    if any(not isinstance(head, Head) for layer in model.layers for head in layer.heads):
        raise InputError(
            f"{program.name} has the word {model.word}, and gpt2 and llama have full attention alone: ask for a word "
            "of F, or of R alone for olmo_hybrid or qwen3_next, whose scans keep, set or reflect"
        )


def sharpened(model: Model, factor: int) -> Model:
    """The model with queries times ``factor``: as a softmax has no shift, the same tokens weigh most, and more."""
    if factor == 1:
        return model

    def longer(head: Any) -> Any:
        query = ExactMatrix(head.w_q.numerators * factor, head.w_q.denominator)
        return replace(head, w_q=query, shift=factor * head.shift)

    layers = [replace(layer, heads=tuple(map(longer, layer.heads))) for layer in model.layers]
    return replace(model, layers=tuple(layers))


def floats(matrix: ExactMatrix) -> Array:
    return np.asarray(matrix.numerators.astype(np.float64) / float(matrix.denominator))


def table(rows: Any, numbers: NDArray[np.int64]) -> Array:
    return np.asarray(rows.rows(numbers).astype(np.float64) / float(rows.denominator))


# ---- GPT-2


def gpt2(program: Definitions, model: Model, dtype: str = "float32") -> Layout:
    """config.json and tensors of `GPT2LMHeadModel`, to be run in ``dtype``."""
    require_attention(program, model)
    stock, own_ballast = ProgramStock(program, model), GPT2_BALLAST[dtype]
    half = model.width + 1
    head_dim = max(stock.wide, -(-2 * half // stock.heads))
    width = stock.heads * head_dim
    gain = own_ballast * math.sqrt(2 / width)

    def mirrored(rows: Array, ballast: float = 0.0, sign: int = -1) -> Array:
        """(B, x, −B, −x) and zeros, row by row."""
        whole = np.zeros((len(rows), width))
        whole[:, 0], whole[:, half] = ballast, -ballast
        whole[:, 1:half], whole[:, half + 1 : 2 * half] = rows, sign * rows
        return whole

    def reading(rows: Array) -> Array:
        return mirrored(rows, sign=0)

    layers = []
    for heads, mlp in stock.blocks:
        attention, output = np.zeros((3, stock.heads, head_dim, width)), np.zeros((stock.heads, head_dim, width))
        for h, head in enumerate(heads):
            scale = math.sqrt(head_dim)
            for part, rows in enumerate((scale * floats(head.w_q), floats(head.w_k), floats(head.w_v))):
                attention[part, h, : len(rows)] = reading(rows)
            output[h, : head.w_v.shape[0]] = mirrored(floats(head.w_o).T)
        w_1, b_1 = np.zeros((stock.hidden, width)), np.zeros(stock.hidden)
        w_2, b_2 = np.zeros((stock.hidden, width)), np.zeros((1, width))
        if mlp is not None:
            units = mlp.w_1.shape[0]
            w_1[:units], b_1[:units] = reading(floats(mlp.w_1)), floats(mlp.b_1)[:, 0]
            w_2[:units], b_2 = mirrored(floats(mlp.w_2).T), mirrored(floats(mlp.b_2).T)
        layers.append(
            {
                "attn.c_attn.weight": attention.reshape(3 * width, width).T,
                "attn.c_proj.weight": output.reshape(width, width),
                "mlp.c_fc.weight": w_1.T,
                "mlp.c_fc.bias": b_1,
                "mlp.c_proj.weight": w_2,
                "mlp.c_proj.bias": b_2[0],
            }
        )
    tables = mirrored(stock.tokens()), mirrored(stock.positions(), own_ballast)
    own: dict[str, Any] = {"activation_function": "relu", "tie_word_embeddings": False}
    config, tensors = gpt2_layout(stock.heads, EPSILON["gpt2"], *tables, layers, np.full((2, width), gain), **own)
    return config, in_order({**tensors, "lm_head.weight": reading(stock.unembedding())})


# ---- Llama


def llama(program: Definitions, model: Model, dtype: str = "float32") -> Layout:  # noqa: ARG001
    """config.json and tensors of `LlamaForCausalLM`, the same in every dtype; its MLP is relu(gate)·up, up = `one`."""
    require_attention(program, model)
    stock = ProgramStock(program, model)
    width = stock.width
    head_dim = 4 * -(-stock.wide // 2)
    used = [*range(head_dim // 4, head_dim // 2), *range(3 * head_dim // 4, head_dim)]
    gain = np.full(width, BALLAST / math.sqrt(width))

    layers = []
    for heads, mlp in stock.blocks:
        parts, output = np.zeros((3, stock.heads, head_dim, width)), np.zeros((width, stock.heads, head_dim))
        for h, head in enumerate(heads):
            for part, rows in enumerate((math.sqrt(head_dim) * floats(head.w_q), floats(head.w_k), floats(head.w_v))):
                parts[part, h, used[: len(rows)]] = stock.reading(rows)
            output[1:, h, used[: head.w_v.shape[0]]] = floats(head.w_o)
        attention = {f"{name}_proj": parts[i].reshape(-1, width) for i, name in enumerate("qkv")}
        attention["o_proj"] = output.reshape(width, -1)
        layers.append({**norms(gain), **weights(attention, "self_attn."), **stock.gated_mlp(mlp)})
    own: dict[str, Any] = {"hidden_act": "relu", "tie_word_embeddings": False}
    config, tensors = llama_layout(
        stock.heads, EPSILON["llama"], STILL, program.length, stock.rows(gain), layers, **own
    )
    return config, in_order(tensors)


def in_order(tensors: Tensors) -> Tensors:
    return {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}


def placed(stock: ProgramStock) -> Array:
    """What positions write, as a function of the id; InputError where it is none."""
    program, rows = stock.program, np.zeros((stock.ids, stock.model.width))
    written, start = stock.positions(), 0
    for kind in program.kinds:
        count, first = program.tokens_of(kind), program.first_id(kind.name)
        own = written[start : start + count]
        if (own != own[0]).any():
            raise InputError(
                f"{program.name} reads the position of {kind.name}, and this class has no rows for positions: its "
                "stream is a function of the token (rotary embeddings turn queries and keys alone); take gpt2"
            )
        if kind.alphabet is not None:
            raise InputError(f"{kind.name} has the ids of {kind.alphabet}, and this class tells kinds apart by ids")
        rows[first : first + kind.id_count] = own[0]
        start += count
    return rows
