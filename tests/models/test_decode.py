"""A chain of thought: answers become tokens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from naive_model import evaluate
from random_models import batch, document_of, with_enough_bits, with_fitting_shifts
from run_cases import MIXED, case

from separation.arithmetic import ExactMatrix, Precision
from separation.models import MLP, Layer, Model, Stored, Stream, decode


def successor(count: int = 4, positions: int = 6) -> Model:
    """Token t is answered by t + 1, and the last one by 0."""
    zeros = ExactMatrix.zeros
    identity = ExactMatrix.from_entries((count, count), [(i, i, 1) for i in range(count)])
    following = ExactMatrix.from_entries((count, count), [((i + 1) % count, i, 2) for i in range(count)])
    return Model(
        Stream([("token", count)]),
        Stored(zeros(positions, count)),
        Stored(identity),
        (Layer((), (MLP(identity, zeros(count, 1), following, zeros(count, 1)),)),),
        Stored(identity),
        Precision(4, 8, 2),
    )


def test_the_last_generated_token_needs_no_position() -> None:
    model = successor(positions=6)
    assert len(decode(model, np.array([0]), 6)) == 6
    with pytest.raises(ValueError, match="the model reads 1 to 6 tokens, got 7"):
        decode(model, np.array([0]), 7)


@pytest.mark.parametrize("seed", range(6))
def test_decoding_is_running_again_and_again(seed: int) -> None:
    original, prompts, _ = case(MIXED, seed)
    # Answers are token ids here: as many of them as there are tokens.
    height = original.tokens.height
    rng = np.random.default_rng(seed)
    answers = Stored(ExactMatrix(rng.integers(-2, 3, (height, original.width))))
    model = replace(original, unembedding=answers)
    chains = [prompt[:1] for prompt in prompts]
    for count in range(1, len(prompts[0])):
        model = with_enough_bits(with_fitting_shifts(model, chains), chains)
        chains = [[*chain, evaluate(document_of(model), chain).answer] for chain in chains]
        assert decode(model, batch([prompt[:1] for prompt in prompts]), count).tolist() == [c[1:] for c in chains]
