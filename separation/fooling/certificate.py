"""Pairs as certificates: the inputs, what is claimed of them, and the model's exact weights."""

from __future__ import annotations

from typing import Any

from separation.fooling.pair import Pair, transcript_document
from separation.models import Model, model_to_document
from separation.models.document import SCHEMA as MODEL_SCHEMA
from separation.models.heads import RecurrentHead
from separation.proving.certificates import SCHEMA, accepted
from separation.tasks.catalogue import instance_to_document, task_to_document
from separation.version import VERSION


def has_certificate(model: Model) -> bool:
    """The kernel runs full, linear, delta and sparse heads; other recurrent families it does not know."""
    return not any(isinstance(head, RecurrentHead) for layer in model.layers for head in layer.heads)


def pair_certificate(pair: Pair, model: Model, differ: tuple[int, int], tool: str = VERSION) -> dict[str, Any]:
    """The certificate of a pair of an exact model, accepted by the kernel.

    where ``differ``: the inputs are equal outside the tokens from the first number to before the second.
    """
    claim = {
        "word": model.word,
        "differ": list(differ),
        "a": instance_to_document(pair.a),
        "b": instance_to_document(pair.b),
        "expected_a": pair.expected_a,
        "expected_b": pair.expected_b,
        "output_a": list(pair.output_a),
        "output_b": list(pair.output_b),
        "transcript": transcript_document(pair.transcript_a),
    }
    document = {"schema": MODEL_SCHEMA, "task": task_to_document(pair.a.sizes), **model_to_document(model)}
    return accepted({"schema": SCHEMA, "kind": "pair", "tool": tool, "claim": claim, "model": document})
