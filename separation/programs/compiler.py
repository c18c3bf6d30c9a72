"""From definitions to exact weights: layers by dependency, one head for each find, count or scan.

Slots: `one`; `kind K`, 1 at tokens of kind K; `K.v[j]`, the ±1 bit j of the variable v at tokens of kind K, else 0.
A head writes what it says into the slots of its variable, at every kind; the MLP after it empties them and puts in,
at the kind that asked, the exact bits: x − (x + C) + C + clip(x), where relu(x + C) is x + C.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, log, prod

from separation.arithmetic import Precision
from separation.files import InputError
from separation.models import Declared, Head, Layer, Model, Segment, Stream
from separation.programs.scans import Action, ScanPlan, plan_scan
from separation.programs.weights import Draft, Row, Slots, Unit, plus, scaled
from separation.tasks.program import Count, Definition, Definitions, Find, Kind, Map, Scan
from separation.tasks.shape import bit_count

LEAK = 8
"""All tokens that a head should not read weigh at most 1/8 of the one that it should: what it reads is off by less than
2/9, and a clip mends anything below 1/2."""
LOG2_E = Fraction(1443, 1000)
"""A little above log2 e: the bits that a score of 1 costs."""
Time = tuple[int, int]
"""(layer, MLP of the layer) after which a variable is there; (0, 0) is the embedding."""


def sign(value: int, j: int) -> int:
    """The ±1 bit j."""
    return 2 * (value >> j & 1) - 1


@dataclass(frozen=True)
class Part:
    """Which definition a head is for: shown to people."""

    layer: int
    head: int
    kind: str
    name: str
    what: str


@dataclass
class Compiled:
    """The weights of a program: the model at the program's counts, and which head does what."""

    program: Definitions
    model: Model
    parts: tuple[Part, ...]


