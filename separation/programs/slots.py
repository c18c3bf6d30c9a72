"""Named slots of the stream, and the coordinates in which they stand: a coordinate is used again once nobody reads it.

A slot belongs to the tokens of some kinds, from the first time that it is written until it is last read. Two slots
share a coordinate if they belong to different kinds, or if the one is no longer read when the other is written. What a
slot leaves behind is erased: at its kinds x ← x − relu(x + 1) + 1 = 0, elsewhere relu(x − 1) = 0, as |x| ≤ 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from separation.arithmetic import ExactMatrix
from separation.models import MLP
from separation.programs.weights import Row, Unit

Time = tuple[int, int]
"""(layer, MLP of the layer); MLP 0 are the heads, and (0, 0) is the embedding."""
FOR_EVER: Time = (1 << 30, 0)


@dataclass
class Slot:
    """Of the tokens of ``kinds`` (None: of all); ``cleans`` itself where it is last read, or is left to be erased."""

    kinds: frozenset[str] | None
    size: Fraction
    cleans: bool = False
    fresh: bool = False
    born: Time = FOR_EVER
    read: Time | None = None

    def touches(self, other: Slot) -> bool:
        return self.kinds is None or other.kinds is None or bool(self.kinds & other.kinds)


@dataclass
class Slots:
    """The slots of a program; each has a place of its own until `allocate` lets them share."""

    named: dict[str, Slot] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    largest: Fraction = Fraction(1)
    now: Time = (0, 0)
    width: int = 0

    def add(self, name: str, kinds: Iterable[str] | None = None, size: Fraction | int = 1) -> str:
        if name not in self.named:
            self.named[name] = Slot(None if kinds is None else frozenset(kinds), Fraction(size))
            self.places[name], self.width = self.width, self.width + 1
        self.named[name].size = max(self.named[name].size, Fraction(size))
        return name

    def alone(self, slot: str, fresh: bool = False) -> str:
        """The slot is read at tokens of other kinds too, where it must be 0; ``fresh``: and nothing stood there before,
        of which floats would leave a trace."""
        self.named[slot].kinds, self.named[slot].fresh = None, fresh
        return slot

    # ---- matrices

    def read(self, rows: Iterable[Mapping[str, Fraction | int]]) -> None:
        """These rows are read now: how late, and how large a number each can make."""
        for row in rows:
            for name in row:
                slot = self.named[name]
                slot.read = self.now if slot.read is None else max(slot.read, self.now)
            size = sum((abs(Fraction(number)) * self.named[name].size for name, number in row.items()), Fraction(0))
            self.largest = max(self.largest, size)

    def readers(self, rows: Iterable[Mapping[str, Fraction | int]]) -> ExactMatrix:
        """A matrix that reads the stream: one row of slots for each of its rows."""
        listed = list(rows)
        self.read(listed)
        entries = [(r, self.places[slot], Fraction(c)) for r, row in enumerate(listed) for slot, c in row.items() if c]
        return ExactMatrix.from_entries((len(listed), self.width), entries)

    def writers(self, columns: Iterable[Mapping[str, Fraction | int]]) -> ExactMatrix:
        """A matrix that writes the stream: one column of slots for each number that it is given; what nobody reads is
        not written."""
        listed = list(columns)
        entries: dict[tuple[int, int], Fraction] = {}
        for c, column in enumerate(listed):
            for name, number in column.items():
                self.named[name].born = min(self.named[name].born, self.now)
                if name in self.places:
                    cell = self.places[name], c
                    entries[cell] = entries.get(cell, Fraction(0)) + Fraction(number)
        found = [(r, c, x) for (r, c), x in entries.items() if x]
        return ExactMatrix.from_entries((self.width, len(listed)), found)

    def mlp(self, units: list[Unit]) -> MLP:
        units = [unit for unit in units if any(name in self.places for name in unit.goes)]
        hidden = len(units)
        w_1, w_2 = self.readers(unit.reads for unit in units), self.writers(unit.goes for unit in units)
        return MLP(w_1, ExactMatrix.zeros(hidden, 1), w_2, ExactMatrix.zeros(self.width, 1))

    # ---- sharing

    def allocate(self, last: Mapping[int, int], tags: Mapping[str, str]) -> list[tuple[Time, Unit]]:
        """Give the slots that are read as few places as a first fit finds, in the order in which they are written.

        ``last`` says of each layer the rank of its last MLP; ``tags`` are the slots that tell the kinds apart, and
        stay. Returns the units that erase what is left behind, each with the MLP to which it belongs.
        """
        used = [(name, slot) for name, slot in self.named.items() if slot.read is not None]
        used.sort(key=lambda item: (item[1].born, item[1].kinds is not None))
        held: list[list[tuple[str, Slot]]] = []
        erased: dict[Time, dict[tuple[str, frozenset[str] | None], None]] = {}
        for name, slot in used:
            known = [] if slot.fresh else held
            free = [(p, times) for p, olds in enumerate(known) if (times := _erasures(slot, olds, last)) is not None]
            # Places that others hold at other kinds first: those free everywhere are wanted where heads write.
            best = min(free, key=lambda f: all(s.read is not None and s.read < slot.born for _, s in held[f[0]]),
                       default=(len(held), []))  # fmt: skip
            place, times = best
            if place == len(held):
                held.append([])
            for old, time in times:
                erased.setdefault(time, {})[old, self.named[old].kinds] = None
            held[place].append((name, slot))
        self.places = {name: place for place, there in enumerate(held) for name, _ in there}
        self.width = len(held)
        for there in held:
            size = max(slot.size for _, slot in there)
            for _, slot in there:
                slot.size = size
        found = []
        for time, olds in erased.items():
            for old, kinds in olds:
                rows = {"one": 1} if kinds is None else {tags[kind]: 1 for kind in sorted(kinds)}
                gate: Row = {"one": 1} if kinds is None else {**dict.fromkeys(rows, 2), "one": -1}
                found += [(time, Unit({old: 1, **gate}, {old: -1})), (time, Unit(dict(rows), {old: 1}))]
        return found

    def labels(self) -> list[str]:
        """For each coordinate the slots that it holds, the last one first; 64 characters at most."""
        names: list[list[str]] = [[] for _ in range(self.width)]
        for name, place in sorted(self.places.items(), key=lambda item: self.named[item[0]].born, reverse=True):
            names[place] += [] if self.named[name].cleans and names[place] else [name]
        labels = [" / ".join(there) for there in names]
        return [label if len(label) <= 64 else f"{label[:56]}… ({place})" for place, label in enumerate(labels)]


def _erasures(slot: Slot, there: list[tuple[str, Slot]], last: Mapping[int, int]) -> list[tuple[str, Time]] | None:
    """What to erase, and when, so that the slot can stand where these do; None if it cannot."""
    layer, rank = slot.born
    found = []
    for name, old in there:
        if not slot.touches(old):
            continue
        # A head writes into what the layer before has left empty; an MLP erases and writes at once.
        time = slot.born if rank else (layer - 1, last.get(layer - 1, 0))
        if old.read is None or old.read > time or not time[1]:
            return None
        if not old.cleans and not any(other.born > old.born and other.touches(old) for _, other in there):
            found.append((name, time))
    return found
