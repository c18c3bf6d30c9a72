"""Certificates: a claim with all that the kernel needs to check it again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from separation.arithmetic import number_to_json
from separation.files import InputError, json_text, write_whole
from separation.models import Declared, RowTable, Segment
from separation.progress import Progress, silent
from separation.proving.construction import Construction, construction_to_document
from separation.proving.derived import Derived, derive
from separation.proving.failures import Failure
from separation.proving.inference import infer_stages
from separation.proving.kernel import Malformed, check_certificate
from separation.proving.kernel_programs import program_margin
from separation.proving.proof import Proof
from separation.proving.prover import BeyondTheKernel, prove
from separation.tasks import TaskSizes, prompt_tokens, task_to_document
from separation.tasks.program import Definitions
from separation.tasks.program.oracle import random_input
from separation.version import VERSION

CERTIFICATE_SCHEMA = "separation.certificate/1"


@dataclass(frozen=True, repr=False)
class Certified:
    """A proof together with the certificate of the same claim that the kernel accepted, or why there is none.

    Only what has a certificate is called proved. ``construction`` has the invariants that the proof is about; they were
    ``inferred`` if none were stated. ``note``: what else a person should know of weights that were chosen.
    """

    construction: Construction
    proof: Proof
    certificate: dict[str, Any] | None = None
    reason: str = ""
    inferred: bool = False
    note: str = ""

    def __repr__(self) -> str:
        margin = f", by a margin of {self.proof.margin}" if self.ok else ""
        return f"<{self.construction.name}: {self.sentence}{margin}>"

    @property
    def ok(self) -> bool:
        """Is it proved?"""
        return self.certificate is not None

    @property
    def verdict(self) -> str:
        """proved; holds by enumeration, if every look-up and answer was tried but the kernel's rules do not reach that
        far; or not proved."""
        if self.ok:
            return "proved"
        return "holds by enumeration" if self.proof.ok and self.proof.path != "closed" else "not proved"

    @property
    def sentence(self) -> str:
        """What a person is told."""
        if self.ok:
            scope = "of every length" if self.construction.task.is_endless else "at these sizes"
            return f"proved for all inputs {scope}" + (f" ({self.note})" if self.note else "")
        if self.verdict == "holds by enumeration":
            return f"holds by enumeration, not certified: {self.reason}"
        beyond = self.proof.ok and self.construction.task.states_invariants
        both = "the prover accepts, but the kernel does not: " if beyond else ""
        return f"not proved: {both}{self.reason}" if self.reason else "not proved"

    @property
    def failure(self) -> str:
        """Why it is not proved, in one line."""
        return str(self.proof.failures[0]) if self.proof.failures else self.reason or "no margin"


def certified_proof(construction: Construction, path: str = "closed", progress: Progress = silent) -> Certified:
    """The proof for all inputs and the kernel's verdict on its certificate: all that say "proved" ask here.

    Without stated invariants those that the rules give are taken; the certificate then carries them.
    """
    if not construction.task.states_invariants:
        return program_proof(construction)
    inferred = not construction.stages
    try:
        if inferred:
            stages, proof = infer_stages(construction, path, progress)
            construction = replace(construction, stages=stages)
        else:
            proof = prove(construction, path, progress)
    except BeyondTheKernel as error:
        return Certified(construction, _failed(str(error)), None, str(error))
    return replace(certified(construction, proof), inferred=inferred)


def program_proof(construction: Construction, tool: str = VERSION) -> Certified:
    """The kernel's verdict on weights for a program: it derives all forms itself."""
    program: Definitions = construction.sizes  # type: ignore[assignment]
    example = random_input(program.at_length(1), np.random.default_rng(0))
    shown = for_every_length(construction)
    known = None if program.has_promises or program.is_endless else program.inputs_log2_floor()
    unproved = Proof("closed", margin=CLIPPED_MARGIN)
    certificate = _unchecked_certificate(shown, unproved, tool)
    certificate["claim"] |= {
        "integral": False,
        "state_bits": None,
        "inputs_covered_log2": None if known is None else number_to_json(known),
        "tokens": None if program.is_endless else number_to_json(program.length),
    }
    certificate["example"] = example
    try:
        verdict = check_certificate(certificate)
    except Malformed as error:
        return Certified(construction, _failed(str(error)), None, str(error))
    if not verdict.ok and verdict.message.startswith("claim, margin"):
        proved = Fraction(program_margin(certificate["model"], example))
        certificate["claim"]["margin"], unproved = number_to_json(proved), Proof("closed", margin=proved)
        verdict = check_certificate(certificate)
    if not verdict.ok:
        why = derive(certificate["model"], construction.model.stream, example).failure or verdict.message
        return Certified(construction, _failed(why), None, why)
    return Certified(construction, unproved, certificate)


