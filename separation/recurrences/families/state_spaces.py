"""Selective state spaces: a decay for each entry of the state (Mamba), or one a head and token (Mamba-2)."""

from __future__ import annotations

from typing import Any, ClassVar

from separation.recurrences.algebra import decay_products, outer, stack
from separation.recurrences.decays import DecayAfterWrite, Decaying
from separation.recurrences.recurrence import Input, Inputs, State, Token


class Mamba(Decaying):
    """S_t = A_t ⊙ S_{t-1} + b_t (Δ_t ⊙ x_t)ᵀ; y_t = c_tᵀ S_t + D ⊙ x_t.

    where x, Δ, D ∈ ℝ^{d_v} (channels), b, c ∈ ℝ^{d_k} (the state of a channel), A_t = exp(Δ_t ⊗ A) ∈ (0, 1)^{d_k×d_v}.
    """

    id = "mamba"
    name = "Mamba"
    paper = "Mamba: Linear-Time Sequence Modeling with Selective State Spaces"
    arxiv = "2312.00752"
    formula = "S = A⊙S + b(Δ⊙x)ᵀ; y = cᵀS + D⊙x"
    parallel_formula = "y_t = Σ_{j≤t} c_tᵀ((A_{j+1}⊙…⊙A_t)⊙b_j(Δ_j⊙x_j)ᵀ) + D⊙x_t"
    inputs: ClassVar = {
        "x": Input(("d_v",)),
        "delta": Input(("d_v",), "strength"),
        "b": Input(("d_k",)),
        "c": Input(("d_k",)),
        "decay": Input(("d_k", "d_v"), "gate"),
        "skip": Input(("d_v",), constant=True),
    }
    query = "c"
    beside = "d_k is the state of a channel, H·d_v the channels; a convolution over c tokens keeps c−1: (c−1)·H·d_v·p"

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["decay"] + outer(x["b"], x["delta"] * x["x"]),)

    def read(self, state: State, x: Token) -> Any:
        return super().read(state, x) + x["skip"] * x["x"]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        writes = xs["b"][:, :, None] * (xs["delta"] * xs["x"])[:, None, :]
        rows, memory = [], state[0]
        for t, products in enumerate(decay_products(xs["decay"])):
            memory = (writes[: t + 1] * products).sum(0) + products[0] * (xs["decay"][0] * state[0])
            rows.append(xs["c"][t] @ memory)
        return stack(rows) + xs["x"] * xs["skip"], (memory,)


class StepSizeDropped(Mamba):
    """Broken: Δ scales the decay but not the write."""

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["decay"] + outer(x["b"], x["x"]),)


class Mamba2(Decaying):
    """S_t = a_t S_{t-1} + b_t (Δ_t x_t)ᵀ; y_t = c_tᵀ S_t + D x_t.

    where x ∈ ℝ^{d_v}, b, c ∈ ℝ^{d_k}, Δ_t > 0, a_t = exp(Δ_t A) ∈ (0, 1), D ∈ ℝ constant.
    Parallel: y_t = Σ_{j≤t} a_{j+1} ⋯ a_t (c_t·b_j) Δ_j x_j + D x_t, a 1-semiseparable mask times C Bᵀ.
    """

    id = "mamba2"
    name = "Mamba-2"
    paper = "Transformers are SSMs: Generalized Models and Efficient Algorithms Through Structured State Space Duality"
    arxiv = "2405.21060"
    formula = "S = aS + b(Δx)ᵀ; y = cᵀS + Dx"
    parallel_formula = "y_t = Σ_{j≤t} a_{j+1}⋯a_t (c_t·b_j) Δ_j x_j + D x_t"
    inputs: ClassVar = {
        "x": Input(("d_v",)),
        "delta": Input((), "strength"),
        "b": Input(("d_k",)),
        "c": Input(("d_k",)),
        "a": Input((), "gate"),
        "skip": Input((), constant=True),
    }
    query, gate = "c", "a"
    beside = "d_k is the state size; a convolution over c tokens keeps c−1: (c−1)·(H·d_v + 2·groups·d_k)·p"

    def key(self, x: Token | Inputs) -> Any:
        return x["b"]

    def value(self, x: Token | Inputs) -> Any:
        return x["x"] * (x["delta"][:, None] if isinstance(x, Inputs) else x["delta"])

    def read(self, state: State, x: Token) -> Any:
        return super().read(state, x) + x["x"] * x["skip"]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs, after = super().chunk(state, xs)
        return outputs + xs["x"] * xs["skip"], after


class Mamba2DecayAfterWrite(DecayAfterWrite, Mamba2):
    """Broken: what is written decays at once."""
