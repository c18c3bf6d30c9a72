"""DeltaProduct: several steps of the delta rule a token."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import causal, outer, unit_lower_solve
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class DeltaProduct(Recurrence):
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
    state: ClassVar = {"S": ("d_k", "d_v")}
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

    def read(self, state: State, x: Token) -> Any:
        return x["q"] @ state[0]

    def transition(self, x: Token) -> Any:
        product = np.eye(x["k"].shape[1])
        for key, beta in zip(x["k"], x["beta"], strict=True):
            product = product - beta * np.outer(key, key @ product)
        return product

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        (memory,) = state
        steps = xs.sizes["n_h"]
        keys = xs["k"].reshape(xs.tokens * steps, xs.sizes["d_k"])
        values = xs["v"].reshape(xs.tokens * steps, xs.sizes["d_v"])
        strength = xs["beta"].reshape(xs.tokens * steps, 1)
        lower = causal(keys @ keys.T * strength, strict=True)
        solved = unit_lower_solve(lower, (values - keys @ memory) * strength)
        seen = np.repeat(np.tri(xs.tokens, dtype=np.int8), steps, axis=1)
        return (xs["q"] @ keys.T * seen) @ solved + xs["q"] @ memory, (memory + keys.T @ solved,)


class StepsReversed(DeltaProduct):
    """Broken: the small steps of a token run backwards."""

    def _order(self, steps: int) -> range:
        return range(steps - 1, -1, -1)
