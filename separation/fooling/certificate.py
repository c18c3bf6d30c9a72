"""Pairs as certificates: the inputs, what is claimed of them, and the model's exact weights; written and replayed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.fooling.pair import Pair, transcript_document
from separation.models import (
    MODEL_KEYS,
    MODEL_SCHEMA,
    Model,
    RecurrentHead,
    decode,
    model_from_document,
    model_to_document,
    read_model_file,
)
from separation.protocol import Cut, simulate
from separation.proving import CERTIFICATE_SCHEMA, accepted
from separation.tasks import TaskSizes, funccomp, instance_to_document, task_from_document, task_to_document, two_sum
from separation.version import VERSION


def has_certificate(model: Model) -> bool:
    """The kernel runs full, linear, delta and sparse heads; other recurrent families it does not know."""
    return not model.heads_of(RecurrentHead)


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
    return accepted({"schema": CERTIFICATE_SCHEMA, "kind": "pair", "tool": tool, "claim": claim, "model": document})


@dataclass(frozen=True)
class Replay:
    """What both inputs gave: the generated tokens, whether the players' messages are equal, whether all is as claimed.

    ``messages_equal``: of what the owner of the differing tokens tells everybody after it; None if no rule is for the
    word.
    """

    output_a: tuple[int, ...]
    output_b: tuple[int, ...]
    as_claimed: bool
    messages_equal: bool | None

    @property
    def ok(self) -> bool:
        return self.as_claimed and self.output_a == self.output_b and self.messages_equal is not False

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "output_a": list(self.output_a),
            "output_b": list(self.output_b),
            "as_claimed": self.as_claimed,
            "messages_equal": self.messages_equal,
        }


def replay(certificate: dict[str, Any]) -> Replay:
    """A pair's certificate through the exact model and, for F and R layers, the protocol, cut after what differs."""
    claim, document = certificate["claim"], certificate.get("model")
    if document is None:
        raise InputError("this pair speaks of every layer with its compression map: there is no model to replay")
    model = model_from_document({key: document[key] for key in MODEL_KEYS})
    prompts = np.stack([_prompt(claim[name]) for name in "ab"])
    output_a, output_b = decode(model, prompts, len(claim["output_a"])).tolist()
    as_claimed = [output_a, output_b] == [claim["output_a"], claim["output_b"]]
    players = set(model.word) <= set("FR[]")
    equal = _same_messages(model, prompts, int(claim["differ"][1])) if players else None
    return Replay(tuple(output_a), tuple(output_b), as_claimed, equal)


def _prompt(document: dict[str, Any]) -> NDArray[np.int64]:
    if document.get("task") == "two_sum":
        return np.asarray(two_sum.from_document(document).x, dtype=np.int64)
    return funccomp.token_ids(funccomp.from_document(document))


def _same_messages(model: Model, prompts: NDArray[np.int64], boundary: int) -> bool:
    """Two players, one up to the boundary: the bytes that cross are equal in every layer, and each run is right."""
    cut = Cut.of((boundary, prompts.shape[1] - boundary))
    runs = [simulate(model, prompt, cut, keep=True) for prompt in prompts]
    contents = [[message.content for message in run.transcript.messages] for run in runs]
    return all(run.ok for run in runs) and contents[0] == contents[1] and None not in contents[0]


def load_model(path: str | Path) -> tuple[Model, TaskSizes]:
    """The model and its task at given sizes, from JSON or safetensors."""
    document = read_model_file(path)
    try:
        if document.get("schema") != MODEL_SCHEMA:
            raise InputError(f"schema must be {MODEL_SCHEMA!r}, got {str(document.get('schema'))[:40]!r}")
        return model_from_document(document), task_from_document(document.get("task"))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
