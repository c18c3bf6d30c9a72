"""What is proved of a trained model, from the project's own theorems: the accuracy that none of its shape exceeds.

For FuncComp that is the ceiling of its word, β and Λ. For 2-Sum the inputs are those of Theorem D': g blocks of B
uniform entries of {1, …, u}, u = M − 1. In half of the prompts x is minus a random entry, in the other half x and the
entries are uniform given that nothing matches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache
from typing import Any

from separation.bounds import Word
from separation.bounds.ceilings import ceiling
from separation.bounds.theorems.ceiling import Ceiling
from separation.bounds.theorems.theorem_d import most_hits, theorem_d
from separation.experiments.runs import Run, layers_of
from separation.tasks.shape import bit_count

STEPS = 64
STANDS_FOR_R = str.maketrans("W", "R")
"""A window is a state that is carried from token to token: a letter of its own, but R to a theorem."""
COMPRESSORS = ("linear", "mlp", "positional", "none")


@dataclass(frozen=True)
class SparseShape:
    """B, k, g, r, p, and how a block is compressed: a linear map or an MLP of the mean, or one of all tokens in order.

    ``heads`` of ``head`` numbers. "none": a summary says where its block stands, nothing of what it holds; r = 0.
    """

    block: int = 2
    opened: int = 1
    blocks: int = 4
    summary_bits: int = 10
    bits: int = 1
    compressor: str = "positional"
    width: int = 64
    heads: int = 4
    head: int = 32
    inner: int = 128

    def __post_init__(self) -> None:
        if self.compressor not in COMPRESSORS:
            raise ValueError(f"no compressor is called {self.compressor!r}; there are {', '.join(COMPRESSORS)}")
        if self.compressor == "none" and self.summary_bits:
            raise ValueError(f"summaries that say nothing have no bits, and not {self.summary_bits}")
        if self.summary_bits % self.bits:
            raise ValueError(f"{self.summary_bits} bits are no whole number of numbers of {self.bits} bits")

    @property
    def numbers(self) -> int:
        """r/p: how many numbers a summary has."""
        return self.summary_bits // self.bits

    @property
    def entries(self) -> int:
        return self.block * self.blocks

    @classmethod
    def chosen(cls, settings: Mapping[str, Any]) -> SparseShape:
        """From the settings of a run, which may name other things too, or from their text in a table."""
        own = {field.name: settings[field.name] for field in fields(cls) if field.name in settings}
        return cls(**own | {name: int(value) for name, value in own.items() if name != "compressor"})


def proved_ceiling(run: Run, beta: int | None, states: Sequence[int] | None) -> tuple[float | None, str]:
    """The accuracy that no model with these bits exceeds, and the theorem; nothing where none is below 1.

    ``states``: the state bits of each layer, None where nothing is rounded.
    """
    if states is None or run.setting("model", ""):  # stock layers run in float32, nothing is rounded
        return None, ""
    if run.task == "two_sum":
        if len(run.word) > 1:  # Theorem D' is about one layer
            return None, ""
        shape = SparseShape.chosen(dict(run.settings))
        bound, theorem = sparse_ceiling(states[0], run.m, shape.block, shape.opened, shape.blocks), "D'"
    else:
        found = composition_ceiling(layers_of(run.word), run.m, run.n, beta or 0, tuple(states))
        bound, theorem = found.value, found.theorem
    return (None, "") if bound >= 1 else (float(bound), theorem)


@lru_cache(maxsize=1024)
def composition_ceiling(letters: str, m: int, n: tuple[int, ...], beta: int, states: tuple[int, ...]) -> Ceiling:
    """Of a word, with this β and these state bits of its layers."""
    letters, before, total = letters.translate(STANDS_FOR_R), [], 0
    for letter, bits in zip(letters, states, strict=True):
        if letter == "F":
            before.append(total)
        total += bits
    return ceiling(Word.parse(letters), m, n, beta, [*before, total])


@lru_cache(maxsize=1024)
def sparse_ceiling(summary_bits: int, modulus: int, block: int, opened: int, blocks: int) -> Fraction:
    """The accuracy that no such layer with r bits a block exceeds: max over e of (1 − e + ⟨k/g + q + (1−q)·e; r/B⟩)/2.

    where e is the share of prompts without a match that are answered yes, and q = 1 − (1−1/u)^{gB} the chance that an
    independent x matches by accident: such an x is answered yes with probability at most q + (1−q)·e, which is the ε of
    Theorem D'. Between two neighbouring e of the grid the larger one bounds the hits and the smaller one the alarms.

    >>> sparse_ceiling(0, 31, 2, 0, 4) < sparse_ceiling(2, 31, 2, 0, 4) < 1 == sparse_ceiling(8, 31, 2, 0, 4)
    True
    """
    accident = 1 - Fraction(modulus - 2, modulus - 1) ** (blocks * block)
    accident = Fraction(-(-accident.numerator * 2**20 // accident.denominator), 2**20)  # rounded up: short fractions
    highest = Fraction(0)
    for step in range(STEPS):
        alarms = Fraction(step + 1, STEPS)
        hits = most_hits(summary_bits, block, opened, blocks, min(Fraction(1), accident + (1 - accident) * alarms))
        highest = max(highest, (1 - Fraction(step, STEPS) + min(Fraction(1), hits)) / 2)
    return min(Fraction(1), highest)


def least_bits(modulus: int, block: int, opened: int, blocks: int) -> int:
    """Theorem D: with fewer bits a block some input is answered wrongly; 0 where all blocks are opened."""
    return theorem_d(modulus, block, opened, blocks).bits if opened < blocks else 0


def summary_of_c7(modulus: int, block: int) -> int:
    """B·⌈log2 M⌉: the bits of C7's summary of a block, key and value in one."""
    return block * bit_count(modulus)


def state_of_c3(m: int) -> int:
    """(m + 1)·⌈log2 m⌉: the state bits of C3 for one table, which holds the table and z_0."""
    return (m + 1) * bit_count(m)
