"""C1: L+1 full-attention layers with one head solve L-FuncComp.

At w, layer 1 reads z_0; layer k+1 reads table k at (w_{k-1}, i_{k-1}). The stream:

    one      1                       the constant 1
    tag      ⌈log2(L+2)⌉             number of the token's kind: table ℓ is ℓ, z_0 is 0, w is L+1
    digit    max ⌈log2 n_ℓ⌉          address of a table token: its w-part …
    index    ⌈log2 N_{L-2}⌉          … and its i-part
    value    ⌈log2 N_{L-1}⌉          what a table token or z_0 says
    query    Σ ⌈log2 n_ℓ⌉            the digits of w, at w only
    pointer  ⌈log2 N_{L-1}⌉          at w: the current hop i_{k-1} after layer k; elsewhere junk within ±1
    found    ⌈log2 N_{L-1}⌉          what the head just read; emptied by the MLP of the same layer

All codes are ±1 bits, least significant first. Width O(log n + L): the old pointer is erased, not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from constructions.hops import address_slots, hops, schedule, tag_numbers
from constructions.lines import Junk, Letter, Line, code, codes, segment, stated
from constructions.units import clip, emptied
from separation.arithmetic import Precision, exp_ball, upper_fraction
from separation.models import MLP, Blocks, Declared, Head, Layer, Model, Stream, sign_bits
from separation.proving import Construction, Stage
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Kind, Variable, bit_count


def build(
    sizes: Sizes, bits: int | None = None, score_bits: int | None = None, temperature: int | None = None
) -> Construction:
    """Weights and invariants; p = ``bits`` (max(8, ⌈log2 n⌉) if None), P = ``score_bits`` (p if None)."""
    plan = Plan(sizes, temperature)
    return plan.construction("C1", plan.layers(), plan.stages(), bits, score_bits)


Term = tuple[int, int]
"""A coordinate of the stream, and the factor by which it is read."""


class Plan:
    """Slots and codes of C1 at given sizes; layer ``step`` (from 0) reads hop i_step."""

    VALUE = "value"
    """Where a token has what it says."""

    def __init__(self, sizes: Sizes, temperature: int | None = None) -> None:
        self.sizes = sizes
        self.shape = sizes.shape()
        self.hops = hops(sizes)
        self.digit_bits = [bit_count(n) for n in sizes.n]
        answer = bit_count(sizes.N[-1])
        address = address_slots(sizes)
        self.address = Stream(address)
        self.stream = Stream(
            [
                ("one", 1),
                *address,
                ("value", answer),
                ("query", sum(self.digit_bits)),
                ("pointer", answer),
                ("found", answer),
            ]
        )
        self.found = Stream([("found", answer)])
        self.temperature = temperature or least_temperature(self.address.width)
        # The largest activations are the query's entries ±τ and the clip's 2·found + 1 ≤ 3.
        self.largest = max(self.temperature, 3)

    def construction(
        self, name: str, layers: Sequence[Layer], stages: Sequence[Stage], bits: int | None, score_bits: int | None
    ) -> Construction:
        """The layers between the embedding and the unembedding; p is max(8, ⌈log2 n⌉) if None, P is p if None."""
        bits = max(8, bit_count(self.sizes.length)) if bits is None else bits
        # Below that many whole bits nothing is left for the fraction, and the proof says so.
        fraction = max(0, bits - bit_count(self.largest))
        model = Model(
            stream=self.stream,
            positions=self.positions(),
            tokens=self.tokens(),
            layers=tuple(layers),
            unembedding=self.unembedding(),
            precision=Precision(bits if score_bits is None else score_bits, bits, fraction),
        )
        return Construction(name, self.sizes, model, stages)

    def layers(self) -> list[Layer]:
        reads = schedule(self.sizes, "F" * (self.sizes.L + 1))
        return [Layer((self.head(read.hop.number, read.index_slot),), (self.mlp(),)) for read in reads]

    def stages(self) -> list[Stage]:
        return [self.stage(step) for step in range(self.sizes.L + 2)]

    def tag(self, kind: Kind) -> list[int]:
        """The ±1 code of a kind's number."""
        return self._tag(tag_numbers(self.sizes)[kind.name])

    def _tag(self, number: int) -> list[int]:
        return [int(sign) for sign in sign_bits(np.array(number), self.sizes.L + 2)]

    def positions(self) -> Declared:
        return Declared(tuple(segment(self.stream, kind, self.place(kind)) for kind in self.shape.kinds))

    def tokens(self) -> Declared:
        groups = self.sizes.groups
        return Declared(tuple(segment(self.stream, group, self.say(group.address)) for group in groups))

    def unembedding(self) -> Declared:
        """The logit of v is Σ_j code(v)_j · pointer_j."""
        values, _ = self.sizes.groups
        return Declared((segment(self.stream, values, {"pointer": codes(values.address)}),))

    def place(self, kind: Kind) -> Line:
        """What a position says: which kind of token stands there, and at which address."""
        address = {variable.name: variable for variable in kind.address}
        spelled = {slot: self.spelled(slot, address.get(slot)) for slot in ("digit", "index")}
        return {"one": [1], "tag": self.tag(kind), **spelled}

    def say(self, variables: Sequence[Variable]) -> Line:
        """What an id says: the digits of w, or a value."""
        if all(variable in self.sizes.digits for variable in variables):
            return {"query": codes(variables)}
        return {self.VALUE: self.spelled(self.VALUE, *variables)}

    def spelled(self, slot: str, variable: Variable | None = None) -> list[Letter]:
        """The code of a variable in a slot, −1 after its last bit; all −1 without one."""
        bits = code(variable) if variable else []
        return bits + [-1] * (len(self.stream[slot]) - len(bits))

    def head(self, step: int, hop_slot: str = "pointer") -> Head:
        """Query τ·(tag of the table; w_{step-1}; i_{step-1}), keys (tag, digit, index); `value` goes to `found`."""
        return self.entry_head(step, self.reads(self.stream[hop_slot][: self.hops[step].index_bits]))

    def entry_head(self, step: int, index: Sequence[Term], slot: str = "found") -> Head:
        """A head that asks for the entry at (w_{step-1}, index), in codes that end in −1, and writes into ``slot``."""
        keys, tau, hop, (one,) = self.address, self.temperature, self.hops[step], self.stream["one"]
        digit = self.reads(self.stream["query"][hop.digit_place :][: hop.digit_bits])
        w_q, w_k = Blocks(keys, self.stream), Blocks(keys, self.stream)
        tag = [(one, sign) for sign in self._tag(hop.number)]
        for name, asked in (("tag", tag), ("digit", digit), ("index", index)):
            terms = [*asked, *[(one, -1)] * (len(keys[name]) - len(asked))]
            for row, (column, sign) in zip(keys[name], terms, strict=True):
                w_q.put(row, column, tau * sign)
            w_k.copy(name, name)
        return Head(
            w_q=w_q.build(),
            w_k=w_k.build(),
            w_v=Blocks(self.found, self.stream).copy("found", "value").build(),
            w_o=Blocks(self.stream, self.found).copy(slot, "found").build(),
            shift=Fraction(tau * keys.width),
        )

    def reads(self, columns: Sequence[int]) -> list[Term]:
        return [(column, 1) for column in columns]

    def mlp(self) -> MLP:
        """pointer ← clip(found), found ← 0; clip(x) = relu(2x+1) − relu(2x−1) − 1 and x = relu(x) − relu(−x)."""
        units = [*clip(self.stream, "found", "pointer"), *emptied(self.stream, "found")]
        return MLP.of_units(self.stream.width, units, dict.fromkeys(self.stream["pointer"], -1))

    def stage(self, step: int) -> Stage:
        """Before layer 1 (step 0) the pointers are empty; after layer ``step`` w's pointer is i_{step-1}."""
        lines = {kind.name: {**self.line(kind), **self.pointer(kind, step)} for kind in self.shape.kinds}
        return {name: stated(self.stream, line) for name, line in lines.items()}

    def line(self, kind: Kind) -> dict[str, Sequence[Letter]]:
        """What the embedding writes and no layer changes: all slots but the pointer."""
        return {**self.place(kind), **self.say(kind.value)}

    def pointer(self, kind: Kind, step: int) -> Line:
        if not step:
            return {}
        hop = self.shape.global_variables[len(self.sizes.n) + step - 1]  # w_1, …, then i_0, i_1, …
        return {"pointer": self.spelled("pointer", hop) if kind.name == "w" else self.junk("pointer")}

    def junk(self, slot: str) -> list[Letter]:
        return [Junk()] * len(self.stream[slot])


def least_temperature(address_bits: int) -> int:
    """The least integer τ with (1 + e^{-2τ})^b − 1 ≤ 1/8: other keys then move a bit by at most 1/4."""
    tau = 1
    while upper_fraction((1 + exp_ball(-2 * tau)) ** address_bits) > Fraction(9, 8):
        tau += 1
    return tau
