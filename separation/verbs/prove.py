"""`prove`: the proof for all inputs at given sizes, of a construction or of somebody's model file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

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
from separation.proving.prover import Progress
from separation.verbs.options import chosen_construction
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
        model, sizes, proof = self.construction.model, self.construction.sizes, self.proof
        log2 = sizes.inputs_log2()
        return {
            "ok": self.ok,
            "construction": self.construction.name,
            "tokens": number_to_json(sizes.length),
            "L": sizes.L,
            "m": number_to_json(sizes.m),
            "n": [number_to_json(size) for size in sizes.n],
            "width": model.width,
            "heads": model.heads,
            "layers": len(model.layers),
            "parameters": model.parameters,
            "precision_bits": {"P": model.precision.score_bits, "p": model.precision.bits},
            "integral": model.is_integral,
            "inputs_covered_log2": log2 if log2 < 2**53 else number_to_json(sizes.inputs_log2_floor()),
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
            "failures": [
                {"layer": f.layer, "kind": f.kind, "slot": f.slot, "rule": f.rule, "message": f.message}
                for f in proof.failures
            ],
            "certificate": None if self.out is None else str(self.out),
            "seconds": self.seconds,
        }


def prove(
    construction: str | None = None,
    *,
    L: int | None = None,
    m: int | None = None,
    n: Sequence[int] | None = None,
    tokens: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    model: str | Path | None = None,
    path: str = "closed",
    out: str | Path | None = None,
    write_model: str | Path | None = None,
    progress: Progress | None = None,
) -> ProveReport:
    """Prove a construction by name at given sizes, or a model file with its invariants.

    ``out`` gets the certificate of a proof that holds; ``write_model`` gets the weights and invariants themselves.
    """
    start = time.perf_counter()
    for file in (out, write_model):
        if file is not None:
            require_writable(file)
    size_options = {"L": L, "m": m, "n": n, "tokens": tokens}
    subject = chosen_construction(construction, model, None, size_options, bits, score_bits)
    if write_model is not None:
        save_construction(write_model, subject)
    proof = prove_all_inputs(subject.model, subject.stages, subject.sizes.shape(), path, progress)
    written = None
    if out is not None and proof.ok:
        written = Path(out)
        write_certificate(written, construction_certificate(subject, proof, VERSION))
    return ProveReport(subject, proof, time.perf_counter() - start, written)
