"""An architecture as a column: its word, the kind of its recurrences, and the bits that it may keep and send."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from separation.architectures import read_config, word_or_config
from separation.architectures.kinds import KINDS, recurrence_kind
from separation.bounds import Message, Word
from separation.files import InputError

CAN = {
    "adds": {"diagonal"},
    "keeps or sets": {"diagonal", "delta", "reflections", "product"},
    "reflects": {"reflections", "product"},
    "moves": {"product"},
}
"""What weights ask of a recurrent layer, and the kinds that do it; `any` does all.

*adds*: S ← S + k vᵀ. *keeps or sets*: each row of S is kept or replaced, by a gate of its own or by β k kᵀ with a unit
vector k. *reflects*: S ← c − S too. *moves*: any map of a unit vector.
"""
FADING = {"decay", "diagonal", "delta", "convolution"}
"""Kinds whose steps have no eigenvalue but those from 0 on: on equal tokens their states come to rest."""
IN_TC0 = {"decay", "diagonal", "convolution"}
"""Kinds whose scans are sums of products of numbers, in TC⁰ at precision O(log n) (Merrill, Petty, Sabharwal, 2024)."""


@dataclass(frozen=True)
class Column:
    """``kind`` is that of all its recurrent layers, None without any; ``state_bits`` Λ of all of them, if known."""

    name: str
    word: Word
    kind: str | None
    state_bits: int | None = None
    beta: int | None = None
    message: Message | None = None
    sparse: bool = False
    """One block-sparse layer, S, with summaries of O(log n) bits, and nothing else."""

    def beta_at(self, tokens: int) -> int | None:
        """β, which grows with the length of the prompt where heads and their numbers are known."""
        return self.beta if self.message is None else self.message.beta((tokens - 1).bit_length())

    @property
    def letters(self) -> tuple[str, ...]:
        return self.word.layers

    @property
    def windows_alone(self) -> bool:
        return all(layer[0] in "WK" for layer in self.letters)

    @property
    def recurrent_alone(self) -> bool:
        """No attention to all earlier tokens; windows count as states."""
        return self.word.full == 0

    @property
    def without_positions(self) -> bool:
        """R layers alone: they know a token's place by their state only."""
        return all(layer == "R" for layer in self.letters)

    @property
    def counts_steps(self) -> bool:
        """Each number of a state is moved by a map of its own, so that steps up to rest can be counted: neither mixed
        by a delta rule nor handed on by a short convolution, which the recurrences of a config may have in front."""
        return self.kind in FADING - {"delta", "convolution"} and self.message is None

    @property
    def reach(self) -> int:
        """Σ (k−1) over the windows."""
        return sum(self.word.reaches)

    def holds(self, pattern: tuple[str, ...]) -> bool:
        """Whether the layers of a program are among these in this order; the others are idle.

        >>> column_of("RRF:diagonal").holds(("keeps or sets", "F")), column_of("FR:diagonal").holds(("adds", "F"))
        (True, False)
        """
        wanted = list(pattern)
        for letter in self.letters:
            if wanted and self._does(letter, wanted[0]):
                wanted.pop(0)
        return not wanted

    def _does(self, letter: str, asked: str) -> bool:
        if asked == "F":
            return "F" in letter
        return letter in ("R", "FR") and (self.kind == "any" or self.kind in CAN[asked])


def column_of(text: str, beta: int | None = None, state_bits: int | None = None) -> Column:
    """RRF, RRF:delta, with the β and Λ given; S, one block-sparse layer; or a config.json, by its path or its name."""
    if text.upper() == "S":
        return Column(text, Word(()), None, sparse=True)
    spelled, _, kind = text.partition(":")
    asked = word_or_config(text, spelled)
    if not isinstance(asked, Word):
        reading = read_config(asked)
        name = Path(text).resolve().parent.name if Path(text).name == "config.json" else Path(text).stem
        states = sum(reading.states)
        return Column(name, reading.word, recurrence_kind(asked, reading), states, message=reading.message)
    recurrent = any(letter in ("R", "FR") for letter in asked.layers)
    if kind and kind not in KINDS:
        raise InputError(f"{text}: the kind of R is {kind!r}; known are {', '.join(KINDS)}")
    if kind and not recurrent:
        raise InputError(f"{text}: there is no R of which a kind could be said")
    return Column(text, asked, (kind or "any") if recurrent else None, state_bits, beta)
