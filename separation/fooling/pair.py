"""Two inputs with different right answers that look the same to a model, and what a search for them says in the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.fooling.budget import Clock
from separation.tasks import Instance, instance_to_document

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
        return {
            "method": self.method,
            "samples": self.samples,
            "seconds": round(self.seconds, 3),
            "exhaustive": self.exhaustive,
            "note": self.note,
            "closest": None if self.closest is None else self.closest.document(),
        }


class Interrupted(KeyboardInterrupt):
    """Stopped by hand; ``search`` is how far it came."""

    def __init__(self, search: Search) -> None:
        super().__init__("stopped")
        self.search = search


def ended(clock: Clock, method: str, exhaustive: bool, note: str, closest: Closest | None = None) -> Search:
    """A search without a pair."""
    return Search(None, method, clock.samples, clock.seconds, exhaustive, note, closest)


def _output(tokens: Iterable[int]) -> int | list[int]:
    listed = list(tokens)
    return listed[0] if len(listed) == 1 else listed


def _number(number: Any) -> Any:
    return number_to_json(Fraction(number)) if isinstance(number, (int, Fraction)) else number
