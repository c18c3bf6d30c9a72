"""`verify`: the main job. Constructions proved, statements and their broken twins checked, hard inputs run."""

from __future__ import annotations

import os
import time
from collections import Counter
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated, Any

from constructions import build
from constructions.programs import NAMES, gallery
from proofs_checks import Status, all_statements, statement
from proofs_checks.kit.book import dependency_graph
from proofs_checks.kit.rows import StatementRow, capped_rows, check_statement
from separation.numeric import CrossCheck, crosscheck
from separation.packages import is_installed
from separation.pieces import results_as_finished, sharing
from separation.progress import Progress, silent
from separation.proving import Construction, certified_proof, wrong_inputs
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.options import Dask, Workers
from separation.verbs.progress import busy_text
from separation.verbs.report import MARKS, Parts, Report, count, facts_table, named, plain, styled, table_of, timed

EXAMPLES = ("verify", "verify --table", "verify --full --dask tcp://127.0.0.1:8786")
Case = tuple[str, Sizes | TwoSumSizes | None, dict[str, Any]]
"""A construction's name or word, sizes, and options; without sizes a program of the gallery."""

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
    *((name, None, {}) for name in NAMES),
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
"""A statement by its id, or one of FULL_CASES, which begin with CASES, by its index."""
FIRST: Job = ("statement", "D1")
"""It takes a fraction of a second, and loads nothing that is slow to load."""

MAX_WORKERS = 4
RUN_TOKENS = 1 << 13
FLOAT_TOKENS = 1 << 10
FLOAT_SCORES = 1 << 13
"""Float runs are compared with exact ones of up to this many scores: one prompt or a few, at every size."""
SLOWEST = 2


@timed
def verify(
    full: Annotated[bool, "Larger sizes too, every proof by both paths (several minutes); all rows."] = False,
    workers: Workers = None,
    progress: Progress = silent,
    *,
    table: Annotated[bool, "Print every statement and every construction."] = False,
    dask: Dask = None,
    executor: Executor | None = None,
) -> VerifyReport:
    """Prove every construction, check every statement and its twins; ``full`` adds larger sizes, by both paths.

    One process for each processor, up to four, shares the work if nobody is named.
    """
    busy = busy_text()
    progress(0.0, f"statement {FIRST[1]}{busy}")
    first = _row(FIRST, full)  # before the book is loaded or a process is started: a reader sees a result at once
    progress(0.0, f"{'✓' if first.ok else '✗'} statement {FIRST[1]}; the book is loaded{busy}")
    cases = FULL_CASES if full else CASES
    book = all_statements()
    jobs: list[Job] = [("statement", own.id) for own in book]
    jobs += [("construction", place) for place in range(len(cases))]
    rows = run_jobs(jobs, full, progress, done={FIRST: first}, workers=workers, dask=dask, executor=executor)
    statement_rows = capped_rows(dependency_graph(book), [rows["statement", own.id] for own in book])
    construction_rows = tuple(rows["construction", place] for place in range(len(cases)))
    return VerifyReport(statement_rows, construction_rows, table or full, busy)


def run_jobs(
    jobs: list[Job],
    full: bool = False,
    progress: Progress = silent,
    *,
    done: dict[Job, Any] | None = None,
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
) -> dict[Job, Any]:
    """The row of each job, by the processes that share the work; those of ``done`` are there already.

    Progress says what was found last.
    """
    shared = sharing(workers, dask, executor, usual=min(MAX_WORKERS, os.cpu_count() or 1))
    rows: dict[Job, Any] = dict(done or {})
    left = [job for job in jobs if job not in rows]
    total, busy = len(rows) + len(left), busy_text()
    progress(len(rows) / total, f"statements and constructions{busy}")
    for place, row in results_as_finished(partial(_row, full=full), left, **shared):
        job = left[place]
        rows[job] = row
        progress(len(rows) / total, f"{'✓' if row.ok else '✗'} {_name(job)} ({len(rows)} of {total}){busy}")
    return rows


def _name(job: Job) -> str:
    which = job[1]
    if isinstance(which, str):
        return f"statement {which}"
    name, sizes, _ = FULL_CASES[which]
    return f"{name} for all inputs" + ("" if sizes is None else f" of {sizes.length:,} tokens")


def _row(job: Job, full: bool) -> StatementRow | ConstructionRow:
    which = job[1]
    if isinstance(which, str):
        return check_statement(statement(which))
    name, sizes, options = FULL_CASES[which]
    subject = gallery(name).compile().construction if sizes is None else build(name, sizes, **options)
    return _prove_construction(subject, full)


def _prove_construction(subject: Construction, full: bool) -> ConstructionRow:
    start = time.perf_counter()
    tokens = subject.task.prompt_length
    path = "both" if full and tokens <= 1 << 15 else "closed"
    found = certified_proof(subject, path)
    facts = (subject.name, subject.model.word, subject.task.depth, tokens, found.ok, found.proof.margin)
    runs = _run_hard_inputs(subject, found.ok)
    return ConstructionRow(*facts, *runs, time.perf_counter() - start, "" if found.ok else found.failure)


