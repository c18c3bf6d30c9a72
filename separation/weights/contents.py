"""What a document of weights says: matrices of blocks, formulas, and what each layer changes."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from separation.escaping import quoted
from separation.models import INTERVALS, Model, Stream
from separation.recurrences import FAMILIES
from separation.weights.blocks import Block, Coefficient, cut_into_runs, range_text, slot_at
from separation.weights.document import (
    CONSTANT,
    HEAD_SPACES,
    MLP_SPACES,
    Document,
    head_spaces,
    row_stream,
    segment_stream,
)

Lines = Mapping[str, Sequence[str]]
"""Kind → its lines of the invariant."""


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
"""Σ coefficient · coordinates."""


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
        """What is said of a head besides its matrices and its shift."""
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
    """A layer; ``since`` is the layer shown before it, and ``before`` and ``changes`` are (slot, content, tokens)."""

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
    if document["task"] == "look_ups":
        return f"look-ups (its file names it {quoted(document['name'])})"
    if document["task"] == "two_sum":
        return "2-Sum"
    return f"FuncComp with a chain of {document['thoughts']}" if "thoughts" in document else "FuncComp"


def sizes_text(document: Document) -> str:
    if document["task"] == "look_ups":
        return ", ".join(f"{kind['count']} {kind['name']}" for kind in document["kinds"])
    if document["task"] == "two_sum":
        return f"n = {document['length']}, M = {document['modulus']}"
    return f"L = {document['L']}, m = {document['m']}, n = ({', '.join(map(str, document['n']))})"


def model_text(model: Model) -> str:
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
    return [word] if count == 1 else [f"{word} {number}" for number in range(1, count + 1)]


def named(stream: Stream, coordinates: range) -> tuple[str, str]:
    """(slot, coordinates): the latter empty for a whole slot, else 3 or 0:4."""
    name, width, start = slot_at(stream, coordinates.start)
    return name, "" if len(coordinates) == width else range_text(coordinates.start - start, len(coordinates))


def is_constant(stream: Stream, coordinates: range) -> bool:
    return len(coordinates) == 1 and slot_at(stream, coordinates.start)[:2] == (CONSTANT, 1)


def before_name(factor: str, link: str) -> str:
    """A factor as it stands before a name: nothing for 1, a sign for -1, else linked to it."""
    return {"1": "", "-1": "-"}.get(factor, factor + link)


def row_pieces(groups: Sequence[Sequence[Block]]) -> list[tuple[range, list[list[Block]]]]:
    """The coarsest pieces of rows that no block of any group cuts, each with what every group has there."""
    cuts = sorted({end for blocks in groups for block in blocks for end in (block.rows.start, block.rows.stop)})
    pieces: dict[int, list[list[Block]]] = {start: [[] for _ in groups] for start in cuts[:-1]}
    for number, blocks in enumerate(groups):
        for cell in (cell for block in blocks for cell in _cut(block, cuts)):
            pieces[cell.rows.start][number].append(cell)
    found = [(range(start, stop), pieces[start]) for start, stop in pairwise(cuts)]
    return [(piece, cells) for piece, cells in found if any(cells)]


def grid(blocks: Sequence[Block]) -> tuple[list[range], list[range], dict[tuple[int, int], Block]]:
    """Pieces of rows and of columns such that each block is cut into cells of the grid: (first row, first column)."""
    rows = {end for block in blocks for end in (block.rows.start, block.rows.stop)}
    columns = {end for block in blocks for end in (block.columns.start, block.columns.stop)}
    while True:
        size = len(rows) + len(columns)
        for block in blocks:
            if not block.is_column:
                step = block.columns.start - block.rows.start
                rows |= {cut - step for cut in columns if block.columns.start < cut < block.columns.stop}
                columns |= {cut + step for cut in rows if block.rows.start < cut < block.rows.stop}
        if len(rows) + len(columns) == size:
            break
    cuts = sorted(rows)
    cells = {(cell.rows.start, cell.columns.start): cell for block in blocks for cell in _cut(block, cuts)}
    used_rows, used_columns = {row for row, _ in cells}, {column for _, column in cells}
    return (
        [range(start, stop) for start, stop in pairwise(cuts) if start in used_rows],
        [range(start, stop) for start, stop in pairwise(sorted(columns)) if start in used_columns],
        cells,
    )


def _cut(block: Block, cuts: Sequence[int]) -> list[Block]:
    """The block in pieces, cut at these rows."""
    first = block.rows.start
    inside = cuts[bisect_right(cuts, first) : bisect_left(cuts, block.rows.stop)]
    found = []
    for start, stop in pairwise([first, *inside, block.rows.stop]):
        columns = block.columns if block.is_column else block.columns[start - first : stop - first]
        found.append(Block(range(start, stop), columns, block.coefficient.cut(start - first, stop - first)))
    return found


def grouped(stage: Lines, since: Lines | None = None) -> list[tuple[str, str, list[str]]]:
    """(slot, what it holds, in which tokens), the slots in order; with ``since`` only what that stage did not say."""
    found: dict[tuple[str, str], list[str]] = {}
    order: dict[str, int] = {}
    for kind, lines in stage.items():
        for number, line in enumerate(lines):
            slot, _, text = line.partition(" = ")
            order.setdefault(slot.split("[")[0], number)
            if since is None or line not in since[kind]:
                found.setdefault((slot, text), []).append(kind)
    rows = [(slot, text, ["all"] if len(kinds) == len(stage) else few(kinds)) for (slot, text), kinds in found.items()]
    return sorted(rows, key=lambda row: (order[row[0].split("[")[0]], _first_coordinate(row[0])))


def few(kinds: Sequence[str]) -> list[str]:
    """table 8, …, table 1, z0: of four or more names that count up or down, the first and the last."""
    runs = cut_into_runs(kinds, _counts_on)
    return [name for run in runs for name in ([run[0], "…", run[-1]] if len(run) > 3 else run)]


def _counts_on(run: Sequence[str], kind: str) -> bool:
    """Whether the names are a word and a number that goes up, or down, by one."""
    names = [name.rpartition(" ") for name in (*run[-2:], kind)]
    if len({word for word, _, _ in names}) > 1 or not all(n.isascii() and n.isdigit() for _, _, n in names):
        return False
    steps = {int(right) - int(left) for (_, _, left), (_, _, right) in pairwise(names)}
    return steps in ({1}, {-1})


def _first_coordinate(slot: str) -> int:
    match = re.search(r"\[(\d+)[:\d]*\]\Z", slot)
    return int(match[1]) if match else 0
