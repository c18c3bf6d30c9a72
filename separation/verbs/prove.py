"""`prove`: the proof for all inputs at given sizes, of a construction or of somebody's model file."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Unpack

from separation.arithmetic import number_to_json
from separation.files import require_writable
from separation.proving import (
    Construction,
    Proof,
    construction_certificate,
    save_construction,
    write_certificate,
)
from separation.proving import prove as prove_all_inputs
from separation.proving.proof import Progress
from separation.tasks.catalogue import Task, prompt_tokens, task_to_document
from separation.tasks.funccomp import Thoughts
from separation.verbs.options import Options, chosen_construction
from separation.version import VERSION


@dataclass(frozen=True)
class ProveReport:
    """A proof with what it is about and how long it took."""

    construction: Construction
    proof: Proof
    seconds: float
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.proof.ok

    @property
    def margin(self) -> Fraction | None:
        return self.proof.margin

    def document(self) -> dict[str, Any]:
        model, task, proof = self.construction.model, self.construction.sizes, self.proof
        return {
            "ok": self.ok,
            "construction": self.construction.name,
            "word": model.word,
            "tokens": number_to_json(prompt_tokens(task)),
            **_sizes_to_document(task),
            "width": model.width,
            "heads": model.heads,
            "layers": len(model.layers),
            "parameters": model.parameters,
            "precision_bits": {"P": model.precision.score_bits, "p": model.precision.bits},
            "integral": model.is_integral,
            "state_bits": None if proof.state_bits is None else number_to_json(proof.state_bits),
            "inputs_covered_log2": _log2_inputs(task),
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
            "failures": [
                {"layer": f.layer, "kind": f.kind, "slot": f.slot, "rule": f.rule, "message": f.message}
                for f in proof.failures
            ],
            "certificate": None if self.out is None else str(self.out),
            "seconds": self.seconds,
        }


def _sizes_to_document(task: Task) -> dict[str, Any]:
    """L, m and n of FuncComp, length and modulus of 2-Sum, as numbers for `--json`."""
    document = task_to_document(task)
    return {"L": len(document["n"]) + 1, **document} if "n" in document else document


def _log2_inputs(task: Task) -> float | int | str | None:
    """log2 of the number of inputs; its floor, exact, where a float would not do."""
    sizes = task.sizes if isinstance(task, Thoughts) else task
    log2 = sizes.inputs_log2()
    return log2 if log2 < 2**53 else number_to_json(sizes.inputs_log2_floor())


def prove(
    construction: str | None = None,
    *,
    model: str | Path | None = None,
    path: str = "closed",
    out: str | Path | None = None,
    write_model: str | Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> ProveReport:
    """Prove a construction by name (or by its word) at given sizes, or a model file with its invariants.

    ``out`` gets the certificate of a proof that holds; ``write_model`` gets the weights and invariants themselves.
    """
    start = time.perf_counter()
    for file in (out, write_model):
        if file is not None:
            require_writable(file)
    subject = chosen_construction(construction, model, options)
    if write_model is not None:
        save_construction(write_model, subject)
    proof = prove_all_inputs(subject.model, subject.stages, subject.shape, path, progress)
    written = None
    if out is not None and proof.ok:
        written = Path(out)
        write_certificate(written, construction_certificate(subject, proof, VERSION))
    return ProveReport(subject, proof, time.perf_counter() - start, written)
