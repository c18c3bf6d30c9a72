"""Kimi delta attention: the delta rule after a decay of each row of the state."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import outer
from separation.recurrences.decays import RowDecay, delta_chunk
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class KimiDelta(Recurrence):
    """S_t = (I − β_t k_t k_tᵀ) Diag(α_t) S_{t-1} + β_t k_t v_tᵀ; y_t = q_tᵀ S_t.

    where q, k ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}, α ∈ (0, 1)^{d_k}, β ∈ (0, 1).
    Parallel: with A(x)_tj = x_tᵀ Diag(α_{j+1} ⊙ … ⊙ α_t) k_j: (I + L) U = Diag(β) V, L = Diag(β) A(k) below the
    diagonal; y_t = Σ_{j≤t} A(q)_tj u_j.
    """

    id = "kimi-delta"
    name = "Kimi delta attention"
    paper = "Kimi Linear: An Expressive, Efficient Attention Architecture"
    arxiv = "2510.26692"
    formula = "S = (I − βkkᵀ)Diag(α)S + βk vᵀ; y = qᵀS"
    parallel_formula = "(I + tril(Diag(β)A(K), −1))U = Diag(β)V; Y = A(Q)U"
    inputs: ClassVar = {
        "q": Input(("d_k",)),
        "k": Input(("d_k",), "key"),
        "v": Input(("d_v",)),
        "alpha": Input(("d_k",), "gate"),
        "beta": Input((), "strength"),
    }
    state: ClassVar = {"S": ("d_k", "d_v")}
    beside = "convolutions over c tokens on q, k, v keep c−1: (c−1)·H·(2·d_k + d_v)·p"

    def step(self, state: State, x: Token) -> State:
        decayed = state[0] * x["alpha"][:, None]
        return (decayed + outer(x["k"] * x["beta"], x["v"] - x["k"] @ decayed),)

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]

    def transition(self, x: Token) -> Any:
        return (np.eye(len(x["k"])) - x["beta"] * np.outer(x["k"], x["k"])) * x["alpha"]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs, memory = delta_chunk(RowDecay(xs["alpha"]), xs["q"], xs["k"], xs["v"], xs["beta"], state[0])
        return outputs, (memory,)


class EraseBeforeDecay(KimiDelta):
    """Broken: the two factors of the transition change places."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        erased = memory - outer(x["k"] * x["beta"], x["k"] @ memory)
        return (erased * x["alpha"][:, None] + outer(x["k"] * x["beta"], x["v"]),)
