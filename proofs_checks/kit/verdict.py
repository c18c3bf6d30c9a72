"""What a check can say, and the record of what a machine was asked while it said so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    """How a statement is known; the closed set, strongest first."""

    COQ = "proved in Coq"
    BY_MACHINE = "proved for all sizes by machine"
    PARTLY_BY_HAND = "proved for all sizes, with steps by hand"
    ALL_INPUTS = "proved for all inputs at given sizes"
    EXHAUSTIVE = "exhaustive up to a size"
    TESTED = "property-tested"
    CITED = "cited"
    OPEN = "open"

    @property
    def rank(self) -> int:
        """0 is the strongest."""
        return list(Status).index(self)


DERIVED = (Status.BY_MACHINE, Status.PARTLY_BY_HAND)
"""A check never claims these: they follow from which steps a machine did (`proofs_checks.kit.statement`)."""


Z3, SYMPY, NUMBERS = "z3", "sympy", "exact numbers"
IN_LETTERS = frozenset({Z3, SYMPY})
"""What can decide a claim for all sizes at once."""


class CheckFailed(Exception):
    """A check found that what it was given is false; the text says where."""


class Undecided(CheckFailed):
    """A check ended without a verdict: that proves nothing about a statement or a twin."""


@dataclass(frozen=True)
class ByHand:
    """A step that no machine does: its name, and the sentence that a reader has to agree with."""

    name: str
    sentence: str

    def __post_init__(self) -> None:
        if not self.name.strip() or not self.sentence.strip().endswith("."):
            raise TypeError(f"a step by hand has a name and says a whole sentence, unlike {self.name!r}")


@dataclass(frozen=True)
class Done:
    """A step that a machine did just now, and with what; ``in_letters``: for all sizes at once."""

    name: str
    by: tuple[str, ...]
    in_letters: bool

    @property
    def worker(self) -> str:
        return " and ".join(self.by) + ("" if self.in_letters or not IN_LETTERS & set(self.by) else ", some sizes")


@dataclass(frozen=True)
class Checked:
    """What a check established: the status is its result, never typed next to a statement."""

    status: Status
    method: str
    scope: str
    steps: tuple[Done, ...] = ()
    by_hand: tuple[ByHand, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.status, Status):
            raise TypeError(f"{self.status!r} is no status; the closed set is {', '.join(s.value for s in Status)}")
        if not (self.method and self.scope):
            raise TypeError("what is established needs the method by which, and the scope in which, it is")


_ASKED: ContextVar[list[str] | None] = ContextVar("asked", default=None)


@contextmanager
def recorded() -> Iterator[list[str]]:
    """The list of what is asked inside the block."""
    asked: list[str] = []
    token = _ASKED.set(asked)
    try:
        yield asked
    finally:
        _ASKED.reset(token)


def ask(machine: str) -> None:
    """Note that a machine decides something now."""
    asked = _ASKED.get()
    if asked is not None:
        asked.append(machine)


def require(condition: bool, message: str, by: str = NUMBERS) -> None:
    ask(by)
    if not condition:
        raise CheckFailed(message)
