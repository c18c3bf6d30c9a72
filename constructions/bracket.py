"""What is built just above Theorem A2: one full layer that composes two tables by looking up several entries at once.

    FR       w reads its row of table 2 at every index, m heads, and z_0's token reads i_1; R hands i_1 to w
    RF       R hands z_0 to w; w reads its row at every index, and i_1, in the one full layer
    RRF      as RF, and a second R stores the top c bits of every entry of table 1: w reads its row only at the
             indices with the top bits of i_1; with all c = ⌈log2 m⌉ bits at i_1 alone

Behind the last layer an MLP selects: Σ_j relu(code(j)·i − b + row_j + 1) − 1 is the bit of row_i, as every other j
differs from i in a bit, which costs 2. The slots are those of C1, and

    cell     c                       at w: the top c bits of i_1, from the state of the second R
    row j    ⌈log2 N⌉ each           at w: what table 2 says at (w_1, candidate j)

Row j is i_2 if the low bits of i_1 were those of j: the variable `i2 at j mod 2^b` of docs/certificates.md,
of which the rules P4 (look-up) and P6 (units that select) speak; so the kernel accepts a certificate of each of them.
With c = ⌈log2 m⌉ nothing is selected. Cells of fewer bits need an m that 2^b divides, b = ⌈log2 m⌉ − c, so that each
candidate is an index.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from constructions import c2
from constructions.lines import Junk, code, stated
from constructions.units import clip, emptied
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import MLP, Blocks, Head, Layer, LinearHead, Stream, Unit, sign_bits
from separation.proving import Construction, Stage
from separation.tasks.checks import require_integer, shown
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Variable, bit_count

WORDS = ("FR", "RF", "RRF")


def build(
    sizes: Sizes,
    word: str = "FR",
    cell_bits: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    temperature: int | None = None,
) -> Construction:
    """Weights and invariants for FR, RF or RRF at L = 2; ``cell_bits`` is c of RRF (None: ⌈log2 m⌉); p as in C1.

    P is 0 if ``score_bits`` is None: a key that matches weighs 1 then, and every other 0. p is at least so large that
    three bits are left for the fraction, which the clips need.

    >>> from separation.proving import certified_proof
    >>> certified_proof(build(Sizes(4, (2,)), "FR")).verdict
    'proved'
    """
    plan = plan_of(sizes, word, cell_bits, temperature)
    if bits is None:
        bits = max(8, bit_count(sizes.length), bit_count(plan.largest) + 3)
    return plan.construction(word, plan.layers(), plan.stages(), bits, score_bits or 0)


def plan_of(sizes: Sizes, word: str, cell_bits: int | None = None, temperature: int | None = None) -> Plan:
    if sizes.L != 2:
        raise InputError(f"L is {sizes.L}; the bracket is about two tables, L = 2")
    if word not in WORDS:
        raise InputError(f"word is {shown(word)}; one of {', '.join(WORDS)} is needed")
    whole = bit_count(sizes.m)
    if word != "RRF":
        if cell_bits:
            raise InputError(f"the word {word} stores no cells; RRF does")
        return Plan(sizes, word, 0, temperature)
    cell_bits = whole if cell_bits is None else cell_bits
    require_integer("cell bits", cell_bits, 1, whole)
    if sizes.m % (1 << whole - cell_bits):
        raise InputError(f"cells of {cell_bits} bits leave {1 << whole - cell_bits} candidates, not a divisor of m")
    return Plan(sizes, word, cell_bits, temperature)


class Plan(c2.Plan):
    """Slots, layers and invariants; ``low`` bits of i_1 are not in the cell, and select among ``candidates``."""

    def __init__(self, sizes: Sizes, word: str, cell_bits: int, temperature: int | None = None) -> None:
        super().__init__(sizes, temperature=temperature)
        self.word, self.cell_bits = word, cell_bits
        self.low = bit_count(sizes.m) - cell_bits
        self.candidates = min(1 << self.low, sizes.m)
        answer = bit_count(sizes.N[-1])
        rows = [(f"row {j}", answer) for j in range(self.candidates)] if self.low else []
        cell = [("cell", cell_bits)] if cell_bits else []
        self.stream = Stream([*self.stream.slots, *cell, *rows])
        self.rows = [name for name, _ in rows]
        # A selected bit is a sum of at most one 2 per candidate; a feature of the second R may fall to 1 − 2(T + k).
        tag = len(self.stream["tag"])
        features = 2 * (tag + bit_count(sizes.m))
        # What is asked of nobody but one kind costs all others 2τ for each bit of their tag.
        self.largest = max(self.largest, 2 * self.candidates + 1, features, 2 * tag * self.temperature)

    def layers(self) -> list[Layer]:
        reads = self.look_ups()
        if self.word == "FR":
            return [Layer(reads, (self.mlp(), self.clip_rows())), self._handing_over("pointer", self.select())]
        first = self._handing_over("value")
        stored = [Layer((self.store_cells(),), ())] if self.cell_bits else []
        mlps = (self.mlp(), self.clip_rows(), self.select()) if self.low else (self.mlp(),)
        return [first, *stored, Layer(reads, mlps)]

    def _handing_over(self, slot: str, *further: MLP) -> Layer:
        layer = self.hand_over(slot)
        return Layer(layer.heads, (*layer.mlps, *further))

    def look_ups(self) -> tuple[Head, ...]:
        """One head for each candidate, and one for i_1 where something is selected by it."""
        if not self.low:
            return (self.asked_by("w", self.head(2, "cell")),)
        candidates = (self.asked_by("w", self.candidate_head(j)) for j in range(self.candidates))
        return (*candidates, self.first_hop_head())

    def first_hop_head(self) -> Head:
        """i_1, at z_0's token in FR and else at w; in FR all its bits are handed on, else the low ones are enough."""
        asker, slot, count = ("z0", "value", self.handed_bits) if self.word == "FR" else ("w", "pointer", self.low)
        found = Stream([("found", count)])
        w_v = Blocks(found, self.stream).copy_low("found", "value")
        w_o = Blocks(self.stream, found).copy_low("found", "found")
        return self.asked_by(asker, replace(self.head(1, slot), w_v=w_v.build(), w_o=w_o.build()))

    def asked_by(self, kind: str, head: Head) -> Head:
        """The same head with one more coordinate, 1 in all keys: in a query it is τ·(code·tag − T), which is 0 at this
        kind of token and at most −2τ at others, so that these hear nothing."""
        query, key = Blocks(Stream([("asker", 1)]), self.stream), Blocks(Stream([("asker", 1)]), self.stream)
        for column, sign in zip(self.stream["tag"], self.tag(self.shape.kind(kind)), strict=True):
            query.put(0, column, self.temperature * sign)
        query.put(0, self.stream["one"][0], -self.temperature * len(self.stream["tag"]))
        key.put(0, self.stream["one"][0], 1)
        return replace(head, w_q=stacked(head.w_q, query.build()), w_k=stacked(head.w_k, key.build()))

    def candidate_head(self, j: int) -> Head:
        """Query τ·(tag of table 2; w_1; the low bits of j, then the cell); `value` goes to the slot of row j."""
        low = [(self.stream["one"][0], sign) for sign in self.low_code(j)]
        return self.entry_head(2, [*low, *self.reads(self.stream["cell"] if self.cell_bits else ())], f"row {j}")

    def low_code(self, j: int) -> list[int]:
        """The ±1 code of the low bits of a candidate, least significant first."""
        return [1 if j >> place & 1 else -1 for place in range(self.low)]

    def store_cells(self) -> LinearHead:
        """One feature for each entry of table 1, the top c bits of its value; w reads the entry at z_0, its pointer."""
        count, entry_bits = self.sizes.m, bit_count(self.sizes.m)
        features = Stream([("feature", count)])
        w_k, w_q = Blocks(features, self.stream), Blocks(features, self.stream)
        tags = {"key": self.tag(self.shape.kind("table 1")), "query": self.tag(self.shape.kind("w"))}
        for address in range(count):
            code = [int(sign) for sign in sign_bits(np.array(address), count)]
            for blocks, tag, slot in ((w_k, tags["key"], "index"), (w_q, tags["query"], "pointer")):
                for column, sign in zip(self.stream["tag"], tag, strict=True):
                    blocks.put(address, column, sign)
                for column, sign in zip(self.stream[slot], code, strict=False):
                    blocks.put(address, column, sign)
        bias = ExactMatrix.from_entries(
            (count, 1), [(row, 0, 1 - len(tags["key"]) - entry_bits) for row in range(count)]
        )
        cells = Stream([("cell", self.cell_bits)])
        w_v = Blocks(cells, self.stream)
        for row, column in zip(cells["cell"], self.stream["value"][self.low :], strict=False):
            w_v.put(row, column, 1)
        w_o = Blocks(self.stream, cells).copy("cell", "cell").build()
        return LinearHead(w_q.build(), bias, w_k.build(), bias, w_v.build(), w_o, normalised=False)

    def clip_rows(self) -> MLP:
        """row ← clip(row) for every candidate; clip(x) = relu(2x+1) − relu(2x−1) − 1."""
        units = [unit for row in self.rows for unit in clip(self.stream, row, row)]
        return MLP.of_units(self.stream.width, units, {place: -1 for row in self.rows for place in self.stream[row]})

    def select(self) -> MLP:
        """pointer ← Σ_j relu(code(j)·(low bits of pointer) − b + row_j + 1) − 1."""
        pointer, units = self.stream["pointer"], list[Unit]()
        for j, row in enumerate(self.rows):
            code = dict(zip(pointer, self.low_code(j), strict=False))
            units += [
                Unit({place: 1, **code}, 1 - self.low, {target: 1})
                for place, target in zip(self.stream[row], pointer, strict=True)
            ]
        units += emptied(self.stream, "pointer")
        return MLP.of_units(self.stream.width, units, dict.fromkeys(pointer, -1))

    # --- invariants ---

    def stages(self) -> list[Stage]:
        """After each layer: `row j` is what table 2 says at candidate j, and in the end w's pointer is i_2."""
        embedded, answer = self.stage(0), self._stage("w", "i2", rows=bool(self.low), cell=True)
        if self.word == "FR":
            return [embedded, self._stage("z0", "i1", rows=True), answer]
        stored = [self._stage("w", "i0", cell=True)] if self.cell_bits else []
        return [embedded, self._stage("w", "i0"), *stored, answer]

    def _stage(self, pointing: str, hop: str, rows: bool = False, cell: bool = False) -> Stage:
        """The pointer of one kind holds a hop, that of others junk; at w also what the rows and the cell hold."""
        lines = {kind.name: self.line(kind) for kind in self.shape.kinds}
        wide = Junk(2 * self.candidates + 1 if hop == "i2" and self.low else 1)
        for name, line in lines.items():
            line["pointer"] = [wide] * len(self.stream["pointer"])
            line |= {slot: self.junk(slot) for slot in (self.rows if rows else ())}
            if name == pointing:  # a first hop's own bits alone are heard or handed over; the others stay 0
                line["pointer"] = code(Variable(hop, self.sizes.N[-1] if hop == "i2" else self.sizes.m))
        if rows:
            lines["w"] |= {slot: code(self.candidate(j)) for j, slot in enumerate(self.rows)}
        if self.cell_bits and cell:
            lines["w"]["cell"] = code(Variable("i1", self.sizes.m))[self.low :]
        return {name: stated(self.stream, line) for name, line in lines.items()}

    def candidate(self, j: int) -> Variable:
        """The variable that `row j` holds: i_2, if the low bits of i_1 were those of j."""
        return Variable(f"i2 at {j} mod {1 << self.low}", self.sizes.N[-1])


def stacked(upper: ExactMatrix, lower: ExactMatrix) -> ExactMatrix:
    """One matrix above another."""
    return upper.T.hstack(lower.T).T
