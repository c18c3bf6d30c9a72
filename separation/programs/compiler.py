"""From definitions to exact weights: layers by dependency, or those of a word; a head for each find, count or scan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from separation.arithmetic import Precision
from separation.bounds.word import Word
from separation.files import InputError
from separation.models import Declared, Model, Segment, Stream, idle_head
from separation.programs import attention, memory
from separation.programs.circuits import Circuits
from separation.programs.scans import scan
from separation.programs.slots import FOR_EVER
from separation.programs.weights import Draft, Part, Row
from separation.tasks.program import Count, Definition, Definitions, Find, Map, Scan
from separation.tasks.program.definitions import read_by
from separation.tasks.shape import bit_count

Way = Callable[[int], None]
"""Builds a definition in a layer of this number."""


@dataclass
class Compiled:
    """The weights of a program: the model at the program's counts, and which head does what."""

    program: Definitions
    model: Model
    parts: tuple[Part, ...]


class Compiler(Circuits):
    """One program on its way to weights; ``word`` says of each layer whether it is F, R or both ("FR")."""

    def __init__(self, program: Definitions, word: tuple[str, ...] | None, score_bits: int = 0) -> None:
        gap = attention.gap_of(program.length)
        super().__init__(program, gap, max(score_bits, attention.bits_of(gap)))
        self.word = word

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
                continue
            alike = [n for n in needed if n >= number and self.is_alike(program.definitions[n], d, number)]
            done.update(alike)
            self.place([program.definitions[n] for n in alike] or [d])
        self.bits(*program.answer)
        self.share()
        return self.assembled()

    def share(self) -> None:
        """Slots share coordinates: who reads what, and when, is seen by making the matrices once."""
        for kind in self.program.kinds:
            self.letters(kind)
            if f"{kind.name}.position[0]" in self.slots.named:
                self.bits(kind.name, "position")
        self.assembled()
        self.slots.now = FOR_EVER
        tags = {kind.name: self.tag(kind.name) for kind in self.program.kinds}
        self.slots.read([{"one": 1}, *({tag: 1} for tag in tags.values())])
        last = {number: max(draft.mlps, default=number and 1) for number, draft in self.drafts.items()}
        for time, unit in self.slots.allocate(last, tags):
            self.put(time, [unit])

    def is_alike(self, e: Definition, d: Definition, number: int) -> bool:
        """Does e find the token that d, the definition of this number, finds, and read what is there by then?"""
        if not isinstance(e, Find) or not isinstance(d, Find) or _match(e) != _match(d):
            return False
        read = None if e.read is None else self.program.named(e.target, e.read)
        known = read is None or read in self.program.definitions[:number]
        return known and (e is d or self.layer_before([e]) <= self.layer_before([d]))

    # ---- layers

    def layer_before(self, definitions: list[Definition]) -> int:
        """The layer after which all is there that these read."""
        return max((self.when(kind, v)[0] for d in definitions for kind, v in read_by(d)), default=0)

    def place(self, definitions: list[Definition]) -> None:
        """Build the definitions, one head for all of them, in the first layer that can have it."""
        found = [d for d in definitions if isinstance(d, Scan) or self.program.size(d.kind, d.name) > 1]
        if not found or (isinstance(found[0], Scan) and found[0].size == 1):
            return
        before, ways = self.layer_before(found), self.ways(found)
        if self.word is None:
            way = next(iter(ways.values()))
            if isinstance(way, str):
                raise InputError(self.misfit(found[0], before, ways))
            way(before + 1)
            return
        for layer in range(before + 1, len(self.word) + 1):
            for letter, way in ways.items():
                if letter in self.word[layer - 1] and not isinstance(way, str):
                    way(layer)
                    return
        raise InputError(self.misfit(found[0], before, ways))

    def ways(self, found: list[Definition]) -> dict[str, Way | str]:
        """By letter how a layer does this, or why it does not; the first is taken if no word is asked for."""
        d = found[0]
        if isinstance(d, Scan):
            missing = self.without_sink(d.over[0].kind, "writes its first value")
            return {"R": missing or partial(scan, self, d), "F": "is a scan, and attention keeps no state"}
        assert isinstance(d, Find | Count)
        refused = attention.refusal(self, d), memory.refusal(self.program, d)
        if isinstance(d, Count):
            by_f, by_r = partial(attention.count, self, d), partial(memory.count, self, d)
        else:
            finds = [e for e in found if isinstance(e, Find)]
            by_f, by_r = partial(attention.find, self, finds), partial(memory.find, self, finds)
        found_by: dict[str, Way | str] = {"F": refused[0] or by_f, "R": refused[1] or by_r}
        is_endless = self.program.kind(d.target).count is None or (isinstance(d, Find) and self.without_end(d.kind))
        return dict(reversed(found_by.items())) if is_endless else found_by

    def misfit(self, d: Definition, before: int, ways: dict[str, Way | str]) -> str:
        """Which definition does not fit which layers, and why."""
        kind = d.over[0].kind if isinstance(d, Scan) else d.kind
        text, rest, after = f"{kind}.{d.name} ", self.word and self.word[before:], ""
        if self.word is not None:
            text = f"the word {_spelled(self.word)} does not fit {self.program.name}: {text}"
            after = f" after layer {before}" if before else ""
        if rest == ():
            return text + f"reads what layer {before}, the last, says"
        letters = "FR" if rest is None else "".join(rest)
        reasons = (
            f"by {letter} it {why}" for letter, why in ways.items() if isinstance(why, str) and letter in letters
        )
        return text + f"fits no layer{after}: {'; '.join(reasons)}"

    # ---- the model

    def assembled(self) -> Compiled:
        program, slots = self.program, self.slots
        slots.now = 0, 0
        positions, tokens = self.position_segments(), self.token_segments()
        last = max(self.drafts) if self.word is None else len(self.word)
        drafts = [self.drafts.get(number, Draft()) for number in range(last + 1)]
        offset = 0 if drafts[0].heads or any(drafts[0].mlps.values()) else 1
        layers = [draft.built(slots, number) for number, draft in enumerate(drafts) if number >= offset]
        if self.word is not None:
            for number, letters in enumerate(self.word, 1 - offset):
                idle = [idle_head(letter, slots.width) for letter in letters if letter not in layers[number].letter]
                layers[number] = replace(layers[number], heads=(*layers[number].heads, *idle))
        parts = tuple(replace(p, layer=p.layer + 1 - offset) for p in self.parts)
        reader, answer = program.answer
        size = program.size(reader, answer)
        out = [Row({slot: 1}) for slot in self.bits(reader, answer)]
        slots.now = FOR_EVER
        slots.read(out)
        unembedding = Segment(0, (size,), slots.readers([{}, *out]).T)
        integer_bits = ceil(slots.largest).bit_length() + 1
        model = Model(
            Stream([(name, 1) for name in slots.labels()]),
            Declared(tuple(positions)),
            Declared(tuple(tokens)),
            tuple(layers),
            Declared((unembedding,)),
            Precision(self.score_bits, self.fraction + integer_bits, self.fraction),
        )
        return Compiled(program, model, parts)

    def position_segments(self) -> list[Segment]:
        segments = []
        for kind in self.program.kinds:
            there = self.program.places[kind.name]
            digits = self.positions[kind.name]
            columns: list[Row] = [{"one": 1, self.tag(kind.name): 1}]
            place = self.bits(kind.name, "position") if f"{kind.name}.position[0]" in self.slots.named else []
            columns += [{slot: 1} for slot in place] or [{}] * bit_count(len(there))
            columns += [{slot: 1} for d in digits for slot in self.bits(d.kind, d.name)]
            tables = tuple((d.size, tuple(int(x or 0) for x in d.table)) for d in digits)
            segments.append(Segment(there.start, (len(there),), self.slots.writers(columns), None, tables))
        return segments

    def token_segments(self) -> list[Segment]:
        segments: dict[int, Segment] = {}
        for kind in self.program.kinds:
            first = self.program.first_id(kind.name)
            columns = [Row(), *(Row({slot: 1}) for slot in self.letters(kind))]
            sizes = tuple(size for _, size in kind.spells) or (1,)
            segments[first] = Segment(first, sizes, self.slots.writers(columns))
        return [segments[first] for first in sorted(segments)]


def _match(d: Find) -> tuple[object, ...]:
    return d.kind, d.target, d.where, d.best, d.otherwise is None


def _spelled(word: tuple[str, ...]) -> str:
    return "".join(letters if len(letters) == 1 else f"[{letters}]" for letters in word)


def compile_program(program: Definitions, word: str | None = None) -> Compiled:
    """Twice: what counts must know the P that finds ask for."""
    if word is not None and not isinstance(word, str):
        raise InputError(f"word is {word!r:.40}; letters of layers are needed, like RFF")
    layers = None if word is None else Word.parse(word.upper()).layers
    if layers is not None and any(set(layer) - {"F", "R"} for layer in layers):
        raise InputError(f"word is {word[:40]!r}; programs are built of F, R and [FR]")  # type: ignore[index]
    first = Compiler(program, layers)
    first.build()
    return Compiler(program, layers, first.score_bits).build()
