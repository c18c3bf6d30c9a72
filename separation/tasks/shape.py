"""What a proof may know of a task: kinds of tokens, their variables, and the facts that define the answer."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


def bit_count(size: int) -> int:
    """⌈log2 size⌉: the ±1 bits that tell ``size`` values apart."""
    return (size - 1).bit_length()


@dataclass(frozen=True)
class Variable:
    """A named quantity that ranges over [size]."""

    name: str
    size: int

    @property
    def bits(self) -> int:
        return bit_count(self.size)


@dataclass(frozen=True)
class Kind:
    """Consecutive prompt tokens of one kind: one for each address, its id being ``first_id`` + its value.

    ``address`` and ``value`` are mixed-radix digits, the most significant first.
    """

    name: str
    start: int
    address: tuple[Variable, ...]
    value: tuple[Variable, ...]
    first_id: int

    @property
    def count(self) -> int:
        return prod(variable.size for variable in self.address)

    @property
    def stop(self) -> int:
        return self.start + self.count

    @property
    def id_count(self) -> int:
        return prod(variable.size for variable in self.value)


@dataclass(frozen=True)
class Fact:
    """The value of the token of ``kind`` at the ``address`` (names of global variables) is the global ``result``."""

    kind: str
    address: tuple[str, ...]
    result: str


@dataclass(frozen=True)
class Shape:
    """All that the prover is told of a task; it never sees a table's entries."""

    kinds: tuple[Kind, ...]
    global_variables: tuple[Variable, ...]
    facts: tuple[Fact, ...]
    answer: Variable
    vocabulary: int

    @property
    def length(self) -> int:
        return self.kinds[-1].stop

    @property
    def answer_kind(self) -> Kind:
        return self.kinds[-1]

    def kind(self, name: str) -> Kind:
        return next(kind for kind in self.kinds if kind.name == name)
