"""DeltaNet: the delta rule; a write replaces what the key held."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import outer
from separation.recurrences.decays import NoDecay, delta_chunk
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class DeltaNet(Recurrence):
    """S_t = S_{t-1} + β_t k_t (v_t − S_{t-1}ᵀ k_t)ᵀ = (I − β_t k_t k_tᵀ) S_{t-1} + β_t k_t v_tᵀ; y_t = q_tᵀ S_t.

    where q, k ∈ ℝ^{d_k}, |k| = 1 for a norm of at most 1 (not needed for the identity), v ∈ ℝ^{d_v}, β ∈ (0, 1).
    Parallel (UT transform): (I + L) U = Diag(β) V with L_tj = β_t (k_t·k_j) for j < t; y_t = Σ_{j≤t} (q_t·k_j) u_j.
    """

    id = "delta-net"
    name = "DeltaNet"
    paper = "Parallelizing Linear Transformers with the Delta Rule over Sequence Length"
    arxiv = "2406.06484"
    formula = "S = S + βk(v − Sᵀk)ᵀ; y = qᵀS"
    parallel_formula = "(I + tril(Diag(β)KKᵀ, −1))U = Diag(β)V; Y = tril(QKᵀ)U"
    inputs: ClassVar = {
        "q": Input(("d_k",)),
        "k": Input(("d_k",), "key"),
        "v": Input(("d_v",)),
        "beta": Input((), "strength"),
    }
    state: ClassVar = {"S": ("d_k", "d_v")}
    beside = "convolutions over c tokens on q, k, v keep c−1: (c−1)·H·(2·d_k + d_v)·p"

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory + outer(x["k"] * x["beta"], x["v"] - x["k"] @ memory),)

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]

    def transition(self, x: Token) -> Any:
        return np.eye(len(x["k"])) - x["beta"] * np.outer(x["k"], x["k"])

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs, memory = delta_chunk(NoDecay(), xs["q"], xs["k"], xs["v"], xs["beta"], state[0])
        return outputs, (memory,)


class StrengthDropped(DeltaNet):
    """Broken: β scales what is written but not what is erased."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory + outer(x["k"], x["v"] * x["beta"] - x["k"] @ memory),)
