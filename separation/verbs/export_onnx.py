"""`export --onnx FILE`: a stock build as an ONNX graph, and what two programs that run such graphs answer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from constructions.stock import Certificate, target_for
from separation.files import InputError, require_writable, write_whole
from separation.numeric.onnx.graph import require_onnx
from separation.numeric.onnx.run import check_graph
from separation.numeric.onnx.stock import stock_graph
from separation.numeric.stock_folder import Checkpoint
from separation.numeric.stock_models import StockCheck, questions, spread
from separation.progress import Progress, silent
from separation.tasks.checks import shown
from separation.tasks.funccomp import Sizes, sizes_to_document
from separation.verbs.options import chosen_sizes

TARGETS = ("gpt2", "llama")
"""Of the stock classes, those made of operators that ONNX has."""
ONNX_TOKENS = 1 << 12
"""The programs keep all scores of a prompt at once."""
REFERENCE_PAIRS = 1 << 20
"""Pairs of tokens, over all prompts and layers, that the slow reference evaluator is asked for."""


@dataclass(frozen=True)
class OnnxReport:
    """A written graph; ok if both programs answered rightly and within the bound that the weights are certified for.

    ``path`` is None where an answer was wrong: then nothing is written.
    """

    target: str
    checkpoint: Checkpoint
    path: Path | None
    size: int
    certificate: Certificate
    checks: tuple[StockCheck, ...]
    every_look_up: bool
    seconds: float

    @property
    def ok(self) -> bool:
        bound, errors = self.certificate.bound, [check.max_error or 0.0 for check in self.checks]
        right = all(check.ok for check in self.checks)
        return right and self.certificate.ok and bound is not None and max(errors) <= bound

    def document(self) -> dict[str, Any]:
        sizes = self.checkpoint.sizes
        return {
            "ok": self.ok,
            "path": None if self.path is None else str(self.path),
            "bytes": self.size,
            "construction": self.checkpoint.construction,
            "target": self.target,
            "class": self.checkpoint.config["architectures"][0],
            "parameters": self.checkpoint.parameters,
            "task": sizes_to_document(sizes),
            "tokens": sizes.length,
            "vocabulary": sizes.vocabulary,
            "certificate": self.certificate.document(),
            "checks": [{"run": check.attention, **_without_attention(check)} for check in self.checks],
            "every_look_up_asked": self.every_look_up,
            "seconds": self.seconds,
        }


def export_onnx(
    construction: str,
    path: str | Path,
    *,
    to: str,
    L: int | None = None,
    m: int | None = None,
    n: Sequence[int] | None = None,
    tokens: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> OnnxReport:
    """Build the weights, run their graph in float32 with both programs, and only then write ``path``; without torch."""
    start = time.perf_counter()
    path, report = Path(path).absolute(), progress or silent
    target = target_for(to, construction)
    sizes = chosen_sizes(L, m, n, tokens)
    require_graph(to, sizes, path)
    report(0.0, "weights")
    plan = target.plan(sizes)
    checkpoint = target.checkpoint(plan)
    certificate = target.certify(checkpoint, "float32")
    model = stock_graph(checkpoint.config, checkpoint.tensors, sizes.length)
    prompts, expected, every = questions(sizes, seed)
    ideal = target.ideal_logits(plan, expected)
    checks = []
    for number, runner in enumerate(("onnxruntime", "reference")):

        def part(done: float, what: str, number: int = number, runner: str = runner) -> None:
            report((number + done) / 2, f"{runner}, {what}")

        few = REFERENCE_PAIRS // (sizes.length**2 * (sizes.L + 1)) if runner == "reference" else len(prompts)
        chosen = spread(len(prompts), few)
        exact = None if ideal is None else ideal[chosen]
        checks.append(check_graph(model, runner, prompts[chosen], expected[chosen], exact, part))
    data = model.SerializeToString()
    written = all(check.ok for check in checks)
    if written:
        write_whole(path, data)
    seconds, where = time.perf_counter() - start, path if written else None
    return OnnxReport(to, checkpoint, where, len(data), certificate, tuple(checks), every, seconds)


def require_graph(to: str, sizes: Sizes, path: str | Path) -> None:
    """Refuse, before any work is done, what cannot be written as a graph."""
    if to not in TARGETS:
        raise InputError(f"--onnx takes --to {' or --to '.join(TARGETS)}, not {shown(to)}")
    if sizes.length > ONNX_TOKENS:
        raise InputError(f"a prompt has {sizes.length} tokens at these sizes; --onnx writes at most {ONNX_TOKENS}")
    require_onnx()
    require_writable(path)


def _without_attention(check: StockCheck) -> dict[str, Any]:
    return {name: value for name, value in check.document().items() if name != "attention"}
