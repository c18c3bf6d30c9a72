"""RetNet: one constant decay a head."""

from __future__ import annotations

from typing import Any, ClassVar

from separation.recurrences.algebra import outer, stack
from separation.recurrences.decays import ScalarDecay, written_chunk
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class RetNet(Recurrence):
    """S_t = γ S_{t-1} + k_t v_tᵀ; y_t = q_tᵀ S_t.

    where γ ∈ (0, 1) is constant; q, k ∈ ℝ^{d_k} with their rotation by the position already; v ∈ ℝ^{d_v}.
    Parallel: y_t = Σ_{j≤t} γ^{t-j} (q_t·k_j) v_j.
    """

    id = "retnet"
    name = "RetNet"
    paper = "Retentive Network: A Successor to Transformer for Large Language Models"
    arxiv = "2307.08621"
    formula = "S = γS + k vᵀ; y = qᵀS"
    parallel_formula = "y_t = Σ_{j≤t} γ^{t-j} (q_t·k_j) v_j"
    inputs: ClassVar = {
        "q": Input(("d_k",)),
        "k": Input(("d_k",)),
        "v": Input(("d_v",)),
        "gamma": Input((), "gate", constant=True),
    }
    state: ClassVar = {"S": ("d_k", "d_v")}

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["gamma"] + outer(x["k"], x["v"]),)

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        decay = ScalarDecay(stack([xs["gamma"]] * xs.tokens))
        outputs, memory = written_chunk(decay, xs["q"], xs["k"], xs["v"], state[0])
        return outputs, (memory,)


class DecayAfterWrite(RetNet):
    """Broken: what is written decays at once."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return ((memory + outer(x["k"], x["v"])) * x["gamma"],)
