"""`verify`: the main job. Constructions proved, statements and their broken twins checked, hard inputs run."""

from __future__ import annotations

import os
import time
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from constructions import build
from proofs_checks import all_statements, statement
from proofs_checks.kit.book import dependency_graph
from proofs_checks.kit.rows import StatementRow, capped_rows, check_statement
from separation.arithmetic import number_to_json
from separation.numeric import CrossCheck, crosscheck, torch_is_installed
from separation.pieces import finished_pieces, sharing
from separation.progress import Progress, silent
from separation.proving import Construction, certified_proof, wrong_inputs
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

Case = tuple[str, Sizes | TwoSumSizes, dict[str, Any]]
"""A construction's name or word, sizes, and options."""

C1_SIZES = (
    Sizes(16, ()),
    Sizes(5, (3,)),
    Sizes(64, (64,)),
    Sizes(3, (2, 4)),
    Sizes(8, (8, 8)),
    Sizes(4, (4, 4, 4, 4)),
    Sizes(8, (8,) * 7),
)
CASES: tuple[Case, ...] = (
    *(("C1", sizes, {}) for sizes in C1_SIZES),
    ("C2", Sizes(16, ()), {"word": "FR"}),
    ("C2", Sizes(5, (3,)), {"word": "RFF", "family": "delta"}),
    ("C2", Sizes(8, (8, 8)), {"word": "RFFF"}),
    ("C2", Sizes(8, (8, 8)), {"word": "FRFF", "family": "delta"}),
    ("RRFRF", Sizes(4, (4,)), {}),
    ("FFRF", Sizes(4, (4,)), {}),
    ("C3", Sizes(5, (3,)), {}),
    ("C3", Sizes(4, (4, 4)), {}),
    ("C4", Sizes(5, (3,)), {}),
    ("C4", Sizes(4, (4, 4)), {}),
    ("C4", Sizes(2, (2,) * 6), {}),
    ("C5", Sizes(4, (4, 4)), {"word": "RF"}),
    ("C5", Sizes(4, (4, 4)), {"word": "FR", "family": "delta"}),
    ("C5", Sizes(4, (2, 3)), {"word": "F"}),
    ("C6", TwoSumSizes(5, 7), {}),
    ("C6", TwoSumSizes(256, 65537), {}),
    ("C7", TwoSumSizes(10, 11), {"block": 3}),
    ("C7", TwoSumSizes(256, 65537), {"block": 8, "opened": 2}),
)
FULL_CASES: tuple[Case, ...] = (
    *CASES,
    *(("C1", sizes, {}) for sizes in (Sizes(1 << 14, ()), Sizes(7, (5, 3, 2, 9)), Sizes(2, (2,) * 15))),
    ("C1", Sizes(16, (16,) * 5), {}),
    ("C2", Sizes(64, (64, 64)), {"family": "delta"}),
    ("C3", Sizes(16, (16, 16)), {}),
    ("C4", Sizes(4, (4,) * 7), {}),
    ("C5", Sizes(16, (16, 16)), {"word": "FR"}),
    ("C6", TwoSumSizes(1 << 16, (1 << 32) + 1), {}),
    ("C7", TwoSumSizes(1 << 16, (1 << 32) + 1), {"block": 16}),
)
Job = tuple[str, int | str]
"""A statement by its id, or a case by its index."""

MAX_WORKERS = 4
RUN_TOKENS = 1 << 13
FLOAT_TOKENS = 1 << 10
FLOAT_SCORES = 1 << 13
"""Float runs are compared with exact ones of up to this many scores: one prompt or a few, at every size."""


@dataclass(frozen=True)
class ConstructionRow:
    """One construction at one size: proved (the kernel accepts its certificate) and run."""

    id: str
    word: str
    L: int | None
    n: int
    proved: bool
    margin: Fraction | None
    runs: int
    mismatches: int
    numeric: CrossCheck | None
    seconds: float
    message: str = ""

    @property
    def ok(self) -> bool:
        return self.proved and not self.mismatches and (self.numeric is None or self.numeric.ok)


