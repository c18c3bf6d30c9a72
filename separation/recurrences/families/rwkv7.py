"""RWKV-7 (Goose): a generalised delta rule; what is erased and what is written have keys of their own."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import outer, unit_lower_solve
from separation.recurrences.decays import RowDecay, written_chunk
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class RWKV7(Recurrence):
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
    state: ClassVar = {"S": ("d_k", "d_v")}
    beside = "two token shifts of a block keep its last token: 2·width·p"

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        erased = outer(x["a"] * x["kappa"], x["kappa"] @ memory)
        return (memory * x["w"][:, None] - erased + outer(x["k"], x["v"]),)

    def read(self, state: State, x: Token) -> Any:
        return x["r"] @ state[0]

    def transition(self, x: Token) -> Any:
        return np.diag(x["w"]) - np.outer(x["a"] * x["kappa"], x["kappa"])

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        erasing, decay, (memory,) = xs["a"] * xs["kappa"], RowDecay(xs["w"]), state
        held = decay.scores_before(xs["kappa"], xs["k"]) @ xs["v"] + decay.carried_before(xs["kappa"]) @ memory
        erased = unit_lower_solve(decay.scores_before(xs["kappa"], erasing), held)
        written, kept = written_chunk(decay, xs["r"], xs["k"], xs["v"], memory)
        outputs = written - decay.scores(xs["r"], erasing) @ erased
        return outputs, (kept - decay.ending(erasing).T @ erased,)


class RateDropped(RWKV7):
    """Broken: κ is erased in full, whatever the in-context learning rate a says."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        erased = outer(x["kappa"], x["kappa"] @ memory)
        return (memory * x["w"][:, None] - erased + outer(x["k"], x["v"]),)
