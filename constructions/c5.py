"""C5: with a chain of thought, two layers (RF or FR) or one (F) solve L-FuncComp for every L.

An asker is a token that writes the next one: w, then each generated token. It asks one table and says what it read.

    RF  w takes i_0 from the state and asks table 1; the token (ℓ, i_ℓ) takes w from the state and asks table ℓ+1 at
        (w_ℓ, i_ℓ); each says the hop that it read
    FR  z_0's token asks table 1 and w takes i_1 from the state; the token (ℓ; w_{ℓ-1}, i_{ℓ-1}) asks table ℓ there and
        takes w from the state; each says where the next table is to be asked, the last one the bare answer
    F   w asks z_0's token; the token (ℓ, w, i_ℓ) asks table ℓ+1 at (w_ℓ, i_ℓ); each says all of w and the hop it read

The stream:

    one                  1                    the constant 1
    tag, digit, index    as in C1             the key: the address of a table's token or of z_0's; 0 elsewhere
    aim                  as tag               at an asker: the tag of what it asks (w in FR: of what z_0 asked for it)
    asked                as digit             at an asker: the digit that it asks for
    query                Σ ⌈log2 n_ℓ⌉         at an asker: the digits of w
    next                 as digit (FR only)   at an asker: the digit of w that the next token names
    pointer              ⌈log2 N_{L-1}⌉       what a token says; at an asker the hop it asks for, then the one it read
    found                ⌈log2 N_{L-1}⌉       what the full head just read; emptied by the MLP of the same layer
    start, ask, thought  1 each (not in F)    1 at z_0, at w, at generated tokens

All codes are ±1 bits, least significant first; an asker's empty slot is all −1, and what is written there is 1 + x. So
the state holds 1 + x too: one bit, 0 or 2, for each of the ⌈log2 m⌉ + Σ ⌈log2 n_ℓ⌉ coordinates that z_0 and w hand on,
by one head of linear attention (not normalised) or of the gated delta rule each. w and generated tokens have no key:
whatever is asked scores 0 with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from constructions import c1
from constructions.c2 import FAMILIES, number
from constructions.lines import Letter, Line, codes, segment, stated
from constructions.units import units
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import MLP, AnyHead, Blocks, Declared, DeltaHead, Head, Layer, LinearHead, Stream, Unit
from separation.proving import Construction, Stage
from separation.tasks.checks import shown
from separation.tasks.funccomp import Sizes, Thoughts
from separation.tasks.shape import Kind, bit_count

STYLES = {"RF": "hops", "FR": "addresses", "F": "records"}


def build(
    sizes: Sizes,
    word: str = "RF",
    family: str = "linear",
    bits: int | None = None,
    score_bits: int | None = None,
    temperature: int | None = None,
) -> Construction:
    """Weights and invariants of ``word`` with R of ``family``; p and P as in C1, n counts generated tokens too."""
    for name, value, known in (("word", word, tuple(STYLES)), ("family", family, FAMILIES)):
        if value not in known:
            raise InputError(f"{name} is {shown(value)}; one of {', '.join(known)} is needed")
    plan = Plan(sizes, word, family, temperature)
    return plan.construction("C5", plan.layers(), plan.stages(), bits, score_bits)


class Plan(c1.Plan):
    """Slots, codes, layers and invariants of ``word``; the k-th asker (from 0) ends with hop k+1, in F with hop k."""

    def __init__(self, sizes: Sizes, word: str, family: str = "linear", temperature: int | None = None) -> None:
        super().__init__(sizes, temperature)
        self.word = word
        self.thoughts = Thoughts(sizes, STYLES[word])
        self.shape = self.thoughts.shape()
        self.variables = {variable.name: variable for variable in self.shape.global_variables}
        self.groups = {group.name: group for group in self.thoughts.groups}
        emitted = self.thoughts.emitted
        first_aim = 0 if word == "F" else 1
        self.aims = {asker: aim for aim, asker in enumerate(("w", *emitted[:-1]), start=first_aim)}
        # Group of ids → the aim of the asker who says one of them.
        self.sayers = {group: aim for aim, group in enumerate(emitted, start=first_aim)}
        if word == "FR":
            self.aims["z0"] = 1
        keys = dict(self.address.slots)
        widths = {"one": 1, **keys, "aim": keys["tag"], "asked": keys["digit"], "query": sum(self.digit_bits)}
        widths |= {"next": keys["digit"] if word == "FR" else 0}
        widths |= {name: len(self.stream[name]) for name in ("pointer", "found")}
        widths |= dict.fromkeys(("start", "ask", "thought"), int("R" in word))
        self.stream = Stream(widths.items())
        self.family = family
        # In FR a digit is chosen after the look-up, for the next token; in RF before it, at the token that asks for it.
        self.chosen_slot, self.chosen_aim = ("next", 0) if word == "FR" else ("asked", 1)
        if "R" in word:
            self.largest = max(self.largest, 2 * len(self.address["tag"]))  # query + code·aim − T + 1 ≥ −2T

    def construction(
        self, name: str, layers: Sequence[Layer], stages: Sequence[Stage], bits: int | None, score_bits: int | None
    ) -> Construction:
        """As in C1, n being the tokens that are read: the prompt's and all generated ones but the last."""
        bits = max(8, bit_count(self.thoughts.length)) if bits is None else bits
        return replace(super().construction(name, layers, stages, bits, score_bits), sizes=self.thoughts)

    def tokens(self) -> Declared:
        return Declared(tuple(segment(self.stream, group, self.said(group)) for group in self.thoughts.groups))

    def unembedding(self) -> Declared:
        """The logit of an id: the code of what it says times what an asker holds, in aim, pointer, next and query."""
        return Declared(tuple(segment(self.stream, group, self.row(group)) for group in self.thoughts.groups))

    def place(self, kind: Kind) -> Line:
        """A position says where a key stands; in FR z_0's also asks table 1. The others say nothing."""
        if kind.name in self.aims and kind.name != "z0":
            return {"one": [1]}
        line = dict(super().place(kind))
        if kind.name == "z0":
            line["start"] = [1]
        if kind.name in self.aims:
            line |= {"aim": self._tag(self.aims[kind.name]), "asked": self.spelled("asked")}
        return line

    def said(self, group: Kind) -> Line:
        """An id says a value, or an asker's question. The last hop or record is read by nobody."""
        name = "w" if group.name == "queries" else group.name
        if name == "values":
            return {"pointer": self.spelled("pointer", group.address[0])}
        if name not in self.aims:
            return {}
        aim = self.aims[name]
        line: dict[str, Sequence[Letter]] = {"aim": self._tag(aim)}
        line |= {slot: self.spelled(slot) for slot in ("asked", "query", "next", "pointer")}
        if name == "w":
            return line | {"query": codes(self.sizes.digits), "ask": [1]}
        line |= {"pointer": self.spelled("pointer", group.address[-1]), "thought": [1]}
        if self.word == "FR":
            line["asked"] = self.spelled("asked", group.address[0])
        if self.word == "F":
            line["query"] = codes(self.sizes.digits)
            line["asked"] = self.spelled("asked", self.variables.get(f"w{aim - 1}"))
        return line

    def row(self, group: Kind) -> Line:
        """What an asker holds that says an id of this group; an id that nobody says has the logit −1."""
        if group.name not in self.sayers:
            return {"one": [-1]}
        line: dict[str, Sequence[Letter]] = {"aim": self._tag(self.sayers[group.name])}
        line["pointer"] = self.spelled("pointer", group.address[-1])
        if self.word == "FR":
            line["next"] = self.spelled("next", *group.address[:-1])
        if self.word == "F":
            line["query"] = codes(self.sizes.digits)
        return line

    def layers(self) -> list[Layer]:
        kinds = {"F": self.full_layer, "R": self.recurrent_layer}
        return [kinds[letter]() for letter in self.word]

    def full_layer(self) -> Layer:
        """A look-up, then pointer ← clip(found), found ← 0 as in C1; in FR w forgets what it finds."""
        return Layer((self.look_up(),), (self.forget(), self.mlp()) if self.word == "FR" else (self.mlp(),))

    def look_up(self) -> Head:
        """Query τ·(aim; asked; pointer), key (tag; digit; index); `pointer` goes to `found`."""
        keys, tau = self.address, self.temperature
        w_q, w_k = Blocks(keys, self.stream), Blocks(keys, self.stream)
        for slot, question in (("tag", "aim"), ("digit", "asked"), ("index", "pointer")):
            w_q.copy_low(slot, question, tau)
            w_k.copy(slot, slot)
        return Head(
            w_q=w_q.build(),
            w_k=w_k.build(),
            w_v=Blocks(self.found, self.stream).copy("found", "pointer").build(),
            w_o=Blocks(self.stream, self.found).copy("found", "found").build(),
            shift=Fraction(tau * keys.width),
        )

    def forget(self) -> MLP:
        """found ← found − relu(found + 3·ask − 2): −1 at w, where |found| ≤ 1; found as it is elsewhere, if ≤ 2."""
        return MLP.of_units(self.stream.width, units(self.stream, {"found": 1, "ask": 3}, -2, {"found": -1}))

    def recurrent_layer(self) -> Layer:
        """z_0 hands its pointer to w, and w its digits to generated tokens; each then takes the digit that it needs."""
        digits = sum(self.digit_bits)
        heads = [self.hand_over("start", "ask", "pointer", bit_count(self.sizes.m))]
        if not digits:
            return Layer(tuple(heads), ())
        return Layer((*heads, self.hand_over("ask", "thought", "query", digits)), (self.choose(),))

    def hand_over(self, writer: str, reader: str, slot: str, count: int) -> AnyHead:
        """At a reader, slot ← slot + 1 + the writer's slot, in ``count`` coordinates; writer and reader are flags."""
        feature, handed = Stream([("feature", 1)]), Stream([("handed", count)])
        w_q = Blocks(feature, self.stream).copy("feature", reader).build()
        w_k = Blocks(feature, self.stream).copy("feature", writer).build()
        w_v = Blocks(handed, self.stream).copy_low("handed", slot).constants("handed", [1] * count).build()
        w_o = Blocks(self.stream, handed).copy_low(slot, "handed").build()
        if self.family == "delta":  # α = 1; β = k = 1 at the writer, 0 elsewhere
            return DeltaHead(w_q, w_k, w_v, ExactMatrix.zeros(1, self.stream.width), number(1), w_k, number(0), w_o)
        return LinearHead(w_q, number(0), w_k, number(0), w_v, w_o, normalised=False)

    def choose(self) -> MLP:
        """relu(w_ℓ + code·aim − T + 1) is 1 + w_ℓ at the aim of this code, of T bits, and 0 at others."""
        chosen, queries = list[Unit](), iter(self.stream["query"])
        for level, count in enumerate(self.digit_bits, start=1):
            aim = dict(zip(self.stream["aim"], self._tag(level + self.chosen_aim), strict=True))
            for target in self.stream[self.chosen_slot][:count]:
                chosen.append(Unit({next(queries): 1, **aim}, 1 - len(aim), {target: 1}))
        return MLP.of_units(self.stream.width, chosen)

    def stages(self) -> list[Stage]:
        """What the embedding leaves at each kind, and then each layer."""
        lines = {kind.name: self.embedded_line(kind) for kind in self.shape.kinds}
        stages = [lines]
        for letter in self.word:
            after = self.after_full if letter == "F" else self.after_recurrent
            lines = {name: {**line, **after(name)} for name, line in lines.items()}
            stages.append(lines)
        return [{name: stated(self.stream, line) for name, line in stage.items()} for stage in stages]

    def embedded_line(self, kind: Kind) -> Line:
        if kind.name in self.aims and kind.name != "z0":
            named = "queries" if kind.name == "w" else kind.name
            return {**self.place(kind), **self.said(self.groups[named])}
        return {**self.place(kind), "pointer": self.spelled("pointer", kind.value[0])}

    def after_full(self, name: str) -> Line:
        """Who asks has the hop that it asked for, everyone else junk; in FR w's pointer is empty."""
        if self.word == "FR" and name == "w":
            return {"pointer": self.spelled("pointer")}
        return {"pointer": self._hop(self.aims[name]) if name in self.aims else self.junk("pointer")}

    def after_recurrent(self, name: str) -> Line:
        """w has z_0's pointer, generated tokens the digits of w, and both the one of them that they need."""
        if name == "z0" and name in self.aims:  # its aim chooses a digit too, but it has none
            return {"next": self.junk("next")}
        if name not in self.aims:
            return {}
        line: dict[str, Sequence[Letter]] = {"query": codes(self.sizes.digits)}
        if name == "w":
            line["pointer"] = self._hop(self.word.index("R"))  # i_0 if R stands first, else i_1
        chosen = self.variables.get(f"w{self.aims[name] - self.chosen_aim}")
        return line | {self.chosen_slot: self.spelled(self.chosen_slot, chosen)}

    def _hop(self, number: int) -> list[Letter]:
        return self.spelled("pointer", self.variables[f"i{number}"])
