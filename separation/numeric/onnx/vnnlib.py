"""Questions about boxes of inputs, as VNN-LIB writes them: is there an input in a box that is answered wrongly?

    (declare-const X_0 Real) …      the input, flat; in version 2.0 a network is declared, and X[0,0] is written
    (declare-const Y_0 Real) …      the output
    (assert …)                      X lies in a box, and some wrong output is as large as the right one, or larger

`sat`: there is one, and a counterexample lists its X and Y. `unsat`: there is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """Boxes low[k] ≤ X ≤ high[k], and in each the output that is right; several boxes are asked about at once."""

    name: str
    about: str
    low: Array
    high: Array
    right: tuple[int, ...]
    outputs: int

    def boxes_of(self, points: NDArray[np.floating]) -> NDArray[np.int64]:
        """The number of the box that each point lies in, −1 if in none."""
        inside = (points[:, None] >= self.low) & (points[:, None] <= self.high)
        found: NDArray[np.bool_] = np.all(inside, axis=2)
        return np.where(np.any(found, axis=1), found.argmax(axis=1), -1)

    def text(self, version: str) -> str:
        """The file, in version 1.0 or 2.0 of the standard."""
        inputs, text = self.low.shape[1], self._assertions()
        if version == "1.0":
            names = [f"X_{place}" for place in range(inputs)] + [f"Y_{place}" for place in range(self.outputs)]
            head = [f"; {self.about}", *(f"(declare-const {name} Real)" for name in names)]
        else:
            sizes = {"input  X": inputs, "output Y": self.outputs}
            declared = [f"  (declare-{what} float32 [1, {size}])" for what, size in sizes.items()]
            head = ["(vnnlib-version <2.0>)", f"; {self.about}", "(declare-network N", *declared, ")"]
            text = re.sub(r"\b([XY])_(\d+)", r"\1[0,\2]", text)
        return "\n".join([*head, text])

    def _assertions(self) -> str:
        boxes = [(self._bounds(number), self._wrong(number)) for number in range(len(self.low))]
        if len(boxes) == 1:
            ((bounds, wrong),) = boxes
            either = " ".join(f"(and {each})" for each in wrong)
            lines = [*(f"(assert {bound})" for bound in bounds), f"(assert (or {either}))"]
        else:
            parts = [f"  (and {' '.join(bounds)} {each})" for bounds, wrong in boxes for each in wrong]
            lines = ["(assert (or", *parts, "))"]
        return "\n".join(lines) + "\n"

    def _bounds(self, number: int) -> list[str]:
        signs = ((">=", self.low[number]), ("<=", self.high[number]))
        places = range(self.low.shape[1])
        return [f"({sign} X_{place} {decimal(ends[place])})" for place in places for sign, ends in signs]

    def _wrong(self, number: int) -> list[str]:
        right = self.right[number]
        return [f"(>= Y_{other} Y_{right})" for other in range(self.outputs) if other != right]


def counterexample_text(point: Sequence[float], outputs: Sequence[float]) -> str:
    """`sat`, then the numbers of X and Y, as competitors hand them in."""
    named = [("X", point), ("Y", outputs)]
    pairs = [f"({name}_{place} {decimal(value)})" for name, values in named for place, value in enumerate(values)]
    return "sat\n(" + "\n".join(pairs) + ")\n"


def decimal(number: float) -> str:
    """All digits of a float, without an exponent."""
    return np.format_float_positional(float(number), trim="0")
