"""What a proof may know of a task: kinds of tokens, their variables, and what is the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod


def bit_count(size: int) -> int:
    """⌈log2 size⌉: the ±1 bits that tell ``size`` values apart."""
    return (size - 1).bit_length()


def number_of(digits: Iterable[int], radices: Iterable[int]) -> int:
    """The number with these mixed-radix digits, the most significant first."""
    number = 0
    for digit, radix in zip(digits, radices, strict=True):
        number = number * radix + digit
    return number


def digits_of(number: int, radices: Sequence[int]) -> tuple[int, ...]:
    """The inverse of `number_of`; what is too much for the radices is left out."""
    digits = []
    for radix in reversed(radices):
        number, digit = divmod(number, radix)
        digits.append(digit)
    return tuple(reversed(digits))


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

    ``table`` is the number of the table whose entries they are, if any. ``address`` and ``value`` are mixed-radix
    digits, the most significant first. ``further`` are variables of each token that follow from the whole input, such
    as later hops; ``mirror`` is M − value for the one variable, of size M, of ``value``.
    """

    name: str
    start: int
    address: tuple[Variable, ...]
    value: tuple[Variable, ...]
    first_id: int
    further: tuple[Variable, ...] = ()
    mirror: Variable | None = None
    table: int | None = None

    @property
    def count(self) -> int:
        return prod(variable.size for variable in self.address)

    @property
    def stop(self) -> int:
        return self.start + self.count

    @property
    def id_count(self) -> int:
        return prod(variable.size for variable in self.value)

    @property
    def own(self) -> tuple[Variable, ...]:
        """All variables of a token of this kind."""
        return (*self.address, *self.value, *self.further, *(() if self.mirror is None else (self.mirror,)))


@dataclass(frozen=True)
class Fact:
    """Of ``kind`` the token at ``address``, whose variables ``reader`` knows: global ones, or its own."""

    kind: str
    address: tuple[str, ...]
    reader: str | None = None


@dataclass(frozen=True)
class Shape:
    """All that the prover is told of a task; it never sees a table's entries.

    ``outputs`` are the rows of the unembedding, in groups of mixed-radix numbers (`Kind.start`, `address`);
    ``emissions`` say, for each kind that answers, in which group and at which address its answer stands. ``search``
    marks the task that asks, at every token, whether the value M − x stands at or before it: the answers are 0 and 1.
    """

    kinds: tuple[Kind, ...]
    global_variables: tuple[Variable, ...]
    outputs: tuple[Kind, ...]
    emissions: tuple[Fact, ...]
    vocabulary: int
    causal: bool = True
    search: bool = False

    @property
    def length(self) -> int:
        return self.kinds[-1].stop

    @property
    def output_count(self) -> int:
        return self.outputs[-1].stop

    @property
    def answer_kind(self) -> Kind:
        """The kind whose token is the last of the prompt."""
        return self.kinds[-1]

    def kind(self, name: str) -> Kind:
        return next(kind for kind in self.kinds if kind.name == name)