class Compiler:
    """One program on its way to weights."""

    def __init__(self, program: Definitions, score_bits: int = 0) -> None:
        self.program, self.slots = program, Slots()
        self.tokens = program.length
        self.gap = ceil(log(LEAK * max(self.tokens, 2)))
        self.score_bits, self.fraction = max(score_bits, ceil(self.gap * LOG2_E) + 8), 8
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
        return [self.slots.add(f"{kind}.{variable}[{j}]") for j in range(bit_count(self.program.size(kind, variable)))]

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

    # ---- definitions

    def build(self) -> Compiled:
        program = self.program
        self.slots.add("one")
        for kind in program.kinds:
            self.tag(kind.name)
            self.gate(kind)
        needed = program.needed()
        done = set(range(len(program.definitions))) - set(needed)
        for number in needed:
            d = program.definitions[number]
            if number in done:
                continue
            if isinstance(d, Map):
                self.map(d)
            elif isinstance(d, Scan):
                self.scan(d)
            elif isinstance(d, Count):
                self.count(d)
            else:
                same = [n for n in needed if n >= number and self.is_alike(program.definitions[n], d, number)]
                done.update(same)
                self.find([e for n in same if isinstance(e := program.definitions[n], Find)])
        reader, answer = program.answer
        for slot in self.bits(reader, answer):
            self.slots.note({slot: 1})
        return self.assembled()

    def is_alike(self, e: Definition, d: Find, number: int) -> bool:
        """Does e find the token that d, the definition of this number, finds, and read what is there by then?"""
        if not isinstance(e, Find) or _match(e) != _match(d):
            return False
        read = None if e.read is None else self.program.named(e.target, e.read)
        return read is None or read in self.program.definitions[:number]

    def map(self, d: Map) -> None:
        if d.inputs == ("position",) and None not in d.table:
            self.positions[d.kind].append(d)
            self.ready[d.kind, d.name] = (0, 0)
            self.bits(d.kind, d.name)
            return
        layer, rank = self.when(d.kind, *d.inputs)
        self.put((layer, rank + 1), self.table(d.kind, d.inputs, d.table, self.bits(d.kind, d.name)))
        self.ready[d.kind, d.name] = layer, rank + 1

    def table(self, kind: str, inputs: tuple[str, ...], values: tuple[int | None, ...], out: list[str]) -> list[Unit]:
        """Units that write the bits of a table: one for each step along the cases, or one for each case."""
        sizes = [self.program.size(kind, v) for v in inputs]
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
        units = [Unit({tag: 1}, {slot: sign(common, j) for j, slot in enumerate(out)})]
        for case, value in zip(product(*map(range, sizes)), filled, strict=True):
            if value != common:
                goes: Row = {slot: sign(value, j) - sign(common, j) for j, slot in enumerate(out)}
                units.append(Unit(self.indicator(kind, inputs, case), goes))
        return units

    def indicator(self, kind: str, inputs: tuple[str, ...], case: tuple[int, ...]) -> Row:
        """Bits that agree − (bits − 1): 1 in this case, and at most −1 in every other; at other kinds 0."""
        rows = [
            (slot, sign(x, j)) for v, x in zip(inputs, case, strict=True) for j, slot in enumerate(self.bits(kind, v))
        ]
        return plus({self.tag(kind): 1 - len(rows)}, *({slot: c} for slot, c in rows))

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
            self.slots.add(slot, bound)
        clears = [Unit({slot: 1, "one": bound}, {slot: -1}) for slot in slots]
        return [*clears, Unit({"one": 1}, dict.fromkeys(slots, bound))] if slots else []

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
        return [self.slots.add(f"letter of {owner}[{j}]") for j in range(count)]

    # ---- attention

    def conditions(self, d: Find | Count) -> tuple[list[Row], list[Row], Time]:
        """(queries, keys, when both are there): their product is the number of conditions that hold minus those that do
        not, each equality counted bit by bit, at tokens of the target."""
        queries: list[Row] = []
        keys: list[Row] = []
        times = [(0, 0)]
        for number, (a, relation, b) in enumerate(d.where):
            sizes = [self.program.size(d.target, a), b + 1 if isinstance(b, int) else self.program.size(d.kind, b)]
            times += [self.when(d.target, a), self.when(d.kind, b)]
            if relation == "=":
                for j in range(max(map(bit_count, sizes))):
                    queries.append(self.bit(d.kind, b, j))
                    keys.append(self.bit(d.target, a, j))
                continue
            # One unit vector for the value of a, and for b the sum of those that stand in the relation to it.
            name, less = f"{d.kind}.{d.name}", relation == "<"
            hot = [self.slots.add(f"{d.target} for {name} {number}[{x}]") for x in range(sizes[0])]
            layer, rank = self.when(d.target, a)
            self.put(
                (layer, rank + 1), [Unit(self.indicator(d.target, (a,), (x,)), {hot[x]: 1}) for x in range(sizes[0])]
            )
            keys += [{slot: 1} for slot in hot]
            times.append((layer, rank + 1))
            if isinstance(b, int):
                queries += [{self.tag(d.kind): 1 if (x < b if less else x > b) else -1} for x in range(sizes[0])]
                continue
            scale = [self.slots.add(f"{name} {number}[{x}]") for x in range(sizes[0])]
            layer, rank = self.when(d.kind, b)
            for x in range(sizes[0]):
                holds = tuple(int(x < y if less else x > y) for y in range(sizes[1]))
                self.put((layer, rank + 1), self.table(d.kind, (b,), holds, [scale[x]]))
            queries += [{slot: 1} for slot in scale]
            times.append((layer, rank + 1))
        return queries, keys, max(times)

    def condition_count(self, d: Find | Count) -> int:
        """What the product of `conditions` is where all hold."""
        total = 0
        for a, relation, b in d.where:
            sizes = [self.program.size(d.target, a), b + 1 if isinstance(b, int) else self.program.size(d.kind, b)]
            total += max(map(bit_count, sizes)) if relation == "=" else 1
        return total

    def find(self, finds: list[Find]) -> None:
        """One head for all finds of the same token. At tokens of the target the score is base + τ·(conditions) +
        ε·order; the token to which readers without a match look is γ below the least match, and γ above all others."""
        finds = [d for d in finds if self.program.size(d.kind, d.name) > 1]
        if not finds:
            return
        d = finds[0]
        values = self.program.size(d.target, d.best[1]) if d.best else 1
        own_place = d.best is not None and d.best[1] == "position"
        step = (ceil(log(4 * LEAK)) if own_place else self.gap) if d.best else 0
        queries, keys, time = self.conditions(d)
        bits = self.condition_count(d)
        spread = step * (values - 1)
        tau = ceil(Fraction(spread + 2 * self.gap, 2))
        base = tau * (bits + 1) + spread + self.gap
        target = self.tag(d.target)
        queries = [*(scaled(row, tau) for row in queries), {"one": base}]
        keys = [*keys, {target: 1}]
        if d.otherwise is not None:
            self.require_sink(d.name, d.kind, "is looked at where nothing matches")
            queries.append({"one": base + tau * bits - self.gap})
            keys.append({self.tag(self.sink): 1})
        if d.best:
            order = self.number(d.target, d.best[1])
            upward = d.best[0] == "largest"
            time = max(time, self.when(d.target, d.best[1]))
            queries.append({"one": step})
            keys.append(order if upward else plus(scaled(order, -1), {target: values - 1}))
        self.score_bits = max(self.score_bits, ceil((spread + 2 * self.gap) * LOG2_E) + 8)
        layer = max(time, *(self.when(e.target, e.read or "") for e in finds))[0] + 1
        said, goes = list[Row](), list[Row]()
        for e in finds:
            out = self.bits(e.kind, e.name)
            for j, slot in enumerate(out):
                row: Row = {target: 1} if e.read is None else self.bit(e.target, e.read, j)
                if e.otherwise is not None:
                    row = plus(row, {self.tag(self.sink): sign(e.otherwise, j)})
                said.append(row)
                goes.append({slot: 1})
            self.put((layer, 1), [*self.clipped(e.kind, out), *self.emptied(out, 2)])
            self.ready[e.kind, e.name] = layer, 1
        self.head(layer, finds, (queries, keys, said, goes, base + tau * bits + spread))

    def require_sink(self, name: str, reader: str, what: str) -> None:
        """A kind of one token that spells nothing and stands before the reader."""
        names = [kind.name for kind in self.program.kinds]
        if not self.sink or names.index(self.sink) >= names.index(reader):
            raise InputError(f"{name} needs a token that {what}: put p.start() first")

    def clipped(self, kind: str, slots: list[str]) -> list[Unit]:
        """clip(2x) of each slot at tokens of the kind, 0 elsewhere: relu(2x + 1) − relu(2x − 1) − 1."""
        tag, units = self.tag(kind), list[Unit]()
        for slot in slots:
            # At other kinds −5 keeps the units off, as |x| ≤ 2.
            units += [Unit({slot: 2, "one": -5, tag: 6}, {slot: 1}), Unit({slot: 2, "one": -5, tag: 4}, {slot: -1})]
        return [*units, Unit({tag: 1}, dict.fromkeys(slots, -1))]

    def head(self, layer: int, names: list[Find], rows: tuple[list[Row], list[Row], list[Row], list[Row], int]) -> None:
        self.draft(layer).heads.append(rows)
        for d in names:
            self.parts.append(Part(layer, len(self.draft(layer).heads) - 1, d.kind, d.name, "finds"))

    def count(self, d: Count) -> None:
        """All matches and the start token weigh alike, all else nothing: the start token's share is 1/(c + 1)."""
        self.require_sink(d.name, d.kind, "is always counted")
        most = self.program.size(d.kind, d.name) - 1
        self.fraction = max(self.fraction, 2 * bit_count(most + 2) + 4)
        queries, keys, time = self.conditions(d)
        bits = self.condition_count(d)
        tau = ceil(self.score_bits * Fraction(7, 10)) + 1  # e^(−2τ) is below 2^-P, so that other tokens weigh nothing
        base = tau * (bits + 1)
        sink = self.tag(self.sink)
        queries = [*(scaled(row, tau) for row in queries), {"one": base}, {"one": base + tau * bits}]
        keys = [*keys, {self.tag(d.target): 1}, {sink: 1}]
        layer = time[0] + 1
        out = self.bits(d.kind, d.name)
        unit = 1 << self.fraction
        shares = [Fraction(unit // (c + 1), unit) for c in range(most + 1)]
        jumps = [(shares[c], shares[c - 1], c, c - 1) for c in range(most, 0, -1)]
        units = self.staircase(self.tag(d.kind), {out[0]: 1}, 1, most, jumps, out)
        self.put((layer, 1), [*units, *self.emptied(out[:1], 1)])
        self.ready[d.kind, d.name] = layer, 1
        self.draft(layer).heads.append((queries, keys, [{sink: 1}], [{out[0]: 1}], base + tau * bits))
        self.parts.append(Part(layer, len(self.draft(layer).heads) - 1, d.kind, d.name, "counts"))

    # ---- recurrences

    def scan(self, d: Scan) -> None:
        """What a token does to the state is said by rows of slots, one for each action; then the recurrence."""
        if d.size == 1:
            return
        times, actions = [(0, 0)], dict[Action, Row]()
        for step in d.over:
            sizes = [self.program.size(step.kind, v) for v in step.inputs]
            layer, rank = self.when(step.kind, *step.inputs)
            plain = prod(sizes) <= 2
            for number, case in enumerate(product(*map(range, sizes))):
                action = tuple(step.table[s * prod(sizes) + number] for s in range(d.size))
                if plain:  # (1 ± bit)/2 is linear already
                    bits = [(slot, sign(x, j)) for v, x in zip(step.inputs, case, strict=True)
                            for j, slot in enumerate(self.bits(step.kind, v))]  # fmt: skip
                    share = Fraction(1, 2) if bits else 1
                    row = plus({self.tag(step.kind): share}, *({slot: c * share} for slot, c in bits))
                    times.append((layer, rank))
                else:
                    slot = self.slots.add(f"{step.kind} moves {d.name} by {_number(actions, action)}")
                    self.put((layer, rank + 1), [Unit(self.indicator(step.kind, step.inputs, case), {slot: 1})])
                    times.append((layer, rank + 1))
                    row = {} if slot in actions.get(action, {}) else {slot: 1}
                actions[action] = plus(actions.get(action, {}), row)
        layer = max(times)[0] + 1
        self.require_sink(d.name, d.over[0].kind, "writes its first value")
        plan = plan_scan(d, actions, self.tag(self.sink), self.bits(d.over[0].kind, d.name)[0])
        for step in d.over:
            out = self.bits(step.kind, d.name)
            units = self.staircase(self.tag(step.kind), {plan.slot: 1}, plan.top, plan.first, plan.jumps, out)
            self.put((layer, 1), units)
            self.ready[step.kind, d.name] = layer, 1
        self.put((layer, 1), self.emptied([plan.slot], plan.top))
        self.draft(layer).heads.append(plan)
        where = ", ".join(step.kind for step in d.over)
        self.parts.append(Part(layer, len(self.draft(layer).heads) - 1, where, d.name, plan.how))

    # ---- the model

    def assembled(self) -> Compiled:
        program, slots = self.program, self.slots
        for kind in program.kinds:
            self.letters(kind)
        places = {kind.name: self.has_position(kind.name) for kind in program.kinds}
        for name, used in places.items():
            if used:
                self.bits(name, "position")
        last = max(self.drafts)
        layers: list[Layer] = []
        drafts = [self.drafts.get(number, Draft()) for number in range(last + 1)]
        for draft in drafts:
            heads = tuple(
                part.head(slots) if isinstance(part, ScanPlan) else self.full(*part)  # type: ignore[misc]
                for part in draft.heads
            )
            if heads or any(draft.mlps.values()):
                layers.append(draft.built(slots, heads))
        offset = 1 if not (drafts[0].heads or any(drafts[0].mlps.values())) else 0
        parts = tuple(Part(p.layer + 1 - offset, p.head, p.kind, p.name, p.what) for p in self.parts)
        reader, answer = program.answer
        out = self.bits(reader, answer)
        size = program.size(reader, answer)
        unembedding = Segment(0, (size,), slots.writers([{}, *({slot: 1} for slot in out)]))
        integer_bits = ceil(slots.largest).bit_length() + 1
        model = Model(
            Stream([(name, 1) for name in slots.places]),
            Declared(tuple(self.position_segments(places))),
            Declared(tuple(self.token_segments())),
            tuple(layers),
            Declared((unembedding,)),
            Precision(self.score_bits, self.fraction + integer_bits, self.fraction),
        )
        return Compiled(program, model, parts)

    def full(self, queries: list[Row], keys: list[Row], said: list[Row], goes: list[Row], shift: int) -> Head:
        slots = self.slots
        w_q, w_k, w_v = (slots.readers(rows) for rows in (queries, keys, said))
        return Head(w_q, w_k, w_v, slots.writers(goes), Fraction(shift))

    def has_position(self, kind: str) -> bool:
        """Is the place of a token among its kind read anywhere?"""
        return f"{kind}.position[0]" in self.slots.places

    def position_segments(self, used: dict[str, bool]) -> list[Segment]:
        segments, start = [], 0
        for kind in self.program.kinds:
            count = self.program.tokens_of(kind)
            digits = self.positions[kind.name]
            columns: list[Row] = [{"one": 1, self.tag(kind.name): 1}]
            place = self.bits(kind.name, "position") if used[kind.name] else []
            columns += [{slot: 1} for slot in place] or [{}] * bit_count(count)
            columns += [{slot: 1} for d in digits for slot in self.bits(d.kind, d.name)]
            tables = tuple((d.size, tuple(int(x or 0) for x in d.table)) for d in digits)
            segments.append(Segment(start, (count,), self.slots.writers(columns), None, tables))
            start += count
        return segments

    def token_segments(self) -> list[Segment]:
        segments: dict[int, Segment] = {}
        for kind in self.program.kinds:
            first = self.program.first_id(kind.name)
            columns = [Row(), *(Row({slot: 1}) for slot in self.letters(kind))]
            segments[first] = Segment(
                first, tuple(size for _, size in kind.spells) or (1,), self.slots.writers(columns)
            )
        return [segments[first] for first in sorted(segments)]


def _match(d: Find) -> tuple[object, ...]:
    return d.kind, d.target, d.where, d.best, d.otherwise is None


def _number(actions: dict[Action, Row], action: Action) -> int:
    return list(actions).index(action) if action in actions else len(actions)


def compile_program(program: Definitions) -> Compiled:
    """Twice: what counts must know the P that finds ask for."""
    first = Compiler(program)
    first.build()
    return Compiler(program, first.score_bits).build()
