"""C6: one full-attention layer with one head solves 2-Sum.

Each token x asks for the code of y = M − x. A head that sees y brings back the bits of y; one that does not brings back
a mean of other codes, at a distance of almost 2 or more. The stream:

    one       1      the constant 1
    code      b      x, b = ⌈log2 M⌉
    mirror    b      y = M − x
    out       b      what the head brought; emptied by the first MLP block
    distance  1      Σ_r |out_r − mirror_r|, from the first MLP block; emptied by the second
    fired     1      4 if y was seen, else 0

All codes are ±1 bits, least significant first. Width 3b + 3. With several heads (C7) out, distance and fired have a
part for each.
"""

from __future__ import annotations

from fractions import Fraction

from constructions.lines import Bit, Line, code, segment, stated
from constructions.units import units
from separation.arithmetic import Precision, exp_ball, upper_fraction
from separation.models import MLP, AnyHead, Blocks, Declared, Head, Layer, Model, Segment, Stream, Unit
from separation.proving import Construction, Stage
from separation.tasks.shape import Variable, bit_count
from separation.tasks.two_sum import TwoSumSizes


def build(
    sizes: TwoSumSizes, bits: int | None = None, score_bits: int | None = None, temperature: int | None = None
) -> Construction:
    """Weights and invariants; p = ``bits`` (max(8, ⌈log2 n⌉, `Plan.least_bits`) if None), P = ``score_bits`` (or p)."""
    plan = Plan(sizes, keys=sizes.length, temperature=temperature)
    return plan.construction("C6", (plan.head(0),), bits, score_bits)


class Plan:
    """Slots and codes of a search by ``heads`` heads, each over at most ``keys`` keys."""

    def __init__(self, sizes: TwoSumSizes, keys: int, heads: int = 1, temperature: int | None = None) -> None:
        self.sizes = sizes
        self.heads = heads
        self.code_bits = sizes.code_bits
        self.temperature = temperature or least_temperature(keys, self.code_bits)
        self.stream = Stream(
            [
                ("one", 1),
                ("code", self.code_bits),
                ("mirror", self.code_bits),
                ("out", heads * self.code_bits),
                ("distance", heads),
                ("fired", heads),
            ]
        )
        self.found = Stream([("found", self.code_bits)])

    @property
    def whole_bits(self) -> int:
        """Enough for a query's ±τ and for the largest activation of the MLP: |3 − 4D| with a distance D ≤ 2b."""
        return bit_count(max(self.temperature, 8 * self.code_bits - 3))

    @property
    def least_bits(self) -> int:
        """The whole bits, and a fraction with η = 2^-f ≤ 1/(4b)."""
        return self.whole_bits + bit_count(4 * self.code_bits)

    def construction(
        self, name: str, heads: tuple[AnyHead, ...], bits: int | None = None, score_bits: int | None = None
    ) -> Construction:
        bits = max(8, bit_count(self.sizes.length), self.least_bits) if bits is None else bits
        model = Model(
            stream=self.stream,
            positions=self.positions(),
            tokens=self.tokens(),
            layers=(Layer(heads, (self.measure(), self.threshold())),),
            unembedding=self.unembedding(),
            precision=Precision(bits if score_bits is None else score_bits, bits, max(0, bits - self.whole_bits)),
        )
        return Construction(name, self.sizes, model, [self.stage(0), self.stage(1)])

    def positions(self) -> Declared:
        """The constant 1 everywhere: nothing depends on where a token stands."""
        (kind,) = self.sizes.shape().kinds
        return Declared((segment(self.stream, kind, {"one": [1]}),))

    def tokens(self) -> Declared:
        both = Stream([("one", 1), ("code", self.code_bits), ("mirror", self.code_bits)])
        matrix = Blocks(self.stream, both).copy("code", "code").copy("mirror", "mirror").build()
        return Declared((Segment(0, (self.sizes.modulus,), matrix, mirror=self.sizes.modulus),))

    def unembedding(self) -> Declared:
        """The logit of 1 is Σ_h fired_h − 2, that of 0 its negative."""
        (answers,) = self.sizes.shape().outputs
        rows: Line = {"one": [Bit("answer", 0, Fraction(-2))], "fired": [Bit("answer", 0)] * self.heads}
        return Declared((segment(self.stream, answers, rows),))

    def out(self, head: int) -> range:
        """Where a head writes."""
        return self.stream["out"][head * self.code_bits : (head + 1) * self.code_bits]

    def head(self, number: int) -> Head:
        """Query τ·mirror, keys and values `code`, shift τ·b: a match weighs 2^P; the mean goes to the head's `out`."""
        code = Blocks(self.found, self.stream).copy("found", "code").build()
        w_o = Blocks(self.stream, self.found)
        for row, column in zip(self.out(number), self.found["found"], strict=True):
            w_o.put(row, column, 1)
        return Head(
            w_q=Blocks(self.found, self.stream).copy("found", "mirror", self.temperature).build(),
            w_k=code,
            w_v=code,
            w_o=w_o.build(),
            shift=Fraction(self.temperature * self.code_bits),
        )

    def measure(self) -> MLP:
        """distance ← Σ_r |out_r − mirror_r|, out ← 0; |x| = relu(x) + relu(−x) and x = relu(x) − relu(−x).

        The same units do both: out_r = (out_r − mirror_r) + mirror_r.
        """
        stream, found = self.stream, list[Unit]()
        for sign in (1, -1):
            for index, out in enumerate(stream["out"]):
                head, digit = divmod(index, self.code_bits)
                reads, writes = {out: sign, stream["mirror"][digit]: -sign}, {stream["distance"][head]: 1, out: -sign}
                found.append(Unit(reads, 0, writes))
        for sign in (1, -1):
            for digit, mirror in enumerate(stream["mirror"]):
                outs = stream["out"][digit :: self.code_bits]
                found.append(Unit({mirror: sign}, 0, dict.fromkeys(outs, -sign)))
        return MLP.of_units(stream.width, found)

    def threshold(self) -> MLP:
        """fired ← relu(7 − 4D) − relu(3 − 4D), distance ← 0; that is 4 if D ≤ 3/4 and 0 if D ≥ 7/4."""
        ramp, plateau = (
            units(self.stream, {"distance": -4}, constant, {"fired": sign}) for constant, sign in ((7, 1), (3, -1))
        )
        emptied = units(self.stream, {"distance": 1}, 0, {"distance": -1})
        return MLP.of_units(self.stream.width, [*ramp, *plateau, *emptied])

    def stage(self, step: int) -> Stage:
        """x and y throughout; after the layer fired_h is 4 if head h saw y, else 0, and all else is empty again."""
        x, y = (code(Variable(name, self.sizes.modulus)) for name in "xy")
        fired = [Bit(f"seen 1/{head}", 0, Fraction(2), Fraction(2)) for head in range(self.heads if step else 0)]
        return {"x": stated(self.stream, {"one": [1], "code": x, "mirror": y, "fired": fired})}


def least_temperature(keys: int, code_bits: int) -> int:
    """The least integer τ with δ = λ/(1+λ) ≤ 1/(4b), λ = (keys − 1)·e^{-2τ}: other keys move D by at most 2bδ ≤ 1/2."""
    tau = 1
    while (keys - 1) * upper_fraction(exp_ball(-2 * tau)) * (4 * code_bits - 1) > 1:
        tau += 1
    return tau
