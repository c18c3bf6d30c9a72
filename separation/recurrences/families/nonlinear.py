"""States that no sum of writes makes: the last w keys and values of softmax attention, and a plain network."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import WEIGHT_BITS, concatenate, relu, stack, weights
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


class PlainRNN(Recurrence):
    """h_t = relu(W h_{t-1} + U x_t + b); y_t = h_t.

    where h ∈ ℝ^d, x ∈ ℝ^{d_k}, W ∈ ℝ^{d×d}, U ∈ ℝ^{d×d_k}, b ∈ ℝ^d constant.
    Parallel: the step is not affine in h, so steps do not compose to a step of the same size, and there is no sum over
    j ≤ t. What there is are sweeps: h_t ← relu(W h_{t-1} + U x_t + b) for all t at once, from h = 0. After sweep i the
    tokens up to i are right and stay so; T sweeps are enough, and in general needed: no depth is saved.
    """

    id = "rnn"
    name = "plain RNN"
    paper = "Finding Structure in Time"
    arxiv = ""
    formula = "h = relu(Wh + Ux + b); y = h"
    parallel_formula = "h_t ← relu(Wh_{t-1} + Ux_t + b) for all t at once, T times"
    inputs: ClassVar = {
        "x": Input(("d_k",)),
        "W": Input(("d", "d"), "contraction", constant=True),
        "U": Input(("d", "d_k"), constant=True),
        "b": Input(("d",), constant=True),
    }
    state: ClassVar = {"h": ("d",)}
    numbers = "expression"
    has_heads = False
    sweeps = True
    extra_sizes: ClassVar = {"d": 2}

    def step(self, state: State, x: Token) -> State:
        (hidden,) = state
        return (relu(x["W"] @ hidden + x["U"] @ x["x"] + x["b"]),)

    def read(self, state: State, x: Token) -> Any:  # noqa: ARG002
        return state[0]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        (before,) = state
        driven = xs["x"] @ xs["U"].T + xs["b"]
        hidden: Any = np.zeros((xs.tokens, len(before)), dtype=np.int8)
        for _ in range(xs.tokens):
            hidden = relu(concatenate([before[None], hidden[:-1]]) @ xs["W"].T + driven)
        return hidden, (hidden[-1],)

    def transition(self, x: Token) -> Any:
        """relu moves by no more than its argument."""
        return x["W"]


class TransposedWeights(PlainRNN):
    """Broken: Wᵀ in place of W."""

    def step(self, state: State, x: Token) -> State:
        (hidden,) = state
        return (relu(x["W"].T @ hidden + x["U"] @ x["x"] + x["b"]),)
