"""`fool`: two inputs that a model cannot tell apart, found and run again.

`fool --sparse`: two inputs of 2-Sum that a block-sparse layer cannot tell apart.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from separation.arithmetic import PrecisionOverflow
from separation.bounds import Word, theorem_d
from separation.files import InputError, json_text, require_writable, write_whole
from separation.fooling import (
    Budget,
    Interrupted,
    Search,
    find_pair,
    has_certificate,
    load_model,
    pair_certificate,
    random_subject,
    too_few_bits,
)
from separation.fooling.hybrids import find_hybrid_pair
from separation.fooling.sparse import (
    SparseModel,
    SparseShape,
    find_model_pair,
    find_sparse_pair,
    map_certificate,
    random_map,
)
from separation.models import Model
from separation.pieces import sharing
from separation.progress import Progress
from separation.proving import Construction, write_certificate
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.options import Options, chosen_construction, flags_given

SEARCH_SCHEMA = "separation.search/1"
DEFAULT_WORD = "R"
MAX_THOUGHTS = 64


@dataclass(frozen=True)
class FoolReport:
    """The pair, or what was tried; ``subject`` describes the model, ``more`` holds what else is known of the search.

    ``certified``: ``out`` holds a certificate; else what was tried.
    """

    search: Search
    subject: dict[str, Any]
    seconds: float
    out: Path | None = None
    certified: bool = False
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.search.found

    def document(self) -> dict[str, Any]:
        keys = ("a", "b", "expected_a", "expected_b", "output_a", "output_b", "transcripts_equal", "transcript")
        pair = dict.fromkeys(keys) if self.search.pair is None else self.search.pair.document()
        return {
            "ok": self.ok,
            "found": self.ok,
            **pair,
            "tried": self.search.document(),
            **self.more,
            "subject": self.subject,
            "certificate": str(self.out) if self.certified else None,
            "seconds": round(self.seconds, 3),
        }


def fool(
    construction: str | Construction | None = None,
    *,
    word: str | None = None,
    L: int | None = None,
    m: int | None = None,
    n: Sequence[int] | None = None,
    state_bits: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    family: str | None = None,
    model: str | Path | None = None,
    thoughts: int = 0,
    seed: int = 0,
    seconds: float = 60.0,
    samples: int | None = None,
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> FoolReport:
    """Two inputs of FuncComp that a model over F and R cannot tell apart: a construction, that of a model file, or a
    seeded random one.

    where ``family`` asks for a random model of that recurrent family, one head a layer, whose state bits follow from
    its precision (else linear attention with at most ``state_bits``); ``thoughts`` tokens are generated before the
    answer (words in R alone); ``bits`` and ``score_bits`` are p and P (words with F); ``out`` gets the certificate, or
    what was tried. Several ``workers`` share a search of words in R alone, or the Dask cluster at the address ``dask``,
    or an ``executor``; the pair is the same.
    """
    start = time.perf_counter()
    if out is not None:
        require_writable(out)
    require_integer("thoughts", thoughts, 0, MAX_THOUGHTS)
    if workers is not None:
        require_integer("workers", workers, 1, 64)
    shared = sharing(workers, dask, executor, usual=1)
    budget = Budget(seconds) if samples is None else Budget(seconds, samples)
    options: dict[str, Any] = {"L": L, "m": m, "n": n, "state_bits": state_bits, "bits": bits}
    options |= {"score_bits": score_bits, "family": family}
    if construction is not None:
        if named := flags_given({"state_bits": state_bits}):
            raise InputError(f"a construction has no {named}")
        asked: Options = {"L": L, "m": m, "n": n, "word": word, "family": family}
        asked |= {"bits": bits, "score_bits": score_bits}
        built = chosen_construction(construction, model, asked)
        subject, sizes = built.model, built.sizes
        if not isinstance(sizes, Sizes):
            raise InputError(f"{built.name} is not for FuncComp without thoughts; fool_sparse takes 2-Sum")
        facts = {"construction": built.name, "word": subject.word, "m": sizes.m, "n": list(sizes.n)}
    elif model is None:
        chosen = Word.parse(DEFAULT_WORD if word is None else word)
        subject, sizes, facts = random_subject(chosen, **options, seed=seed, thoughts=thoughts)
    else:
        if given := flags_given({"word": word, **options}):
            raise InputError(f"a model file brings its own sizes: leave out {given}")
        subject, task = load_model(model)
        if not isinstance(task, Sizes):
            raise InputError(f"{model}: the task is not FuncComp without thoughts; add --sparse for 2-Sum")
        sizes, facts = task, {"model": str(model), "word": subject.word, "m": task.m, "n": list(task.n)}
    hybrid = bool(Word.parse(subject.word).full)
    if hybrid and (thoughts or shared["workers"] != 1):
        raise InputError("--thoughts, --workers and --dask are for words in R alone; this one has full layers")
    _require_length(subject, sizes, thoughts)
    more: dict[str, Any] = {}
    with _kept(out, facts):
        if hybrid:
            search, more = _search_hybrid(subject, sizes, seed, budget, progress)
        else:
            search = find_pair(
                subject, sizes, seed=seed, budget=budget, steps=thoughts + 1, progress=progress, **shared
            )
    certificate = None
    if out is not None and search.pair is not None and has_certificate(subject):
        # States are compared after all tables; what full layers tell, after the one that differs.
        certificate = pair_certificate(search.pair, subject, (0, sizes.N[-1] if hybrid else sizes.length - 2))
    return _finished(search, facts, start, out, certificate, more)


def fool_sparse(
    *,
    block: int | None = None,
    summary_bits: int | None = None,
    opened: int | None = None,
    blocks: int | None = None,
    modulus: int | None = None,
    model: str | Path | Construction | None = None,
    seed: int = 0,
    seconds: float = 60.0,
    samples: int | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> FoolReport:
    """A seeded random compression map of ``summary_bits`` bits, or the S layer of a model file or of a construction,
    against 2-Sum."""
    start = time.perf_counter()
    if out is not None:
        require_writable(out)
    budget = Budget(seconds) if samples is None else Budget(seconds, samples)
    given = {"block": block, "summary_bits": summary_bits, "open": opened, "blocks": blocks, "modulus": modulus}
    if model is not None:
        if named := flags_given(given):
            raise InputError(f"a model file brings its own sizes: leave out {named}")
        return _sparse_model(model, seed, budget, start, out, progress)
    B, r, k, g, M = (
        default if value is None else value for value, default in zip(given.values(), (3, 4, 1, 4, 11), strict=True)
    )
    shape = SparseShape(M, B, g, k)
    bound = theorem_d(M, B, k, g)
    facts = {"block": B, "summary_bits": r, "open": k, "blocks": g, "modulus": M, "seed": seed}
    facts |= {"least_values": bound.values, "least_bits": bound.bits}
    summary = random_map(shape, r, seed)
    with _kept(out, facts):
        found = find_sparse_pair(summary, shape, seed=seed, budget=budget, progress=progress)
    certificate = map_certificate(found, summary) if out is not None else None
    return _finished(found.search, facts, start, out, certificate, found.document())


def _sparse_model(
    path: str | Path | Construction,
    seed: int,
    budget: Budget,
    start: float,
    out: str | Path | None,
    progress: Progress | None,
) -> FoolReport:
    model, task = (path.model, path.sizes) if isinstance(path, Construction) else load_model(path)
    name = path.name if isinstance(path, Construction) else str(path)
    if not isinstance(task, TwoSumSizes):
        raise InputError(f"{name}: the task is not 2-Sum; leave out --sparse")
    shape = SparseModel(model, task).shape
    facts: dict[str, Any] = {"model": name, "word": model.word, "length": task.length, "modulus": task.modulus}
    facts |= {"block": shape.block, "blocks": shape.blocks, "open": shape.opened}
    with _kept(out, facts):
        search, unopened = find_model_pair(model, task, seed=seed, budget=budget, progress=progress)
    certificate = None
    if out is not None and search.pair is not None and unopened is not None:
        certificate = pair_certificate(search.pair, model, (unopened * shape.block, (unopened + 1) * shape.block))
    return _finished(search, facts, start, out, certificate, {"unopened": unopened})


@contextmanager
def _kept(out: str | Path | None, facts: dict[str, Any]) -> Iterator[None]:
    """What was tried is written even if the search is interrupted."""
    try:
        yield
    except Interrupted as stopped:
        _write_search(out, stopped.search, facts)
        raise


def _finished(
    search: Search,
    facts: dict[str, Any],
    start: float,
    out: str | Path | None,
    certificate: dict[str, Any] | None,
    more: dict[str, Any] | None = None,
) -> FoolReport:
    """The report, once ``out`` holds the certificate, or what was tried if there is none."""
    if out is not None and certificate is not None:
        write_certificate(out, certificate)
    elif out is not None:
        _write_search(out, search, facts)
    seconds, path = time.perf_counter() - start, None if out is None else Path(out)
    return FoolReport(search, facts, seconds, path, certificate is not None, more or {})


def _search_hybrid(
    model: Model, sizes: Sizes, seed: int, budget: Budget, progress: Progress | None
) -> tuple[Search, dict[str, Any]]:
    """What was found, the levels of the theorem, and whether other weights could solve the task."""
    word = Word.parse(model.word)
    try:
        found = find_hybrid_pair(model, sizes, seed=seed, budget=budget, progress=progress)
    except PrecisionOverflow as error:
        raise too_few_bits(error) from None
    solvable = word.depth >= sizes.L
    construction = ("C1" if word.full > sizes.L else "C2") if solvable else None
    return found.search, {"solvable": solvable, "construction": construction, **found.document()}


def _require_length(model: Model, sizes: Sizes, thoughts: int) -> None:
    if model.positions.height < sizes.length + thoughts:
        raise InputError(f"the model reads {model.positions.height} tokens; {thoughts} thoughts do not fit")


def _write_search(out: str | Path | None, search: Search, facts: dict[str, Any]) -> None:
    """What was tried, and the best so far or the pair, where a certificate would have been."""
    if out is not None:
        pair = None if search.pair is None else search.pair.document()
        document = {"schema": SEARCH_SCHEMA, "found": search.found, "pair": pair}
        document |= {"subject": facts, "tried": search.document()}
        write_whole(out, json_text(document) + "\n")
