"""The delta rule: a write replaces what the key held; with decays, several times a token, or with a key to erase by."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import outer, unit_lower_solve
from separation.recurrences.decays import Decay, Decaying, delta_chunk, written_chunk
from separation.recurrences.recurrence import Input, Inputs, State, Token

KEYED = {**Decaying.inputs, "k": Input(("d_k",), "key")}
"""Keys of norm 1. The order of a family's inputs is that of the rows of a `RecurrentHead`."""


class DeltaNet(Decaying):
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
    inputs: ClassVar = KEYED | {"beta": Input((), "strength")}
    beside = "convolutions over c tokens on q, k, v keep c−1: (c−1)·H·(2·d_k + d_v)·p"

    def step(self, state: State, x: Token) -> State:
        memory = self.forgotten(state[0], x)
        return (memory + outer(x["k"] * x["beta"], x["v"] - x["k"] @ memory),)

    def transition(self, x: Token) -> Any:
        kept = np.eye(len(x["k"])) - x["beta"] * np.outer(x["k"], x["k"])
        return kept * x[self.gate] if self.gate else kept  # of rows column by column

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs, memory = delta_chunk(self.decay(xs), xs["q"], xs["k"], xs["v"], xs["beta"], state[0])
        return outputs, (memory,)


class StrengthDropped(DeltaNet):
    """Broken: β scales what is written but not what is erased."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory + outer(x["k"], x["v"] * x["beta"] - x["k"] @ memory),)


class GatedDeltaNet(DeltaNet):
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
    inputs: ClassVar = KEYED | {"alpha": Input((), "gate"), "beta": Input((), "strength")}
    gate = "alpha"


class EraseUndecayed(GatedDeltaNet):
    """Broken: what is erased is what the key held before the decay."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["alpha"] + outer(x["k"] * x["beta"], x["v"] - x["k"] @ memory),)


class KimiDelta(DeltaNet):
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
    inputs: ClassVar = KEYED | {"alpha": Input(("d_k",), "gate"), "beta": Input((), "strength")}
    gate = "alpha"


