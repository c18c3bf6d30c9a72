"""`fool --sparse`: two inputs of 2-Sum that a block-sparse layer cannot tell apart."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from separation.bounds import theorem_d
from separation.files import InputError, require_writable
from separation.fooling import Budget, Interrupted
from separation.fooling.certificate import pair_certificate
from separation.fooling.model_file import load_model
from separation.fooling.sparse import SparseShape, find_sparse_pair, map_certificate, random_map
from separation.fooling.sparse.model import SparseModel, find_model_pair
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.fool import FoolReport, finished, write_search

Progress = Callable[[float, str], None]


def fool_sparse(
    *,
    block: int | None = None,
    summary_bits: int | None = None,
    opened: int | None = None,
    blocks: int | None = None,
    modulus: int | None = None,
    model: str | Path | None = None,
    seed: int = 0,
    seconds: float = 60.0,
    samples: int | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> FoolReport:
    """A seeded random compression map of so many bits, or the S layer of a model file, against 2-Sum."""
    start = time.perf_counter()
    if out is not None:
        require_writable(out)
    budget = Budget(seconds) if samples is None else Budget(seconds, samples)
    given = {"block": block, "summary-bits": summary_bits, "open": opened, "blocks": blocks, "modulus": modulus}
    if model is not None:
        named = [f"--{name}" for name, value in given.items() if value is not None]
        if named:
            raise InputError(f"a model file brings its own sizes: leave out {', '.join(named)}")
        return _model(model, seed, budget, start, out, progress)
    B, r, k, g, M = (
        default if value is None else value for value, default in zip(given.values(), (3, 4, 1, 4, 11), strict=True)
    )
    shape = SparseShape(M, B, g, k)
    bound = theorem_d(M, B, k, g)
    facts = {"block": B, "summary_bits": r, "open": k, "blocks": g, "modulus": M, "seed": seed}
    facts |= {"least_values": bound.values, "least_bits": bound.bits}
    summary = random_map(shape, r, seed)
    try:
        found = find_sparse_pair(summary, shape, seed=seed, budget=budget, progress=progress)
    except Interrupted as stopped:
        write_search(out, stopped.search, facts)
        raise
    certificate = map_certificate(found, summary) if out is not None else None
    return finished(found.search, facts, start, out, certificate, found.document())


def _model(
    path: str | Path, seed: int, budget: Budget, start: float, out: str | Path | None, progress: Progress | None
) -> FoolReport:
    model, task = load_model(path)
    if not isinstance(task, TwoSumSizes):
        raise InputError(f"{path}: the task is not 2-Sum; leave out --sparse")
    shape = SparseModel(model, task).shape
    facts: dict[str, Any] = {"model": str(path), "word": model.word, "length": task.length, "modulus": task.modulus}
    facts |= {"block": shape.block, "blocks": shape.blocks, "open": shape.opened}
    try:
        search, place = find_model_pair(model, task, seed=seed, budget=budget, progress=progress)
    except Interrupted as stopped:
        write_search(out, stopped.search, facts)
        raise
    certificate = None
    if out is not None and search.pair is not None and place is not None:
        certificate = pair_certificate(search.pair, model, (place * shape.block, (place + 1) * shape.block))
    return finished(search, facts, start, out, certificate, {"unopened": place})
