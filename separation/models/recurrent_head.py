"""A head of any recurrent family: its inputs are affine maps of the stream, brought into their domains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import ClassVar

from separation.arithmetic import ExactMatrix
from separation.recurrences import FAMILIES, Input, Recurrence

Shapes = dict[str, tuple[int, int]]
Interval = tuple[int | None, int | None]

INTERVALS: dict[str, Interval] = {
    "real": (None, None),
    "key": (None, None),
    "contraction": (None, None),
    "unit": (-1, 1),
    "positive": (0, None),
    "gate": (0, 1),
    "strength": (0, 1),
    "reflection": (0, 2),
}
"""Where the numbers of a domain are brought by the nearest one; keys and contractions are taken as they are: their
norm keeps states small, and the limit of p bits is checked anyway."""

COUNTS = ("w", "n_h")
"""The sizes that ``count`` stands for, in the families that have one of them."""


@dataclass(frozen=True)
class Part:
    """Rows start..stop−1 of a column: one input of the family, row by row in its shape."""

    name: str
    start: int
    shape: tuple[int, ...]
    domain: str

    @property
    def stop(self) -> int:
        return self.start + prod(self.shape)


@dataclass(frozen=True)
class RecurrentHead:
    """S_t = ⌊step(S_{t-1}, z_t)⌋, out_t = ⌊read(S_t, z_t)⌋, z_t = clip(W_X x_t + b_X); the stream gets W_O · out.

    where step and read are those of ``family``, ⌊·⌋ rounds every entry down to a multiple of 2^-f, and a state's
    entry a·2^-f has −2^(p-1) ≤ a < 2^(p-1): p bits. z has all inputs of the family, one after the other in its own
    order, each clipped to its domain (`INTERVALS`); b_C has its constants in the same way. W_X: inputs × width;
    b_X: inputs × 1; b_C: constants × 1; W_O: width × d_v. ``count`` is the window w, or the n_h steps a token of
    DeltaProduct, and 1 elsewhere; the state of a plain network has d_v numbers. A quotient by 0 is 0.
    """

    w_x: ExactMatrix
    b_x: ExactMatrix
    b_c: ExactMatrix
    w_o: ExactMatrix
    family: str
    d_k: int
    d_v: int
    count: int = 1

    MATRICES: ClassVar = ("w_x", "b_x", "b_c", "w_o")
    READERS: ClassVar = ("w_x",)
    NUMBERS: ClassVar = ("family", "d_k", "d_v", "count")
    TYPE: ClassVar = "recurrent"
    LETTER: ClassVar = "R"

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ValueError(f"family must be one of {', '.join(FAMILIES)}, got {self.family[:40]!r}")
        if min(self.d_k, self.d_v, self.count) < 1:
            raise ValueError(f"d_k, d_v and count are at least 1, got {self.d_k}, {self.d_v}, {self.count}")
        if self.count != 1 and not any(name in self.recurrence.extra_sizes for name in COUNTS):
            raise ValueError(f"count is 1 for the family {self.family}, got {self.count}")
        for part in self.constants:
            low, high = INTERVALS[part.domain]
            for row in range(part.start, min(part.stop, self.b_c.shape[0])):
                if (low is not None and self.b_c.entry(row, 0) < low) or (
                    high is not None and self.b_c.entry(row, 0) > high
                ):
                    raise ValueError(f"the constant {part.name} of {self.family} lies in {low}..{high}")

    @property
    def recurrence(self) -> Recurrence:
        return FAMILIES[self.family]

    @property
    def sizes(self) -> dict[str, int]:
        """By the letters of the family; the width d of a plain network is its output's."""
        return {"d_k": self.d_k, "d_v": self.d_v, "d": self.d_v, **dict.fromkeys(COUNTS, self.count)}

    @cached_property
    def inputs(self) -> tuple[Part, ...]:
        """The rows of W_X and b_X."""
        return self._parts(constant=False)

    @cached_property
    def constants(self) -> tuple[Part, ...]:
        """The rows of b_C."""
        return self._parts(constant=True)

    def _parts(self, constant: bool) -> tuple[Part, ...]:
        parts: list[Part] = []
        for name, kind in self.recurrence.inputs.items():
            if kind.constant == constant and kind.domain != "window":
                parts.append(Part(name, parts[-1].stop if parts else 0, self._shape(kind), kind.domain))
        return tuple(parts)

    def _shape(self, kind: Input) -> tuple[int, ...]:
        return tuple(self.sizes[letter] for letter in kind.shape)

    def shapes(self, width: int) -> Shapes:
        rows, fixed = (parts[-1].stop if parts else 0 for parts in (self.inputs, self.constants))
        return {"w_x": (rows, width), "b_x": (rows, 1), "b_c": (fixed, 1), "w_o": (width, self.d_v)}

    @property
    def state_entries(self) -> int:
        return self.recurrence.entries(self.sizes)


def blank(family: str, d_k: int, d_v: int, count: int = 1) -> RecurrentHead:
    """A head without weights, for those who ask for its inputs and shapes."""
    empty = ExactMatrix.zeros(0, 1)
    return RecurrentHead(empty, empty, empty, empty, family, d_k, d_v, count)
