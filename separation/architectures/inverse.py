"""The inverse question: at a given prompt length, which states, heads and width would be certified to fail?

Of the first one, two and three full layers of a model, of its R layers alone, and of the whole: with everything else as
it is, the most state bits, heads and value dimension at which some theorem is certified at no more than so many tokens;
and how far the model is from that, the factor by which β and Λ together would have to shrink.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from separation.architectures.architecture import ArchitectureReading
from separation.bounds import Budget, Message, Word, ceil_log2, shortest_prompt
from separation.bounds.ceilings import lowest_ceiling
from separation.bounds.condition import least_that
from separation.bounds.theorems.ceiling import AccuracyBound
from separation.files import InputError, NumberTooLarge
from separation.progress import Progress, silent

FINE_LOG2 = 6
"""Factors below 2^6 are found up to 2^(1/8), 9 %, larger ones up to 2: every one of them costs a search."""
FIRST_FULL = (1, 2, 3)
BAR = 24
LONGEST_ASKED = 1 << 40
MOST_FULL = 16
"""Beyond so many full layers one search takes seconds, and the answer is one of hopeless sizes."""


@dataclass(frozen=True)
class Needed:
    """What part of a model would be certified to fail at ``L`` hops in ``tokens`` tokens; its own numbers beside.

    None: not even with 0 state bits, or with one head, or with heads of dimension 1. ``factor``: by how much β and Λ
    together are too large, 1 if it is certified as it is, None if no theorem reaches so short a prompt.
    ``ceiling``: the largest accuracy, where it is certified as it is.
    """

    name: str
    word: Word
    L: int
    tokens: int
    own: tuple[int, int, int]
    state_bits: int | None
    heads: int | None
    dim: int | None
    factor: float | None
    ceiling: AccuracyBound | None = None

    def document(self) -> dict[str, Any]:
        names = ("state_bits", "heads", "dim")
        return {
            "part": self.name,
            "word": str(self.word),
            "L": self.L,
            "tokens": self.tokens,
            "own": dict(zip(names, self.own, strict=True)),
            "certified_with": {name: getattr(self, name) for name in names},
            "factor": self.factor,
            "ceiling": None if self.ceiling is None else self.ceiling.document(),
        }

    def row(self) -> tuple[str, ...]:
        """part, L, state bits, heads, dimension, factor as a bar."""
        cells = [_of(value, own) for value, own in zip((self.state_bits, self.heads, self.dim), self.own, strict=True)]
        if not self.word.full:
            cells[1:] = ["", ""]
        if self.factor is None:
            return self.name, str(self.L), *cells, "no theorem is that short"
        if self.factor <= 1:
            share = "" if self.ceiling is None else f": at most {100 * float(self.ceiling.ceiling.value):.3g} % right"
            return self.name, str(self.L), *cells, f"certified as it is{share}"
        bar = "█" * max(1, min(BAR, round(math.log2(self.factor))))
        text = f"{self.factor:,.3g}" if self.factor < 1e6 else f"2^{math.log2(self.factor):.0f}"
        return self.name, str(self.L), *cells, f"{text} times too large {bar}"


HEADER = ("part", "hops", "state bits", "heads", "of dim", "β and Λ together")
LEGEND = "at most: with so many, everything else as it is, a failure is certified; in brackets: what the model has"


def _of(value: int | None, own: int) -> str:
    most = "–" if value is None else "any" if value >= own else f"{value:,}"
    return f"{most} ({own:,})"


def needed(
    reading: ArchitectureReading, tokens: int, *, proved_only: bool = False, progress: Progress = silent
) -> tuple[Needed, ...]:
    """All parts of a model, at one length of a prompt."""
    parts = list(_parts(reading))
    found = []
    for place, (name, word, state_bits) in enumerate(parts):
        progress(place / len(parts), f"{name}: what would be certified at {tokens:,} tokens")
        found.append(_needed(name, word, reading.message, state_bits, tokens, proved_only))
    return tuple(found)


def _parts(reading: ArchitectureReading) -> Iterator[tuple[str, Word, tuple[int, ...]]]:
    """(name, word, Λ_0..Λ_#F): its R layers alone, its first full layers, and the whole."""
    if reading.word.recurrent:
        yield "R alone", Word(("R",) * reading.word.recurrent), (sum(reading.states),)
    for full in FIRST_FULL:
        shorter = reading.first_full_layers(full)
        if shorter is not None and shorter.word != reading.word:
            yield f"first {full} full", shorter.word, shorter.state_bits
    if 0 < reading.word.full <= MOST_FULL:
        yield "whole", reading.word, reading.state_bits


def _needed(
    name: str, word: Word, message: Message, state_bits: tuple[int, ...], tokens: int, proved_only: bool
) -> Needed:
    L, beta = word.depth + 1, message.beta(ceil_log2(tokens))

    def certified(budget: Budget) -> bool:
        try:
            found = shortest_prompt(word, L, budget, proved_only=proved_only).tokens()
        except (InputError, NumberTooLarge):
            return False
        return found is not None and found <= tokens

    def scaled(factor: float) -> tuple[int, ...]:
        return tuple(int(bits / factor) for bits in state_bits)

    def with_message(other: Message) -> Budget:
        return Budget(message=other, by_block=state_bits)

    def shrunk(factor: float) -> Budget:
        return Budget(beta=max(1, int(beta / factor)), by_block=scaled(factor))

    total, own = max(state_bits), (max(state_bits), message.heads, message.dim)
    factor = _least_factor(lambda each: certified(shrunk(each)), max(beta, total, 2))
    if factor is None:
        return Needed(name, word, L, tokens, own, None, None, None, None)
    if factor == 1:
        most = lowest_ceiling(word, L, tokens, Budget(message=message, by_block=state_bits), proved_only=proved_only)
        return Needed(name, word, L, tokens, own, *own, factor, most)
    by_states = None
    if total:
        by_states = _least_factor(lambda each: certified(Budget(message=message, by_block=scaled(each))), max(total, 2))
    heads = dim = None
    if word.full:
        heads = _most(message.heads, lambda heads: certified(with_message(replace(message, heads=heads))))
        dim = _most(message.dim, lambda dim: certified(with_message(replace(message, dim=dim))))
    bits = None if by_states is None else max(scaled(by_states))
    return Needed(name, word, L, tokens, own, bits, heads, dim, factor)


def _least_factor(holds: Callable[[float], bool], largest: int) -> float | None:
    """The least power of 2 that holds, in steps of 2^(1/8) below FINE; None if not even one that leaves nothing does.

    1 if that holds.
    """
    if holds(1.0):
        return 1.0
    low, high = 0.0, float(math.ceil(math.log2(largest) + 1))
    if not holds(2**high):
        return None
    while high - low > (1 / 8 if high < FINE_LOG2 else 1):
        middle = low + (high - low) / 2 if high - low <= 1 else float((low + high) // 2)
        low, high = (low, middle) if holds(2**middle) else (middle, high)
    return float(2**high)


def _most(own: int, holds: Callable[[int], bool]) -> int | None:
    """The largest number below ``own``, which does not hold, that does; None if 1 does not."""
    return None if own == 1 or not holds(1) else least_that(lambda number: not holds(number), 1) - 1
