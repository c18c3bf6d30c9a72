"""What a statement of the proof book is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Status(Enum):
    """How a statement is known; the closed set, strongest first."""

    COQ = "proved in Coq"
    ALL_SIZES = "proved for all sizes (symbolic)"
    ALL_INPUTS = "proved for all inputs at given sizes"
    EXHAUSTIVE = "exhaustive up to a size"
    TESTED = "property-tested"
    CITED = "cited"
    OPEN = "open"

    @property
    def rank(self) -> int:
        """0 is the strongest."""
        return list(Status).index(self)


class CheckFailed(Exception):
    """A check found that what it was given is false; the text says where."""


@dataclass(frozen=True)
class Checked:
    """What a check established: the status is its result, nobody types it beside a statement."""

    status: Status
    method: str
    scope: str


@dataclass(frozen=True)
class Hypothesis:
    """``holds(subject)``: what a statement supposes of something; ``outside`` is a thing that it excludes."""

    text: str
    holds: Callable[[Any], bool]
    outside: Any


@dataclass(frozen=True)
class Statement:
    """A statement, its check, and its broken twins.

    ``check(subject)`` returns what it established or raises CheckFailed; ``subject`` is the statement itself in a form
    that can be run (a formula, a function, weights), and each twin is a false one of the same form.
    ``rests_on``: claims that it uses, whose status caps its own; ``speaks_of``: definitions, which claim nothing but
    that the code is what the text says. ``witness`` satisfies all ``hypotheses`` at once, so that the statement is not
    about nothing, and each hypothesis excludes something, so that it is one.
    """

    id: str
    title: str
    latex: str
    english: str
    subject: Any
    check: Callable[[Any], Checked]
    twins: Mapping[str, Any] = field(default_factory=dict)
    speaks_of: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    witness: Any = None

    def run(self) -> Checked:
        """Check the statement, its hypotheses, then every twin; a twin that passes is a failure of the check."""
        checked = self.check(self.subject)
        for hypothesis in self.hypotheses:
            require(hypothesis.holds(self.witness), f"the witness of {self.id} does not satisfy: {hypothesis.text}")
            require(not hypothesis.holds(hypothesis.outside), f"{self.id}: nothing is excluded by: {hypothesis.text}")
        for name, twin in self.twins.items():
            try:
                self.check(twin)
            except CheckFailed:
                continue
            raise CheckFailed(f"the broken twin {name!r} of {self.id} was not rejected")
        return checked


def require(condition: bool, message: str) -> None:
    if not condition:
        raise CheckFailed(message)
