"""What a report's document holds: matrices of blocks, formulas, and what each layer changes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from separation.display.weights.grid import row_pieces
from separation.display.weights.stages import few, grouped
from separation.models import Stream
from separation.models.recurrent_head import INTERVALS
from separation.recurrences import FAMILIES
from separation.verbs.show import Block, Coefficient, Document, ShowReport, segment_stream
from separation.verbs.show.spaces import HEAD_SPACES, MLP_SPACES, head_spaces, row_stream


@dataclass(frozen=True)
class Matrix:
    """A matrix target × source as its blocks say."""

    target: Stream
    source: Stream
    blocks: tuple[Block, ...]

    @classmethod
    def read(cls, blocks: Any, target: Stream, source: Stream, symbols: Collection[str] = ()) -> Matrix:
        found = (Block.from_document(value, "block", target, source, symbols) for value in blocks)
        return cls(target, source, tuple(found))


Sum = list[tuple[Coefficient, Stream, range]]
"""Σ coefficient · places."""


@dataclass(frozen=True)
class Formula:
    """``left`` in the space ``target``, by its ``role``: two sums for keys, features and gates, else one."""

    role: str
    target: Stream
    left: range
    right: tuple[Sum, ...]


NUMBERS = ("normalised", "block", "opened", "family", "d_k", "d_v", "count")
# Type of a part → (role, matrices of the first sum, of the second if there are two).
_KEYS = ("key", ("W_Q",), ("W_K",))
_OUT = ("stream", ("W_O",))
FORMULAS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "full": (_KEYS, ("averaged", ("W_V",)), _OUT),
    "linear": (("feature", ("W_Q", "b_Q"), ("W_K", "b_K")), ("averaged", ("W_V",)), _OUT),
    "delta": (_KEYS, ("stored", ("W_V",)), ("gate", ("W_A", "b_A"), ("W_B", "b_B")), _OUT),
    "sparse": (_KEYS, ("averaged", ("W_V",)), ("summary", ("C_K",)), ("summary", ("C_V",)), _OUT),
    "recurrent": (("input", ("W_X", "b_X")), ("given", ("b_C",)), _OUT),
    "mlp": (("unit", ("W_1", "b_1")), ("stream", ("W_2", "b_2"))),
}


@dataclass(frozen=True)
class Part:
    """A head or an MLP with its matrices, by name; ``earlier``: those that an earlier layer has too, and which."""

    title: str
    type: str
    matrices: dict[str, Matrix]
    shift: Coefficient | None
    numbers: dict[str, Any]
    earlier: dict[str, int]

    @property
    def twin(self) -> int | None:
        """The one earlier layer that has all of the matrices."""
        layers = {self.earlier.get(name) for name in self.matrices}
        return layers.pop() if len(layers) == 1 else None

    @property
    def words(self) -> list[str]:
        """What is said of a head beside its matrices and its shift."""
        if self.type == "linear":
            return ["linear attention", "normalised" if self.numbers["normalised"] else "not normalised"]
        if self.type == "sparse":
            return ["block-sparse", f"blocks of {self.numbers['block']}", f"{self.numbers['opened']} opened"]
        if self.type == "recurrent":
            sizes = ", ".join(f"{name} = {self.numbers[name]}" for name in ("d_k", "d_v", "count"))
            return [FAMILIES[self.numbers["family"]].name, sizes]
        return ["gated delta rule"] if self.type == "delta" else []

    def _clips(self, target: Stream, rows: range) -> bool:
        """Whether this input of a recurrent head has a domain that is not all numbers."""
        kinds = FAMILIES[self.numbers["family"]].inputs
        (name,) = (name for name in kinds if name in dict(target.slots) and rows.start in target[name])
        return INTERVALS[kinds[name].domain] != INTERVALS["real"]

    def formulas(self) -> list[Formula]:
        found = []
        for role, *groups in FORMULAS[self.type]:
            if role == "averaged" and self.numbers.get("normalised") is False:
                role = "summed"
            names = [name for group in groups for name in group]
            target = self.matrices[names[0]].target
            for rows, cut in row_pieces([self.matrices[name].blocks for name in names]):
                terms = {
                    name: [(block.coefficient, self.matrices[name].source, block.columns) for block in blocks]
                    for name, blocks in zip(names, cut, strict=True)
                }
                right = tuple([term for name in group for term in terms[name]] for group in groups)
                given = role == "input" and not self._clips(target, rows)
                found.append(Formula("given" if given else role, target, rows, right))
        return found


@dataclass(frozen=True)
class LayerContents:
    """A layer; ``since`` is the layer shown before it, and ``before`` and ``changes`` are (place, content, tokens)."""

    number: int
    since: int | None
    before: list[tuple[str, str, list[str]]]
    parts: list[Part]
    changes: list[tuple[str, str, list[str]]]


def stream_of(document: Document) -> Stream:
    return Stream((slot["name"], slot["width"]) for slot in document["slots"])


def layers(document: Document, stream: Stream) -> Iterator[LayerContents]:
    """The layers in order."""
    seen: dict[str, int] = {}
    since = None
    for layer in document["layers"]:
        number = layer["layer"]
        parts = list(_parts(layer, stream, document["temperature"], seen))
        changes = grouped(layer["after"], layer["before"])
        yield LayerContents(number, since, grouped(layer["before"]), parts, changes)
        since = number


def tables(named: Mapping[str, Document], stream: Stream) -> Iterator[tuple[str, list[str], Matrix]]:
    """(which table, whose rows, matrix) for each segment of tables."""
    for what, table in named.items():
        if "rows" in table:
            matrix = Matrix.read(table["blocks"], stream, row_stream(table["rows"]))
            yield what, [f"{table['rows']} stored rows"], matrix
            continue
        for segment in table["segments"]:
            mirror = int(segment["mirror"]) if "mirror" in segment else None
            source = segment_stream(segment["digits"], [int(radix) for radix in segment["radices"]], mirror)
            kinds = segment["kinds"] or (["answers"] if what == "unembedding" else [f"rows from {segment['start']}"])
            yield what, few(kinds), Matrix.read(segment["blocks"], stream, source)


def task_text(document: Document) -> str:
    if document["task"] == "two_sum":
        return "2-Sum"
    return f"FuncComp with a chain of {document['thoughts']}" if "thoughts" in document else "FuncComp"


def sizes_text(document: Document) -> str:
    if document["task"] == "two_sum":
        return f"n = {document['length']}, M = {document['modulus']}"
    return f"L = {document['L']}, m = {document['m']}, n = ({', '.join(map(str, document['n']))})"


def model_text(report: ShowReport) -> str:
    model = report.construction.model
    precision = model.precision
    heads = "1 head" if model.heads == 1 else f"{model.heads} heads"
    word = "" if set(model.word) <= {"F"} else f" {model.word}"
    ways = "" if model.causal else ", attention both ways"
    return (
        f"{len(model.layers)} layers{word}, {heads}, width {model.width}{ways}; "
        f"P = {precision.score_bits}, p = {precision.bits}, {precision.fraction_bits} bits after the point"
    )


def _parts(layer: Document, stream: Stream, symbols: Collection[str], seen: dict[str, int]) -> Iterator[Part]:
    """The heads of a layer and its MLPs; ``seen`` remembers all matrices with the first layer that has them."""
    number = layer["layer"]
    titled = [*zip(_titles("head", len(layer["heads"])), layer["heads"], strict=True)]
    titled += zip(_titles("MLP", len(layer["mlps"])), layer["mlps"], strict=True)
    for title, part in titled:
        kind = part.get("type", "mlp")
        layout = HEAD_SPACES.get(kind, MLP_SPACES)
        numbers = {name: part[name] for name in NUMBERS if name in part}
        inside = head_spaces(stream, part["spaces"], numbers)
        matrices = {
            name: Matrix.read(part[name], inside[to], inside[origin], symbols) for name, (to, origin) in layout.items()
        }
        same = [title, kind, numbers, part["spaces"]]
        keys = {name: json.dumps([*same, name, part[name]]) for name in matrices}
        earlier = {name: seen[key] for name, key in keys.items() if seen.setdefault(key, number) != number}
        shift = Coefficient.parse(part["shift"], "shift", symbols) if "shift" in part else None
        yield Part(title, kind, matrices, shift, numbers, earlier)


def _titles(word: str, count: int) -> list[str]:
    return [word] if count == 1 else [f"{word} {place}" for place in range(1, count + 1)]
