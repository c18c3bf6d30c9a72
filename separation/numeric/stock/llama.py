"""C1 inside Llama as transformers ships it: RMSNorm, RoPE, SwiGLU, residuals, two heads, no learned positions.

In layer k+1 the last row reads hop i_k: z_0 in layer 1, then table k at (w_{k-1}, i_{k-1}).

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
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.numeric.stock.checkpoint import Checkpoint
from separation.numeric.stock.llama_bound import certified_tokens, certify
from separation.numeric.stock.llama_plan import HEADS, LlamaPlan
from separation.numeric.stock.swiglu import Swiglu
from separation.tasks.funccomp import Sizes

Matrix = NDArray[np.float64]

__all__ = ["build", "build_plan", "certified_tokens", "certify", "ideal_logits"]


def build(sizes: Sizes) -> Checkpoint:
    """Tensors by the names of `LlamaForCausalLM`, L+1 layers."""
    return build_plan(LlamaPlan(sizes))


def build_plan(plan: LlamaPlan) -> Checkpoint:
    """The tensors of a plan, in float32."""
    before, between = (np.full(plan.stream.width, plan.scale(norm)) for norm in (plan.norm_before, plan.norm_between))
    tensors = {"model.embed_tokens.weight": _embedding(plan)}
    for step in range(plan.sizes.L + 1):
        query, key, value, output = _attention(plan)
        gate, up, down = _mlp(plan, step)
        block = {
            "input_layernorm": before,
            "self_attn.q_proj": query,
            "self_attn.k_proj": key,
            "self_attn.v_proj": value,
            "self_attn.o_proj": output,
            "post_attention_layernorm": between,
            "mlp.gate_proj": gate,
            "mlp.up_proj": up,
            "mlp.down_proj": down,
        }
        tensors |= {f"model.layers.{step}.{name}.weight": matrix for name, matrix in block.items()}
    tensors |= {"model.norm.weight": between, "lm_head.weight": _unembedding(plan)}
    stored = {name: matrix.astype(np.float32) for name, matrix in tensors.items()}
    return Checkpoint("C1", plan.sizes, _config(plan), stored)


def ideal_logits(sizes: Sizes, answers: NDArray[np.int64]) -> Matrix:
    """What the last logits are in exact arithmetic: Σ_j a_j·(code_j(v)·code_j(answer)), and 0 for queries."""
    plan = LlamaPlan(sizes)
    return np.asarray(plan.rotary.codes(answers) @ _unembedding(plan)[:, plan.stream["found"]].T)


def _config(plan: LlamaPlan) -> dict[str, Any]:
    """What differs from the defaults of the stock class: the sizes, the base of RoPE, and no token that ends a text."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": plan.sizes.vocabulary,
        "max_position_embeddings": plan.sizes.length,
        "hidden_size": plan.stream.width,
        "intermediate_size": plan.hidden.width,
        "num_hidden_layers": plan.sizes.L + 1,
        "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS,
        "head_dim": plan.head_dim,
        "rms_norm_eps": plan.epsilon,
        "rope_parameters": {"rope_type": "default", "rope_theta": 2.0**plan.rotary.frequencies},
        "bos_token_id": None,
        "eos_token_id": None,
    }


def _embedding(plan: LlamaPlan) -> Matrix:
    """A row for each token id: values first, then queries."""
    sizes, slots = plan.sizes, plan.stream
    rows = np.zeros((sizes.vocabulary, slots.width))
    values, queries = rows[: sizes.N[-1]], rows[sizes.N[-1] :]
    rows[:, slots["one"]] = plan.ballast
    values[:, slots["filler"]] = math.sqrt(1 + plan.digit_norm)
    values[:, slots["value"]] = plan.rotary.codes(np.arange(len(values)))
    queries[:, slots["last"]] = 1
    queries[:, slots["pointer"]] = plan.rotary.codes(-1)  # z_0 stands one place in front of w
    digits = np.array(list(product(*map(range, sizes.n))), dtype=np.int64)
    for level, digit in enumerate(digits.T, start=1):
        table = np.eye(sizes.n[level - 1]) if plan.one_hot[level - 1] else _turns(plan, level)
        queries[:, slots[f"digit {level}"]] = table[digit]
    return rows


def _unembedding(plan: LlamaPlan) -> Matrix:
    """The logit of v is Σ_j a_j·(code_j(v)·found_j), at most Σ_j a_j − gap for every wrong v; 0 for queries."""
    rows = np.zeros((plan.sizes.vocabulary, plan.stream.width))
    entries = plan.sizes.N[-1]
    amplitudes = np.array(plan.rotary.amplitudes * 2, dtype=np.float64)
    rows[:entries, plan.stream["found"]] = amplitudes * plan.rotary.codes(np.arange(entries))
    return rows


def _turns(plan: LlamaPlan, level: int) -> Matrix:
    """(n_ℓ, 2f): code(start of table ℓ+1 − own position + w_ℓ·N_{ℓ-1}) for each w_ℓ; for table 1 there is one."""
    sizes = plan.sizes
    count, stride = (sizes.n[level - 1], sizes.N[level - 1]) if level else (1, 0)
    start = sizes.table_start(level + 1) - (sizes.length - 1)
    return plan.rotary.codes(start + stride * np.arange(count))


def _attention(plan: LlamaPlan) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """W_q, W_k, W_v, W_o: head 1 looks up, head 2 looks at its own row, and `found` gets head 1 − head 2."""
    slots, used = plan.stream, plan.rotary.used
    query, key, value = (np.zeros((HEADS, plan.head_dim, slots.width)) for _ in range(3))
    output = np.zeros((slots.width, HEADS, plan.head_dim))
    # Stock code turns coordinate j together with j + head_dim/2, and divides scores by the root of head_dim.
    cosines, sines = range(used), range(plan.head_dim // 2, plan.head_dim // 2 + used)
    strengths = np.array([float(plan.temperature * each) for each in plan.rotary.amplitudes]) * math.sqrt(plan.head_dim)
    query[0, [*cosines, *sines], slots["pointer"]] = np.tile(strengths, 2)
    query[1, cosines, slots["last"].start] = strengths
    key[:, cosines, slots["one"].start] = 1 / plan.ballast
    for head, sign in enumerate((1, -1)):
        value[head, range(plan.code), slots["value"]] = 1
        output[slots["found"], head, range(plan.code)] = sign
    flat = (-1, slots.width)
    return query.reshape(flat), key.reshape(flat), value.reshape(flat), output.reshape(slots.width, -1)


def _mlp(plan: LlamaPlan, step: int) -> tuple[Matrix, Matrix, Matrix]:
    """gate, up and down: pointer ← found·turn to table step+1, found ← 0, in the last row; idle after table L.

    where found = code(i_step), and what is old is erased by a product with `last`.
    """
    block, slots = Swiglu(plan.stream.width), plan.stream
    if step < plan.sizes.L:
        block.complex_product(slots["pointer"], slots["found"], _turn(plan, block, step), 1)
        (last,) = block.read(slots["last"])
        for old in (*slots["pointer"], *slots["found"]):
            block.product(old, old, last, -1)
    return block.matrices(plan.hidden.width)


def _turn(plan: LlamaPlan, block: Swiglu, level: int) -> Matrix:
    """Linear forms (2f, d) of the stream: the code that a hop is multiplied by."""
    read = block.read(plan.stream[f"digit {level}" if level else "last"])
    told = level and not plan.one_hot[level - 1]  # w says the code itself
    return read if told else np.asarray(_turns(plan, level).T @ read)
