"""A chain of thought: answers become tokens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from naive_model import evaluate
from random_models import batch, document_of, with_enough_bits, with_fitting_shifts
from run_cases import MIXED, case

from separation.arithmetic import ExactMatrix
from separation.models import Stored, decode


@pytest.mark.parametrize("seed", range(6))
def test_decoding_is_running_again_and_again(seed: int) -> None:
    original, prompts, _ = case(MIXED, seed)
    # Answers are token ids here: as many of them as there are tokens.
    height = original.tokens.height
    rng = np.random.default_rng(seed)
    answers = Stored(ExactMatrix(rng.integers(-2, 3, (height, original.width))))
    model = replace(original, unembedding=answers)
    chains = [prompt[:1] for prompt in prompts]
    most = original.positions.height
    for count in range(1, most + 1):
        model = with_enough_bits(with_fitting_shifts(model, chains), chains)
        chains = [[*chain, evaluate(document_of(model), chain).answer] for chain in chains]
        assert decode(model, batch([prompt[:1] for prompt in prompts]), count).tolist() == [c[1:] for c in chains]
    # The last generated token needs no position.
    with pytest.raises(ValueError, match=f"the model reads 1 to {most} tokens, got {most + 1}"):
        decode(model, batch([prompt[:1] for prompt in prompts]), most + 1)
