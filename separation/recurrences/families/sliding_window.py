"""Sliding-window attention: softmax over the last w tokens is a recurrence whose state is their keys and values."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import WEIGHT_BITS, concatenate, stack, weights
from separation.recurrences.recurrence import Input, Inputs, Recurrence, Sizes, State, Token


class SlidingWindow(Recurrence):
    """(K_t, V_t) = the last w of (K_{t-1}, k_t), (V_{t-1}, v_t); y_t = Σ_i e(q_t·K_i) V_i / Σ_i e(q_t·K_i).

    where q, k ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}, e = exp; in exact arithmetic e(s) = ⌊2^P exp(s − d_k)⌋, an integer. The first
    w − 1 tokens have a state that is not full.
    Parallel: y_t = Σ_{t-w<j≤t} e(q_t·k_j) v_j / Σ_{t-w<j≤t} e(q_t·k_j), a band of the matrix of scores.
    """

    id = "sliding-window"
    name = "sliding-window attention"
    paper = "Longformer: The Long-Document Transformer"
    arxiv = "2004.05150"
    formula = "(K, V) = last w of (K, k), (V, v); y = softmax(K q)ᵀ V"
    parallel_formula = "y_t = Σ_{t-w<j≤t} exp(q_t·k_j) v_j / Σ_{t-w<j≤t} exp(q_t·k_j)"
    inputs: ClassVar = {
        "q": Input(("d_k",), "unit"),
        "k": Input(("d_k",), "unit"),
        "v": Input(("d_v",)),
        "window": Input((), "window", constant=True),
    }
    state: ClassVar = {"K": ("w", "d_k"), "V": ("w", "d_v")}
    numbers = "expression"
    extra_sizes: ClassVar = {"w": 2}

    def __init__(self, weight_bits: int = WEIGHT_BITS) -> None:
        self.weight_bits = weight_bits

    def weighing(self, bits: int) -> SlidingWindow:
        return type(self)(bits)

    def initial(self, sizes: Sizes) -> State:
        return tuple(np.zeros((0, sizes[d]), dtype=np.int8) for d in ("d_k", "d_v"))

    def step(self, state: State, x: Token) -> State:
        keys, values = state
        return _last(keys, x["k"], x["window"]), _last(values, x["v"], x["window"])

    def read(self, state: State, x: Token) -> Any:
        keys, values = state
        weight = weights(keys @ x["q"], keys.shape[1], self.weight_bits)
        return (weight @ values) / weight.sum(0)

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        keys, values = (concatenate([kept, xs[name]]) for kept, name in zip(state, "kv", strict=True))
        scores, rows, held = xs["q"] @ keys.T, [], len(state[0])
        for t in range(xs.tokens):
            seen = slice(max(0, held + t + 1 - xs["window"]), held + t + 1)
            weight = weights(scores[t, seen], xs.sizes["d_k"], self.weight_bits)
            rows.append((weight @ values[seen]) / weight.sum(0))
        return stack(rows), (keys[-xs["window"] :], values[-xs["window"] :])


class OneTokenMore(SlidingWindow):
    """Broken: the window is one token too long."""

    def step(self, state: State, x: Token) -> State:
        return super().step(state, {**x, "window": x["window"] + 1})


def _last(kept: Any, new: Any, window: int) -> Any:
    return concatenate([kept, new[None]])[-window:]
