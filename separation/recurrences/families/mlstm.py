"""mLSTM (xLSTM): a matrix memory with an exponential input gate, a forget gate and a normaliser."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import at_least_one, outer
from separation.recurrences.decays import ScalarDecay, written_chunk
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class MLSTM(Recurrence):
    """C_t = f_t C_{t-1} + i_t k_t v_tᵀ, n_t = f_t n_{t-1} + i_t k_t; y_t = q_tᵀ C_t / max(|q_tᵀ n_t|, 1).

    where q, k ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}, f ∈ (0, 1), i > 0. The stabiliser m_t of the paper scales C and n by exp(−m_t)
    and cancels: in exact arithmetic it is not there.
    Parallel: with W_tj = f_{j+1} ⋯ f_t i_j (q_t·k_j): y_t = Σ_{j≤t} W_tj v_j / max(|Σ_{j≤t} W_tj|, 1).
    """

    id = "mlstm"
    name = "mLSTM"
    paper = "xLSTM: Extended Long Short-Term Memory"
    arxiv = "2405.04517"
    formula = "C = fC + i k vᵀ, n = fn + i k; y = qᵀC / max(|qᵀn|, 1)"
    parallel_formula = "y_t = Σ_{j≤t} W_tj v_j / max(|Σ_{j≤t} W_tj|, 1), W_tj = f_{j+1}⋯f_t i_j (q_t·k_j)"
    inputs: ClassVar = {
        "q": Input(("d_k",)),
        "k": Input(("d_k",)),
        "v": Input(("d_v",)),
        "f": Input((), "gate"),
        "i": Input((), "positive"),
    }
    state: ClassVar = {"C": ("d_k", "d_v"), "n": ("d_k",)}
    beside = "the stabiliser, one number a head: H·p; a convolution over c tokens keeps c−1"
    numbers = "expression"

    def step(self, state: State, x: Token) -> State:
        memory, normaliser = state
        key = x["k"] * x["i"]
        return memory * x["f"] + outer(key, x["v"]), normaliser * x["f"] + key

    def read(self, state: State, x: Token) -> Any:
        memory, normaliser = state
        return (x["q"] @ memory) / at_least_one(x["q"] @ normaliser)

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        decay, keys, ones = ScalarDecay(xs["f"]), xs["k"] * xs["i"][:, None], np.ones((xs.tokens, 1), dtype=np.int8)
        sums, memory = written_chunk(decay, xs["q"], keys, xs["v"], state[0])
        totals, normaliser = written_chunk(decay, xs["q"], keys, ones, state[1][:, None])
        return sums / at_least_one(totals), (memory, normaliser[:, 0])


class UndecayedNormaliser(MLSTM):
    """Broken: the normaliser does not forget."""

    def step(self, state: State, x: Token) -> State:
        memory, normaliser = state
        key = x["k"] * x["i"]
        return memory * x["f"] + outer(key, x["v"]), normaliser + key
