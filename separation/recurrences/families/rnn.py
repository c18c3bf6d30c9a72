"""A plain recurrent network: the family without a parallel form."""

from __future__ import annotations

from typing import Any, ClassVar

from separation.recurrences.algebra import relu
from separation.recurrences.recurrence import Input, Recurrence, State, Token


class PlainRNN(Recurrence):
    """h_t = relu(W h_{t-1} + U x_t + b); y_t = h_t.

    where h ∈ ℝ^d, x ∈ ℝ^{d_k}, W ∈ ℝ^{d×d}, U ∈ ℝ^{d×d_k}, b ∈ ℝ^d constant.
    Parallel: none. The step is not affine in h, so steps do not compose to a step of the same size, and there is no sum
    over j ≤ t to take its place.
    """

    id = "rnn"
    name = "plain RNN"
    paper = "Finding Structure in Time"
    arxiv = ""
    formula = "h = relu(Wh + Ux + b); y = h"
    parallel_formula = None
    inputs: ClassVar = {
        "x": Input(("d_k",)),
        "W": Input(("d", "d"), "contraction", constant=True),
        "U": Input(("d", "d_k"), constant=True),
        "b": Input(("d",), constant=True),
    }
    state: ClassVar = {"h": ("d",)}
    numbers = "expression"
    has_heads = False
    extra_sizes: ClassVar = {"d": 2}

    def step(self, state: State, x: Token) -> State:
        (hidden,) = state
        return (relu(x["W"] @ hidden + x["U"] @ x["x"] + x["b"]),)

    def read(self, state: State, x: Token) -> Any:  # noqa: ARG002
        return state[0]

    def transition(self, x: Token) -> Any:
        """relu moves by no more than its argument."""
        return x["W"]


class TransposedWeights(PlainRNN):
    """Broken: Wᵀ in place of W."""

    def step(self, state: State, x: Token) -> State:
        (hidden,) = state
        return (relu(x["W"].T @ hidden + x["U"] @ x["x"] + x["b"]),)
