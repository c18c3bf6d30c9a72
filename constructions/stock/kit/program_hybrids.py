"""Recurrent layers of a compiled program as gated-delta-rule layers of stock hybrids: scans that keep, set or reflect.

The class computes S ← α(I − β k kᵀ)S + β k vᵀ with |k| = 1, one update a token: α = exp(−e^A·softplus(a)) is 1 for
a = −128; β = σ(b), and 2σ(b) in Olmo-hybrid with `linear_allow_neg_eigval`, so that b = 128·(β − 1) gives 0, 1 and 2
without rounding. Values pass silu: 1024·x is silu(1024·x) − silu(−1024·x), a column each. The output is normalised, so
one more column holds a constant C next to which numbers of the state are small: (v, C)/rms is nearly v·√n/C. A row of
the state that was never written is 0. Of the MLP relu(z) is silu(1024·z)/1024.

| update | which equation forbids it |
|---|---|
| S ← c − S, a reflection, in Qwen3-Next | 1 − β = −1 needs β = 2, and σ(b) < 1 |
| S ← S + c, a counter, in both | what is written replaces: (1 − β)S + βv is S + c for all S in no way |
| a product of reflections, as for words of groups | one update a token |
"""

from __future__ import annotations

import math

import numpy as np

from constructions.stock.kit.layouts import gated_mlp, hybrid_layout, norms, weights
from constructions.stock.kit.program_models import BALLAST, ProgramStock, floats, in_order
from constructions.stock.kit.target import Array, Layout
from separation.files import InputError
from separation.models import DeltaHead, Model
from separation.programs.scans import reflects
from separation.tasks.program import Definitions, Scan

SATURATION, SCALE = 128.0, 1024.0
"""As for C2 (`hybrid_plan`): σ(±128) is 0 and 1 in float32; silu(1024·x) is 1024·relu(x) up to 2^-20 for |x| ≥ 1/64."""
HEAD_DIM = 2
CONSTANT = 64.0
"""C for each unit of the largest number in the state: (v/C)² < 2^-12 is lost of it."""


class DeltaStock(ProgramStock):
    """Stream (B, x); heads of the gated delta rule, one value column for each sign and one for C."""

    def __init__(self, program: Definitions, model: Model, negative: bool) -> None:
        super().__init__(program, model)
        self.negative = negative
        for head in (head for heads, _ in self.blocks for head in heads):
            if not isinstance(head, DeltaHead):
                raise InputError(f"{program.name}: {FORBIDDEN.get(head.TYPE, FORBIDDEN['full'])}")
        scans = [d for d in program.definitions if isinstance(d, Scan)]
        if not negative and (found := next((d for d in scans if reflects(d)), None)) is not None:
            raise InputError(
                f"{found.name} reflects, S ← c − S: 1 − β = −1, and Qwen3-Next has β = σ(b) < 1; take olmo_hybrid"
            )
        every = [head for heads, _ in self.blocks for head in heads]
        self.keys = max([1, *(head.w_q.shape[0] for head in every)])
        self.numbers = max([1, *(head.w_v.shape[0] for head in every)])
        self.values = 2 * self.numbers + 1
        self.gain = BALLAST / math.sqrt(self.width)

    def head(self, head: DeltaHead | None) -> dict[str, Array]:
        """q, k, v, the gates a and b, the output's gate and its matrix, of one head."""
        q, k = np.zeros((self.keys, self.model.width)), np.zeros((self.keys, self.model.width))
        v, out = np.zeros((self.values, self.model.width)), np.zeros((self.width, self.values))
        b = -SATURATION * self.one
        if head is not None:
            wide, count = len(floats(head.w_q)), head.w_v.shape[0]
            length = abs(float(floats(head.w_k)[0, self.model.stream["one"][0]])) if wide == 1 else 1.0
            length = length or 1.0  # |k|: the class divides by it
            q[:wide], k[:wide] = SCALE * floats(head.w_q), SCALE * floats(head.w_k)
            v[:count], v[self.numbers : self.numbers + count] = (s * SCALE * floats(head.w_v) / length for s in (1, -1))
            v[-1] = SCALE * CONSTANT * self.largest * self.one[0]
            beta = length**2 * floats(head.w_b)
            b = SATURATION * (beta - self.one) if self.negative else SATURATION * (2 * beta - self.one)
            # (…, C)/rms: C·√(1/n) is what is divided by, and the output's gate silu(128) is 128.
            scale = CONSTANT * self.largest / math.sqrt(self.values) / SATURATION
            out[1:, :count], out[1:, self.numbers : self.numbers + count] = (
                s * scale * floats(head.w_o) for s in (1, -1)
            )
        a, gate = -SATURATION * self.one, np.tile(SATURATION * self.one, (self.values, 1))
        parts = {"q": q, "k": k, "v": v, "a": a, "b": b, "g": gate}
        return {**{name: self.reading(rows) for name, rows in parts.items()}, "o": out}

    @property
    def largest(self) -> float:
        """No number of a state is larger: values of scans, and bits with their defaults."""
        return float(max([2, *(d.size for d in self.program.definitions if isinstance(d, Scan))]))


def _idle_attention(stock: DeltaStock, olmo: bool, norm: Array) -> dict[str, Array]:
    """A full layer that writes nothing: these classes want one."""
    own = ("post_attention", "post_feedforward") if olmo else ("input", "post_attention")
    rows = {"q": HEAD_DIM if olmo else 2 * HEAD_DIM, "k": HEAD_DIM, "v": HEAD_DIM}
    maps: dict[str, Array] = {f"{name}_proj": np.zeros((count, stock.width)) for name, count in rows.items()}
    maps |= {"o_proj": np.zeros((stock.width, HEAD_DIM))} | dict.fromkeys(("q_norm", "k_norm"), np.zeros(HEAD_DIM))
    into, back = np.zeros((stock.hidden, stock.width)), np.zeros((stock.width, stock.hidden))
    return {**norms(norm, *own), **weights(maps, "self_attn."), **gated_mlp(into, into, back)}


FORBIDDEN = {
    "full": "its full heads are not exported to hybrids, which normalise queries and keys; ask for a word of R, or, if "
    "there is one, of F for gpt2",
    "linear": "its state adds, S ← S + k vᵀ, and the class replaces, S ← α(I − β k kᵀ)S + β k vᵀ",
    "product": "its state needs several updates a token, and the class makes one, S ← α(I − β k kᵀ)S + β k vᵀ",
}


def hybrid(program: Definitions, model: Model, dtype: str = "float32", *, family: str) -> Layout:
    """config.json and tensors of `OlmoHybridForCausalLM` or `Qwen3NextForCausalLM`, the same in every dtype."""
    del dtype
    olmo = family == "olmo_hybrid"
    stock = DeltaStock(program, model, olmo)
    own = 0.0 if olmo else 1.0  # Qwen3-Next multiplies by 1 + weight
    norm = np.full(stock.width, stock.gain - own)
    layers = []
    for heads, mlp in stock.blocks:
        parts = [stock.head(head) for head in (*heads, *([None] * (stock.heads - len(heads))))]
        layers.append((parts, {**norms(norm), **stock.gated_mlp(mlp, SCALE)}))
    layers.append(([], _idle_attention(stock, olmo, norm)))
    config, tensors = hybrid_layout(olmo, program.length, stock.rows(norm), layers, negative=True)
    return config, in_order(tensors)
