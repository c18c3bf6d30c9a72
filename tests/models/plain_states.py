"""The states of recurrent heads, as the naive evaluator goes through them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from naive_model import evaluate
from numpy.typing import NDArray
from random_models import document_of

from separation.models import LinearHead, Model

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
    part, document = model.layers[layer - 1].heads[head], document_of(model)
    counts = isinstance(part, LinearHead) and part.normalised
    found = [evaluate(document, prompt).states[layer, head] for prompt in np.asarray(token_ids).tolist()]
    return [
        [State(tuple(map(tuple, matrix)), tuple(normaliser) if counts else ()) for matrix, normaliser in rows]
        for rows in found
    ]


def final_states(model: Model, token_ids: NDArray[np.int64], layer: int, head: int = 0) -> list[State]:
    """For each prompt the state after its last token."""
    return [found[-1] for found in states(model, token_ids, layer, head)]
