"""A head of any recurrent family: its inputs are affine maps of the stream, and its state is rounded at every token."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, ClassVar

import numpy as np
from flint import fmpq

from separation.arithmetic import ExactMatrix, IntegerArray, Precision, narrow
from separation.models.full_head import Grid, Shapes, affine
from separation.models.reading import Matrices, Reading, Stateful, overflow
from separation.models.scaled import HeadState, Scaled
from separation.recurrences import FAMILIES, Input, Recurrence

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
class RecurrentHead(Matrices):
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

    def entry_bits(self, precision: Precision) -> int:
        """p: an entry has −2^(p-1) ≤ a < 2^(p-1)."""
        return precision.bits

    def attend(self, reading: Reading) -> RecurrentAttention:
        """The head at work, from its initial state."""
        return RecurrentAttention(self, reading)

    def output_grid(self, grid: Grid, unit: int) -> Grid:
        """States and outputs are rounded to multiples of 2^-f."""
        affine(self.w_x, self.b_x, grid, unit)
        return [1] * self.d_v


def blank_recurrent_head(family: str, d_k: int, d_v: int, count: int = 1) -> RecurrentHead:
    """A head without weights, for those who ask for its inputs and shapes."""
    empty = ExactMatrix.zeros(0, 1)
    return RecurrentHead(empty, empty, empty, empty, family, d_k, d_v, count)


State = tuple[Any, ...]
"""Arrays of integers in units of 2^-f, one prompt's."""


class RecurrentAttention(Stateful):
    """S_t = ⌊step(S_{t-1}, z_t)⌋, out_t = ⌊read(S_t, z_t)⌋, one prompt and one token after the other."""

    def __init__(self, head: RecurrentHead, reading: Reading) -> None:
        self.head, self.reading = head, reading
        precision = reading.model.precision
        self.family = head.recurrence.weighing(precision.score_bits)
        self.unit = 1 << precision.fraction_bits
        self.row_entries = head.w_x.shape[0]
        self.shapes = [tuple(head.sizes[letter] for letter in shape) for shape in self.family.state.values()]
        empty = tuple(part.astype(object) for part in self.family.initial(head.sizes))
        self.states: list[State] = [empty] * reading.reader.batch
        self.at = 0
        self._fixed = self._constants()
        self._rational = np.frompyfunc(lambda number, below: fmpq(int(number), below), 2, 1)
        self._floor = np.frompyfunc(lambda number: int((fmpq(number) * self.unit).floor()), 1, 1)

    def restore(self, state: HeadState, first: int) -> None:
        """Go on from the state before token ``first``; a window holds as many tokens as there were."""
        self.at, start, arrays = first, 0, []
        for shape, empty in zip(self.shapes, self.family.initial(self.head.sizes), strict=True):
            held = shape[0] if empty.shape == shape else min(first, shape[0])
            arrays.append(state.part(start, shape).values[:, shape[0] - held :].astype(object))
            start += prod(shape)
        self.states = [tuple(array[prompt] for array in arrays) for prompt in range(state.batch)]

    def head_state(self) -> HeadState:
        """The state after the last token; a window that is not full has zeros in front."""
        parts = []
        for number, shape in enumerate(self.shapes):
            values = np.zeros((len(self.states), *shape), dtype=object)
            for prompt, state in enumerate(self.states):
                values[prompt, shape[0] - len(state[number]) :] = state[number]
            parts.append(Scaled(values, 1))
        return HeadState.of(parts)

    def rows(self, start: int, queries: Scaled) -> Scaled:
        """All inputs are read off the reader, those that only the read-out needs too."""
        for _, stream in self.reading.reader.blocks(self.at, start):
            self._scan(stream, None)
        count = queries.values.shape[1]
        outs: IntegerArray = np.zeros((len(self.states), count, self.head.d_v), dtype=object)
        for first, stream in self.reading.reader.blocks(start, start + count):
            self._scan(stream, outs[:, first - start :])
        return Scaled(narrow(outs), 1)

    def _scan(self, stream: Scaled, outs: IntegerArray | None) -> None:
        values, below = self._inputs(stream)
        for prompt, rows in enumerate(values):
            state = self.states[prompt]
            for t, row in enumerate(rows):
                token = self._token(self._rational(row, below))
                before, state = state, self._step(state, token)
                if outs is not None:
                    outs[prompt, t] = self._read(before if self.family.reads_before else state, token)
            self.states[prompt] = state
        self.at += values.shape[1]

    def _inputs(self, stream: Scaled) -> tuple[IntegerArray, int]:
        """clip(W_X x + b_X), as integers over one denominator."""
        inputs = self.reading.map(stream, self.head.w_x, "input", self.head.b_x)
        one = inputs.denominator * self.unit
        values = inputs.values.copy()
        for part in self.head.inputs:
            rows = values[..., part.start : part.stop]
            for end, nearest in zip(INTERVALS[part.domain], (np.maximum, np.minimum), strict=True):
                if end is not None:
                    rows[...] = nearest(rows, _within(end * one, rows))
        return values, one

    def _token(self, numbers: Any) -> dict[str, Any]:
        return {part.name: _shaped(numbers, part) for part in self.head.inputs} | self._fixed

    def _constants(self) -> dict[str, Any]:
        column = [fmpq(number.numerator, number.denominator) for (number,) in self.head.b_c.fractions()]
        numbers = np.array(column, dtype=object)
        return {"window": self.head.count, **{part.name: _shaped(numbers, part) for part in self.head.constants}}

    def _numbers(self, state: State) -> State:
        return tuple(self._rational(part, self.unit) for part in state)

    def _step(self, state: State, token: dict[str, Any]) -> State:
        new = tuple(self._floor(part) for part in self.family.step(self._numbers(state), token))
        limit = 1 << self.reading.model.precision.bits
        for part in new:
            # p bits: −2^(p-1) ≤ a < 2^(p-1).
            if 2 * part.max() >= limit or 2 * part.min() < -limit:
                raise overflow(self.reading.model, self.reading.number, "state")
        return new

    def _read(self, state: State, token: dict[str, Any]) -> Any:
        try:
            return self._floor(self.family.read(self._numbers(state), token))
        except ZeroDivisionError:
            return 0


def _within(number: int, like: IntegerArray) -> int:
    """The same end of an interval for int64 numbers, which are below 2^62."""
    return number if like.dtype == object else max(min(number, 2**62), -(2**62))


def _shaped(numbers: Any, part: Part) -> Any:
    return numbers[part.start : part.stop].reshape(part.shape) if part.shape else numbers[part.start]
