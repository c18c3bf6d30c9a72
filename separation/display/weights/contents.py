"""What a report's document holds: matrices of blocks, formulas, and what each layer changes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from separation.display.weights.grid import row_pieces
from separation.display.weights.stages import few, grouped
from separation.models import Stream
from separation.verbs.show import Block, Coefficient, Document, ShowReport, segment_stream
from separation.verbs.show.spaces import HEAD_SPACES, MLP_SPACES, part_spaces, row_stream


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
    """``left`` in the space ``target``: q and k side by side for a head's keys, else one sum."""

    role: str
    target: Stream
    left: range
    right: tuple[Sum, ...]


@dataclass(frozen=True)
class Part:
    """A head or an MLP with its matrices, by name; ``earlier``: those that an earlier layer has too, and which."""

    title: str
    matrices: dict[str, Matrix]
    shift: Coefficient | None
    earlier: dict[str, int]

    @property
    def twin(self) -> int | None:
        """The one earlier layer that has all of the matrices."""
        layers = {self.earlier.get(name) for name in self.matrices}
        return layers.pop() if len(layers) == 1 else None

    def formulas(self) -> list[Formula]:
        pairs = (
            [("key", "W_Q", "W_K"), ("head", "W_V", None), ("stream", "W_O", None)]
            if self.shift is not None
            else [("unit", "W_1", "b_1"), ("stream", "W_2", "b_2")]
        )
        found = []
        for role, first, second in pairs:
            matrices = [self.matrices[name] for name in (first, second) if name is not None]
            for rows, cut in row_pieces([matrix.blocks for matrix in matrices]):
                sums = [
                    [(block.coefficient, matrix.source, block.columns) for block in blocks]
                    for matrix, blocks in zip(matrices, cut, strict=True)
                ]
                right = tuple(sums) if role == "key" else ([term for part in sums for term in part],)
                found.append(Formula(role, matrices[0].target, rows, right))
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
            source = segment_stream(segment["digits"], [int(radix) for radix in segment["radices"]])
            kinds = segment["kinds"] or (["answers"] if what == "unembedding" else [f"rows from {segment['start']}"])
            yield what, few(kinds), Matrix.read(segment["blocks"], stream, source)


def sizes_text(document: Document) -> str:
    return f"L = {document['L']}, m = {document['m']}, n = ({', '.join(map(str, document['n']))})"


def model_text(report: ShowReport) -> str:
    model = report.construction.model
    precision = model.precision
    heads = "1 head" if model.heads == 1 else f"{model.heads} heads"
    return (
        f"{len(model.layers)} layers, {heads}, width {model.width}; "
        f"P = {precision.score_bits}, p = {precision.bits}, {precision.fraction_bits} bits after the point"
    )


def _parts(layer: Document, stream: Stream, symbols: Collection[str], seen: dict[str, int]) -> Iterator[Part]:
    """The heads of a layer and its MLP; ``seen`` remembers all matrices with the first layer that has them."""
    heads, number = layer["heads"], layer["layer"]
    titles = ["head"] if len(heads) == 1 else [f"head {place}" for place in range(1, len(heads) + 1)]
    for title, part in [*zip(titles, heads, strict=True), ("MLP", layer["mlp"])]:
        inside = part_spaces(stream, part["spaces"])
        matrices = {
            name: Matrix.read(part[name], inside[to], inside[origin], symbols)
            for name, (to, origin) in (HEAD_SPACES if "shift" in part else MLP_SPACES).items()
        }
        keys = {name: json.dumps([title, name, part["spaces"], part[name]]) for name in matrices}
        earlier = {name: seen[key] for name, key in keys.items() if seen.setdefault(key, number) != number}
        shift = Coefficient.parse(part["shift"], "shift", symbols) if "shift" in part else None
        yield Part(title, matrices, shift, earlier)
