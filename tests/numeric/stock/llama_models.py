"""The stock Llama with given tensors, and what real inputs show of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import torch
from stock_runs import load, logit_error

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


def exact_pointers(plan: LlamaPlan, prompts: Array) -> Array:
    """(L, prompts, 2f): after layer k, code(position asked of table k − position of w)."""
    asked = np.array([asked_addresses(from_token_ids(plan.sizes, ids)) for ids in prompts])
    starts = [plan.sizes.table_start(level) for level in range(1, plan.sizes.L + 1)]
    return plan.rotary.codes((asked + starts - (plan.sizes.length - 1)).T)


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
    prompts, expected = inputs(plan.sizes)
    logits = last_logits(load(checkpoint), prompts)
    allowed = [layer["pointer"] for layer in certificate.layers[1:]]
    lost = [worst > limit for worst, limit in zip(pointer_errors(plan, checkpoint), allowed, strict=True)]
    mistakes, off = (logits.argmax(axis=1) != expected).any(), logit_error("llama", plan.sizes, logits, expected)
    seen = {"answer": mistakes, "logit": off > certificate.bound, "pointer": any(lost)}
    return {name for name, shows in seen.items() if shows}
