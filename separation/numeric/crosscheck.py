"""Floating-point runs against exact runs: answers must agree, and the error must stay within its computed bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from separation.models import run
from separation.numeric.bounds import logit_error_bound
from separation.numeric.support import require_support
from separation.proving import Construction, Proof

FLOAT64_UNIT = Fraction(1, 2**53)


@dataclass(frozen=True)
class CrossCheck:
    """Over all prompts: wrong answers, the largest |float logit − exact logit|, and its bound (None: no bound)."""

    instances: int
    mismatches: int
    max_error: float
    bound: float | None

    @property
    def ok(self) -> bool:
        return not self.mismatches and self.bound is not None and self.max_error <= self.bound


def torch_is_installed() -> bool:
    return find_spec("torch") is not None


def crosscheck(construction: Construction, proof: Proof, prompts: Sequence[NDArray[np.int64]]) -> CrossCheck:
    """float64 on the CPU against the exact run, prompt by prompt; logits are those of ±1 pointers, whole numbers."""
    require_support(construction.model)
    from separation.numeric.forward import float_logits, one_thread

    model = construction.model
    bound = logit_error_bound(model, proof, construction.shape, FLOAT64_UNIT)
    mismatches, worst = 0, 0.0
    scale = float((1 << model.precision.fraction_bits) * model.unembedding.denominator)
    with one_thread():
        for ids in prompts:
            exact = run(model, ids)
            floats = float_logits(model, ids[None, :]).numpy()
            mismatches += int(floats.argmax(axis=1)[0] != exact.answers[0])
            worst = max(worst, float(np.abs(floats - exact.logits / scale).max()))
    return CrossCheck(len(prompts), mismatches, worst, None if bound is None else float(bound))
