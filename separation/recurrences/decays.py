"""What a chunk of tokens does to a state that only decays: one gate a token, or one for each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import (
    causal,
    concatenate,
    decay_products,
    decayed_scores,
    outer,
    stack,
    unit_lower_solve,
)
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class Decay:
    """Γ_tj = g_{j+1} ⋯ g_t, Γ_t0 = g_1 ⋯ g_t, for the tokens 1..C of a chunk, and C the last of them.

    ``gates``: (C, d_k), one number for each row of the state; or (C, 1), one for all of them. ``before``: of a token
    that reads before its own step, g_{j+1} ⋯ g_{t-1} for j < t and g_1 ⋯ g_{t-1}.
    """

    def __init__(self, gates: Any) -> None:
        self.gates, products = gates, [gates[0]]
        for t in range(1, len(gates)):
            products.append(products[-1] * gates[t])
        self.from_start = stack(products)

    def scores(self, x: Any, z: Any, before: bool = False) -> Any:
        """x_tᵀ Γ_tj z_j for j ≤ t, else 0."""
        return decayed_scores(x, z, self.gates, before)

    def carried(self, x: Any, before: bool = False) -> Any:
        """Rows x_tᵀ Γ_t0: how token t reads the state before the chunk."""
        one = np.ones((1, *self.gates.shape[1:]), dtype=np.int8)
        return x * (concatenate([one, self.from_start[:-1]]) if before else self.from_start)

    def ending(self, z: Any) -> Any:
        """Rows Γ_Cj z_j: what is left after the chunk of what token j wrote."""
        *_, last = decay_products(self.gates)
        return z * last

    def final(self, state: Any) -> Any:
        """Γ_C0 S: what is left after the chunk of the state before it."""
        return state * self.from_start[-1][:, None]


def written_chunk(decay: Decay, queries: Any, keys: Any, values: Any, state: Any) -> tuple[Any, Any]:
    """S_t = g_t S_{t-1} + k_t v_tᵀ, y_t = q_tᵀ S_t: (Y, S_C).

    Y = A V + (q_tᵀ Γ_t0) S with A_tj = q_tᵀ Γ_tj k_j for j ≤ t; S_C = Γ_C0 S + Σ_j (Γ_Cj k_j) v_jᵀ.
    """
    outputs = decay.scores(queries, keys) @ values + decay.carried(queries) @ state
    return outputs, decay.final(state) + decay.ending(keys).T @ values


def delta_chunk(decay: Decay, queries: Any, keys: Any, values: Any, strengths: Any, state: Any) -> tuple[Any, Any]:
    """S_t = (I − β_t k_t k_tᵀ) g_t S_{t-1} + β_t k_t v_tᵀ, y_t = q_tᵀ S_t: (Y, S_C).

    What token t adds is k_t u_tᵀ with u_t = β_t (v_t − (g_t S_{t-1})ᵀ k_t); so (I + L) U = Diag(β)(V − (k_tᵀ Γ_t0) S),
    L_tj = β_t k_tᵀ Γ_tj k_j for j < t (the UT transform), and the rest is as in `written_chunk` with u for v.
    """
    strength = strengths[:, None]
    lower = causal(decay.scores(keys, keys) * strength, strict=True)
    solved = unit_lower_solve(lower, (values - decay.carried(keys) @ state) * strength)
    return written_chunk(decay, queries, keys, solved, state)


class Decaying(Recurrence):
    """S_t = g_t S_{t-1} + k_t v_tᵀ; y_t = q_tᵀ S_t, S ∈ ℝ^{d_k×d_v}.

    where ``query`` names q and ``gate`` g, one number a token, or one for each row of S, by its shape; without one
    nothing is forgotten.
    """

    inputs: ClassVar[Mapping[str, Input]] = {"q": Input(("d_k",)), "k": Input(("d_k",)), "v": Input(("d_v",))}
    query: ClassVar[str] = "q"
    gate: ClassVar[str] = ""
    state: ClassVar = {"S": ("d_k", "d_v")}

    def key(self, x: Token | Inputs) -> Any:
        return x["k"]

    def value(self, x: Token | Inputs) -> Any:
        return x["v"]

    def forgotten(self, memory: Any, x: Token) -> Any:
        """What a step keeps of the state before it writes."""
        if not self.gate:
            return memory
        return memory * (x[self.gate][:, None] if self.inputs[self.gate].shape else x[self.gate])

    def decay(self, xs: Inputs) -> Decay:
        """The same for a chunk."""
        if not self.gate:
            return Decay(np.ones((xs.tokens, 1), dtype=np.int8))
        kind, gates = self.inputs[self.gate], xs[self.gate]
        gates = stack([gates] * xs.tokens) if kind.constant else gates
        return Decay(gates if kind.shape else gates[:, None])

    def step(self, state: State, x: Token) -> State:
        return (self.forgotten(state[0], x) + outer(self.key(x), self.value(x)),)

    def read(self, state: State, x: Token) -> Any:
        return x[self.query] @ state[0]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs, memory = written_chunk(self.decay(xs), xs[self.query], self.key(xs), self.value(xs), state[0])
        return outputs, (memory,)


class DecayAfterWrite(Decaying):
    """Broken: what is written decays at once."""

    def step(self, state: State, x: Token) -> State:
        return (self.forgotten(state[0] + outer(self.key(x), self.value(x)), x),)
