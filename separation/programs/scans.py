"""A scan as one recurrent head: a number that is added to, a number that is kept, set or reflected, or a unit vector.

The head hands a number to every token, one for each value of the scan (`ScanPlan.jumps` say which): the MLP after it
turns the number into bits.

| state | updates | which scans |
|---|---|---|
| the number s | S ← S + c | counters: every token adds what it spells |
| the number s | S ← S, c, or c − S (k = 2: β = 0, 1/4, 1/2) | flags, registers, parity, reflections |
| a permutation matrix | a swap for each transposition (k = e_i − e_j, β = 1) | groups, by their points |
| the unit vector of s | merges (three updates each), then swaps | every automaton |
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import prod

from separation.arithmetic import ExactMatrix
from separation.models import AnyHead, DeltaHead, LinearHead, ProductHead
from separation.programs.circuits import Circuits, sign
from separation.programs.slots import Slots
from separation.programs.weights import Part, Row, Unit, plus, scaled
from separation.tasks.program import Scan

Action = tuple[int | None, ...]
"""Where each state goes; None: no input does this."""
Update = tuple[dict[int, int], Fraction, int | None]
"""k, β, and the column to which 1 is written, if any."""


@dataclass
class ScanPlan:
    """``start`` is the slot of the token that writes the first value, ``slot`` the one that hears the number."""

    scan: Scan
    actions: dict[Action, Row]
    start: str
    slot: str
    numbers: list[int]
    how: str

    @property
    def top(self) -> int:
        """No number that the head says is larger in absolute value."""
        return max(map(abs, self.numbers)) + 1

    @property
    def first(self) -> int:
        """The value of the smallest number."""
        return min(range(len(self.numbers)), key=self.numbers.__getitem__)

    @property
    def jumps(self) -> list[tuple[Fraction, Fraction, int, int]]:
        """(number, next number, its value, the next value)."""
        order = sorted((number, value) for value, number in enumerate(self.numbers))
        return [(Fraction(a), Fraction(b), s, t) for (a, s), (b, t) in pairwise(order)]

    def head(self, slots: Slots) -> AnyHead:
        if self.how == "adds":
            return self.counter(slots)
        return self.number(slots) if self.how == "keeps, sets or reflects" else self.vector(slots)

    def counter(self, slots: Slots) -> LinearHead:
        one, zero = slots.readers([{"one": 1}]), ExactMatrix.zeros(1, 1)
        rows = [scaled(row, _added(action) or 0) for action, row in self.actions.items()]
        said = slots.readers([plus(*rows, {self.start: self.scan.start})])
        slots.largest = max(slots.largest, Fraction(self.top))
        return LinearHead(one, zero, one, zero, said, slots.writers([{self.slot: 1}]), normalised=False)

    def number(self, slots: Slots) -> DeltaHead:
        """k = 2, so S ← (1 − 4β) S + 2β v."""
        beta: Row = {self.start: Fraction(1, 4)}
        value: Row = {self.start: 2 * self.scan.start}
        for action, row in self.actions.items():
            slope, offset = _affine(action) or (1, 0)
            gate = Fraction(1 - slope, 4)
            beta, value = plus(beta, scaled(row, gate)), plus(value, scaled(row, offset / (2 * gate) if gate else 0))
        key, zero = slots.readers([{"one": 2}]), ExactMatrix.zeros(1, slots.width)
        slots.largest = max(slots.largest, Fraction(self.top))
        return DeltaHead(
            slots.readers([{"one": 1}]),
            key,
            slots.readers([value]),
            zero,
            ExactMatrix.from_rows([[1]]),
            slots.readers([beta]),
            ExactMatrix.zeros(1, 1),
            slots.writers([{self.slot: 1}]),
        )

    def vector(self, slots: Slots) -> ProductHead:
        points = self.scan.points
        size, columns = (len(points[0]),) * 2 if points else (self.scan.size, 1)
        lists: list[tuple[Row, list[Update]]] = []
        if points:
            first = points[self.scan.start]
            for action, row in self.actions.items():
                moved = dict(zip(first, points[action[self.scan.start] or 0], strict=True))
                lists.append((row, updates_of(tuple(moved[i] for i in range(size)))))
            lists.append(({self.start: 1}, [({r: 1}, Fraction(1), first.index(r)) for r in range(size)]))
        else:
            lists += [(row, updates_of(filled(action))) for action, row in self.actions.items()]
            lists.append(({self.start: 1}, [({self.scan.start: 1}, Fraction(1), 0)]))
        count = max(len(steps) for _, steps in lists)
        keys: list[Row] = [{} for _ in range(count * size)]
        values: list[Row] = [{} for _ in range(count * columns)]
        gates: list[Row] = [{} for _ in range(count)]
        for row, steps in lists:
            for u, (key, gate, written) in enumerate(steps):
                gates[u] = plus(gates[u], scaled(row, gate))
                for r, c in key.items():
                    keys[u * size + r] = plus(keys[u * size + r], scaled(row, c))
                if written is not None:
                    values[u * columns + written] = plus(values[u * columns + written], row)
        slots.largest = max(slots.largest, Fraction(max(self.top, size)))
        return ProductHead(
            slots.readers([{"one": s} for s in range(size)]),
            slots.readers(keys),
            slots.readers(values),
            slots.readers(gates),
            ExactMatrix.zeros(count, 1),
            slots.writers([{self.slot: size**c} for c in range(columns)]),
            count,
        )


def scan(c: Circuits, d: Scan, layer: int) -> None:
    """What a token does to the state is said by rows of slots, one for each action; then the recurrence."""
    actions = dict[Action, Row]()
    for step in d.over:
        sizes = [c.program.size(step.kind, v) for v in step.inputs]
        at, rank = c.when(step.kind, *step.inputs)
        for number, case in enumerate(product(*map(range, sizes))):
            action = tuple(step.table[s * prod(sizes) + number] for s in range(d.size))
            if prod(sizes) <= 2:  # (1 ± bit)/2 is linear already
                bits = [(c.slots.alone(slot), sign(x, j)) for v, x in zip(step.inputs, case, strict=True)
                        for j, slot in enumerate(c.bits(step.kind, v))]  # fmt: skip
                share = Fraction(1, 2) if bits else 1
                row = plus({c.tag(step.kind): share}, *({slot: s * share} for slot, s in bits))
            else:
                known = list(actions).index(action) if action in actions else len(actions)
                slot = c.slots.add(f"{step.kind} moves {d.name} by {known}")
                c.put((at, rank + 1), [Unit(c.indicator(step.kind, step.inputs, case), {slot: 1})])
                row = {} if slot in actions.get(action, {}) else {slot: 1}
            actions[action] = plus(actions.get(action, {}), row)
    plan = plan_scan(d, actions, c.tag(c.sink), c.heard(d.over[0].kind, d.name, 1)[0])
    for step in d.over:
        out = c.bits(step.kind, d.name)
        c.put((layer, 1), c.staircase(c.tag(step.kind), {plan.slot: 1}, plan.top, plan.first, plan.jumps, out))
        c.ready[step.kind, d.name] = layer, 1
    c.put((layer, 1), c.emptied([plan.slot], plan.top))
    where = ", ".join(step.kind for step in d.over)
    c.parts.append(Part(layer, c.draft(layer).add(plan.head), where, d.name, plan.how))


def plan_scan(scan: Scan, actions: dict[Action, Row], start: str, slot: str) -> ScanPlan:
    """The cheapest of the four states in which every action is possible."""
    plain = list(range(scan.size))
    if all(_added(action) is not None for action in actions):
        return ScanPlan(scan, actions, start, slot, plain, "adds")
    if all(_affine(action) is not None for action in actions):
        return ScanPlan(scan, actions, start, slot, plain, "keeps, sets or reflects")
    if scan.points:
        n = len(scan.points[0])
        numbers = [sum(x * n**i for i, x in enumerate(point)) for point in scan.points]
        return ScanPlan(scan, actions, start, slot, numbers, "multiplies permutations")
    return ScanPlan(scan, actions, start, slot, plain, "moves a unit vector")


def filled(action: Action) -> tuple[int, ...]:
    """Cases that no input has stay where they are."""
    return tuple(s if to is None else to for s, to in enumerate(action))


def _added(action: Action) -> int | None:
    """c, if every state s goes to s + c."""
    found = {to - s for s, to in enumerate(action) if to is not None}
    return found.pop() if len(found) == 1 else 0 if not found else None


def _affine(action: Action) -> tuple[int, int] | None:
    """(slope, offset) with slope 1 (and offset 0), 0 or −1, if every state s goes to slope·s + offset."""
    moves = [(s, to) for s, to in enumerate(action) if to is not None]
    for slope in (1, 0, -1):
        offsets = {to - slope * s for s, to in moves}
        if len(offsets) <= 1 and (slope != 1 or offsets <= {0}):
            return slope, offsets.pop() if offsets else 0
    return None


def reflects(scan: Scan) -> bool:
    """Does a number that is kept, set or reflected do it, and is it ever reflected?"""
    found = []
    for step in scan.over:
        cases = len(step.table) // scan.size
        found += [_affine(tuple(step.table[s * cases + case] for s in range(scan.size))) for case in range(cases)]
    return None not in found and any(affine is not None and affine[0] == -1 for affine in found)


def updates_of(action: tuple[int, ...]) -> list[Update]:
    """Delta updates that take the unit vector of s to that of action[s], for every s.

    First states that end alike are merged: (1, 0) and (0, 1) both go to (1/2, 1/2), then to (0, −1/2), then to (1, 0).
    What is left is a permutation: one update for each transposition.
    """
    steps: list[Update] = []
    ends: dict[int, int] = {}  # the state that stands for all that end alike, and where it goes
    for s, to in enumerate(action):
        kept = next((r for r, end in ends.items() if end == to), None)
        if kept is None:
            ends[s] = to
        else:
            steps += [
                ({kept: 1, s: -1}, Fraction(1, 2), None),
                ({kept: 1, s: 2}, Fraction(1, 3), None),
                ({kept: 2, s: 1}, Fraction(1), None),
            ]
    free = [y for y in range(len(action)) if y not in ends.values()]
    moves = {s: ends[s] if s in ends else free.pop(0) for s in range(len(action))}
    for s in range(len(action)):
        while moves[s] != s:  # exchange s and moves[s]: what s held is where it belongs
            y = moves[s]
            steps.append(({s: 1, y: -1}, Fraction(1), None))
            moves[s], moves[y] = moves[y], y
    return steps
