"""`verify`: the main job. Constructions proved, statements checked with their broken twins, exact runs beside."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

from constructions import build
from proofs_checks import FILES, statement
from proofs_checks.book import dependency_graph
from separation.arithmetic import number_to_json
from separation.files import InputError
from separation.numeric import CrossCheck, crosscheck, torch_is_installed
from separation.proving import Construction, construction_certificate, prove
from separation.tasks.catalogue import prompt_tokens
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.book_rows import StatementRow, capped_rows, check_statement
from separation.verbs.hard_inputs import hard_inputs, wrong_inputs
from separation.version import VERSION

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
Job = tuple[str, int]
"""A statement or a case, by its place."""

MAX_WORKERS = 4
RUN_TOKENS = 1 << 13
FLOAT_TOKENS = 1 << 10
FLOAT_SCORES = 1 << 13
"""Float runs are compared with exact ones of so many scores: a prompt or a few, at every size."""

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class ConstructionRow:
    """One construction at one size: proved, its certificate re-checked by the kernel, and run on hard inputs."""

    id: str
    word: str
    L: int | None
    n: int
    proved: bool
    margin: Fraction | None
    certified: bool
    runs: int
    mismatches: int
    numeric: CrossCheck | None
    seconds: float
    message: str = ""

    @property
    def ok(self) -> bool:
        return self.proved and self.certified and not self.mismatches and (self.numeric is None or self.numeric.ok)


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
                "certificate_checked": row.certified,
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


def verify(full: bool = False, workers: int | None = None, progress: Progress | None = None) -> VerifyReport:
    """Prove every construction, check every statement and its twins; ``full`` adds larger sizes, by both paths.

    ``workers`` processes share the work; one for each processor, up to four, if None.
    """
    start = time.perf_counter()
    cases = FULL_CASES if full else CASES
    jobs: list[Job] = [("statement", place) for place in range(len(FILES))]
    jobs += [("construction", place) for place in range(len(cases))]
    # The longest first: what is left for the end is short, and no worker waits long for another.
    jobs.sort(key=lambda job: job[0] == "construction")
    rows = run_jobs(jobs, full, workers, progress)
    found = [rows["statement", place] for place in range(len(FILES))]
    statement_rows = capped_rows(dependency_graph([statement(file) for file in FILES]), found)
    construction_rows = [rows["construction", place] for place in range(len(cases))]
    return VerifyReport(statement_rows, tuple(construction_rows), time.perf_counter() - start)


def run_jobs(
    jobs: list[Job], full: bool = False, workers: int | None = None, progress: Progress | None = None
) -> dict[Job, Any]:
    """The row of each job, from this process or from several: one for each processor, up to four, if None."""
    workers, report = workers or min(MAX_WORKERS, os.cpu_count() or 1), progress or (lambda _done, _what: None)
    if workers == 1:
        rows = {}
        for number, job in enumerate(jobs):
            report(number / len(jobs), _name(job, full))
            rows[job] = _row(job, full)
        return rows
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_row, job, full): job for job in jobs}
        rows = {}
        report(0.0, "statements and constructions")
        for done in as_completed(waiting):
            rows[waiting[done]] = done.result()
            report(len(rows) / len(jobs), _name(waiting[done], full))
        return rows


def _name(job: Job, full: bool) -> str:
    what, place = job
    if what == "statement":
        return f"statement {FILES[place]}"
    name, sizes, _ = (FULL_CASES if full else CASES)[place]
    return f"{name} at {sizes.length} tokens"


def _row(job: Job, full: bool) -> StatementRow | ConstructionRow:
    what, place = job
    if what == "statement":
        return check_statement(statement(FILES[place]))
    name, sizes, options = (FULL_CASES if full else CASES)[place]
    return _prove_construction(build(name, sizes, **options), full)


def _prove_construction(subject: Construction, full: bool) -> ConstructionRow:
    start = time.perf_counter()
    task, tokens = subject.sizes, prompt_tokens(subject.sizes)
    path = "both" if full and tokens <= 1 << 15 else "closed"
    proof = prove(subject.model, subject.stages, subject.shape, path)
    message = str(proof.failures[0]) if proof.failures else ""
    certified = False
    if proof.ok:
        try:
            certified = bool(construction_certificate(subject, proof, VERSION))
        except InputError as error:
            message = str(error)
    runs, mismatches, numeric = _run_hard_inputs(subject, proof.ok)
    depth = None if isinstance(task, TwoSumSizes) else task.L
    facts = (subject.name, subject.model.word, depth, tokens, proof.ok, proof.margin, certified)
    return ConstructionRow(*facts, runs, mismatches, numeric, time.perf_counter() - start, message)


def _run_hard_inputs(subject: Construction, proved: bool) -> tuple[int, int, CrossCheck | None]:
    """Samples and all adversarial families: how many ran exactly, how many were wrong, and the float64 runs."""
    tokens = prompt_tokens(subject.sizes)
    if tokens > RUN_TOKENS:
        return 0, 0, None
    prompts, expected = hard_inputs(subject.sizes)
    mismatches = int(wrong_inputs(subject, prompts, expected).sum())
    if not (torch_is_installed() and proved and tokens <= FLOAT_TOKENS):
        return len(prompts), mismatches, None
    return len(prompts), mismatches, crosscheck(subject, prompts, expected, device="cpu", exact_scores=FLOAT_SCORES)