class EraseBeforeDecay(KimiDelta):
    """Broken: the two factors of the transition change places."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        erased = memory - outer(x["k"] * x["beta"], x["k"] @ memory)
        return (erased * x["alpha"][:, None] + outer(x["k"] * x["beta"], x["v"]),)


class DeltaProduct(DeltaNet):
    """S ← (I − β_{t,i} k_{t,i} k_{t,i}ᵀ) S + β_{t,i} k_{t,i} v_{t,i}ᵀ for i = 1..n_h; y_t = q_tᵀ S_t.

    where k_i ∈ ℝ^{d_k}, v_i ∈ ℝ^{d_v}, β_i ∈ (0, 2) (a reflection at 2), q ∈ ℝ^{d_k}: the transition is a product of
    n_h generalised Householder matrices.
    Parallel: the UT transform over all T·n_h small steps; token t reads those up to its own last.
    """

    id = "delta-product"
    name = "DeltaProduct"
    paper = "DeltaProduct: Improving State-Tracking in Linear RNNs via Householder Products"
    arxiv = "2502.10297"
    formula = "S = (I − β_i k_i k_iᵀ)S + β_i k_i v_iᵀ, i = 1..n_h; y = qᵀS"
    parallel_formula = "(I + tril(Diag(β)KKᵀ, −1))U = Diag(β)V over all T·n_h steps; Y = tril(QKᵀ)U"
    inputs: ClassVar = {
        "q": Input(("d_k",)),
        "k": Input(("n_h", "d_k"), "key"),
        "v": Input(("n_h", "d_v")),
        "beta": Input(("n_h",), "reflection"),
    }
    beside = "convolutions over c tokens on q, k, v keep c−1"
    extra_sizes: ClassVar = {"n_h": 2}

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        for i in self._order(len(x["beta"])):
            key = x["k"][i]
            memory = memory + outer(key * x["beta"][i], x["v"][i] - key @ memory)
        return (memory,)

    def _order(self, steps: int) -> range:
        return range(steps)

    def transition(self, x: Token) -> Any:
        product = np.eye(x["k"].shape[1])
        for key, beta in zip(x["k"], x["beta"], strict=True):
            product = product - beta * np.outer(key, key @ product)
        return product

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        steps = xs.sizes["n_h"]
        keys, values, strengths = (xs[n].reshape(xs.tokens * steps, *xs[n].shape[2:]) for n in ("k", "v", "beta"))
        queries = xs["q"][np.repeat(np.arange(xs.tokens), steps)]
        ungated = Decay(np.ones((xs.tokens * steps, 1), dtype=np.int8))
        outputs, memory = delta_chunk(ungated, queries, keys, values, strengths, state[0])
        return outputs[steps - 1 :: steps], (memory,)


class StepsReversed(DeltaProduct):
    """Broken: the small steps of a token run backwards."""

    def _order(self, steps: int) -> range:
        return range(steps - 1, -1, -1)


class RWKV7(Decaying):
    """S_t = (Diag(w_t) − (a_t ⊙ κ_t) κ_tᵀ) S_{t-1} + k_t v_tᵀ; y_t = r_tᵀ S_t.

    where w, a ∈ (0, 1)^{d_k}, κ ∈ ℝ^{d_k} with |κ| = 1 is the key that is erased, k, r ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}.
    Parallel: with b = a ⊙ κ, A(x, z)_tj = x_tᵀ Diag(w_{j+1} ⊙ … ⊙ w_t) z_j for j ≤ t, and A⁻ the same with the
    product up to w_{t-1} for j < t: (I + A⁻(κ, b)) U = A⁻(κ, k) V; Y = A(r, k) V − A(r, b) U.
    """

    id = "rwkv7"
    name = "RWKV-7"
    paper = 'RWKV-7 "Goose" with Expressive Dynamic State Evolution'
    arxiv = "2503.14456"
    formula = "S = (Diag(w) − (a⊙κ)κᵀ)S + k vᵀ; y = rᵀS"
    parallel_formula = "(I + A⁻(κ,b))U = A⁻(κ,k)V; Y = A(r,k)V − A(r,b)U"
    inputs: ClassVar = {
        "r": Input(("d_k",)),
        "k": Input(("d_k",)),
        "kappa": Input(("d_k",), "key"),
        "v": Input(("d_v",)),
        "w": Input(("d_k",), "gate"),
        "a": Input(("d_k",), "strength"),
    }
    query, gate = "r", "w"
    beside = "two token shifts of a block keep its last token: 2·width·p"

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        erased = outer(x["a"] * x["kappa"], x["kappa"] @ memory)
        return (self.forgotten(memory, x) - erased + outer(x["k"], x["v"]),)

    def transition(self, x: Token) -> Any:
        return np.diag(x["w"]) - np.outer(x["a"] * x["kappa"], x["kappa"])

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        erasing, decay, (memory,) = xs["a"] * xs["kappa"], self.decay(xs), state
        held = decay.scores(xs["kappa"], xs["k"], before=True) @ xs["v"]
        held = held + decay.carried(xs["kappa"], before=True) @ memory
        erased = unit_lower_solve(decay.scores(xs["kappa"], erasing, before=True), held)
        written, kept = written_chunk(decay, xs["r"], xs["k"], xs["v"], memory)
        outputs = written - decay.scores(xs["r"], erasing) @ erased
        return outputs, (kept - decay.ending(erasing).T @ erased,)


class RateDropped(RWKV7):
    """Broken: κ is erased in full, whatever the in-context learning rate a says."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        erased = outer(x["kappa"], x["kappa"] @ memory)
        return (memory * x["w"][:, None] - erased + outer(x["k"], x["v"]),)
