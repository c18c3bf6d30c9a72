"""C4: an encoder of 1+⌈log2(L+1)⌉ layers with one head solves L-FuncComp by pointer doubling.

Every token holds (v, e): "following me leads to v after table e". A token of table ℓ starts with its own value and
e = ℓ, z_0 with i_0 and e = 0; w counts as ℓ = 0 and starts empty. Layer 1: w takes over what z_0 holds, all others read
the digits of w. Each later layer, all with the same weights: who has e < L reads table e+1 at (w_e, v) and takes over
what that token holds; who has e = L keeps. So e = min(ℓ + 2^{t-1} − 1, L) after layer t, though no weight depends on t.
The stream:

    one        1                  the constant 1
    tag        ⌈log2(L+2)⌉        number of the token's kind: table ℓ is ℓ, z_0 is 0, w is L+1
    fill       1                  how many bits digit and index are short of the longest: so all matches score alike
    digit      Σ ⌈log2 n_ℓ⌉       address of a table token: its w-part, at the place of that digit in `query` …
    index      ⌈log2 N_{L-2}⌉     … and its i-part; both are 0 elsewhere
    waits      1                  −1 at w, which takes over what it reads in layer 1; 1 at all others
    query      Σ ⌈log2 n_ℓ⌉       the digits of w, at w only; after layer 1 everywhere
    pointer    ⌈log2 N_{L-1}⌉     v
    aim        ⌈log2(L+2)⌉        e+1: the tag of the table to ask next
    done       1                  1 if e = L, else −1
    found_…                       the pointer, aim and done just read; emptied by the MLP of the same layer

All codes are ±1 bits, least significant first. Width O(log n): nothing is kept for each table or for each layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from constructions import c1
from constructions.lines import Letter, Line, code, codes
from constructions.units import units
from separation.models import MLP, Blocks, Head, Layer, Stream, Unit
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Kind, Variable, bit_count

STATE = ("pointer", "aim", "done")


def build(
    sizes: Sizes, bits: int | None = None, score_bits: int | None = None, temperature: int | None = None
) -> Construction:
    """Weights and invariants; p = ``bits`` (max(8, ⌈log2 n⌉) if None), P = ``score_bits`` (p if None)."""
    plan = Plan(sizes, temperature)
    doublings = bit_count(sizes.L + 1)
    layers = [Layer((plan.head(step),), (plan.mlp("done" if step else "waits"),)) for step in range(1 + doublings)]
    stages = [plan.stage(step) for step in range(2 + doublings)]
    decoder = plan.construction("C4", layers, stages, bits, score_bits)
    return replace(decoder, model=replace(decoder.model, causal=False))


class Plan(c1.Plan):
    """Slots and codes of C4 at given sizes; C1's tags, token ids, temperature and unembedding."""

    VALUE = "pointer"

    def __init__(self, sizes: Sizes, temperature: int | None = None) -> None:
        super().__init__(sizes, temperature)
        self.longest = len(self.address["digit"]) + len(self.address["index"])
        tag, index = len(self.address["tag"]), len(self.address["index"])
        query = ("query", sum(self.digit_bits))
        keys = (("tag", tag), ("fill", 1), ("digit", query[1]), ("index", index))
        state = (("pointer", bit_count(sizes.N[-1])), ("aim", tag), ("done", 1))
        found = tuple((f"found_{name}", width) for name, width in state)
        self.address = Stream(keys)
        self.stream = Stream([("one", 1), *keys, ("waits", 1), query, *state, *found])
        # Queries reach ±τ, keys the number of bits that z_0 and w lack, the gated clip 2·found − 5 ≥ −7.
        self.largest = max(self.temperature, self.longest, 7)

    def level(self, kind: Kind) -> int:
        """ℓ: a token of this kind holds a hop after table ℓ at first; 0 for z_0, and for w when it has read z_0."""
        return kind.table or 0

    def place(self, kind: Kind) -> Line:
        """What the position decides; a digit stands where `query` has that digit of w."""
        address = {variable.name: code(variable) for variable in kind.address}
        lacking = self.longest - sum(map(len, address.values()))
        known: dict[str, Sequence[Letter]] = {"one": [1], "tag": self.tag(kind), "fill": [lacking], **address}
        if "digit" in address:
            known["digit"] = [0] * sum(self.digit_bits[: self.level(kind) - 2]) + address["digit"]
        if kind.name == "w":
            return known | {"waits": [-1]}
        return known | {"waits": [1]} | self.progress(self.level(kind))

    def progress(self, end: int) -> dict[str, list[Letter]]:
        """`aim` and `done` of a token that holds a hop after table ``end``."""
        return {"aim": [*self._tag(end + 1)], "done": [1 if end == self.sizes.L else -1]}

    def head(self, step: int, hop_slot: str = "pointer") -> Head:
        """Query τ·(aim; 1; w's digits; v), keys (tag, fill, digit, index); the state goes to `found_…`.

        In layer 1 (step 0) w asks z_0 and all others ask w, and `query` is read too: z_0's is 0, so w's stays.
        """
        keys, tau = self.address, self.temperature
        w_q = Blocks(keys, self.stream).constants("fill", [tau]).copy("digit", "query", tau)
        w_q.copy_low("index", hop_slot, tau)
        if step:
            w_q.copy("tag", "aim", tau)
        else:
            self._first_aim(w_q)
        w_k = Blocks(keys, self.stream)
        for slot, _ in keys.slots:
            w_k.copy(slot, slot)
        read = {name: f"found_{name}" for name in STATE} | ({} if step else {"query": "query"})
        values = Stream([(name, len(self.stream[name])) for name in read])
        w_v, w_o = Blocks(values, self.stream), Blocks(self.stream, values)
        for name, written in read.items():
            w_v.copy(name, name)
            w_o.copy(written, name)
        shift = tau * (len(keys["tag"]) + self.longest)
        return Head(w_q.build(), w_k.build(), w_v.build(), w_o.build(), Fraction(shift))

    def _first_aim(self, w_q: Blocks) -> None:
        """τ·(tag of w where `waits` is 1, tag of z_0 where it is −1)."""
        others, last = (self.tag(self.shape.kind(name)) for name in ("w", "z0"))
        for row, plus, minus in zip(self.address["tag"], others, last, strict=True):
            w_q.put(row, self.stream["one"][0], self.temperature * (plus + minus) // 2)
            w_q.put(row, self.stream["waits"][0], self.temperature * (plus - minus) // 2)

    def mlp(self, gate: str = "done") -> MLP:
        """state ← clip(found) where the gate is −1, kept where it is 1; found ← 0; in layer 1 query ← clip(query)."""
        offsets = {place: 2 for name in STATE for place in self.stream[f"found_{name}"]}
        if gate == "waits":
            offsets |= dict.fromkeys(self.stream["query"], 1)
        return MLP.of_units(self.stream.width, self._units(gate), offsets)

    def _units(self, gate: str) -> Iterator[Unit]:
        """With g = ±1 the gate: x + relu(2·found − 2g − 1) − relu(2·found − 2g − 3) − relu(x − g) is x if g = 1, and
        clip(found) = relu(2·found + 1) − relu(2·found − 1) − 1 if g = −1, for x and found within ±1; where x is the
        gate itself, the last term is 0. For x ≥ −2: x − relu(x + 2) + 2 = 0.
        """
        for name in STATE:
            found = f"found_{name}"
            yield from units(self.stream, {found: 2, gate: -2}, -1, {name: 1})
            yield from units(self.stream, {found: 2, gate: -2}, -3, {name: -1})
            if name != gate:
                yield from units(self.stream, {name: 1, gate: -1}, 0, {name: -1})
            yield from units(self.stream, {found: 1}, 2, {found: -1})
        if gate == "waits":
            for reads, constant, writes in ((2, 1, 1), (2, -1, -1), (1, 2, -1)):
                yield from units(self.stream, {"query": reads}, constant, {"query": writes})

    def pointer(self, kind: Kind, step: int) -> Line:
        """After layer ``step`` a token holds its hop after table e = min(ℓ + 2^{step-1} − 1, L); at first e = ℓ."""
        if not step:
            return {}
        level = self.level(kind)
        end = min(level + 2 ** (step - 1) - 1, self.sizes.L)
        own = "value" if end == level else f"h{end}"
        held = Variable(own if level else f"i{end}", self.sizes.N[max(end - 1, 0)])
        return {"query": codes(self.sizes.digits), "pointer": self.spelled("pointer", held), **self.progress(end)}