def _run_hard_inputs(subject: Construction, proved: bool) -> tuple[int, int, CrossCheck | None]:
    """Samples and all adversarial families: how many ran exactly, how many were wrong, and the float64 runs."""
    tokens = subject.task.prompt_length
    if tokens > RUN_TOKENS:
        return 0, 0, None
    prompts, expected = hard_inputs(subject.sizes)
    mismatches = int(wrong_inputs(subject, prompts, expected).sum())
    floats = is_installed("torch") and subject.task.states_invariants
    if not (floats and proved and tokens <= FLOAT_TOKENS):
        return len(prompts), mismatches, None
    return len(prompts), mismatches, crosscheck(subject, prompts, expected, device="cpu", exact_scores=FLOAT_SCORES)


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

    def document(self) -> dict[str, Any]:
        return plain({**vars(self), "certified": self.proved, "certificate_checked": self.proved})  # type: ignore[no-any-return]


class VerifyReport(Report):
    """All rows; ok if every one of them is. ``every_row``: they are shown one by one, not counted."""

    statements: tuple[StatementRow, ...]
    constructions: tuple[ConstructionRow, ...]
    every_row: bool = False
    busy: str = ""

    def facts(self) -> dict[str, Any]:
        return named(self, "statements", "constructions")

    def parts(self) -> Parts:
        """Ten lines, or every row; what failed; one line."""
        if self.every_row:
            yield from self._rows()
        else:
            yield from self._counts()
        for proof in self.constructions:
            if not proof.ok:
                name = f"{proof.id} ({proof.word}) at {proof.n:,} tokens"
                why = proof.message or f"{count(proof.mismatches, 'wrong answer')}, or floats outside their bound"
                yield f"{MARKS[False]} {f'{name}: {why}'}"
        took = [(row.seconds, row.id) for row in self.statements]
        took += [(row.seconds, row.id if row.L is None else f"{row.id} (L = {row.L})") for row in self.constructions]
        slowest = ", ".join(f"{name} {seconds:.0f} s" for seconds, name in sorted(took, reverse=True)[:SLOWEST])
        verdict = "everything holds" if self.ok else "something does not hold"
        yield f"{MARKS[self.ok]} {verdict} ({self.seconds:.0f} s; the slowest: {slowest}{self.busy})"

    def _counts(self) -> Parts:
        """How many statements are known in which way, what was proved and run."""
        counts = Counter(row.status for row in self.statements if row.ok)
        known = [f"{counts[status.value]:3} {status.value}" for status in Status if counts[status.value]]
        rows = [("" if place else "statements", text) for place, text in enumerate(known)]
        proved = [row for row in self.constructions if row.proved]
        if self.constructions:
            longest = max((row.n for row in proved), default=0)
            sizes = f"{len(proved):3} of {len(self.constructions)} proved for all inputs"
            rows.append(("constructions", f"{sizes}, up to {longest:,} tokens"))
        runs, wrong = (sum(getattr(row, name) for row in self.constructions) for name in ("runs", "mismatches"))
        rows.append(("exact runs", f"{runs - wrong:3} of {runs} right{self._floats()}"))
        facts = facts_table(rows)
        facts.columns[1].no_wrap = True
        yield facts
        for row in self.statements:
            if not row.ok:
                yield f"{MARKS[False]} {f'{row.id}, {row.title}: {row.message}'}"

    def _rows(self) -> Parts:
        """Statements, then constructions."""
        rows = []
        for row in self.statements:
            text = row.status if row.ok else styled("red", row.message)
            rows.append((row.ok, row.id, row.title, text, row.scope, f"{row.seconds:.1f}"))
        yield table_of("", "id", "statement", "status", "scope", "s", rows=rows)
        proofs = []
        for proof in self.constructions:
            name = proof.id if proof.id != proof.word else None
            margin = None if proof.margin is None else str(proof.margin)
            exact = f"{proof.runs - proof.mismatches}/{proof.runs}" if proof.runs else None
            floats = None if proof.numeric is None else _float_error(proof.numeric)
            found = (proof.L, proof.n, proof.proved, margin, exact, floats, f"{proof.seconds:.1f}")
            proofs.append((proof.ok, name, proof.word, *found))
        columns = ("", "id", "word", "L", "tokens", "proved", "margin", "exact runs", "float64 error", "s")
        yield table_of(*columns, rows=proofs)

    def _floats(self) -> str:
        """At how many sizes float64 was compared with the exact run; or how to install what does that."""
        if not is_installed("torch"):
            return "; no float64 (pip install 'separation[torch]')"
        compared = [row.numeric for row in self.constructions if row.numeric is not None]
        within = sum(numeric.ok for numeric in compared)
        return f"; float64 within its bound at {within} of {len(compared)} sizes" if compared else ""


def _float_error(numeric: CrossCheck) -> str:
    bound = "no bound" if numeric.bound is None else f"≤ {numeric.bound:.1g}"
    return f"{numeric.max_error:.1g} {bound}" if numeric.ok else styled("red", f"{numeric.max_error:.1g}, {bound}")
