"""`export`: a construction as a checkpoint that a stock class of transformers loads, and what that class answers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from constructions.stock import Certificate, target_for
from separation.files import InputError
from separation.numeric.stock_folder import (
    Checkpoint,
    instance_text,
    publish,
    require_replaceable,
    staged,
    write_checkpoint,
)
from separation.numeric.stock_models import Array, StockCheck, check_stock, questions, require_packages
from separation.progress import Progress, silent
from separation.tasks.checks import shown
from separation.tasks.funccomp import answer, sample, sizes_to_document
from separation.verbs.export_onnx import OnnxReport, export_onnx, require_graph
from separation.verbs.options import chosen_sizes

DTYPES = ("float32", "float64", "bfloat16", "float16")
MAX_TOKENS = 1 << 17
"""The stock classes compute every row of every layer: beyond this nobody waits for the check."""
EAGER_TOKENS = 1 << 11
"""Eager attention keeps all scores; up to this length it is checked as well as the fused one."""
SHOWN_TOKENS = 1 << 9


@dataclass(frozen=True)
class ExportReport:
    """A written folder; ok if the stock class loaded it without complaint, every answer was right, and it is certified.

    ``path`` is None where the stock class failed: then nothing is written.
    """

    target: str
    checkpoint: Checkpoint
    dtype: str
    path: Path | None
    certificate: Certificate
    certified_tokens: int | None
    checks: tuple[StockCheck, ...]
    every_look_up: bool
    seconds: float
    onnx: OnnxReport | None = None

    @property
    def ok(self) -> bool:
        """Right answers, certified, and no logit was seen to leave the bound."""
        bound, errors = self.certificate.bound, [check.max_error or 0.0 for check in self.checks]
        right = all(check.ok for check in self.checks)
        written = self.onnx is None or self.onnx.ok
        return right and self.certificate.ok and bound is not None and max(errors) <= bound and written

    def document(self) -> dict[str, Any]:
        sizes, config = self.checkpoint.sizes, self.checkpoint.config
        return {
            "ok": self.ok,
            "path": None if self.path is None else str(self.path),
            "parameters": self.checkpoint.parameters,
            "construction": self.checkpoint.construction,
            "target": self.target,
            "class": config["architectures"][0],
            "layers": _size(config, "n_layer", "num_hidden_layers"),
            "width": _size(config, "n_embd", "hidden_size"),
            "heads": _size(config, "n_head", "num_attention_heads"),
            "dtype": self.dtype,
            "task": sizes_to_document(sizes),
            "tokens": sizes.length,
            "vocabulary": sizes.vocabulary,
            "certificate": self.certificate.document(),
            "certified_tokens": self.certified_tokens,
            "checks": [check.document() for check in self.checks],
            "every_look_up_asked": self.every_look_up,
            "example": self.example(),
            "onnx": None if self.onnx is None else self.onnx.document(),
            "seconds": self.seconds,
        }

    def example(self) -> dict[str, Any] | None:
        """A text that the tokenizer reads, and its answer; None where it would fill the screen."""
        if self.checkpoint.sizes.length > SHOWN_TOKENS:
            return None
        instance = sample(self.checkpoint.sizes, 0)
        return {"text": instance_text(instance), "answer": answer(instance)}


def export(
    construction: str,
    path: str | Path,
    *,
    to: str,
    L: int | None = None,
    m: int | None = None,
    n: Sequence[int] | None = None,
    tokens: int | None = None,
    dtype: str = "float32",
    seed: int = 0,
    onnx: str | Path | None = None,
    progress: Progress | None = None,
) -> ExportReport:
    """Build, write next to ``path``, load with the stock class, check its answers, and only then rename to ``path``.

    With ``onnx`` the same weights are also written as an ONNX graph to that file.
    """
    start = time.perf_counter()
    path, report = Path(path).absolute(), progress or silent
    target = target_for(to, construction)
    if dtype not in DTYPES:
        raise InputError(f"--dtype is {shown(dtype)}; known are {', '.join(DTYPES)}")
    sizes = chosen_sizes(L, m, n, tokens)
    if sizes.length > MAX_TOKENS:
        raise InputError(f"a prompt has {sizes.length} tokens at these sizes; at most {MAX_TOKENS} are exported")
    require_replaceable(path)
    require_packages()
    if onnx is not None:
        if dtype != "float32":
            raise InputError(f"--onnx writes float32, not {dtype}")
        require_graph(to, sizes, onnx)
    report(0.0, "weights")
    checkpoint = target.build(sizes)
    certificate = target.certify(checkpoint, dtype)
    longest = target.certified_tokens(sizes.L, dtype)
    manifest = {"target": to, "dtype": dtype, "certificate": certificate.document()}
    with staged(path) as folder:
        write_checkpoint(folder, checkpoint, dtype, manifest)
        prompts, expected, every = questions(sizes, seed)
        ideal = target.ideal_logits(target.plan(sizes), expected)
        checks = _checks(folder, prompts, expected, ideal, report)
        written = all(check.ok for check in checks)
        if written:
            publish(folder, path)
    graph = None
    if onnx is not None and written:
        graph = export_onnx(construction, onnx, to=to, L=sizes.L, m=sizes.m, n=sizes.n, seed=seed, progress=progress)
    seconds = time.perf_counter() - start
    where = path if written else None
    return ExportReport(to, checkpoint, dtype, where, certificate, longest, checks, every, seconds, graph)


def _checks(
    folder: Path, prompts: Array, expected: Array, ideal: NDArray[np.float64] | None, progress: Progress
) -> tuple[StockCheck, ...]:
    """With fused attention, and with eager attention if the prompts are short."""
    ways = ("sdpa", "eager") if prompts.shape[1] <= EAGER_TOKENS else ("sdpa",)
    found = []
    for number, attention in enumerate(ways):

        def part(done: float, what: str, number: int = number, attention: str = attention) -> None:
            progress((number + done) / len(ways), f"{attention} attention, {what}")

        found.append(check_stock(folder, attention, prompts, expected, part, ideal))
    return tuple(found)


def _size(config: dict[str, Any], *names: str) -> int | None:
    return next((config[name] for name in names if name in config), None)