def derived_by_kernel(construction: Construction) -> tuple[Derived, Proof]:
    """What the kernel finds the weights of a program to hold, layer by layer, and what follows for the answer."""
    program: Definitions = construction.sizes  # type: ignore[assignment]
    example = random_input(program.at_length(1), np.random.default_rng(0))
    document = construction_to_document(for_every_length(construction))
    found = derive(document, construction.model.stream, example)
    return found, _failed(found.failure) if found.failure else Proof("closed", margin=found.margin)


def for_every_length(construction: Construction) -> Construction:
    """All tokens of an endless kind have the same row of positions; certificates have it once."""
    positions = _one_row_for_each_endless_kind(construction.sizes, construction.model.positions)
    return replace(construction, model=replace(construction.model, positions=positions))


def _failed(message: str) -> Proof:
    """A proof of a program that fails, for the reason that the kernel gives."""
    layer, rule = re.match(r"layer (\d+)", message), re.search(r"Q\d", message)
    failure = Failure(int(layer[1]) if layer else 0, "", "", rule[0] if rule else "answer", message)
    return Proof("closed", failures=[failure])


CLIPPED_MARGIN = Fraction(2)
"""Of an answer whose bits are ±1 exactly: two answers differ in a bit."""


def _one_row_for_each_endless_kind(program: TaskSizes, positions: RowTable) -> RowTable:
    if not isinstance(program, Definitions) or not program.is_endless or not isinstance(positions, Declared):
        return positions
    segments, start = [], 0
    for kind, segment in zip(program.kinds, positions.segments, strict=True):
        part = segment if kind.count is not None else Segment(0, (1,), segment.matrix.columns([0]))
        segments.append(replace(part, start=start))
        start += part.count
    return Declared(tuple(segments))


def certified(construction: Construction, proof: Proof, tool: str = VERSION) -> Certified:
    """The proof with its certificate, accepted by the kernel; a proof that fails has none.

    The kernel knows the closed form of P4 only: what holds by enumeration alone has no certificate.
    """
    if not proof.ok:
        return Certified(construction, proof)
    certificate = _unchecked_certificate(construction, proof, tool)
    why = _refusal(certificate)
    return Certified(construction, proof, None if why else certificate, why)


def kernel_certificate(construction: Construction, margin: Fraction | int, tool: str = VERSION) -> dict[str, Any]:
    """The certificate that the stated invariants prove this margin, without the prover: the kernel alone decides."""
    unproved = Proof("closed", margin=Fraction(margin), integral=construction.model.is_integral)
    certificate = _unchecked_certificate(construction, unproved, tool)
    return accepted({**certificate, "claim": {**certificate["claim"], "state_bits": None}})


def _unchecked_certificate(construction: Construction, proof: Proof, tool: str) -> dict[str, Any]:
    model, sizes = construction.model, construction.sizes
    assert proof.margin is not None
    return {
        "schema": CERTIFICATE_SCHEMA,
        "kind": "construction",
        "tool": tool,
        "claim": {
            "construction": construction.name,  # a label; nothing is claimed of it
            "task": task_to_document(sizes),
            "tokens": number_to_json(prompt_tokens(sizes)),
            "word": model.word,
            **({} if model.causal else {"attention": "both"}),  # what may be left out is causal nearly always
            "width": model.width,
            "heads": model.heads,
            "layers": len(model.layers),
            "precision_bits": {"P": model.precision.score_bits, "p": model.precision.bits},
            "integral": proof.integral,
            "state_bits": None if proof.state_bits is None else number_to_json(proof.state_bits),
            "inputs_covered_log2": number_to_json(sizes.inputs_log2_floor()),
            "margin": number_to_json(proof.margin),
        },
        "model": construction_to_document(construction),
    }


def accepted(certificate: dict[str, Any]) -> dict[str, Any]:
    """The certificate itself, if the kernel accepts it: nothing is written that was not checked."""
    why = _refusal(certificate)
    if why:
        raise InputError(f"no certificate: the kernel says: {why}")
    return certificate


def _refusal(certificate: dict[str, Any]) -> str:
    """Why the kernel does not accept a certificate; nothing if it does."""
    try:
        verdict = check_certificate(certificate)
    except Malformed as error:
        return str(error)
    return "" if verdict.ok else verdict.message


def write_certificate(path: str | Path, certificate: dict[str, Any]) -> None:
    write_whole(path, certificate_text(certificate))


def certificate_text(certificate: dict[str, Any]) -> str:
    """What `write_certificate` writes."""
    return json_text(certificate) + "\n"
