"""An exported folder, loaded by the stock class and asked: what it answers, compared with the oracle."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.files import read_json
from separation.progress import Progress
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Instance, Sizes, batch_hops, token_ids

PAIRS_AT_ONCE = 1 << 24
"""Pairs of tokens in one batch: a full matrix of scores for each prompt and head is what eager attention keeps."""
CHECKED_PAIRS = 1 << 26
"""Pairs of tokens, over all prompts and layers of a check; one prompt is always checked."""
WRAPPED = (
    "causal_conv1d_fn",
    "causal_conv1d_update",
    "torch_chunk_gated_delta_rule",
    "torch_recurrent_gated_delta_rule",
)
"""Functions of linear layers that call kernels for GPUs where these can be imported, and wrap their plain form."""

Array = NDArray[np.int64]


@dataclass(frozen=True)
class StockCheck:
    """What the stock class said: complaints on loading, wrong answers, and the least lead of a right answer's logit.

    ``max_error``: the largest distance of a logit from what it is in exact arithmetic, where the target tells that.
    """

    attention: str
    complaints: tuple[str, ...]
    instances: int
    mismatches: int
    least_lead: float | None
    max_error: float | None = None

    @property
    def ok(self) -> bool:
        return not self.complaints and self.instances > 0 and not self.mismatches

    def document(self) -> dict[str, Any]:
        return {**vars(self), "complaints": list(self.complaints), "ok": self.ok}


def load_stock(folder: Path, attention: str, dtype: str | None = None) -> tuple[Any, tuple[str, ...]]:
    """The model by the class that config.json names, and what was missing, unexpected or of another shape.

    where ``dtype`` is that of the file unless another one is given.
    """
    import torch
    import transformers

    (name,) = read_json(folder / "config.json")["architectures"]
    with _quiet():
        model, loading = getattr(transformers, name).from_pretrained(
            folder,
            attn_implementation=attention,
            dtype="auto" if dtype is None else getattr(torch, dtype),
            local_files_only=True,
            output_loading_info=True,
        )
    complaints = tuple(f"{kind}: {', '.join(map(str, keys))}" for kind, keys in sorted(loading.items()) if keys)
    return model.eval(), complaints


def last_logits(model: Any, prompts: Array, progress: Progress | None = None) -> NDArray[np.float64]:
    """The logits of the last token, in batches that fit the memory."""
    import torch

    def run(some: Array) -> NDArray[np.float64]:
        with torch.inference_mode(), plain_torch(model):
            logits = model(torch.tensor(some), logits_to_keep=1, use_cache=False).logits
        return np.asarray(logits[:, -1].double().numpy())

    return in_batches(run, prompts, progress)


def in_batches(
    run: Callable[[Array], NDArray[np.float64]], prompts: Array, progress: Progress | None = None
) -> NDArray[np.float64]:
    """What is run of as many prompts at a time as memory should hold."""
    at_once = max(1, PAIRS_AT_ONCE // prompts.shape[1] ** 2)
    found = []
    for start in range(0, len(prompts), at_once):
        if progress is not None:
            progress(start / len(prompts), f"prompt {start + 1} of {len(prompts)}")
        found.append(run(prompts[start : start + at_once]))
    return np.concatenate(found)


def every_look_up(sizes: Sizes, limit: int) -> tuple[Array, Array] | None:
    """(prompts, answers): identity tables with all m·W pairs (z_0, w); None if that is more than ``limit`` prompts.

    With identity tables i_ℓ = z_0 + Σ_{j<ℓ} w_j·N_{j-1} runs over all of [N_{ℓ-1}], so each layer makes each of its
    look-ups. Where keys do not depend on what tables hold, no other input makes a look-up that these do not make.
    """
    count = sizes.m * sizes.queries
    if count > limit:
        return None
    tables = [list(range(size)) for size in sizes.N]
    one = token_ids(Instance(sizes, 0, tables, (0,) * len(sizes.n)))
    prompts = np.tile(one, (count, 1))
    prompts[:, -2], query = np.divmod(np.arange(count), sizes.queries)
    prompts[:, -1] = sizes.N[-1] + query
    return prompts, batch_hops(sizes, prompts)[:, -1]


def questions(sizes: Sizes, seed: int) -> tuple[Array, Array, bool]:
    """Seeded and adversarial prompts, and those that ask for every entry, as far as a check can wait; is that all?"""
    prompts, expected = hard_inputs(sizes, seed)
    limit = CHECKED_PAIRS // (sizes.length**2 * (sizes.L + 1))
    every = every_look_up(sizes, limit - len(prompts))
    if every is not None:
        return np.concatenate([prompts, every[0]]), np.concatenate([expected, every[1]]), True
    chosen = spread(len(prompts), limit)
    return prompts[chosen], expected[chosen], False


def spread(count: int, wanted: int) -> Array:
    """At most ``wanted`` of ``count`` numbers, evenly spread, and at least one."""
    return np.linspace(0, count - 1, num=max(1, min(count, wanted)), dtype=np.int64)


def check_stock(
    folder: Path,
    attention: str,
    prompts: Array,
    expected: Array,
    progress: Progress | None = None,
    ideal: NDArray[np.float64] | None = None,
) -> StockCheck:
    """Every prompt's answer is the argmax of the last logits, over the whole vocabulary; ``ideal``: exact logits."""
    model, complaints = load_stock(folder, attention)
    return compared(attention, complaints, last_logits(model, prompts, progress), expected, ideal)


def compared(
    run: str,
    complaints: tuple[str, ...],
    logits: NDArray[np.float64],
    expected: Array,
    ideal: NDArray[np.float64] | None,
) -> StockCheck:
    """The last logits of a run with the answers, and with what they are in exact arithmetic."""
    rows = np.arange(len(logits))
    right = logits[rows, expected]
    others = logits.copy()
    others[rows, expected] = -np.inf
    wrong = int((logits.argmax(axis=1) != expected).sum())
    least = float((right - others.max(axis=1)).min())
    error = None if ideal is None else float(np.abs(logits - ideal).max())
    return StockCheck(run, complaints, len(logits), wrong, least if np.isfinite(least) else None, error)


@contextmanager
def plain_torch(model: Any) -> Iterator[None]:
    """Inside, the linear layers of the model's family run in plain torch, whatever else is installed.

    transformers takes the kernels of flash-linear-attention and causal-conv1d wherever these can be imported, on a
    machine without a GPU too, where they fail.
    """
    module = sys.modules[type(model).__module__]
    before = {name: getattr(module, name) for name in WRAPPED if hasattr(module, name)}
    try:
        for name, function in before.items():
            setattr(module, name, inspect.unwrap(function))
        yield
    finally:
        for name, function in before.items():
            setattr(module, name, function)


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars of transformers; its warnings stay."""
    logging: Any = import_module("transformers.utils.logging")
    before = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if before:
            logging.enable_progress_bar()
