"""HGRN2: gated linear attention whose key is what the gate forgets."""

from __future__ import annotations

from typing import Any, ClassVar

from separation.recurrences.algebra import outer
from separation.recurrences.decays import RowDecay, written_chunk
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class HGRN2(Recurrence):
    """S_t = Diag(f_t) S_{t-1} + (1 − f_t) v_tᵀ; y_t = q_tᵀ S_t.

    where f ∈ (0, 1)^{d_k} is the forget gate, q ∈ ℝ^{d_k} the output gate, v ∈ ℝ^{d_v}.
    Parallel: y_t = Σ_{j≤t} (q_tᵀ Diag(f_{j+1} ⊙ … ⊙ f_t) (1 − f_j)) v_j.
    """

    id = "hgrn2"
    name = "HGRN2"
    paper = "HGRN2: Gated Linear RNNs with State Expansion"
    arxiv = "2404.07904"
    formula = "S = Diag(f)S + (1−f) vᵀ; y = qᵀS"
    parallel_formula = "y_t = Σ_{j≤t} (q_tᵀ Diag(f_{j+1}⊙…⊙f_t)(1−f_j)) v_j"
    inputs: ClassVar = {"q": Input(("d_k",)), "v": Input(("d_v",)), "f": Input(("d_k",), "gate")}
    state: ClassVar = {"S": ("d_k", "d_v")}

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["f"][:, None] + outer(1 - x["f"], x["v"]),)

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs, memory = written_chunk(RowDecay(xs["f"]), xs["q"], 1 - xs["f"], xs["v"], state[0])
        return outputs, (memory,)


class UntiedKey(HGRN2):
    """Broken: the gate itself is the key."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["f"][:, None] + outer(x["f"], x["v"]),)
