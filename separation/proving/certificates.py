"""Certificates: a claim with all that the kernel needs to check it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from separation.arithmetic import number_to_json
from separation.files import InputError, write_whole
from separation.proving.checker import Malformed, Verdict, check_certificate
from separation.proving.construction import Construction
from separation.proving.document import construction_to_document
from separation.proving.proof import Proof
from separation.tasks.catalogue import prompt_tokens, task_to_document

SCHEMA = "separation.certificate/1"


def construction_certificate(construction: Construction, proof: Proof, tool: str) -> dict[str, Any]:
    """The certificate of a proved construction, accepted by the kernel; a failed proof has none.

    The kernel knows the closed form of P4 only: what holds by enumeration alone is proved, but not certified. It may
    also see less than `Model.is_integral`; then the certificate does not claim that.
    """
    if not proof.ok or proof.margin is None:
        raise InputError("only a proof that holds has a certificate")
    model, sizes = construction.model, construction.sizes
    certificate: dict[str, Any] = {
        "schema": SCHEMA,
        "kind": "construction",
        "tool": tool,
        "claim": {
            "construction": construction.name,
            "task": task_to_document(sizes),
            "tokens": number_to_json(prompt_tokens(sizes)),
            "word": model.word,
            "width": model.width,
            "heads": model.heads,
            "layers": len(model.layers),
            "precision_bits": {"P": model.precision.score_bits, "p": model.precision.bits},
            "integral": model.is_integral,
            "state_bits": None if proof.state_bits is None else number_to_json(proof.state_bits),
            "inputs_covered_log2": number_to_json(sizes.inputs_log2_floor()),
            "margin": number_to_json(proof.margin),
        },
        "model": construction_to_document(construction),
    }
    verdict = _verdict(certificate)
    if not verdict.ok and model.is_integral:
        weaker = {**certificate, "claim": {**certificate["claim"], "integral": False}}
        if _verdict(weaker).ok:
            return weaker
    if not verdict.ok:
        raise InputError(f"no certificate: the proof holds, but the kernel says: {verdict.message}")
    return certificate


def accepted(certificate: dict[str, Any]) -> dict[str, Any]:
    """The certificate itself, if the kernel accepts it; whoever writes one has had it checked."""
    verdict = _verdict(certificate)
    if not verdict.ok:
        raise InputError(f"no certificate: the kernel says: {verdict.message}")
    return certificate


def _verdict(certificate: dict[str, Any]) -> Verdict:
    try:
        return check_certificate(certificate)
    except Malformed as error:
        raise InputError(f"no certificate: it would be beyond the kernel's limits: {error}") from None


def write_certificate(path: str | Path, certificate: dict[str, Any]) -> None:
    write_whole(path, json.dumps(certificate, separators=(",", ":")) + "\n")
