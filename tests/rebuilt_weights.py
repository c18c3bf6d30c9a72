"""From a document of `show` back to the model that its blocks describe: what shows that `show` leaves nothing out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.arithmetic import ExactMatrix, integer_from_json, number_from_json
from separation.files import InputError
from separation.models import (
    MAX_ENTRIES,
    MLP,
    AnyHead,
    Blocks,
    Declared,
    Layer,
    Model,
    RecurrentHead,
    RowTable,
    Segment,
    Stored,
    Stream,
    causal_from_document,
    head_number,
    head_type,
    listed,
    precision_from_document,
)
from separation.weights.blocks import Block, Coefficient
from separation.weights.document import (
    HEAD_SPACES,
    MLP_SPACES,
    Layout,
    head_spaces,
    part_spaces,
    row_stream,
    segment_stream,
)

MAX_WIDTH = 1 << 20


def rebuild(document: Mapping[str, Any]) -> Model:
    """The model that a document's blocks describe, with the layers that the document has; nothing else is looked at."""
    try:
        return _rebuild(document)
    except KeyError as error:
        raise InputError(f"{error.args[0]} is missing") from None
    except InputError:
        raise
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError(f"not a document of show: {str(error)[:100]}") from None


def _rebuild(document: Mapping[str, Any]) -> Model:
    symbols = {symbol: number_from_json(value, symbol) for symbol, value in document["temperature"].items()}
    stream = Stream((slot["name"], _width(slot["width"], "slots")) for slot in document["slots"])
    reader = _Reader(stream, symbols)
    return Model(
        stream=stream,
        positions=reader.table(document["embedding"]["positions"], "positions"),
        tokens=reader.table(document["embedding"]["tokens"], "tokens"),
        layers=tuple(reader.layer(layer) for layer in document["layers"]),
        unembedding=reader.table(document["unembedding"], "unembedding"),
        precision=precision_from_document(document["precision"]),
        causal=causal_from_document(document["attention"]),
    )


@dataclass(frozen=True)
class _Reader:
    """Reads the parts of a document: ``symbols`` are the values of its temperatures."""

    stream: Stream
    symbols: Mapping[str, Fraction]

    def layer(self, value: Any) -> Layer:
        parts = enumerate(value["heads"], start=1)
        name = f"layer {value['layer']}"
        heads = tuple(self.head(part, f"{name} head {number}") for number, part in parts)
        mlps = tuple(self.mlp(part, f"{name} mlp {number}") for number, part in enumerate(value["mlps"], start=1))
        return Layer(heads, mlps)

    def head(self, value: Any, field: str) -> AnyHead:
        kind = head_type(value, field)
        numbers = {name: self.number(name, value[name], f"{field}.{name}") for name in kind.NUMBERS}
        for name in {"block", "d_k", "d_v", "count"} & set(numbers):
            _width(numbers[name], f"{field}.{name}")
        names = ("head",) if kind is RecurrentHead else ("key", "head")
        inside = head_spaces(self.stream, _widths(value, field, names), numbers)
        return kind(**self.matrices(value, field, HEAD_SPACES[kind.TYPE], inside), **numbers)

    def number(self, name: str, value: Any, field: str) -> Any:
        if name != "shift":
            return head_number(name, value, field)
        shift = Coefficient.parse(value, field, self.symbols)
        if len(shift.numbers) != 1:
            raise InputError(f"{field} must be one number")
        return shift.values(self.symbols)[0]

    def mlp(self, value: Any, field: str) -> MLP:
        inside = part_spaces(self.stream, _widths(value, field, ("unit",)))
        return MLP(**self.matrices(value, field, MLP_SPACES, inside))

    def matrices(self, value: Any, field: str, layout: Layout, inside: Mapping[str, Stream]) -> dict[str, Any]:
        return {
            name.lower(): self.matrix(value[name], f"{field}.{name}", inside[to], inside[origin])
            for name, (to, origin) in layout.items()
        }

    def table(self, value: Any, field: str) -> RowTable:
        if "rows" in value:
            rows = row_stream(_width(value["rows"], field))
            return Stored(self.matrix(value["blocks"], field, self.stream, rows).T)
        return Declared(
            tuple(self.segment(part, f"{field}[{number}]") for number, part in enumerate(value["segments"]))
        )

    def segment(self, value: Any, field: str) -> Segment:
        radices = tuple(integer_from_json(radix, f"{field}.radices", least=1) for radix in value["radices"])
        mirror = integer_from_json(value["mirror"], f"{field}.mirror") if "mirror" in value else None
        source = segment_stream(value["digits"], radices, mirror)
        start = integer_from_json(value["start"], f"{field}.start")
        return Segment(start, radices, self.matrix(value["blocks"], field, self.stream, source), mirror)

    def matrix(self, blocks: Any, field: str, target: Stream, source: Stream) -> ExactMatrix:
        if target.width * source.width > MAX_ENTRIES:
            raise InputError(f"{field} has more than {MAX_ENTRIES} entries")
        result = Blocks(target, source)
        for number, value in enumerate(listed(blocks, field)):
            block = Block.from_document(value, f"{field}[{number}]", target, source, self.symbols)
            for entry in block.entries(self.symbols):
                result.put(*entry)
        return result.build()


def _widths(value: Any, field: str, names: tuple[str, ...]) -> dict[str, int]:
    return {name: _width(value["spaces"][name], field) for name in names}


def _width(value: object, field: str) -> int:
    return integer_from_json(value, f"{field} width", most=MAX_WIDTH)
