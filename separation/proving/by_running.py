"""Certificates of what a model does, where no rule applies to it: all inputs are run, or one wrong answer is shown.

    exhaustive_certificate(construction)        so many of all answers are right, every input having been run
    wrong_certificate(construction, ids)        one input that the model answers wrongly

A construction is any exact model of the project with its task, `Construction(name, sizes, model)`; no invariants are
needed. The kernel does the running, with its own evaluator and oracle: what is written down is what it found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.files import InputError
from separation.progress import Progress, silent
from separation.proving import kernel, kernel_runs
from separation.proving.certificates import CERTIFICATE_SCHEMA, accepted, for_every_length
from separation.proving.construction import Construction, construction_to_document
from separation.version import VERSION


def exhaustive_certificate(
    construction: Construction, times: int = 1, progress: Progress = silent, tool: str = VERSION
) -> dict[str, Any]:
    """The certificate of how many answers are right, over every input; ``accuracy`` reads it.

    ``times``: how many times the kernel's usual work may be done, here and by those who check it. An InputError says
    that there are too many inputs, or what the kernel cannot run.
    """
    certificate = _about(construction, "exhaustive", tool)
    try:
        kernel.Work.start(times)
        model = kernel.Model(certificate["model"], proved=False)
        found = kernel_runs.tally(model, _told(construction, progress))
    except kernel.Rejected as error:
        raise InputError(f"the exact run refuses an input: {error}") from None
    except kernel.Malformed as error:
        fewer = "; smaller sizes have fewer" if "more work" in str(error) else ""
        raise InputError(f"not every input can be run: {error}{fewer}") from None
    if not found.inputs:
        raise InputError("no input meets the promises of the task")
    whole = found.right == found.answers
    certificate["claim"] |= {
        "inputs": number_to_json(found.inputs),
        "answers": number_to_json(found.answers),
        "right": number_to_json(found.right),
        "margin": number_to_json(found.margin) if whole and found.margin is not None and found.margin > 0 else None,
    }
    return certificate


def accuracy(certificate: dict[str, Any]) -> Fraction:
    """Right answers out of all, of a certificate that was made here or checked."""
    return Fraction(int(certificate["claim"]["right"]), int(certificate["claim"]["answers"]))


def wrong_certificate(construction: Construction, ids: Sequence[int], tool: str = VERSION) -> dict[str, Any]:
    """The certificate that the model answers the input with these ids wrongly, at the first place where it does."""
    certificate = _about(construction, "wrong", tool)
    tokens = [int(v) for v in ids]
    try:
        kernel.Work.start()
        found = kernel_runs.first_wrong(kernel.Model(certificate["model"], proved=False), tokens)
    except (kernel.Rejected, kernel.Malformed) as error:
        raise InputError(f"this input has no certificate: {error}") from None
    if found is None:
        raise InputError("the model answers this input correctly")
    place, said, right = found
    certificate["claim"] |= {"input": tokens, "place": place, "said": said, "right": right}
    return accepted(certificate)


def _about(construction: Construction, kind: str, tool: str) -> dict[str, Any]:
    """The parts that both kinds have in common; the model without its invariants."""
    construction = for_every_length(replace(construction, stages=()))
    model, document = construction.model, construction_to_document(construction)
    bits = model.precision
    claim = {
        "task": document["task"],
        "word": model.word,
        "attention": "causal" if model.causal else "both",
        "precision_bits": {"P": bits.score_bits, "p": bits.bits},
    }
    return {"schema": CERTIFICATE_SCHEMA, "kind": kind, "tool": tool, "claim": claim, "model": document}


def _told(construction: Construction, progress: Progress) -> Callable[[int], None]:
    """What the kernel tells of its way through all inputs."""
    many = 2.0 ** min(float(construction.sizes.inputs_log2_floor()), 60.0)
    return lambda run: progress(min(1.0, run / many), f"{run:,} inputs were run")
