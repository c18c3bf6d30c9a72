"""`prove`: the proof for all inputs at given sizes, of a construction or of somebody's model file."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Unpack

from separation.arithmetic import number_to_json
from separation.files import InputError, require_writable, write_together
from separation.progress import Progress
from separation.proving import (
    Certified,
    Construction,
    Proof,
    Refutation,
    certified_proof,
    refute,
)
from separation.proving.certificates import certificate_text
from separation.proving.construction import model_file_content
from separation.tasks import Instance, TaskSizes, prompt_tokens, task_of
from separation.tasks.checks import shown
from separation.verbs.options import Options, chosen_construction, sizes_to_document
from separation.verbs.solve import SolveReport, solved

SECONDS = 3.0
"""For the search after a proof that failed."""


@dataclass(frozen=True)
class ProveReport:
    """A proof with its certificate, what it is about and how long it took.

    ``wanted``: where the certificate was to be written, which is done if there is one (``out``).
    """

    construction: Construction
    found: Certified
    seconds: float
    wanted: Path | None = None
    refutation: Refutation | None = None
    wrong_run: SolveReport | None = None

    @property
    def counterexample(self) -> Instance | None:
        """An instance that the model answers wrongly, if the proof failed and one was found."""
        return None if self.refutation is None else self.refutation.instance

    @property
    def ok(self) -> bool:
        """What was asked for holds: it is proved, or holds by enumeration and nobody wanted a certificate."""
        return self.certified or (self.verdict == "holds by enumeration" and self.wanted is None)

    @property
    def certified(self) -> bool:
        """Has the kernel accepted the certificate of this very claim?"""
        return self.found.ok

    @property
    def verdict(self) -> str:
        """proved, holds by enumeration, refuted (there is a counterexample), or not proved."""
        return self.found.verdict if self.counterexample is None else "refuted"

    @property
    def sentence(self) -> str:
        """The verdict with its reason; and, where a certificate was wanted and there is none, that."""
        missing = self.found.proof.ok and not self.certified and self.wanted is not None
        return self.found.sentence + (f"; {self.wanted} is not written" if missing else "")

    @property
    def proof(self) -> Proof:
        return self.found.proof

    @property
    def margin(self) -> Fraction | None:
        return self.proof.margin

    @property
    def out(self) -> Path | None:
        """Where the certificate was written."""
        return self.wanted if self.certified else None

    def document(self) -> dict[str, Any]:
        model, task, proof = self.construction.model, self.construction.sizes, self.proof
        return {
            "ok": self.ok,
            "verdict": self.verdict,
            "certified": self.certified,
            "reason": self.found.reason or None,
            "construction": self.construction.name,
            "inferred": self.found.inferred,
            "word": model.word,
            "tokens": number_to_json(prompt_tokens(task)),
            **sizes_to_document(task),
            "width": model.width,
            "heads": model.heads,
            "layers": len(model.layers),
            "parameters": model.parameters,
            "precision_bits": {"P": model.precision.score_bits, "p": model.precision.bits},
            "integral": model.is_integral,
            "state_bits": None if proof.state_bits is None else number_to_json(proof.state_bits),
            "inputs_covered_log2": _log2_inputs(task) if self.certified else None,
            "margin": None if proof.margin is None else number_to_json(proof.margin),
            "leak": float(proof.leak),
            "path": proof.path,
            "look_ups": [
                {
                    "layer": step.layer,
                    "head": step.head,
                    "kind": step.kind,
                    "reads": step.match.fact.kind,
                    "at": list(step.match.fact.address),
                    "leak": float(step.match.leak),
                }
                for step in proof.look_ups
            ],
            "searches": [
                {"layer": found.layer, "head": found.head, "offset": found.offset, "leak": float(found.leak)}
                for found in proof.searches
            ],
            "states": [
                {"layer": state.layer, "head": state.head, "entries": state.entries, "bits": state.bits}
                for state in proof.states
            ],
            "failures": [failure.document() for failure in proof.causes(self.construction.shape)],
            **(self.refutation or Refutation()).document(),
            "certificate": None if self.out is None else str(self.out),
            "seconds": self.seconds,
        }


def _log2_inputs(task: TaskSizes) -> float | int | str | None:
    """log2 of the number of inputs; its floor, exact, where a float would not do."""
    log2 = task_of(task).inputs_log2()
    return log2 if log2 < 2**53 else number_to_json(task.inputs_log2_floor())


def prove(
    construction: str | Construction | None = None,
    *,
    model: str | Path | None = None,
    path: str = "closed",
    out: str | Path | None = None,
    write_model: str | Path | None = None,
    seconds: float = SECONDS,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> ProveReport:
    """Prove a construction by name (or by its word) at given sizes, one that is already built, or that of a model file.

    Where no invariants are stated, the strongest that the rules give are inferred, and the certificate carries them.
    It is proved if the kernel accepts its certificate, which ``out`` then gets; ``write_model`` gets the weights and
    invariants themselves. After a failure the search for an input with a wrong answer takes about ``seconds``.
    """
    start = time.perf_counter()
    if not (isinstance(seconds, int | float) and math.isfinite(seconds) and seconds >= 0):
        raise InputError(f"seconds must be a number that is finite and at least 0, got {shown(seconds)}")
    require_writable(out, write_model)
    subject = chosen_construction(construction, model, options)
    found = certified_proof(subject, path, progress)
    subject = found.construction
    files: dict[str | Path, bytes | str] = {}
    if write_model is not None:
        files[write_model] = model_file_content(write_model, subject)
    if out is not None and found.certificate is not None:
        files[out] = certificate_text(found.certificate)
    write_together(files)
    failed = found.verdict == "not proved"
    refutation = refute(subject, seconds, found.proof.failures, progress=progress) if failed else None
    wrong = None if refutation is None else refutation.instance
    wrong_run = None if wrong is None else solved(subject, wrong)
    wanted = None if out is None else Path(out)
    return ProveReport(subject, found, time.perf_counter() - start, wanted, refutation, wrong_run)
