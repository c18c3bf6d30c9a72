"""Gated linear attention: a decay for each row of the state, from the token."""

from __future__ import annotations

from typing import Any, ClassVar

from separation.recurrences.algebra import outer
from separation.recurrences.decays import RowDecay, written_chunk
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class GLA(Recurrence):
    """S_t = Diag(α_t) S_{t-1} + k_t v_tᵀ; y_t = q_tᵀ S_t.

    where α ∈ (0, 1)^{d_k}, q, k ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}.
    Parallel: y_t = Σ_{j≤t} (q_tᵀ Diag(α_{j+1} ⊙ … ⊙ α_t) k_j) v_j.
    """

    id = "gla"
    name = "GLA"
    paper = "Gated Linear Attention Transformers with Hardware-Efficient Training"
    arxiv = "2312.06635"
    formula = "S = Diag(α)S + k vᵀ; y = qᵀS"
    parallel_formula = "y_t = Σ_{j≤t} (q_tᵀ Diag(α_{j+1}⊙…⊙α_t) k_j) v_j"
    inputs: ClassVar = {
        "q": Input(("d_k",)),
        "k": Input(("d_k",)),
        "v": Input(("d_v",)),
        "alpha": Input(("d_k",), "gate"),
    }
    state: ClassVar = {"S": ("d_k", "d_v")}

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["alpha"][:, None] + outer(x["k"], x["v"]),)

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs, memory = written_chunk(RowDecay(xs["alpha"]), xs["q"], xs["k"], xs["v"], state[0])
        return outputs, (memory,)


class DecayAfterWrite(GLA):
    """Broken: what is written decays at once."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return ((memory + outer(x["k"], x["v"])) * x["alpha"][:, None],)
