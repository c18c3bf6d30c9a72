"""How much a recurrent state can hold: the range of every entry, the grid it lies on, and so its bits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from separation.proving.forms import ONE, Forms

ZERO = Fraction(0)


@dataclass(frozen=True)
class Entry:
    """A number in [low, high] that is a multiple of ``grid`` (None: of nothing that is known; 0: it is 0)."""

    low: Fraction
    high: Fraction
    grid: Fraction | None

    def bits(self, finest: Fraction | None) -> int | None:
        """⌈log2 of the number of values⌉, with the finest grid of all activations where its own is not known."""
        if self.low == self.high:
            return 0
        grid = self.grid if self.grid is not None else finest
        return None if grid is None else int((self.high - self.low) / grid).bit_length()


@dataclass(frozen=True)
class State:
    """The state of one R head: how many entries, the largest absolute value, and the bits of all (None: no grid)."""

    layer: int
    head: int
    entries: int
    largest: Fraction
    bits: int | None


def state_of(layer: int, head: int, entries: Iterable[tuple[Entry, int]], finest: Fraction | None) -> State:
    """The state whose entries are these, each as often as its count says."""
    count, largest, bits = 0, ZERO, 0
    known = True
    for entry, times in entries:
        count += times
        largest = max(largest, entry.high, -entry.low)
        own = entry.bits(finest)
        known = known and own is not None
        bits += times * (own or 0)
    return State(layer, head, count, largest, bits if known else None)


def sum_of(parts: Iterable[Entry]) -> Entry:
    """The sum of numbers that are taken one by one: ranges add up, the grid is the common one."""
    low, high, grid = ZERO, ZERO, ZERO
    unknown = False
    for part in parts:
        low, high = low + part.low, high + part.high
        unknown = unknown or part.grid is None
        grid = common_grid([grid, part.grid or ZERO])
    return Entry(low, high, None if unknown else grid)


def either_of(parts: Iterable[Entry]) -> Entry:
    """One of several numbers, or 0."""
    parts = list(parts)
    grids = [part.grid for part in parts]
    grid = None if None in grids else common_grid([number for number in grids if number is not None])
    return Entry(min([ZERO, *(p.low for p in parts)]), max([ZERO, *(p.high for p in parts)]), grid)


def form_entries(forms: Forms) -> list[Entry]:
    """The range and the grid of each form: the gcd of its value at all bits −1 and of the steps 2·coefficient."""
    entries = []
    for row, (low, high) in enumerate(forms.ranges()):
        terms = dict(forms.terms(row))
        exact = all(symbol == ONE or symbol.is_bit for symbol in terms)
        constant = terms.pop(ONE, ZERO)
        numbers = [constant - sum(terms.values(), ZERO), *(2 * number for number in terms.values())]
        entries.append(Entry(low, high, common_grid(numbers) if exact else None))
    return entries


def common_grid(numbers: Iterable[Fraction]) -> Fraction:
    """The largest number that all of these are whole multiples of; 0 if all are 0."""
    numbers = list(numbers)
    denominator = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * denominator) for number in numbers)), denominator)
