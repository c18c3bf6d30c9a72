"""C1 inside Llama as transformers ships it: RMSNorm, RoPE, SwiGLU, residuals, two heads, no learned positions.

What each layer reads is C1's schedule (`constructions.hops`): in layer k+1 the last row finds hop i_k.

    RMSNorm     every row has the same norm, so it divides by a known number; its weight multiplies by that number.
    RoPE        all that Llama knows of positions, so a number is a rotation: code(x) = cos and sin of 2^{-j}·x.
    head 1      keys (1, 0), query a_j·code_j(t − own position) in the last row, so that position p scores
                Σ_j a_j·cos(2^{-j}·(p − t)): most at p = t. Every other row has query 0: it averages all it sees.
    head 2      the last row looks at itself, where `value` is empty; every other row averages again.
    output      found += head 1 − head 2: code(i_k) in the last row, 0 elsewhere.
    SwiGLU      pointer ← found·digit, a product of complex numbers, and found ← 0: xy = silu(x)·y − silu(−x)·y.
                Each product has a factor that is 0 in every other row. No clip is needed: the next look-up snaps.
    logits      Σ_j a_j·(code_j(v)·found_j), and 0 for queries.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from constructions.hops import Hop, asked_digits
from constructions.stock.kit.layouts import gated_mlp, llama_layout, norms, weights
from constructions.stock.kit.rotations import Swiglu
from constructions.stock.kit.target import Array, Certificate, Layout, Target
from constructions.stock.llama.bound import certify_plan
from constructions.stock.llama.plan import HEADS, LlamaPlan
from separation.tasks.funccomp import Sizes


class Llama(Target[LlamaPlan]):
    """`LlamaForCausalLM` with L+1 layers, in float32."""

    construction = "C1"

    def plan(self, sizes: Sizes) -> LlamaPlan:
        return LlamaPlan(sizes)

    def layout(self, plan: LlamaPlan) -> Layout:
        """The base of RoPE is 2^frequencies; beside it and the sizes all is the default of the class."""
        before, between = (
            np.full(plan.stream.width, plan.root_mean_square(norm)) for norm in (plan.norm_before, plan.norm_between)
        )
        parts, layers = [f"self_attn.{part}_proj" for part in "qkvo"], []
        for next_hop in [*(read.hop for read in plan.reads[1:]), None]:
            attention = weights(dict(zip(parts, _attention(plan), strict=True)))
            own = {**norms(before, "input"), **norms(between, "post_attention"), **attention}
            layers.append({**own, **gated_mlp(*_mlp(plan, next_hop))})
        rows, base = (_embedding(plan), between, plan.unembedding("found")), 2.0**plan.rotary.frequencies
        config, tensors = llama_layout(HEADS, plan.epsilon, base, plan.sizes.length, rows, layers)
        return config, {name: matrix.astype(np.float32, order="C") for name, matrix in tensors.items()}

    def bound(self, plan: LlamaPlan, dtype: str) -> Certificate:
        return certify_plan(plan, dtype)

    def ideal_logits(self, plan: LlamaPlan, answers: NDArray[np.int64]) -> Array:
        """Σ_j a_j·(code_j(v)·code_j(answer)), and 0 for queries."""
        return np.asarray(plan.rotary.codes(answers) @ plan.unembedding("found")[:, plan.stream["found"]].T)


def _embedding(plan: LlamaPlan) -> Array:
    """A row for each token id: values first, then queries."""
    slots, (rows, values, queries) = plan.stream, plan.token_rows()
    rows[:, slots["one"]] = plan.ballast
    values[:, slots["filler"]] = math.sqrt(1 + plan.digit_norm)
    queries[:, slots["pointer"]] = plan.rotary.codes(-1)  # z_0 stands one place in front of w
    for read in plan.reads[2:]:
        table = np.eye(read.hop.digit_size) if _one_hot(plan, read.hop) else plan.rotary.steps(read.hop)
        queries[:, slots[_digit_slot(read.hop)]] = table[asked_digits(plan.sizes, read.hop)]
    return rows


def _attention(plan: LlamaPlan) -> tuple[Array, Array, Array, Array]:
    """W_q, W_k, W_v, W_o: head 1 looks up, head 2 looks at its own row, and `found` gets head 1 − head 2."""
    strengths = plan.strengths()[:, None]
    query = np.concatenate([strengths * plan.rotary_selector("pointer"), strengths * plan.circles("last")])
    key, value = plan.circles("one") / plan.ballast, plan.selector("value")
    output = plan.selector("found").T
    return query, np.tile(key, (HEADS, 1)), np.tile(value, (HEADS, 1)), np.concatenate([output, 0 - output], axis=1)


def _mlp(plan: LlamaPlan, following: Hop | None) -> tuple[Array, Array, Array]:
    """gate, up and down: pointer ← found·step to the next table, found ← 0, in the last row; idle after table L.

    where found is the code of the index in that table, and what is old is erased by a product with `last`.
    """
    block, slots = Swiglu(plan.stream.width), plan.stream
    if following is not None:
        block.complex_product(slots["pointer"], slots["found"], _step(plan, block, following), 1)
        (last,) = block.read(slots["last"])
        for old in (*slots["pointer"], *slots["found"]):
            block.product(old, old, last, -1)
    return block.matrices(plan.hidden.width)


def _step(plan: LlamaPlan, block: Swiglu, hop: Hop) -> Array:
    """Linear forms (2f, d) of the stream: the code that an index is multiplied by."""
    if hop.number == 1:  # table 1 has no digit
        return np.asarray(plan.rotary.steps(hop).T @ block.read(plan.stream["last"]))
    read = block.read(plan.stream[_digit_slot(hop)])
    return np.asarray(plan.rotary.steps(hop).T @ read) if _one_hot(plan, hop) else read


def _digit_slot(hop: Hop) -> str:
    """Table k is asked at the digit w_{k-1}."""
    return f"digit {hop.number - 1}"


def _one_hot(plan: LlamaPlan, hop: Hop) -> bool:
    """Else w says the code itself."""
    return plan.one_hot[hop.number - 2]


TARGET = Llama()
