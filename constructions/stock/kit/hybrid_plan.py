"""C2 in rotations, RF^L: what the stream of a stock hybrid with rotary embeddings holds, whichever family it is.

A number x is code(x), cos(2^-j·x) and sin(2^-j·x) for c frequencies j; its squared norm is c.

    one        1     the constant 1
    last       1     1 at w, else 0
    value      2c    code(v) at a token with the value v; 0 at w
    step k     2c    at w, for k = 1..L: code(start of table k + w_{k-1}·N_{k-2} − (n−1)); 0 elsewhere
    found k    2c    at w, for k = 0..L: code(i_k), once it is read; elsewhere nothing that anybody reads
    pointer k  2c    at w, for k = 1..L: code(address of i_k in table k − (n−1)), once it is known; 0 elsewhere

R hands code(z_0) to w. The MLP after it and after F layer k multiplies `step` and `found` as complex numbers, which
adds the angles: the pointer to the next table. Rotation at the last position n−1 turns the pointer into code(address),
and keys are the constant (1, 0) everywhere, so position alone tells addresses apart: no layer has to write on a row
other than the last. Every slot is written once: erasing with factors that are only nearly 1 would leave a rest behind,
and such rests grow from layer to layer.
"""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import NDArray

from constructions.hops import asked_digits
from constructions.stock.kit.layouts import EPSILON, gated_mlp
from constructions.stock.kit.rotary_plan import RotaryPlan
from constructions.stock.kit.rotations import Swiglu
from separation.models import Stream
from separation.tasks.funccomp import Sizes

Array = NDArray[np.float64]

# A gate is fed ±128: σ(−128) = e^-128 < 2^-149 is 0 in float32, and σ(128) is 1.
SATURATION = 128.0
# Values enter the recurrence 1024 times as large: silu(1024·x) and silu(−1024·x) have the norm of 1024·x up to 2^-20.
VALUE_SCALE = 1024.0
# What the output gate of the recurrence is fed at w; silu(8) is divided out again.
OUTPUT_GATE = 8.0
# Off-match weight over match weight is at most e^-128: nothing, in float32. A larger gap costs nothing else, since what
# moves scores moves them in proportion.
LEAK_NATS = 128


class HybridPlan(RotaryPlan):
    """Slots, codes and temperature at given sizes; gap = τ·margin ≥ ln n + 128 unless ``gap`` says otherwise."""

    def __init__(self, sizes: Sizes, gap: float | None = None) -> None:
        super().__init__(sizes, "R" + "F" * sizes.L, EPSILON)
        self.gap = gap
        tables = [read.hop.number for read in self.reads if read.letter == "F"]
        codes = [f"step {level}" for level in tables]
        codes += [f"found {read.hop.number}" for read in self.reads]
        codes += [f"pointer {level}" for level in tables]
        self.stream = Stream([("one", 1), ("last", 1), *((slot, self.code) for slot in ("value", *codes))])

    @property
    def temperature(self) -> float:
        """τ: the match scores τ·Σa, any other key at least ``gap`` less."""
        gap = log(self.sizes.length) + LEAK_NATS if self.gap is None else self.gap
        return gap / float(self.rotary.gap)

    def embedding(self) -> Array:
        """The rows of all token ids: values, then queries."""
        rows, _, queries = self.token_rows()
        rows[:, self.stream["one"]] = 1
        for read in self.reads[1:]:
            steps = self.rotary.steps(read.hop)[asked_digits(self.sizes, read.hop)]
            queries[:, self.stream[f"step {read.hop.number}"]] = steps
        return rows

    @property
    def table_norm(self) -> int:
        """‖row‖² of a table token or z_0, as embedded: one and value."""
        return 1 + self.rotary.used

    def last_norm(self, codes: int) -> int:
        """‖row‖² of w: one, last, the L steps and that many more codes."""
        return 2 + (self.sizes.L + codes) * self.rotary.used

    def final_norm(self) -> Array:
        """What w's row is multiplied by in the end, when it holds L+1 codes that it found and L pointers."""
        return np.full(self.stream.width, self.root_mean_square(self.last_norm(2 * self.sizes.L + 1)))

    def gate(self, table_norm: float, last_norm: float) -> Array:
        """A row g with g·x/rms(x) = +128 at tables and z_0, −128 at w."""
        table, last = (SATURATION * self.root_mean_square(norm) for norm in (table_norm, last_norm))
        return self.row(one=table, last=-last - table)

    def row(self, one: float = 0.0, last: float = 0.0) -> Array:
        row = np.zeros(self.stream.width)
        row[[self.stream["one"].start, self.stream["last"].start]] = one, last
        return row

    def query_norm(self) -> Array:
        """head_dim numbers: what a code that RMSNorm has divided is multiplied by."""
        return self.strengths() * self.root_mean_square(self.rotary.used, self.head_dim)

    def key_norm(self) -> Array:
        """head_dim numbers that make the normalised constant key (1, 0) again."""
        return np.full(self.head_dim, self.root_mean_square(self.rotary.used, self.head_dim))

    def advance(self, level: int, factor: float) -> Swiglu:
        """pointer to table ``level`` ← factor·step·found, as complex numbers."""
        block, slots = Swiglu(self.stream.width), self.stream
        found = block.read(slots[f"found {level - 1}"])
        block.complex_product(slots[f"pointer {level}"], slots[f"step {level}"], found, factor)
        return block

    def hand_over(self) -> dict[str, Array]:
        """found at w ← code(z_0): a head of one feature, on rows that RMSNorm has divided as they were embedded."""
        table, last = self.table_norm, self.last_norm(0)
        width = self.code
        values = self.selector("value", width, VALUE_SCALE * self.root_mean_square(table))
        # (silu(1024·x), silu(−1024·x)) has the mean square 1024²/4; its RMSNorm is twice the two parts of x.
        scale = (1 + exp(-OUTPUT_GATE)) / (2 * OUTPUT_GATE)
        output = self.selector("found 0", width, scale).T
        constant = self.row(one=VALUE_SCALE)[None]
        gate = self.gate(table, last)[None]
        return {
            "q": constant,
            "k": constant,
            "v": np.concatenate([values, -values]),
            "a": gate,
            "b": gate,
            "g": np.tile(self.row(last=OUTPUT_GATE * self.root_mean_square(last)), (2 * width, 1)),
            "o": np.concatenate([output, -output], axis=1),
        }

    @property
    def hidden(self) -> int:
        """Units of an MLP: 4c products of two units."""
        return 8 * self.rotary.used

    def mlp(self, level: int | None, factor: float) -> dict[str, Array]:
        """The three matrices that lead to table ``level``; all zero for None."""
        block = Swiglu(self.stream.width) if level is None else self.advance(level, factor)
        return gated_mlp(*block.matrices(self.hidden))
