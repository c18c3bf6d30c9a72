"""Linear attention and what followed it: a write of k vᵀ, after a decay of the state; some divide by a normaliser."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import at_least_one, causal, outer, stack
from separation.recurrences.decays import Decay, NoDecay, RowDecay, ScalarDecay, written_chunk
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

    def forgotten(self, memory: Any, x: Token) -> Any:  # noqa: ARG002
        """What a step keeps of the state before it writes."""
        return memory

    def decay(self, xs: Inputs) -> Decay:  # noqa: ARG002
        """The same for a chunk."""
        return NoDecay()

    def key(self, x: Token | Inputs) -> Any:
        return x["k"]

    def step(self, state: State, x: Token) -> State:
        return (self.forgotten(state[0], x) + outer(self.key(x), x["v"]),)

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs, memory = written_chunk(self.decay(xs), xs["q"], self.key(xs), xs["v"], state[0])
        return outputs, (memory,)


class ReadBeforeWrite(LinearAttention):
    """Broken: a token does not see itself."""

    reads_before = True


class DecayAfterWrite(LinearAttention):
    """Broken: what is written decays at once."""

    def step(self, state: State, x: Token) -> State:
        return (self.forgotten(state[0] + outer(self.key(x), x["v"]), x),)


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


class RetNet(LinearAttention):
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

    def forgotten(self, memory: Any, x: Token) -> Any:
        return memory * x["gamma"]

    def decay(self, xs: Inputs) -> Decay:
        return ScalarDecay(stack([xs["gamma"]] * xs.tokens))


class RetNetDecayAfterWrite(DecayAfterWrite, RetNet):
    """Broken: what is written decays at once."""


class GLA(LinearAttention):
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

    def forgotten(self, memory: Any, x: Token) -> Any:
        return memory * x["alpha"][:, None]

    def decay(self, xs: Inputs) -> Decay:
        return RowDecay(xs["alpha"])


class GLADecayAfterWrite(DecayAfterWrite, GLA):
    """Broken: what is written decays at once."""


class HGRN2(LinearAttention):
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

    def forgotten(self, memory: Any, x: Token) -> Any:
        return memory * x["f"][:, None]

    def decay(self, xs: Inputs) -> Decay:
        return RowDecay(xs["f"])

    def key(self, x: Token | Inputs) -> Any:
        return 1 - x["f"]


class UntiedKey(HGRN2):
    """Broken: the gate itself is the key."""

    def step(self, state: State, x: Token) -> State:
        return (self.forgotten(state[0], x) + outer(x["f"], x["v"]),)


class RWKV6(Recurrence):
    """S_t = Diag(w_t) S_{t-1} + k_t v_tᵀ; y_t = r_tᵀ (S_{t-1} + Diag(u) k_t v_tᵀ).

    where w ∈ (0, 1)^{d_k}, r, k ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}, u ∈ ℝ^{d_k} constant.
    Parallel: y_t = Σ_{j<t} (r_tᵀ Diag(w_{j+1} ⊙ … ⊙ w_{t-1}) k_j) v_j + (r_tᵀ Diag(u) k_t) v_t.
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
    state: ClassVar = {"S": ("d_k", "d_v")}
    beside = "two token shifts of a block keep its last token: 2·width·p"
    reads_before = True

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["w"][:, None] + outer(x["k"], x["v"]),)

    def read(self, state: State, x: Token) -> Any:
        bonus = x["r"] @ (x["u"] * x["k"])
        return x["r"] @ state[0] + x["v"] * bonus

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        decay, (memory,) = RowDecay(xs["w"]), state
        bonus = (xs["r"] * (xs["k"] * xs["u"])).sum(1)
        read = decay.scores_before(xs["r"], xs["k"]) @ xs["v"] + decay.carried_before(xs["r"]) @ memory
        return read + xs["v"] * bonus[:, None], (decay.final(memory) + decay.ending(xs["k"]).T @ xs["v"],)


class ReadAfterWrite(RWKV6):
    """Broken: the token is read with its bonus and once more from the state."""

    reads_before = False


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
