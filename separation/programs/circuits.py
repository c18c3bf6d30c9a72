"""Slots, rows and units: what the token's own variables are in the stream, and the MLPs that compute with them.

Slots: `one`; `kind K`, 1 at tokens of kind K; `K.v[j]`, the ±1 bit j of the variable v at tokens of kind K. At other
kinds the coordinate of `K.v[j]` may hold another slot, within ±1: what reads it is off there.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, prod
from typing import Any

import numpy as np

from separation.programs.slots import Slots, Time
from separation.programs.weights import Draft, Part, Row, Unit, plus, scaled
from separation.tasks.program import Definitions, Kind, Map
from separation.tasks.shape import bit_count


def sign(value: int, j: int) -> int:
    """The ±1 bit j."""
    return 2 * (value >> j & 1) - 1


def _reversed(numbers: Any, bits: int) -> Any:
    """The numbers with their bits in the order of slots, the first most significant."""
    return sum((numbers >> j & 1) << bits - 1 - j for j in range(bits))


class Circuits:
    """The stream of one program while it is laid out: its slots, when each variable is there, and drafts of layers.

    ``gap``: by how much a score is above the others; ``score_bits``: P, as far as it is known.
    """

    def __init__(self, program: Definitions, gap: int, score_bits: int) -> None:
        self.program, self.slots = program, Slots()
        self.gap, self.score_bits, self.fraction = gap, score_bits, 8
        self.drafts: dict[int, Draft] = {0: Draft()}
        self.ready: dict[tuple[str, str], Time] = {}
        self.parts: list[Part] = []
        self.positions: dict[str, list[Map]] = {kind.name: [] for kind in program.kinds}
        self.shared = {kind.alphabet for kind in program.kinds if kind.alphabet is not None}
        self.sink = next((kind.name for kind in program.kinds if kind.count == 1 and not kind.spells), "")

    # ---- slots and rows

    def tag(self, kind: str) -> str:
        return self.slots.add(f"kind {kind}")

    def bits(self, kind: str, variable: str) -> list[str]:
        """The slots of a variable."""
        size = bit_count(self.program.size(kind, variable))
        return [self.slots.add(f"{kind}.{variable}[{j}]", self.kinds(kind)) for j in range(size)]

    def kinds(self, kind: str) -> list[str] | None:
        """Whose coordinates a slot of this kind takes: all, if tokens look at it where nothing matches, as it says
        nothing then but its constant."""
        return None if kind == self.sink != self.program.kinds[-1].name else [kind]

    def heard(self, kind: str, name: str, count: int) -> list[str]:
        """Slots into which a head writes at every kind, and which the MLP after it empties."""
        found = [self.slots.add(f"heard by {kind}.{name}[{j}]") for j in range(count)]
        for slot in found:
            self.slots.named[slot].cleans = True
        return found

    def bit(self, kind: str, value: str | int, j: int) -> Row:
        """The row that reads bit j of a variable, or of a number, of a kind: −1 beyond its size."""
        if isinstance(value, int):
            return {self.tag(kind): sign(value, j)}
        slots = self.bits(kind, value)
        return {slots[j]: 1} if j < len(slots) else {self.tag(kind): -1}

    def number(self, kind: str, variable: str) -> Row:
        """The row that reads a variable as a number."""
        slots = self.bits(kind, variable)
        row: Row = {slot: Fraction(1 << j, 2) for j, slot in enumerate(slots)}
        return plus(row, {self.tag(kind): Fraction((1 << len(slots)) - 1, 2)})

    def draft(self, layer: int) -> Draft:
        return self.drafts.setdefault(layer, Draft())

    def put(self, time: Time, units: list[Unit]) -> None:
        layer, rank = time
        self.draft(layer).mlps.setdefault(rank, []).extend(units)

    def when(self, kind: str, *variables: str | int) -> Time:
        """When all of these are there."""
        known = [self.ready.get((kind, v), (0, 0)) for v in variables if isinstance(v, str)]
        return max(known, default=(0, 0))

    def without_sink(self, reader: str, what: str) -> str | None:
        """What is missing if no token that spells nothing stands, alone of its kind, before the reader."""
        names = [kind.name for kind in self.program.kinds]
        there = self.sink and names.index(self.sink) < names.index(reader)
        return None if there else f"needs a token that {what}: put p.start() first"

    def without_end(self, reader: str) -> str | None:
        """A kind of any number of tokens that the reader sees."""
        names = [kind.name for kind in self.program.kinds]
        return next((k.name for k in self.program.kinds[: names.index(reader) + 1] if k.count is None), None)

    # ---- units

    def table(self, kind: str, inputs: tuple[str, ...], values: tuple[int | None, ...], out: list[str]) -> list[Unit]:
        """Units that write the bits of a table: one for each step along the cases, or one for each case."""
        sizes = self.sizes(kind, inputs)
        known = [value for value in values if value is not None]
        common = max(set(known), key=known.count) if known else 0
        filled = [common if value is None else value for value in values]
        steps = [t for t in range(1, len(filled)) if filled[t] != filled[t - 1]]
        tag = self.tag(kind)
        if 2 * len(steps) < len(filled) - filled.count(common):
            row: Row = {}
            for i, v in enumerate(inputs):
                row = plus(row, scaled(self.number(kind, v), prod(sizes[i + 1 :])))
            jumps = [(Fraction(t - 1), Fraction(t), filled[t - 1], filled[t]) for t in steps]
            return self.staircase(tag, row, len(filled), filled[0], jumps, out)
        by_bits = self.bit_tables(kind, inputs, values, out)
        if len(by_bits) < 1 + len(filled) - filled.count(common):
            return by_bits
        units = [Unit({tag: 1}, {slot: sign(common, j) for j, slot in enumerate(out)})]
        for case, value in zip(product(*map(range, sizes)), filled, strict=True):
            if value != common:
                goes: Row = {slot: sign(value, j) - sign(common, j) for j, slot in enumerate(out)}
                units.append(Unit(self.indicator(kind, inputs, case), goes))
        return units

    def bit_tables(
        self, kind: str, inputs: tuple[str, ...], values: tuple[int | None, ...], out: list[str]
    ) -> list[Unit]:
        """The same bit by bit: one unit for each case of the input bits on which a bit of the value depends."""
        slots = [slot for v in inputs for slot in self.bits(kind, v)]
        units, known = list[Unit](), [x for x, value in enumerate(values) if value is not None]
        cases = np.zeros(len(values), dtype=np.int64)
        for v, digits in zip(inputs, np.unravel_index(np.arange(len(values)), self.sizes(kind, inputs)), strict=True):
            cases = (cases << len(self.bits(kind, v))) | _reversed(digits, len(self.bits(kind, v)))
        cases = cases[known]
        for j, to in enumerate(out):
            ones = np.array([value >> j & 1 for value in values if value is not None], dtype=bool)
            asked = (1 << len(slots)) - 1
            for b in range(len(slots)):
                rest = asked & ~(1 << b)
                if not np.intersect1d(cases[ones] & rest, cases[~ones] & rest).size:
                    asked = rest
            which = [(b, slots[len(slots) - 1 - b]) for b in range(len(slots)) if asked >> b & 1]
            on, off = np.unique(cases[ones] & asked), np.unique(cases[~ones] & asked)
            fewer, s = (on, 1) if on.size < off.size else (off, -1)
            units.append(Unit({self.tag(kind): 1}, {to: -s}))
            for case in map(int, fewer):
                row: Row = {self.tag(kind): 1, "one": -len(which)}
                units.append(Unit(plus(row, *({slot: sign(case, b)} for b, slot in which)), {to: 2 * s}))
        return units

    def sizes(self, kind: str, variables: tuple[str, ...]) -> list[int]:
        return [self.program.size(kind, v) for v in variables]

    def indicator(self, kind: str, inputs: tuple[str, ...], case: tuple[int, ...]) -> Row:
        """Bits that agree − (bits − 1): 1 in this case, and at most −1 in every other; at other kinds at most 0."""
        rows = [
            (slot, sign(x, j)) for v, x in zip(inputs, case, strict=True) for j, slot in enumerate(self.bits(kind, v))
        ]
        return plus({self.tag(kind): 1, "one": -len(rows)}, *({slot: c} for slot, c in rows))

    def staircase(
        self,
        tag: str,
        row: Row,
        top: Fraction | int,
        first: int,
        jumps: list[tuple[Fraction, Fraction, int, int]],
        out: list[str],
    ) -> list[Unit]:
        """The value `first`; for each (low, high, before, after) the value `after` from the number high of `row` on,
        where no number is between low and high. At other kinds all units are off: row ≤ top there."""
        units = [Unit({tag: 1}, {slot: sign(first, j) for j, slot in enumerate(out)})]
        for low, high, before, after in jumps:
            goes: Row = {slot: sign(after, j) - sign(before, j) for j, slot in enumerate(out)}
            for end, s in ((low, 1), (high, -1)):
                reads = plus(row, {"one": -(end + top + 1), tag: top + 1})
                units.append(Unit(scaled(reads, 1 / (high - low)), scaled(goes, s)))
        return units

    def emptied(self, slots: list[str], size: Fraction | int) -> list[Unit]:
        """x ← x − relu(x + C) + C = 0 for |x| ≤ size < C."""
        bound = Fraction(ceil(size) + 1)
        for slot in slots:
            self.slots.add(slot, size=bound)
        clears = [Unit({slot: 1, "one": bound}, {slot: -1}) for slot in slots]
        return [*clears, Unit({"one": 1}, dict.fromkeys(slots, bound))] if slots else []

    def clipped(self, kind: str, slots: list[str], out: list[str]) -> list[Unit]:
        """clip(2x) of each slot goes out at tokens of the kind, 0 elsewhere: relu(2x + 1) − relu(2x − 1) − 1."""
        tag, units = self.tag(kind), list[Unit]()
        for slot, to in zip(slots, out, strict=True):
            # At other kinds −5 keeps the units off, as |x| ≤ 2.
            units += [Unit({slot: 2, "one": -5, tag: 6}, {to: 1}), Unit({slot: 2, "one": -5, tag: 4}, {to: -1})]
        return [*units, Unit({tag: 1}, dict.fromkeys(out, -1))]

    # ---- the embedding

    def map(self, d: Map) -> None:
        if d.inputs == ("position",) and None not in d.table:
            self.positions[d.kind].append(d)
            self.ready[d.kind, d.name] = (0, 0)
            self.bits(d.kind, d.name)
            return
        layer, rank = self.when(d.kind, *d.inputs)
        self.put((layer, rank + 1), self.table(d.kind, d.inputs, d.table, self.bits(d.kind, d.name)))
        self.ready[d.kind, d.name] = layer, rank + 1

    def gate(self, kind: Kind) -> None:
        """Kinds that share ids are told apart by their places: x·[kind] is relu(x + 2·[kind] − 1) − [kind]."""
        if kind.name not in self.shared and kind.alphabet is None:
            return
        tag, letters = self.tag(kind.name), self.letters(kind)
        slots = [slot for name, _ in kind.spells for slot in self.bits(kind.name, name)]
        for letter, slot in zip(letters, slots, strict=True):
            self.put((0, 1), [Unit({letter: 1, tag: 2, "one": -1}, {slot: 1}), Unit({tag: 1}, {slot: -1})])
        self.ready |= {(kind.name, name): (0, 1) for name, _ in kind.spells}

    def letters(self, kind: Kind) -> list[str]:
        """The slots into which the kind's token rows write."""
        owner = kind.alphabet or kind.name
        if owner not in self.shared:
            return [slot for name, _ in kind.spells for slot in self.bits(kind.name, name)]
        count = sum(bit_count(size) for _, size in kind.spells)
        sharing = [other.name for other in self.program.kinds if owner in (other.name, other.alphabet)]
        return [self.slots.add(f"letter of {owner}[{j}]", sharing) for j in range(count)]
