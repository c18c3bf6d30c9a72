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

    def __post_init__(self) -> None:
        if not isinstance(self.status, Status):
            raise TypeError(f"{self.status!r} is no status; the closed set is {', '.join(s.value for s in Status)}")
        if not (self.method and self.scope):
            raise TypeError("what is established needs the method by which, and the scope in which, it is")


@dataclass(frozen=True)
class Review:
    """What a check established of a statement, and for what reason it rejected each broken twin."""

    checked: Checked
    rejections: Mapping[str, str]


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
        return self.review().checked

    def review(self) -> Review:
        """``run``, with the reason for which each twin was rejected."""
        checked = self._answer(self.subject, f"the check of {self.id}")
        for hypothesis in self.hypotheses:
            witness, outside = (self._satisfies(hypothesis, thing) for thing in (self.witness, hypothesis.outside))
            require(witness, f"the witness of {self.id} does not satisfy: {hypothesis.text}")
            require(not outside, f"{self.id}: nothing is excluded by: {hypothesis.text}")
        rejections = {name: self._rejection(name, twin) for name, twin in self.twins.items()}
        return Review(checked, rejections)

    def _satisfies(self, hypothesis: Hypothesis, thing: Any) -> bool:
        try:
            return bool(hypothesis.holds(thing))
        except Exception as error:
            what = f"{self.id}: asking for {hypothesis.text!r}"
            raise CheckFailed(f"{what} ended in {type(error).__name__}, which is no verdict: {error}") from error

    def _rejection(self, name: str, twin: Any) -> str:
        try:
            self._answer(twin, f"the broken twin {name!r} of {self.id}")
        except _Stumbled:
            raise
        except CheckFailed as reason:
            return str(reason)
        raise CheckFailed(f"the broken twin {name!r} of {self.id} was not rejected")

    def _answer(self, subject: Any, what: str) -> Checked:
        """What the check says; an error that is not its verdict proves nothing, neither for a statement nor a twin."""
        try:
            checked = self.check(subject)
        except CheckFailed:
            raise
        except Exception as error:
            raise _Stumbled(f"{what} ended in {type(error).__name__}, which is no verdict: {error}") from error
        if not isinstance(checked, Checked):
            raise _Stumbled(f"{what} ended in {checked!r}, which is no verdict")
        return checked


class _Stumbled(CheckFailed):
    """A check ended without a verdict."""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise CheckFailed(message)
