"""One model, audited: its levels, what its states carry, what is left of it when it is cut, what a layer would buy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from separation.architectures.architecture import ArchitectureReading
from separation.architectures.inverse import FIRST_FULL, Needed
from separation.arithmetic import number_to_json
from separation.bounds import Budget, ceil_log2, shortest_prompt
from separation.bounds.ceilings import lowest_ceiling
from separation.bounds.compared import known_sizes
from separation.bounds.condition import least_that
from separation.bounds.shortest import Found
from separation.bounds.theorems.ceiling import AccuracyBound
from separation.bounds.word import Word, carries
from separation.files import InputError

LENGTHS = (4_096, 32_768, 262_144, 1_048_576)
MOST_BEYOND = 8  # rows of L beyond the depth


@dataclass(frozen=True)
class Level:
    """Tables first..last: solved at all sizes by ``construction``, or beyond the depth with what is certified there."""

    first: int
    last: int
    construction: str | None
    shortest: Found | None = None
    ceilings: tuple[AccuracyBound | None, ...] = ()

    def document(self) -> dict[str, Any]:
        found, names = self.shortest, ("tokens", "tokens_log2", "beta", "m", "n")
        certified = [None if each is None else each.document() for each in self.ceilings]
        return {
            "L": self.first,
            "last_L": self.last,
            "solvable": self.construction is not None,
            "construction": self.construction,
            "ceilings": dict(zip(map(str, LENGTHS), certified, strict=False)) if self.construction is None else {},
            "shortest": None if found is None else {"theorem": found.theorem, **known_sizes(found, *names)},
        }


@dataclass(frozen=True)
class Block:
    """Block t: its R layers, their state bits, and the largest table that the smallest of the states can hold (C3)."""

    index: int
    layers: int
    bits: int
    largest_table: int

    def document(self) -> dict[str, Any]:
        bits, table = number_to_json(self.bits), number_to_json(self.largest_table)
        return {"block": self.index, "layers": self.layers, "state_bits": bits, "largest_table": table}


@dataclass(frozen=True)
class CutModel:
    """The model up to its k-th full layer and nothing behind it."""

    full: int
    word: Word
    level: Level

    def document(self) -> dict[str, Any]:
        return {"full": self.full, "word": str(self.word), "depth": self.word.depth, **self.level.document()}


@dataclass(frozen=True)
class Audit:
    """One model. ``cached``: numbers that its full layers keep of a token, None if the file does not say.

    ``needed``: what would be certified to fail at the length of a prompt that was asked about.
    """

    name: str
    source: str
    reading: ArchitectureReading
    context: int | None
    cached: int | None
    levels: tuple[Level, ...]
    cut: tuple[CutModel, ...]
    needed: tuple[Needed, ...] = ()
    kind: str | None = None
    """What its recurrences can do to their states (`kinds`), None without any."""

    @property
    def word(self) -> Word:
        return self.reading.word

    @property
    def beyond(self) -> Level:
        """The first L beyond the depth."""
        return next(level for level in self.levels if level.construction is None)

    @property
    def state_bits(self) -> int:
        return sum(self.reading.states)

    @property
    def kv_bytes(self) -> int | None:
        """Bytes of the KV cache for one token."""
        return None if self.cached is None else -(-self.cached * self.reading.message.bits // 8)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that have R layers, R heads beside F layer t with block t."""
        states = iter(self.reading.states)
        blocks: list[list[int]] = [[]]
        for letter in self.word.layers:
            if "F" in letter:
                blocks.append([])
            if carries(letter):
                blocks[-1].append(next(states))
        return tuple(
            Block(index, len(bits), sum(bits), largest_table(min(bits))) for index, bits in enumerate(blocks) if bits
        )

    @property
    def windows(self) -> dict[int, int]:
        """How many layers are sliding windows, by their tokens."""
        mixers = (mixer for layer in self.reading.layers for mixer in layer.mixers)
        return dict(Counter(mixer.window for mixer in mixers if mixer.kind == "window" and mixer.window is not None))

    @property
    def one_more_full(self) -> int:
        """Hops that a full layer at the end adds."""
        return Word((*self.word.layers, "F")).depth - self.word.depth

    @property
    def r_in_front(self) -> int:
        """Hops that an R layer in front adds: one of the model's own that stands later, or a new one."""
        return Word(("R", *self.word.layers)).depth - self.word.depth

    @property
    def can_move_r(self) -> bool:
        """Some R layer stands behind the first two full ones and none before: it could be moved to the front."""
        return not self.word.early and self.word.recurrent > sum(self.word.beside)

    def document(self) -> dict[str, Any]:
        word, message = self.word, self.reading.message
        return {
            "name": self.name,
            "word": str(word),
            "depth": word.depth,
            "model_type": self.reading.model_type,
            "layers": len(self.reading.layers),
            "full": word.full,
            "recurrent": word.recurrent,
            "kind": self.kind,
            "first_hard": word.depth + 1,
            "heads": message.heads,
            "dim": message.dim,
            "bits": message.bits,
            "beta": {str(length): message.beta(ceil_log2(length)) for length in LENGTHS},
            "state_bits": number_to_json(self.state_bits),
            "kv_bytes_per_token": self.kv_bytes,
            "context": self.context,
            "chain_of_thought": "C5" if word.full else None,
            "levels": [level.document() for level in self.levels],
            "blocks": [block.document() for block in self.blocks],
            "first_full_layers": [cut.document() for cut in self.cut],
            "needed": [each.document() for each in self.needed],
            "windows": [{"tokens": window, "layers": count} for window, count in self.windows.items()],
            "buys": {"one_more_full": self.one_more_full, "r_in_front": self.r_in_front, "can_move_r": self.can_move_r},
            "source": self.source,
            "sources": dict(self.reading.sources),
        }


