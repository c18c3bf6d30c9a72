"""Stock models from checkpoints: written, loaded by the stock class, asked."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from constructions.stock import NAMES, Certificate, target
from constructions.stock.kit.hybrid_plan import HybridPlan
from constructions.stock.kit.rotations import tuned
from separation.numeric.stock_folder import Checkpoint, write_checkpoint
from separation.numeric.stock_models import last_logits, load_stock
from separation.tasks.funccomp import Sizes

Array = NDArray[np.int64]
Floats = NDArray[np.float64]

TARGETS = {name: target(name) for name in NAMES}
HYBRIDS = ["olmo_hybrid", "qwen3_next"]


def load(checkpoint: Checkpoint, dtype: str = "float32", attention: str = "sdpa") -> Any:
    """The model that the stock class makes of the written folder, loaded without complaint."""
    import torch

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        write_checkpoint(Path(folder), checkpoint, dtype, {})
        model, complaints = load_stock(Path(folder), attention)
    assert complaints == ()
    return model


@cache
def stock(family: str, sizes: Sizes, dtype: str = "float32") -> Any:
    return load(TARGETS[family].build(sizes), dtype)


def certified(family: str, sizes: Sizes, dtype: str = "float32") -> Certificate:
    return TARGETS[family].certify(TARGETS[family].build(sizes), dtype)


def answers(model: Any, prompts: Array) -> Array:
    result: Array = last_logits(model, prompts).argmax(axis=1)
    return result


def wrong(model: Any, cases: tuple[Array, Array]) -> int:
    """How many of these prompts, with their right answers, the model answers wrongly."""
    prompts, right = cases
    return int((answers(model, prompts) != right).sum())


def exact_logits(sizes: Sizes, right: Array) -> Floats:
    """Of rotations: Σ_j a_j·cos(2^{-j}·(v − answer)), and 0 for the ids of queries."""
    amplitudes = np.array(tuned(sizes.length).amplitudes, dtype=np.float64)
    differences = np.arange(sizes.N[-1]) - right[:, None]
    values = np.cos(differences[..., None] * 2.0 ** -np.arange(len(amplitudes))) @ amplitudes
    return np.concatenate([values, np.zeros((len(right), sizes.queries))], axis=1)


def logit_error(family: str, sizes: Sizes, logits: Floats, right: Array) -> float:
    """How far logits are from the exact ones, of hybrids but for a factor: what a certificate bounds."""
    if family in HYBRIDS:
        return error_but_for_scale(logits[:, : sizes.N[-1]], exact_logits(sizes, right)[:, : sizes.N[-1]])
    exact = TARGETS["gpt2"].ideal_logits(TARGETS["gpt2"].plan(sizes), right) if family == "gpt2" else None
    return float(np.abs(logits - (exact_logits(sizes, right) if exact is None else exact)).max())


def error_but_for_scale(found: Floats, exact: Floats) -> float:
    """The largest of all rows' min over t of max |t·found − exact|, by ternary search: it is convex in t."""

    def error(factor: Floats) -> Floats:
        return np.asarray(np.abs(found * factor[:, None] - exact).max(axis=1))

    start = (found * exact).sum(axis=1) / (found**2).sum(axis=1)
    low, high = start * (1 - 1e-3), start * (1 + 1e-3)
    for _ in range(100):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        below = error(left) < error(right)
        low, high = np.where(below, low, left), np.where(below, right, high)
    return float(error((low + high) / 2).max())


def held_by_last(model: Any, sizes: Sizes, prompts: Array) -> dict[str, Floats]:
    """What w holds behind each layer k in the slot `found k`."""
    slots = HybridPlan(sizes).stream
    seen: dict[str, list[Floats]] = {f"found {number}": [] for number in range(sizes.L + 1)}

    def keep(slot: str) -> Any:
        return lambda _module, _inputs, output: seen[slot].append(output[:, -1, list(slots[slot])].double().numpy())

    hooks = [layer.register_forward_hook(keep(slot)) for slot, layer in zip(seen, model.model.layers, strict=True)]
    last_logits(model, prompts)
    for hook in hooks:
        hook.remove()
    return {slot: np.concatenate(rows) for slot, rows in seen.items()}


def handed_over_error(model: Any, sizes: Sizes, prompts: Array) -> float:
    """max |found 0 − code(z_0)| at w, behind the recurrent layer."""
    exact = HybridPlan(sizes).rotary.codes(prompts[:, -2])
    return float(np.abs(held_by_last(model, sizes, prompts)["found 0"] - exact).max())
