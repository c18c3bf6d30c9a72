"""Linear attention and what followed it: a write of k vᵀ, after a decay of the state; some divide by a normaliser."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import at_least_one, outer
from separation.recurrences.decays import DecayAfterWrite, Decaying, written_chunk
from separation.recurrences.recurrence import Input, Inputs, State, Token


class LinearAttention(Decaying):
    """S_t = S_{t-1} + k_t v_tᵀ; y_t = q_tᵀ S_t.

    where q, k ∈ ℝ^{d_k} are features φ(·) already, v ∈ ℝ^{d_v}, S ∈ ℝ^{d_k×d_v}.
    """

    id = "linear"
    name = "linear attention"
    paper = "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention"
    arxiv = "2006.16236"
    formula = "S = S + k vᵀ; y = qᵀS"
    parallel_formula = "y_t = Σ_{j≤t} (q_t·k_j) v_j"


class ReadBeforeWrite(LinearAttention):
    """Broken: a token does not see itself."""

    reads_before = True


class Normalised(Decaying):
    """S as in `Decaying`, n_t = g_t n_{t-1} + k_t; y_t = q_tᵀ S_t / q_tᵀ n_t, for a gate of one number a token."""

    state: ClassVar = {"S": ("d_k", "d_v"), "n": ("d_k",)}

    def divisor(self, total: Any) -> Any:
        return total

    def step(self, state: State, x: Token) -> State:
        return (*super().step(state, x), self.forgotten(state[1], x) + self.key(x))

    def read(self, state: State, x: Token) -> Any:
        return super().read(state, x) / self.divisor(x["q"] @ state[1])

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        sums, (memory,) = super().chunk(state, xs)
        ones = np.ones((xs.tokens, 1), dtype=np.int8)
        totals, normaliser = written_chunk(self.decay(xs), xs["q"], self.key(xs), ones, state[1][:, None])
        return sums / self.divisor(totals), (memory, normaliser[:, 0])


class NormalisedLinearAttention(Normalised):
    """S_t = S_{t-1} + k_t v_tᵀ, n_t = n_{t-1} + k_t; y_t = q_tᵀ S_t / q_tᵀ n_t.

    where q, k ∈ ℝ^{d_k} are positive features φ(·) already, v ∈ ℝ^{d_v}, S ∈ ℝ^{d_k×d_v}, n ∈ ℝ^{d_k}.
    """

    id = "linear-normalised"
    name = "linear attention, normalised"
    paper, arxiv = LinearAttention.paper, LinearAttention.arxiv
    formula = "S = S + k vᵀ, n = n + k; y = qᵀS / qᵀn"
    parallel_formula = "y_t = Σ_{j≤t} (q_t·k_j) v_j / Σ_{j≤t} q_t·k_j"
    inputs: ClassVar = {**Decaying.inputs, "q": Input(("d_k",), "positive"), "k": Input(("d_k",), "positive")}
    numbers = "rational"


class MissingNormaliser(NormalisedLinearAttention):
    """Broken: the quotient is forgotten."""

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]


class RetNet(Decaying):
    """S_t = γ S_{t-1} + k_t v_tᵀ; y_t = q_tᵀ S_t.

    where γ ∈ (0, 1) is constant; q, k ∈ ℝ^{d_k} with their rotation by the position already; v ∈ ℝ^{d_v}.
    """

    id = "retnet"
    name = "RetNet"
    paper = "Retentive Network: A Successor to Transformer for Large Language Models"
    arxiv = "2307.08621"
    formula = "S = γS + k vᵀ; y = qᵀS"
    parallel_formula = "y_t = Σ_{j≤t} γ^{t-j} (q_t·k_j) v_j"
    inputs: ClassVar = {**Decaying.inputs, "gamma": Input((), "gate", constant=True)}
    gate = "gamma"


class RetNetDecayAfterWrite(DecayAfterWrite, RetNet):
    """Broken: what is written decays at once."""


class GLA(Decaying):
    """S_t = Diag(α_t) S_{t-1} + k_t v_tᵀ; y_t = q_tᵀ S_t.

    where α ∈ (0, 1)^{d_k}, q, k ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}.
    """

    id = "gla"
    name = "GLA"
    paper = "Gated Linear Attention Transformers with Hardware-Efficient Training"
    arxiv = "2312.06635"
    formula = "S = Diag(α)S + k vᵀ; y = qᵀS"
    parallel_formula = "y_t = Σ_{j≤t} (q_tᵀ Diag(α_{j+1}⊙…⊙α_t) k_j) v_j"
    inputs: ClassVar = {**Decaying.inputs, "alpha": Input(("d_k",), "gate")}
    gate = "alpha"


class GLADecayAfterWrite(DecayAfterWrite, GLA):
    """Broken: what is written decays at once."""


class HGRN2(Decaying):
    """S_t = Diag(f_t) S_{t-1} + (1 − f_t) v_tᵀ; y_t = q_tᵀ S_t.

    where f ∈ (0, 1)^{d_k} is the forget gate, q ∈ ℝ^{d_k} the output gate, v ∈ ℝ^{d_v}.
    """

    id = "hgrn2"
    name = "HGRN2"
    paper = "HGRN2: Gated Linear RNNs with State Expansion"
    arxiv = "2404.07904"
    formula = "S = Diag(f)S + (1−f) vᵀ; y = qᵀS"
    parallel_formula = "y_t = Σ_{j≤t} (q_tᵀ Diag(f_{j+1}⊙…⊙f_t)(1−f_j)) v_j"
    inputs: ClassVar = {"q": Input(("d_k",)), "v": Input(("d_v",)), "f": Input(("d_k",), "gate")}
    gate = "f"

    def key(self, x: Token | Inputs) -> Any:
        return 1 - x["f"]


class UntiedKey(HGRN2):
    """Broken: the gate itself is the key."""

    def step(self, state: State, x: Token) -> State:
        return (self.forgotten(state[0], x) + outer(x["f"], x["v"]),)


class RWKV6(Decaying):
    """S_t = Diag(w_t) S_{t-1} + k_t v_tᵀ; y_t = r_tᵀ (S_{t-1} + Diag(u) k_t v_tᵀ).

    where w ∈ (0, 1)^{d_k}, r, k ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}, u ∈ ℝ^{d_k} constant.
    """

    id = "rwkv6"
    name = "RWKV-6"
    paper = "Eagle and Finch: RWKV with Matrix-Valued States and Dynamic Recurrence"
    arxiv = "2404.05892"
    formula = "S = Diag(w)S + k vᵀ; y = rᵀ(S before + Diag(u)k vᵀ)"
    parallel_formula = "y_t = Σ_{j<t} (r_tᵀ Diag(w_{j+1}⊙…⊙w_{t-1}) k_j) v_j + (r_tᵀ Diag(u) k_t) v_t"
    inputs: ClassVar = {
        "r": Input(("d_k",)),
        "k": Input(("d_k",)),
        "v": Input(("d_v",)),
        "w": Input(("d_k",), "gate"),
        "u": Input(("d_k",), constant=True),
    }
    query, gate = "r", "w"
    beside = "two token shifts of a block keep its last token: 2·width·p"
    reads_before = True

    def read(self, state: State, x: Token) -> Any:
        bonus = x["r"] @ (x["u"] * x["k"])
        return super().read(state, x) + x["v"] * bonus

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        decay, (memory,) = self.decay(xs), state
        bonus = (xs["r"] * (xs["k"] * xs["u"])).sum(1)
        read = decay.scores(xs["r"], xs["k"], before=True) @ xs["v"] + decay.carried(xs["r"], before=True) @ memory
        return read + xs["v"] * bonus[:, None], (decay.final(memory) + decay.ending(xs["k"]).T @ xs["v"],)


class ReadAfterWrite(RWKV6):
    """Broken: the token is read with its bonus and once more from the state."""

    reads_before = False


class MLSTM(Normalised):
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
    inputs: ClassVar = {**Decaying.inputs, "f": Input((), "gate"), "i": Input((), "positive")}
    gate = "f"
    state: ClassVar = {"C": ("d_k", "d_v"), "n": ("d_k",)}
    beside = "the stabiliser, one number a head: H·p; a convolution over c tokens keeps c−1"
    numbers = "expression"

    def key(self, x: Token | Inputs) -> Any:
        return x["k"] * (x["i"][:, None] if isinstance(x, Inputs) else x["i"])

    def divisor(self, total: Any) -> Any:
        return at_least_one(total)


class UndecayedNormaliser(MLSTM):
    """Broken: the normaliser does not forget."""

    def step(self, state: State, x: Token) -> State:
        memory, normaliser = state
        key = x["k"] * x["i"]
        return memory * x["f"] + outer(key, x["v"]), normaliser + key
