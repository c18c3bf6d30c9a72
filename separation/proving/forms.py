"""Forms: exact linear combinations of named ±1 bits and bounded noise, the values of the proof's abstract run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import count
from math import lcm

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, IntegerArray, largest, widen


@dataclass(frozen=True)
class Group:
    """Numbers p_1, …, p_size in [−1, 1]: each is ≥ ``least`` if the bit ``guard`` is +1, else Σ p_r ≤ ``most``."""

    guard: Symbol
    size: int
    least: Fraction
    most: Fraction


@dataclass(frozen=True, eq=False)
class Symbol:
    """An unknown number in [low, high]: the constant 1, a ±1 bit, or noise.

    A name is given to one symbol only (noise is numbered once and for all), so it alone decides equality. ``times`` is
    (bit, product) if the product of this symbol with that bit is a symbol of its own; a product has a ``group``.
    """

    name: str
    role: str
    low: Fraction = Fraction(-1)
    high: Fraction = Fraction(1)
    times: tuple[Symbol, Symbol] | None = None
    group: Group | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Symbol) and self.name == other.name)

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def is_bit(self) -> bool:
        return self.role == "bit"

    @property
    def variable(self) -> str:
        """The variable of a bit: i2 for i2.3."""
        return self.name.rpartition(".")[0]

    @property
    def radius(self) -> Fraction:
        return max(self.high, -self.low)


ONE = Symbol("1", "one", Fraction(1), Fraction(1))


@lru_cache(maxsize=1 << 16)
def bit(variable: str, place: int) -> Symbol:
    """Bit ``place`` (of weight 2^place) of a variable, as ±1."""
    return Symbol(f"{variable}.{place}", "bit")


_noise_numbers = count()


def fresh_noise(radius: Fraction) -> Symbol:
    """A noise symbol that nobody has used before."""
    return Symbol(f"noise {next(_noise_numbers)}", "noise", -radius, radius)


def fresh_output(sign: Symbol, group: Group) -> Symbol:
    """A number in [−1, 1] that nobody has used before, whose product with the bit ``sign`` is in the group."""
    name = f"noise {next(_noise_numbers)}"
    product = Symbol(f"{sign.name}·{name}", "product", group=group)
    return Symbol(name, "noise", times=(sign, product))


class Forms:
    """matrix · symbols: one form for each row. The first symbol is always the constant 1."""

    def __init__(self, symbols: Sequence[Symbol], matrix: ExactMatrix) -> None:
        if symbols[0] != ONE or len(symbols) != matrix.shape[1]:
            raise ValueError("forms need the constant first and a column for each symbol")
        self.symbols = tuple(symbols)
        self.matrix = matrix
        self._bounds: tuple[ExactMatrix, ExactMatrix] | None = None

    @cached_property
    def places(self) -> dict[Symbol, int]:
        return {symbol: index for index, symbol in enumerate(self.symbols)}

    @property
    def height(self) -> int:
        return self.matrix.shape[0]

    @classmethod
    def constant(cls, column: ExactMatrix) -> Forms:
        return cls((ONE,), column)

    def image(self, linear: ExactMatrix) -> Forms:
        """linear · forms: linear maps act on forms exactly."""
        return Forms(self.symbols, linear @ self.matrix)

    def over(self, symbols: Sequence[Symbol]) -> ExactMatrix:
        """The coefficients with respect to a longer list of symbols."""
        places = {symbol: index for index, symbol in enumerate(symbols)}
        wide = np.zeros((self.height, len(symbols)), dtype=self.matrix.numerators.dtype)
        wide[:, [places[symbol] for symbol in self.symbols]] = self.matrix.numerators
        return ExactMatrix(wide, self.matrix.denominator)

    def plus(self, other: Forms) -> Forms:
        symbols = join(self.symbols, other.symbols)
        return Forms(symbols, self.over(symbols) + other.over(symbols))

    def minus(self, other: Forms) -> Forms:
        return self.plus(Forms(other.symbols, -other.matrix))

    def at_rows(self, rows: NDArray[np.int64], height: int) -> Forms:
        """The same forms as rows of a taller list, 0 elsewhere."""
        tall = np.zeros((height, len(self.symbols)), dtype=self.matrix.numerators.dtype)
        tall[rows] = self.matrix.numerators
        return Forms(self.symbols, ExactMatrix(tall, self.matrix.denominator))

    def compact(self) -> Forms:
        """Without symbols that no form mentions."""
        used = (self.matrix.numerators != 0).any(axis=0)
        used[0] = True
        kept = np.flatnonzero(used)
        return Forms([self.symbols[place] for place in kept], self.matrix.columns(kept))

    def renamed(self, rename: Callable[[Symbol], Symbol]) -> Forms:
        """Every symbol replaced; symbols that become equal are added up."""
        targets = [rename(symbol) for symbol in self.symbols]
        symbols = join((ONE,), targets)
        places = {symbol: index for index, symbol in enumerate(symbols)}
        gather = np.zeros((len(targets), len(symbols)), dtype=np.int64)
        for index, symbol in enumerate(targets):
            gather[index, places[symbol]] = 1
        return Forms(symbols, self.matrix @ ExactMatrix(gather))

    def bounds(self) -> tuple[ExactMatrix, ExactMatrix]:
        """(lowest, highest): columns of rigorous bounds, each symbol taken for itself."""
        if self._bounds is not None:
            return self._bounds
        low, high = _column([s.low for s in self.symbols]), _column([s.high for s in self.symbols])
        numerators, denominator = self.matrix.numerators, self.matrix.denominator
        positive = ExactMatrix(np.maximum(numerators, 0), denominator)
        negative = ExactMatrix(np.minimum(numerators, 0), denominator)
        self._bounds = positive @ low + negative @ high, positive @ high + negative @ low
        return self._bounds

    def ranges(self) -> list[tuple[Fraction, Fraction]]:
        low, high = self.bounds()
        return [(low.entry(row, 0), high.entry(row, 0)) for row in range(self.height)]

    def terms(self, row: int) -> list[tuple[Symbol, Fraction]]:
        """The symbols that a form mentions, with their coefficients."""
        places = np.flatnonzero(self.matrix.numerators[row]).tolist()
        return [(self.symbols[place], self.matrix.entry(row, place)) for place in places]

    def row_text(self, row: int, most: int = 3) -> str:
        """A form as a person reads it: 2·i1.0 − 1."""
        terms = self.terms(row)
        shown = [f"{number}" if symbol is ONE else f"{number}·{symbol.name}" for symbol, number in terms[:most]]
        return " + ".join(shown) + (" + …" if len(terms) > most else "") if shown else "0"


def sum_forms(parts: Sequence[Forms]) -> Forms:
    """Σ parts, over all their symbols: one table is filled, where `plus` would copy it for each part."""
    symbols = tuple(dict.fromkeys(symbol for part in parts for symbol in part.symbols))
    places = {symbol: index for index, symbol in enumerate(symbols)}
    common = lcm(*(part.matrix.denominator for part in parts))
    scaled = [stack_numerators(part.matrix, common) for part in parts]
    # Partial sums stay below the sum of the largest entries: int64 if that fits, Python integers otherwise.
    fits = sum(map(largest, scaled)) < 2**62
    total: IntegerArray = np.zeros((parts[0].height, len(symbols)), dtype=np.int64 if fits else object)
    for part, numerators in zip(parts, scaled, strict=True):
        total[:, [places[symbol] for symbol in part.symbols]] += numerators
    return Forms(symbols, ExactMatrix(total, common))


def join(first: Sequence[Symbol], second: Sequence[Symbol]) -> tuple[Symbol, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def variable_bits(variable: str, bits: int) -> list[Symbol]:
    return [bit(variable, index) for index in range(bits)]


def _column(numbers: Iterable[Fraction]) -> ExactMatrix:
    numbers = list(numbers)
    denominator = lcm(*(number.denominator for number in numbers))
    values = np.array([int(number * denominator) for number in numbers], dtype=object)
    return ExactMatrix(values[:, None], denominator)


def stack_numerators(matrix: ExactMatrix, denominator: int) -> IntegerArray:
    """Numerators over a given multiple of the matrix's denominator."""
    return widen(matrix.numerators, denominator // matrix.denominator)
