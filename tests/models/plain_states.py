"""The states of recurrent heads, by the recurrence itself: plain and slow, for tests and for measuring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix
from separation.models import (
    STATEFUL,
    DeltaHead,
    LinearHead,
    Model,
    RecurrentHead,
    Scaled,
    advance,
    initial_state,
    stream_before,
)

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class State:
    """S, d_k × d_v, and the normaliser n, d_k (empty for a head without one): all that later tokens learn.

    Of a recurrent head of any family: all numbers of its state in one row.
    """

    matrix: tuple[Vector, ...]
    normaliser: Vector

    @property
    def entries(self) -> Vector:
        return (*(number for row in self.matrix for number in row), *self.normaliser)


def states(model: Model, token_ids: NDArray[np.int64], layer: int, head: int = 0) -> list[list[State]]:
    """For each prompt the state after each of its tokens; ``layer`` counts from 1, ``head`` from 0."""
    part = model.layers[layer - 1].heads[head]
    if not isinstance(part, STATEFUL):
        raise ValueError(f"layer {layer}: head {head} has the type {part.TYPE}, which has no state")
    stream = stream_before(model, token_ids, layer)
    if isinstance(part, RecurrentHead):
        return _recurrent(model, layer, part, stream)
    unit = Fraction(1, stream.denominator << model.precision.fraction_bits)
    prompts = [[[int(number) * unit for number in row] for row in rows] for rows in stream.values]
    return [list(_linear(part, rows) if isinstance(part, LinearHead) else _delta(part, rows)) for rows in prompts]


def final_states(model: Model, token_ids: NDArray[np.int64], layer: int, head: int = 0) -> list[State]:
    """For each prompt the state after its last token."""
    return [found[-1] for found in states(model, token_ids, layer, head)]


def _recurrent(model: Model, layer: int, head: RecurrentHead, stream: Scaled) -> list[list[State]]:
    step, (batch, tokens, _) = model.precision.step, stream.values.shape
    found: list[list[State]] = [[] for _ in range(batch)]
    carried = initial_state(head, batch)
    for token in range(tokens):
        _, carried = advance(model, layer, head, carried, token, stream.tokens(token, token + 1))
        for prompt, states_of in enumerate(found):
            states_of.append(State((tuple(number * step for number in carried.numbers(prompt)),), ()))
    return found


def _linear(head: LinearHead, rows: list[list[Fraction]]) -> Iterator[State]:
    """S_t = S_{t-1} + φ_k v_tᵀ, n_t = n_{t-1} + φ_k."""
    keys, values = head.w_k.shape[0], head.w_v.shape[0]
    state = State(((Fraction(0),) * values,) * keys, (Fraction(0),) * keys * head.normalised)
    for x in rows:
        feature = [max(number, Fraction(0)) for number in _affine(head.w_k, head.b_k, x)]
        value = _times(head.w_v, x)
        state = State(
            tuple(
                tuple(s + k * v for s, v in zip(row, value, strict=True))
                for row, k in zip(state.matrix, feature, strict=True)
            ),
            tuple(n + k for n, k in zip(state.normaliser, feature, strict=False)),
        )
        yield state


def _delta(head: DeltaHead, rows: list[list[Fraction]]) -> Iterator[State]:
    """S_t = α (S_{t-1} − β k kᵀ S_{t-1}) + β k vᵀ."""
    keys, values = head.w_k.shape[0], head.w_v.shape[0]
    matrix: tuple[Vector, ...] = ((Fraction(0),) * values,) * keys
    for x in rows:
        key, value = _times(head.w_k, x), _times(head.w_v, x)
        ((alpha,), (beta,)) = (_affine(w, b, x) for w, b in ((head.w_a, head.b_a), (head.w_b, head.b_b)))
        alpha, beta = (min(max(gate, Fraction(0)), Fraction(1)) for gate in (alpha, beta))
        read = [sum((k * s[c] for k, s in zip(key, matrix, strict=True)), Fraction(0)) for c in range(values)]
        matrix = tuple(
            tuple(alpha * (s - beta * k * r) + beta * k * v for s, r, v in zip(row, read, value, strict=True))
            for row, k in zip(matrix, key, strict=True)
        )
        yield State(matrix, ())


def _times(matrix: ExactMatrix, x: list[Fraction]) -> list[Fraction]:
    sums = [Fraction(0)] * matrix.shape[0]
    for row, column, number in matrix.entries():
        sums[row] += number * x[column]
    return sums


def _affine(matrix: ExactMatrix, bias: ExactMatrix, x: list[Fraction]) -> list[Fraction]:
    return [number + bias.entry(row, 0) for row, number in enumerate(_times(matrix, x))]
