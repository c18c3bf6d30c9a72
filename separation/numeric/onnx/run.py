"""Two programs that nobody here wrote run a graph: onnxruntime, and the reference evaluator of the standard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.numeric.stock_models import Array, StockCheck, compared
from separation.progress import Progress

Logits = NDArray[np.float64]
Run = Callable[[NDArray[Any]], Logits]
PAIRS_AT_ONCE = 1 << 24


def with_onnxruntime(model: Any) -> Run:
    """onnxruntime on one core of the processor."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return _by_name(session.get_inputs()[0].name, lambda given: session.run(None, given)[0])


def with_reference(model: Any) -> Run:
    """`onnx.reference`, which follows the text of the standard in numpy, and is slow."""
    from onnx.reference import ReferenceEvaluator

    evaluator: Any = ReferenceEvaluator(model)
    return _by_name(evaluator.input_names[0], lambda given: evaluator.run(None, given)[0])


RUNNERS: dict[str, Callable[[Any], Run]] = {"onnxruntime": with_onnxruntime, "reference": with_reference}


def check_graph(
    model: Any,
    runner: str,
    prompts: Array,
    expected: Array,
    ideal: Logits | None = None,
    progress: Progress | None = None,
) -> StockCheck:
    """Every prompt's answer is the argmax of the logits; ``ideal``: what the logits are in exact arithmetic."""
    run = RUNNERS[runner](model)
    at_once = max(1, PAIRS_AT_ONCE // prompts.shape[1] ** 2)
    found = []
    for start in range(0, len(prompts), at_once):
        if progress is not None:
            progress(start / len(prompts), f"prompt {start + 1} of {len(prompts)}")
        found.append(run(prompts[start : start + at_once]))
    return compared(runner, (), np.concatenate(found), expected, ideal)


def _by_name(name: str, run: Callable[[dict[str, Any]], Any]) -> Run:
    return lambda given: np.asarray(run({name: given}), dtype=np.float64)
