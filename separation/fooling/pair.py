"""Two inputs with different right answers that look the same to a model, and what a search for them says in the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import number_to_json
from separation.files import InputError
from separation.fooling.budget import Clock
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
from separation.tasks import (
    Instance,
    TaskSizes,
    funccomp,
    instance_to_document,
    task_from_document,
    task_to_document,
    two_sum,
)
from separation.version import VERSION

NOTHING_PROVED = "nothing was found; that proves nothing"


@dataclass(frozen=True)
class Message:
    """Numbers that pass from the part of the prompt where the inputs differ to the answer: the state of one head, ….

    ``layer`` counts from 1 and ``head`` from 0; a message of all layers together has layer 0.
    """

    layer: int
    head: int
    numbers: tuple[Any, ...]

    def document(self) -> dict[str, Any]:
        return {"layer": self.layer, "head": self.head, "numbers": [_number(number) for number in self.numbers]}


Transcript = tuple[Message, ...]


@dataclass(frozen=True)
class Pair:
    """Inputs a and b, what is right, what the model says, and what it knows of the part where they differ.

    where ``output_a``, ``output_b`` are the generated tokens, one if there is no chain of thought; no transcript (None)
    is known of a model that tells nothing but its answers.
    """

    a: Instance
    b: Instance
    expected_a: int
    expected_b: int
    output_a: tuple[int, ...]
    output_b: tuple[int, ...]
    transcript_a: Transcript | None
    transcript_b: Transcript | None

    @property
    def transcripts_equal(self) -> bool | None:
        return None if self.transcript_a is None else self.transcript_a == self.transcript_b

    @property
    def holds(self) -> bool:
        """Equal outputs and transcripts, different right answers."""
        same = self.output_a == self.output_b and self.transcripts_equal is not False
        return same and self.expected_a != self.expected_b

    def document(self) -> dict[str, Any]:
        """The keys of the command line's JSON; one generated token is written as a number."""
        return {
            "a": instance_to_document(self.a),
            "b": instance_to_document(self.b),
            "expected_a": self.expected_a,
            "expected_b": self.expected_b,
            "output_a": _output(self.output_a),
            "output_b": _output(self.output_b),
            "transcripts_equal": self.transcripts_equal,
            "transcript": transcript_document(self.transcript_a),
        }


def transcript_document(transcript: Transcript | None) -> list[dict[str, Any]] | None:
    return None if transcript is None else [message.document() for message in transcript]


@dataclass(frozen=True)
class Closest:
    """Two tables whose states agree in ``equal`` of ``entries`` numbers: the best that a search had."""

    equal: int
    entries: int
    a: tuple[int, ...]
    b: tuple[int, ...]

    def document(self) -> dict[str, Any]:
        return {"equal_entries": self.equal, "entries": self.entries, "a": list(self.a), "b": list(self.b)}


@dataclass(frozen=True)
class Search:
    """A pair, or None with what was tried; ``exhaustive``: there was nothing else to try."""

    pair: Pair | None
    method: str
    samples: int
    seconds: float
    exhaustive: bool
    note: str
    closest: Closest | None = None

    @property
    def found(self) -> bool:
        return self.pair is not None

    def document(self) -> dict[str, Any]:
        """Of what was tried."""
        closest = None if self.closest is None else self.closest.document()
        facts = {**vars(self), "seconds": round(self.seconds, 3), "closest": closest}
        del facts["pair"]
        return facts


class Interrupted(KeyboardInterrupt):
    """Stopped by hand; ``search`` is how far it came."""

    def __init__(self, search: Search) -> None:
        super().__init__("stopped")
        self.search = search


def found_pair(pair: Pair, clock: Clock, method: str) -> Search:
    """A search with a pair, which was run again."""
    return Search(pair, method, clock.samples, clock.seconds, False, "found and run again")


def ended(clock: Clock, method: str, exhaustive: bool, note: str, closest: Closest | None = None) -> Search:
    """A search without a pair."""
    return Search(None, method, clock.samples, clock.seconds, exhaustive, note, closest)


def _output(tokens: Iterable[int]) -> int | list[int]:
    listed = list(tokens)
    return listed[0] if len(listed) == 1 else listed


def _number(number: Any) -> Any:
    return number_to_json(Fraction(number)) if isinstance(number, (int, Fraction)) else number


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
        return {"ok": self.ok, **vars(self), "output_a": list(self.output_a), "output_b": list(self.output_b)}


def replay(certificate: dict[str, Any]) -> Replay:
    """A pair's certificate through the exact model and, for F and R layers, the protocol, cut after what differs."""
    claim, document = certificate["claim"], certificate.get("model")
    if document is None:
        raise InputError("this pair is about every layer with its compression map: there is no model to replay")
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
