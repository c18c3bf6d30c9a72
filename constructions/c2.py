"""C2: L full layers and one recurrent layer before the second of them solve L-FuncComp, one head each.

The recurrence keeps what one token says, and w takes it from there. Two orders:

    RF^L        R hands z_0 to w; F reads tables 1..L at w
    FRF^(L-1)   z_0's own token reads i_1 in layer 1; R hands i_1 to w; F reads tables 2..L at w

The stream, the MLP and the look-ups at w are those of C1. The recurrence has one feature, the constant 1 at queries and
[the token is z_0] at keys, and ⌈log2 m⌉ values, as both i_0 and i_1 lie in [m]: the state is one number for each (and
one for the normaliser of linear attention). After R only these bits of w's pointer are written; the rest is 0, and the
next look-up does not read it.

[the token is z_0] = relu(code·tag − T + 1), where code is z_0's tag of T bits: 1 at z_0, negative before the relu where
a bit of the tag differs. The gated delta rule has it as its gate β; k = q = α = 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from constructions import c1
from constructions.hops import schedule
from constructions.lines import Letter, code, stated
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import AnyHead, Blocks, DeltaHead, Layer, LinearHead, Stream
from separation.proving import Construction, Stage
from separation.tasks.checks import shown
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Variable, bit_count

FAMILIES = ("linear", "delta")


def build(
    sizes: Sizes,
    word: str | None = None,
    family: str = "linear",
    bits: int | None = None,
    score_bits: int | None = None,
    temperature: int | None = None,
) -> Construction:
    """Weights and invariants for ``word``, RF^L (if None) or FRF^(L-1); ``family``, p and P as in C1."""
    plan = Plan(sizes, family, temperature)
    words = ("R" + "F" * sizes.L, "FR" + "F" * (sizes.L - 1))
    if word is not None and word not in words:
        raise InputError(f"word is {shown(word)}; C2 at L = {sizes.L} is {words[0]} or {words[1]}")
    layers, stages = [], [plan.stage(0)]
    for read in schedule(sizes, word or words[0]):
        if read.letter == "R":
            layers.append(plan.hand_over(read.value_slot))
            stages.append(plan.handed(read.hop.number))
        else:
            layers.append(Layer((plan.head(read.hop.number, read.index_slot),), (plan.mlp(),)))
            stages.append(plan.read_by_z0() if read.reader == "z0" else plan.stage(read.hop.number + 1))
    return plan.construction("C2", layers, stages, bits, score_bits)


class Plan(c1.Plan):
    """The slots and look-ups of C1, and one layer that hands ⌈log2 m⌉ coordinates of z_0's token to w."""

    def __init__(self, sizes: Sizes, family: str = "linear", temperature: int | None = None) -> None:
        super().__init__(sizes, temperature)
        self.family = require_family(family)
        self.handed_bits = bit_count(sizes.m)
        tag = len(self.stream["tag"])
        self.largest = max(self.largest, 2 * tag - 1)  # code·tag − T + 1 ≥ 1 − 2T

    def hand_over(self, slot: str) -> Layer:
        """`found` ← `slot` of z_0's token, at z_0 and at w."""
        return Layer((self.delta(slot) if self.family == "delta" else self.linear(slot),), (self.mlp(),))

    def linear(self, slot: str) -> AnyHead:
        w_k, b_k = self.is_z0()
        return LinearHead(
            w_q=ExactMatrix.zeros(1, self.stream.width),
            b_q=number(1),
            w_k=w_k,
            b_k=b_k,
            w_v=self._values(slot),
            w_o=self._output(),
            normalised=True,
        )

    def delta(self, slot: str) -> AnyHead:
        w_b, b_b = self.is_z0()
        one = Blocks(Stream([("feature", 1)]), self.stream).constants("feature", [1]).build()
        return DeltaHead(
            w_q=one,
            w_k=one,
            w_v=self._values(slot),
            w_a=ExactMatrix.zeros(1, self.stream.width),
            b_a=number(1),
            w_b=w_b,
            b_b=b_b,
            w_o=self._output(),
        )

    def is_z0(self) -> tuple[ExactMatrix, ExactMatrix]:
        """W and b with W x + b = code·tag − T + 1."""
        code = self.tag(self.shape.kind("z0"))
        row = Blocks(Stream([("feature", 1)]), self.stream)
        for column, sign in zip(self.stream["tag"], code, strict=True):
            row.put(0, column, sign)
        return row.build(), number(1 - len(code))

    def _values(self, slot: str) -> ExactMatrix:
        return Blocks(Stream([("handed", self.handed_bits)]), self.stream).copy_low("handed", slot).build()

    def _output(self) -> ExactMatrix:
        return Blocks(self.stream, Stream([("handed", self.handed_bits)])).copy_low("found", "handed").build()

    def handed(self, hop: int) -> Stage:
        """After R: the first ⌈log2 m⌉ places of w's pointer are i_hop and the others 0; elsewhere junk within ±1."""
        return self._pointing("w", code(Variable(f"i{hop}", self.sizes.m)))

    def read_by_z0(self) -> Stage:
        """After F: z_0's pointer is i_1; elsewhere, at w too, junk within ±1."""
        return self._pointing("z0", self.spelled("pointer", Variable("i1", self.sizes.m)))

    def _pointing(self, reader: str, held: Sequence[Letter]) -> Stage:
        lines = {kind.name: self.line(kind) for kind in self.shape.kinds}
        pointers = {name: held if name == reader else self.junk("pointer") for name in lines}
        return {name: stated(self.stream, line | {"pointer": pointers[name]}) for name, line in lines.items()}


def require_family(family: str) -> str:
    if family not in FAMILIES:
        raise InputError(f"family is {shown(family)}; one of {', '.join(FAMILIES)} is needed")
    return family


def number(value: int) -> ExactMatrix:
    """A bias of one row."""
    return ExactMatrix.from_entries((1, 1), [(0, 0, value)])
