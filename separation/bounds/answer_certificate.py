"""The certificate of an answer, whichever theorem it rests on: a bound, a decision, or a ceiling."""

from __future__ import annotations

from typing import Any

from separation.bounds.budget import Message
from separation.bounds.certificate import bound_certificate, ceiling_certificate, decision_certificate
from separation.bounds.decide import Decision
from separation.bounds.sharper_catalogue import AccuracyGround
from separation.bounds.theorem import Ground


def ground_certificate(ground: Ground, message: Message | None) -> dict[str, Any]:
    """Kind `bound` for a theorem of impossibility, kind `ceiling` for a bound on the accuracy."""
    if isinstance(ground, AccuracyGround):
        return accuracy_certificate(ground, message)
    return bound_certificate(ground, message)


def answer_certificate(decision: Decision) -> dict[str, Any]:
    """Kind `decision`; kind `ceiling` where only a bound on the accuracy decides."""
    message = None if decision.budget is None else decision.budget.message
    if isinstance(decision.ground, AccuracyGround):
        return accuracy_certificate(decision.ground, message)
    return decision_certificate(decision)


def accuracy_certificate(ground: AccuracyGround, message: Message | None) -> dict[str, Any]:
    prompt = ground.prompt
    return ceiling_certificate(
        ground.word,
        prompt.m,
        prompt.n,
        prompt.beta,
        ground.linear,
        prompt.ceiling,
        message if ground.word.full else None,
    )
