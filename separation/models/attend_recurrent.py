"""Any recurrent family: its own step and read-out on exact numbers, the state rounded after every token."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from flint import fmpq

from separation.arithmetic.matrices import IntegerArray, narrow
from separation.models.attention import Reading, Seen
from separation.models.carried import Carried
from separation.models.recurrent_head import INTERVALS, Part, RecurrentHead
from separation.models.scaled import Scaled
from separation.models.source import overflow

State = tuple[Any, ...]
"""Arrays of integers in units of 2^-f, one prompt's."""


class RecurrentAttention:
    """S_t = ⌊step(S_{t-1}, z_t)⌋, out_t = ⌊read(S_t, z_t)⌋, one prompt and one token after the other."""

    def __init__(self, head: RecurrentHead, reading: Reading) -> None:
        self.head, self.reading = head, reading
        precision = reading.model.precision
        self.family = head.recurrence.weighing(precision.score_bits)
        self.unit = 1 << precision.fraction_bits
        self.row_entries = head.w_x.shape[0]
        self.shapes = [tuple(head.sizes[letter] for letter in shape) for shape in self.family.state.values()]
        empty = tuple(part.astype(object) for part in self.family.initial(head.sizes))
        self.states: list[State] = [empty] * reading.source.batch
        self.at = 0
        self._fixed = self._constants()
        self._rational = np.frompyfunc(lambda number, below: fmpq(int(number), below), 2, 1)
        self._floor = np.frompyfunc(lambda number: int((fmpq(number) * self.unit).floor()), 1, 1)

    def restore(self, carried: Carried, first: int) -> None:
        """Go on from the state before token ``first``; a window holds as many tokens as there were."""
        self.at, start, arrays = first, 0, []
        for shape, empty in zip(self.shapes, self.family.initial(self.head.sizes), strict=True):
            held = shape[0] if empty.shape == shape else min(first, shape[0])
            arrays.append(carried.part(start, shape).values[:, shape[0] - held :].astype(object))
            start += prod(shape)
        self.states = [tuple(array[prompt] for array in arrays) for prompt in range(carried.batch)]

    def carried(self) -> Carried:
        """The state after the last token; a window that is not full has zeros in front."""
        parts = []
        for number, shape in enumerate(self.shapes):
            values = np.zeros((len(self.states), *shape), dtype=object)
            for prompt, state in enumerate(self.states):
                values[prompt, shape[0] - len(state[number]) :] = state[number]
            parts.append(Scaled(values, 1))
        return Carried.of(parts)

    def seen(self) -> Seen | None:
        return None

    def rows(self, start: int, queries: Scaled) -> Scaled:
        """All inputs are read off the source, those that only the read-out needs too."""
        for _, stream in self.reading.source.blocks(self.at, start):
            self._scan(stream, None)
        count = queries.values.shape[1]
        outs: IntegerArray = np.zeros((len(self.states), count, self.head.d_v), dtype=object)
        for first, stream in self.reading.source.blocks(start, start + count):
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
