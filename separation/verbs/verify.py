"""`verify`: the main job. Constructions proved, statements checked with their broken twins, exact runs beside."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from constructions import NAMES, build
from proofs_checks import CheckFailed, Statement, statements
from separation.arithmetic import number_to_json
from separation.files import InputError
from separation.models import run
from separation.numeric import CrossCheck, crosscheck, torch_is_installed
from separation.proving import Construction, Proof, construction_certificate, prove
from separation.tasks.funccomp import FAMILIES, Sizes, answer, samples, token_ids
from separation.version import VERSION

SIZES = (
    Sizes(16, ()),
    Sizes(5, (3,)),
    Sizes(64, (64,)),
    Sizes(3, (2, 4)),
    Sizes(8, (8, 8)),
    Sizes(4, (4, 4, 4, 4)),
    Sizes(8, (8,) * 7),
)
FULL_SIZES = (*SIZES, Sizes(1 << 14, ()), Sizes(7, (5, 3, 2, 9)), Sizes(2, (2,) * 15), Sizes(16, (16,) * 5))
RUN_TOKENS = 1 << 13
FLOAT_TOKENS = 1 << 10
"""The float runs compute every row: tokens² scores."""

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class StatementRow:
    """One statement of the proof book: what its check established, or why it failed."""

    id: str
    title: str
    status: str
    method: str
    scope: str
    seconds: float
    ok: bool
    message: str = ""


@dataclass(frozen=True)
class ConstructionRow:
    """One construction at one size: proved, its certificate re-checked by the kernel, and run on hard inputs."""

    id: str
    L: int
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
                "L": row.L,
                "n": number_to_json(row.n),
                "proved": row.proved,
                "margin": None if row.margin is None else number_to_json(row.margin),
                "certificate_checked": row.certified,
                "runs": row.runs,
                "mismatches": row.mismatches,
                "numeric": None if row.numeric is None else {**vars(row.numeric), "ok": row.numeric.ok},
                "seconds": row.seconds,
                "message": row.message,
            }
            for row in self.constructions
        ]
        return {
            "ok": self.ok,
            "statements": [vars(row) for row in self.statements],
            "constructions": constructions,
            "seconds": self.seconds,
        }


def verify(full: bool = False, progress: Progress | None = None) -> VerifyReport:
    """Prove every construction, check every statement and its twins; ``full`` adds larger sizes, by both paths."""
    start = time.perf_counter()
    report = progress or (lambda _done, _what: None)
    book = statements()
    sizes = FULL_SIZES if full else SIZES
    steps = len(book) + len(NAMES) * len(sizes)
    statement_rows, construction_rows = [], []
    for number, statement in enumerate(book):
        report(number / steps, f"statement {statement.id}")
        statement_rows.append(_check_statement(statement))
    for name in NAMES:
        for number, size in enumerate(sizes, start=len(book)):
            report(number / steps, f"{name} at {size.length} tokens")
            construction_rows.append(_prove_construction(name, size, full))
    return VerifyReport(tuple(statement_rows), tuple(construction_rows), time.perf_counter() - start)


def _check_statement(statement: Statement) -> StatementRow:
    start = time.perf_counter()
    try:
        checked = statement.run()
    except CheckFailed as error:
        seconds = time.perf_counter() - start
        return StatementRow(statement.id, statement.title, "failed", "", "", seconds, False, str(error))
    seconds = time.perf_counter() - start
    title = statement.title
    return StatementRow(statement.id, title, checked.status.value, checked.method, checked.scope, seconds, True)


def _prove_construction(name: str, sizes: Sizes, full: bool) -> ConstructionRow:
    start = time.perf_counter()
    subject = build(name, sizes)
    path = "both" if full and sizes.length <= 1 << 15 else "closed"
    proof = prove(subject.model, subject.stages, sizes.shape(), path)
    message = str(proof.failures[0]) if proof.failures else ""
    certified = False
    if proof.ok:
        try:
            certified = bool(construction_certificate(subject, proof, VERSION))
        except InputError as error:
            message = str(error)
    runs, mismatches, numeric = _run_hard_inputs(subject, proof)
    facts = (name, sizes.L, sizes.length, proof.ok, proof.margin, certified)
    return ConstructionRow(*facts, runs, mismatches, numeric, time.perf_counter() - start, message)


def _run_hard_inputs(subject: Construction, proof: Proof) -> tuple[int, int, CrossCheck | None]:
    """Samples and all adversarial families: how many ran exactly, how many were wrong, and the float64 runs."""
    sizes = subject.sizes
    if sizes.length > RUN_TOKENS:
        return 0, 0, None
    cases = list(samples(sizes, seed=0, count=4))
    cases += [instance for family in FAMILIES.values() for instance in family(sizes, 0)]
    prompts = np.stack([token_ids(case) for case in cases])
    answers = run(subject.model, prompts).answers
    mismatches = sum(int(found) != answer(case) for found, case in zip(answers, cases, strict=True))
    wanted = torch_is_installed() and proof.ok and sizes.length <= FLOAT_TOKENS
    return len(cases), mismatches, crosscheck(subject, proof, list(prompts)) if wanted else None
