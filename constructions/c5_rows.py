"""The slots of C5, what positions and ids put into them, and what the unembedding asks of them."""

from __future__ import annotations

from collections.abc import Sequence

from constructions import c1
from constructions.lines import Letter, Line, codes, segment
from separation.models import Declared, Stream
from separation.tasks.funccomp import Sizes, Thoughts
from separation.tasks.shape import Kind

STYLES = {"RF": "hops", "FR": "addresses", "F": "records"}


class Rows(c1.Plan):
    """Slots and codes at given sizes; the k-th asker (from 0) ends with hop k+1, in F with hop k."""

    def __init__(self, sizes: Sizes, word: str, temperature: int | None = None) -> None:
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

    def tokens(self) -> Declared:
        return Declared(tuple(segment(self.stream, group, self.said(group)) for group in self.thoughts.groups))

    def unembedding(self) -> Declared:
        """The logit of an id: the code of what it says times what an asker holds, in aim, pointer, next and query."""
        return Declared(tuple(segment(self.stream, group, self.row(group)) for group in self.thoughts.groups))

    def place(self, kind: Kind) -> Line:
        """A position says where a key stands; in FR z_0's also asks table 1. The others say nothing."""
        line: dict[str, Sequence[Letter]] = {"one": [1]}
        if kind.name in self.aims and kind.name != "z0":
            return line
        address = {variable.name: variable for variable in kind.address}
        line |= {"tag": self.tag(kind), **{slot: self.spelled(slot, address.get(slot)) for slot in ("digit", "index")}}
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
