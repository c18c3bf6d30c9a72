"""Gated DeltaNet: the delta rule after a decay of the whole state."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import outer
from separation.recurrences.decays import ScalarDecay, delta_chunk
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class GatedDeltaNet(Recurrence):
    """S_t = α_t (I − β_t k_t k_tᵀ) S_{t-1} + β_t k_t v_tᵀ; y_t = q_tᵀ S_t.

    where q, k ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}, α, β ∈ (0, 1).
    Parallel: (I + L) U = Diag(β) V with L_tj = β_t Γ_tj (k_t·k_j) for j < t, Γ_tj = α_{j+1} ⋯ α_t;
    y_t = Σ_{j≤t} Γ_tj (q_t·k_j) u_j.
    """

    id = "gated-delta-net"
    name = "Gated DeltaNet"
    paper = "Gated Delta Networks: Improving Mamba2 with Delta Rule"
    arxiv = "2412.06464"
    formula = "S = α(I − βkkᵀ)S + βk vᵀ; y = qᵀS"
    parallel_formula = "(I + tril(Diag(β)(KKᵀ⊙Γ), −1))U = Diag(β)V; Y = (QKᵀ⊙Γ)U"
    inputs: ClassVar = {
        "q": Input(("d_k",)),
        "k": Input(("d_k",), "key"),
        "v": Input(("d_v",)),
        "alpha": Input((), "gate"),
        "beta": Input((), "strength"),
    }
    state: ClassVar = {"S": ("d_k", "d_v")}
    beside = "convolutions over c tokens on q, k, v keep c−1: (c−1)·H·(2·d_k + d_v)·p"

    def step(self, state: State, x: Token) -> State:
        decayed = state[0] * x["alpha"]
        return (decayed + outer(x["k"] * x["beta"], x["v"] - x["k"] @ decayed),)

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]

    def transition(self, x: Token) -> Any:
        return x["alpha"] * (np.eye(len(x["k"])) - x["beta"] * np.outer(x["k"], x["k"]))

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        decay = ScalarDecay(xs["alpha"])
        outputs, memory = delta_chunk(decay, xs["q"], xs["k"], xs["v"], xs["beta"], state[0])
        return outputs, (memory,)


class EraseUndecayed(GatedDeltaNet):
    """Broken: what is erased is what the key held before the decay."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["alpha"] + outer(x["k"] * x["beta"], x["v"] - x["k"] @ memory),)
