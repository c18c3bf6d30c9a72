"""A plain recurrent network: no sum over tokens takes the place of its steps, only sweeps over all tokens do."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from separation.recurrences.algebra import concatenate, relu
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class PlainRNN(Recurrence):
    """h_t = relu(W h_{t-1} + U x_t + b); y_t = h_t.

    where h ∈ ℝ^d, x ∈ ℝ^{d_k}, W ∈ ℝ^{d×d}, U ∈ ℝ^{d×d_k}, b ∈ ℝ^d constant.
    Parallel: the step is not affine in h, so steps do not compose to a step of the same size, and there is no sum over
    j ≤ t. What there is are sweeps: h_t ← relu(W h_{t-1} + U x_t + b) for all t at once, from h = 0. After sweep i the
    tokens up to i are right and stay so; T sweeps are enough, and in general needed: no depth is saved.
    """

    id = "rnn"
    name = "plain RNN"
    paper = "Finding Structure in Time"
    arxiv = ""
    formula = "h = relu(Wh + Ux + b); y = h"
    parallel_formula = "h_t ← relu(Wh_{t-1} + Ux_t + b) for all t at once, T times"
    inputs: ClassVar = {
        "x": Input(("d_k",)),
        "W": Input(("d", "d"), "contraction", constant=True),
        "U": Input(("d", "d_k"), constant=True),
        "b": Input(("d",), constant=True),
    }
    state: ClassVar = {"h": ("d",)}
    numbers = "expression"
    has_heads = False
    sweeps = True
    extra_sizes: ClassVar = {"d": 2}

    def step(self, state: State, x: Token) -> State:
        (hidden,) = state
        return (relu(x["W"] @ hidden + x["U"] @ x["x"] + x["b"]),)

    def read(self, state: State, x: Token) -> Any:  # noqa: ARG002
        return state[0]

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        (before,) = state
        driven = xs["x"] @ xs["U"].T + xs["b"]
        hidden: Any = np.zeros((xs.tokens, len(before)), dtype=np.int8)
        for _ in range(xs.tokens):
            hidden = relu(concatenate([before[None], hidden[:-1]]) @ xs["W"].T + driven)
        return hidden, (hidden[-1],)

    def transition(self, x: Token) -> Any:
        """relu moves by no more than its argument."""
        return x["W"]


class TransposedWeights(PlainRNN):
    """Broken: Wᵀ in place of W."""

    def step(self, state: State, x: Token) -> State:
        (hidden,) = state
        return (relu(x["W"].T @ hidden + x["U"] @ x["x"] + x["b"]),)
