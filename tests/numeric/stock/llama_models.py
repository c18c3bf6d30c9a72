"""The stock Llama with given tensors, and what real inputs show of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import torch
from stock_runs import load

from constructions.stock.llama.bound import certify_plan
from constructions.stock.llama.plan import LlamaPlan
from separation.numeric.stock_folder import Checkpoint
from separation.numeric.stock_models import last_logits
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes, asked_addresses, from_token_ids

PROMPTS = 12

Array = np.ndarray[Any, Any]


@cache
def inputs(sizes: Sizes) -> tuple[Array, Array]:
    prompts, expected = hard_inputs(sizes)
    chosen = np.linspace(0, len(prompts) - 1, num=PROMPTS, dtype=np.int64)
    return prompts[chosen], expected[chosen]


def exact_logits(plan: LlamaPlan, answers: Array) -> Array:
    """Σ_j a_j·cos(2^{-j}·(v − answer)), and 0 for the ids of queries."""
    amplitudes = np.array(plan.rotary.amplitudes, dtype=np.float64)
    differences = np.arange(plan.sizes.N[-1]) - answers[:, None]
    values = np.cos(differences[..., None] * 2.0 ** -np.arange(len(amplitudes))) @ amplitudes
    return np.concatenate([values, np.zeros((len(answers), plan.sizes.queries))], axis=1)


def exact_pointers(plan: LlamaPlan, prompts: Array) -> Array:
    """(L, prompts, 2f): after layer k, code(position asked of table k − position of w)."""
    asked = np.array([asked_addresses(from_token_ids(plan.sizes, ids)) for ids in prompts])
    starts = [plan.sizes.table_start(level) for level in range(1, plan.sizes.L + 1)]
    return plan.rotary.codes((asked + starts - (plan.sizes.length - 1)).T)


def errors(plan: LlamaPlan, checkpoint: Checkpoint, attention: str, dtype: str) -> tuple[int, float]:
    """Wrong answers, and the largest |logit − exact logit|."""
    prompts, expected = inputs(plan.sizes)
    logits = last_logits(load(checkpoint, dtype, attention), prompts)
    off = float(np.abs(logits - exact_logits(plan, expected)).max())
    return int((logits.argmax(axis=1) != expected).sum()), off


def pointer_errors(plan: LlamaPlan, checkpoint: Checkpoint) -> list[float]:
    """After each layer but the last: the largest |pointer − code of what is asked next|, in a frequency."""
    prompts, _ = inputs(plan.sizes)
    with torch.inference_mode():
        states = load(checkpoint).model(torch.tensor(prompts), output_hidden_states=True).hidden_states[1:-1]
    found = np.stack([state[:, -1, plan.stream["pointer"]].double().numpy() for state in states])
    real, imaginary = np.split(found - exact_pointers(plan, prompts), 2, axis=-1)
    return [float(worst) for worst in np.hypot(real, imaginary).max(axis=(1, 2))]


def symptoms(plan: LlamaPlan, checkpoint: Checkpoint) -> set[str]:
    """What real inputs show to be wrong with these tensors, beside the certificate of the plan."""
    certificate = certify_plan(plan, "float32")
    assert certificate.bound is not None
    mistakes, off = errors(plan, checkpoint, "sdpa", "float32")
    allowed = [layer["pointer"] for layer in certificate.layers[1:]]
    lost = [worst > limit for worst, limit in zip(pointer_errors(plan, checkpoint), allowed, strict=True)]
    seen = {"answer": mistakes > 0, "logit": off > certificate.bound, "pointer": any(lost)}
    return {name for name, shows in seen.items() if shows}
