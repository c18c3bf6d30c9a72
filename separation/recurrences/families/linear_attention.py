"""Kernel linear attention, with and without its normaliser."""

from __future__ import annotations

from typing import Any, ClassVar

from separation.recurrences.algebra import causal, outer
from separation.recurrences.decays import NoDecay, written_chunk
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class LinearAttention(Recurrence):
    """S_t = S_{t-1} + k_t v_tᵀ; y_t = q_tᵀ S_t.

    where q, k ∈ ℝ^{d_k} are features φ(·) already, v ∈ ℝ^{d_v}, S ∈ ℝ^{d_k×d_v}.
    Parallel: y_t = Σ_{j≤t} (q_t·k_j) v_j.
    """

    id = "linear"
    name = "linear attention"
    paper = "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention"
    arxiv = "2006.16236"
    formula = "S = S + k vᵀ; y = qᵀS"
    parallel_formula = "y_t = Σ_{j≤t} (q_t·k_j) v_j"
    inputs: ClassVar = {"q": Input(("d_k",)), "k": Input(("d_k",)), "v": Input(("d_v",))}
    state: ClassVar = {"S": ("d_k", "d_v")}

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory + outer(x["k"], x["v"]),)

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs, memory = written_chunk(NoDecay(), xs["q"], xs["k"], xs["v"], state[0])
        return outputs, (memory,)


class ReadBeforeWrite(LinearAttention):
    """Broken: a token does not see itself."""

    reads_before = True


class NormalisedLinearAttention(LinearAttention):
    """S_t = S_{t-1} + k_t v_tᵀ, n_t = n_{t-1} + k_t; y_t = q_tᵀ S_t / q_tᵀ n_t.

    where q, k ∈ ℝ^{d_k} are positive features φ(·) already, v ∈ ℝ^{d_v}, S ∈ ℝ^{d_k×d_v}, n ∈ ℝ^{d_k}.
    Parallel: y_t = Σ_{j≤t} (q_t·k_j) v_j / Σ_{j≤t} q_t·k_j.
    """

    id = "linear-normalised"
    name = "linear attention, normalised"
    formula = "S = S + k vᵀ, n = n + k; y = qᵀS / qᵀn"
    parallel_formula = "y_t = Σ_{j≤t} (q_t·k_j) v_j / Σ_{j≤t} q_t·k_j"
    inputs: ClassVar = {
        "q": Input(("d_k",), "positive"),
        "k": Input(("d_k",), "positive"),
        "v": Input(("d_v",)),
    }
    state: ClassVar = {"S": ("d_k", "d_v"), "n": ("d_k",)}
    numbers = "rational"

    def step(self, state: State, x: Token) -> State:
        memory, normaliser = state
        return memory + outer(x["k"], x["v"]), normaliser + x["k"]

    def read(self, state: State, x: Token) -> Any:
        memory, normaliser = state
        return (x["q"] @ memory) / (x["q"] @ normaliser)

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        memory, normaliser = state
        scores = causal(xs["q"] @ xs["k"].T)
        totals = scores.sum(1) + xs["q"] @ normaliser
        outputs = (scores @ xs["v"] + xs["q"] @ memory) / totals[:, None]
        return outputs, (memory + xs["k"].T @ xs["v"], normaliser + xs["k"].sum(0))


class MissingNormaliser(NormalisedLinearAttention):
    """Broken: the quotient is forgotten."""

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]