def audit_model(
    reading: ArchitectureReading,
    name: str,
    source: str = "",
    context: int | None = None,
    cached: int | None = None,
    L: int | None = None,
    proved_only: bool = False,
) -> Audit:
    """All that is said of one model; L: rows up to that many tables, at most eight beyond the depth."""
    depth = reading.word.depth
    last = depth + 1 if L is None else max(L, depth + 1)
    if last > depth + MOST_BEYOND:
        raise InputError(f"L is {L}; at most {MOST_BEYOND} beyond the depth, {depth + MOST_BEYOND} for {name}")
    hard = [_hard(reading, tables, proved_only) for tables in range(depth + 1, last + 1)]
    cut = []
    for full in FIRST_FULL:
        shorter = reading.first_full_layers(full)
        if shorter is not None:
            same = shorter.word == reading.word
            cut.append(
                CutModel(full, shorter.word, hard[0] if same else _hard(shorter, shorter.first_hard, proved_only))
            )
    return Audit(name, source, reading, context, cached, (*_solved(reading.word), *hard), tuple(cut))


def _solved(word: Word) -> Iterable[Level]:
    """C1 for 1..#F−1 tables; C2 for #F if an R layer stands before the second F."""
    if word.full > 1:
        yield Level(1, word.full - 1, "C1")
    if word.full and word.depth == word.full:
        yield Level(word.full, word.full, "C2")


def _hard(reading: ArchitectureReading, L: int, proved_only: bool) -> Level:
    """The shortest certified prompt, and the ceilings at those lengths that are not shorter than it."""
    word, budget = reading.word, Budget(message=reading.message, by_block=reading.state_bits)
    shortest = shortest_prompt(word, L, budget, proved_only=proved_only)
    tokens = shortest.tokens()
    reached = [tokens is not None and tokens <= length for length in LENGTHS]
    ceilings = tuple(
        lowest_ceiling(word, L, length, budget, proved_only=proved_only) if some else None
        for length, some in zip(LENGTHS, reached, strict=True)
    )
    return Level(L, L, None, shortest, ceilings)


def largest_table(bits: int) -> int:
    """The largest N with N·⌈log2 N⌉ ≤ bits: a table of N entries that a state of this many bits can hold, as in C3."""
    return least_that(lambda entries: entries * ceil_log2(entries) > bits, 1) - 1
