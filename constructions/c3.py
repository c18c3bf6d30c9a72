"""C3: the word R^(L+1), linear attention alone, solves L-FuncComp with a state that holds whole tables.

Layer 1 hands z_0 to w; layer k+1 stores table k, one feature for each of its N_{k-1} addresses, and w reads the entry
at (w_{k-1}, i_{k-1}). Nothing is normalised and nothing rounded. The stream is that of C1, but value and pointer hold
bits as 0 and 1, and the pointers of tokens other than w stay 0.

Tag, digit, index and query are ±1 bits as in C1. Feature a of layer k+1, with T bits of tag and b of address, is
relu(code(k)·tag − T + code(a)·(digit, index) − b + 1) at keys: 1 at the token of table k with address a and 0
elsewhere, since a wrong bit costs 2; likewise at queries, with the tag of w and the bits of (w_{k-1}, i_{k-1}). Each
entry of the state is one bit: ⌈log2 m⌉ + Σ_k N_{k-1}·⌈log2 N_{k-1}⌉ bits in all.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from constructions import c1
from constructions.lines import Bit, Letter, Line
from constructions.units import units
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import MLP, Blocks, Declared, Layer, LinearHead, Segment, Stream, mixed_radix_bits
from separation.proving import Construction
from separation.tasks.checks import shown
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Kind, Variable

MAX_FEATURES = 1 << 18
"""Feature maps are written out, features × width: beyond this they would fill the memory."""


def build(sizes: Sizes, bits: int | None = None, score_bits: int | None = None) -> Construction:
    """Weights and invariants; p = ``bits`` (max(8, ⌈log2 n⌉) if None); P = ``score_bits`` means nothing here."""
    if sum(sizes.N) > MAX_FEATURES:
        raise InputError(f"C3 has a feature for each of {shown(sum(sizes.N))} table entries; at most {MAX_FEATURES}")
    plan = Plan(sizes)
    layers = [Layer((plan.linear(step),), (plan.mlp(),)) for step in range(sizes.L + 1)]
    return plan.construction("C3", layers, plan.stages(), bits, score_bits)


class Plan(c1.Plan):
    """Slots and codes of C3 at given sizes; layer ``step`` (from 0) reads hop i_step."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes, temperature=1)
        address = max(sum(variable.bits for variable in kind.address) for kind in self.shape.kinds)
        # A feature before the relu, where every bit of tag and address is wrong.
        self.largest = 2 * (len(self.stream["tag"]) + address) - 1

    def unembedding(self) -> Declared:
        """The logit of v is Σ_j code(v)_j · (2·pointer_j − 1)."""
        code = Stream([("one", 1), ("pointer", len(self.stream["pointer"]))])
        rows = Blocks(self.stream, code).copy("pointer", "pointer", 2)
        for column in code["pointer"]:
            rows.put(self.stream["one"][0], column, -1)
        return Declared((Segment(0, (self.sizes.N[-1],), rows.build()),))

    def linear(self, step: int) -> LinearHead:
        """One feature for each address of the table (one for z_0); ⌈log2 N_{step-1}⌉ bits of `value` go to `found`."""
        source = self.shape.kind("z0" if step == 0 else f"table {step}")
        radices = tuple(variable.size for variable in source.address)
        codes = mixed_radix_bits(np.arange(source.count), radices)[:, 1:]
        digits = sum(variable.bits for variable in source.address[:-1])
        hop = codes.shape[1] - digits
        asked = sum(self.digit_bits[: max(step - 2, 0)])
        w_k, b_k = self._features(source, codes)
        w_k[:, self._columns("digit", digits)] = codes[:, :digits]
        w_k[:, self._columns("index", hop)] = codes[:, digits:]
        w_q, b_q = self._features(self.shape.kind("w"), codes)
        w_q[:, self._columns("query", digits, asked)] = codes[:, :digits]
        w_q[:, self._columns("pointer", hop)] = 2 * codes[:, digits:]  # the ±1 bits are 2·pointer − 1
        b_q[:, 0] -= codes[:, digits:].sum(axis=1)
        (value,) = source.value
        read = Stream([("read", value.bits)])
        return LinearHead(
            w_q=ExactMatrix(w_q),
            b_q=ExactMatrix(b_q),
            w_k=ExactMatrix(w_k),
            b_k=ExactMatrix(b_k),
            w_v=Blocks(read, self.stream).copy_low("read", "value").build(),
            w_o=Blocks(self.stream, read).copy_low("found", "read").build(),
            normalised=False,
        )

    def _features(self, kind: Kind, codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """code(kind)·tag − T − b + 1 in every row of W and b; W has no address yet."""
        tag = self.tag(kind)
        weights = np.zeros((len(codes), self.stream.width), dtype=np.int64)
        weights[:, self._columns("tag", len(tag))] = tag
        return weights, np.full((len(codes), 1), 1 - len(tag) - codes.shape[1])

    def _columns(self, slot: str, count: int, first: int = 0) -> slice:
        start = self.stream[slot].start + first
        return slice(start, start + count)

    def mlp(self) -> MLP:
        """pointer ← found, found ← 0; both are at least 0, where relu is the identity."""
        old = units(self.stream, {"pointer": 1}, 0, {"pointer": -1})
        new = units(self.stream, {"found": 1}, 0, {"pointer": 1, "found": -1})
        return MLP.of_units(self.stream.width, [*old, *new])

    def spelled(self, slot: str, variable: Variable | None = None) -> list[Letter]:
        """`value` and `pointer` hold a number as (1 + bit)/2, and 0 above its bits."""
        if variable is None or slot not in ("value", "pointer"):
            return super().spelled(slot, variable)
        half = Fraction(1, 2)
        return [Bit(variable.name, place, half, half) for place in range(variable.bits)]

    def pointer(self, kind: Kind, step: int) -> Line:
        """Only w's pointer is ever written."""
        return super().pointer(kind, step if kind.name == "w" else 0)