@dataclass(frozen=True)
class VerifyReport:
    """All rows; ok if every one of them is."""

    statements: tuple[StatementRow, ...]
    constructions: tuple[ConstructionRow, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return all(row.ok for row in self.statements) and all(row.ok for row in self.constructions)

    def document(self) -> dict[str, Any]:
        constructions = [
            {
                "id": row.id,
                "word": row.word,
                "L": row.L,
                "n": number_to_json(row.n),
                "proved": row.proved,
                "margin": None if row.margin is None else number_to_json(row.margin),
                "certified": row.proved,
                "certificate_checked": row.proved,
                "runs": row.runs,
                "mismatches": row.mismatches,
                "numeric": None if row.numeric is None else row.numeric.document(),
                "seconds": row.seconds,
                "message": row.message,
            }
            for row in self.constructions
        ]
        return {
            "ok": self.ok,
            "statements": [row.document() for row in self.statements],
            "constructions": constructions,
            "seconds": self.seconds,
        }


def verify(
    full: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    dask: str | None = None,
    executor: Executor | None = None,
) -> VerifyReport:
    """Prove every construction, check every statement and its twins; ``full`` adds larger sizes, by both paths.

    ``workers`` processes share the work; one for each processor, up to four, if None. Or the Dask cluster at the
    address ``dask``, or an ``executor``.
    """
    start = time.perf_counter()
    cases = FULL_CASES if full else CASES
    book = all_statements()
    jobs: list[Job] = [("statement", own.id) for own in book]
    jobs += [("construction", place) for place in range(len(cases))]
    # The longest first: what is left for the end is short, and no worker waits long for another.
    jobs.sort(key=lambda job: job[0] == "construction")
    rows = run_jobs(jobs, full, progress, workers=workers, dask=dask, executor=executor)
    statement_rows = capped_rows(dependency_graph(book), [rows["statement", own.id] for own in book])
    construction_rows = [rows["construction", place] for place in range(len(cases))]
    return VerifyReport(statement_rows, tuple(construction_rows), time.perf_counter() - start)


def run_jobs(
    jobs: list[Job],
    full: bool = False,
    progress: Progress | None = None,
    *,
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
) -> dict[Job, Any]:
    """The row of each job, whoever does it: a process for each processor, up to four, if nobody is named."""
    report = progress or silent
    shared = sharing(workers, dask, executor, usual=min(MAX_WORKERS, os.cpu_count() or 1))
    names = [_name(job, full) for job in jobs]
    # One process does them in their order: what it does now is the next one.
    shown = [*names[1:], *names[-1:]] if names and shared["workers"] == 1 else names
    report(0.0, "statements and constructions" if shown is names else names[0])
    rows: dict[Job, Any] = {}
    for place, row in finished_pieces(partial(_row, full=full), jobs, **shared):
        rows[jobs[place]] = row
        report(len(rows) / len(jobs), shown[place])
    return rows


def _name(job: Job, full: bool) -> str:
    which = job[1]
    if isinstance(which, str):
        return f"statement {which}"
    name, sizes, _ = (FULL_CASES if full else CASES)[which]
    return f"{name} at {sizes.length} tokens"


def _row(job: Job, full: bool) -> StatementRow | ConstructionRow:
    which = job[1]
    if isinstance(which, str):
        return check_statement(statement(which))
    name, sizes, options = (FULL_CASES if full else CASES)[which]
    return _prove_construction(build(name, sizes, **options), full)


def _prove_construction(subject: Construction, full: bool) -> ConstructionRow:
    start = time.perf_counter()
    tokens = subject.task.prompt_length
    path = "both" if full and tokens <= 1 << 15 else "closed"
    found = certified_proof(subject, path)
    message = "" if found.ok else found.failure
    runs, mismatches, numeric = _run_hard_inputs(subject, found.ok)
    depth = subject.task.depth
    facts = (subject.name, subject.model.word, depth, tokens, found.ok, found.proof.margin)
    return ConstructionRow(*facts, runs, mismatches, numeric, time.perf_counter() - start, message)


def _run_hard_inputs(subject: Construction, proved: bool) -> tuple[int, int, CrossCheck | None]:
    """Samples and all adversarial families: how many ran exactly, how many were wrong, and the float64 runs."""
    tokens = subject.task.prompt_length
    if tokens > RUN_TOKENS:
        return 0, 0, None
    prompts, expected = hard_inputs(subject.sizes)
    mismatches = int(wrong_inputs(subject, prompts, expected).sum())
    if not (torch_is_installed() and proved and tokens <= FLOAT_TOKENS):
        return len(prompts), mismatches, None
    return len(prompts), mismatches, crosscheck(subject, prompts, expected, device="cpu", exact_scores=FLOAT_SCORES)
