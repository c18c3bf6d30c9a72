"""From a document of `show` back to the model that its blocks describe: what shows that `show` leaves nothing out.

It reads the texts by itself; nothing of `separation.weights` is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from separation.arithmetic import ExactMatrix
from separation.models import (
    HEAD_TYPES,
    MLP,
    Declared,
    Layer,
    Model,
    RowTable,
    Segment,
    Stored,
    Stream,
    blank_recurrent_head,
    causal_from_document,
    precision_from_document,
)

ONE = Stream([("one", 1)])


def rebuild(document: Mapping[str, Any]) -> Model:
    """The model that a document's blocks describe, with the layers that the document has; nothing else is looked at."""
    stream = Stream((slot["name"], slot["width"]) for slot in document["slots"])
    tau = {symbol: Fraction(value) for symbol, value in document["temperature"].items()}
    return Model(
        stream=stream,
        positions=_table(document["embedding"]["positions"], stream),
        tokens=_table(document["embedding"]["tokens"], stream),
        layers=tuple(
            Layer(
                tuple(_part(HEAD_TYPES[head["type"]], head, stream, tau) for head in layer["heads"]),
                tuple(_part(MLP, mlp, stream, tau) for mlp in layer["mlps"]),
            )
            for layer in document["layers"]
        ),
        unembedding=_table(document["unembedding"], stream),
        precision=precision_from_document(document["precision"]),
        causal=causal_from_document(document["attention"]),
    )


def _part(kind: Any, value: Any, stream: Stream, tau: Mapping[str, Fraction]) -> Any:
    numbers = {name: value[name] for name in getattr(kind, "NUMBERS", ())}
    if "shift" in numbers:
        numbers["shift"] = number(numbers["shift"], tau)
    inside = {name: Stream([(name, width)]) for name, width in value["spaces"].items()} | {
        "gate": Stream([("gate", 1)])
    }
    if "family" in numbers:
        blank = blank_recurrent_head(**numbers)
        for name, parts in (("input", blank.inputs), ("constant", blank.constants)):
            inside[name] = Stream((part.name, part.stop - part.start) for part in parts)

    def space(name: str) -> tuple[Stream, Stream]:
        """(rows, columns), by the letters of the matrix."""
        letter, index = name.split("_")
        if name in ("w_o", "w_2", "b_2"):
            return stream, {"w_o": inside.get("head", ONE), "w_2": inside.get("unit", ONE), "b_2": ONE}[name]
        rows = {"q": "key", "k": "key", "v": "head", "1": "unit", "x": "input", "c": "constant"}.get(index, "gate")
        if letter == "c":
            tokens = Stream((f"token{token}", inside[rows].width) for token in range(numbers["block"]))
            return inside[rows], tokens
        return inside[rows], ONE if letter == "b" else stream

    shown = {name: value[name[0].replace("w", "W").replace("c", "C") + name[1:].upper()] for name in kind.MATRICES}
    return kind(**{name: _matrix(blocks, *space(name), tau) for name, blocks in shown.items()}, **numbers)


def _table(value: Any, stream: Stream) -> RowTable:
    if "rows" in value:
        return Stored(_matrix(value["blocks"], stream, Stream([("row", value["rows"])]), {}).T)
    segments = []
    for part in value["segments"]:
        sizes = [*part["radices"], *([part["mirror"]] if "mirror" in part else [])]
        bits = [(int(size) - 1).bit_length() for size in sizes]
        source = Stream([("one", 1), *zip(part["digits"], bits, strict=True)])
        matrix = _matrix(part["blocks"], stream, source, {})
        mirror = int(part["mirror"]) if "mirror" in part else None
        segments.append(Segment(int(part["start"]), tuple(map(int, part["radices"])), matrix, mirror))
    return Declared(tuple(segments))


def _matrix(blocks: Any, target: Stream, source: Stream, tau: Mapping[str, Fraction]) -> ExactMatrix:
    entries: dict[tuple[int, int], Fraction] = {}
    for block in blocks:
        rows, columns = coordinates(block["to"], target), coordinates(block["from"], source)
        assert len(columns) in (1, len(rows))
        factor, bracket, items = block["coefficient"].rpartition("(")
        scale = number(factor.rstrip("·") or "1", tau) if bracket else number(block["coefficient"], tau)
        column = items[:-1].split(",") if bracket else ["1"] * len(rows)
        for place, (row, item) in enumerate(zip(rows, column, strict=True)):
            key = row, columns[place if len(columns) > 1 else 0]
            assert key not in entries, "written twice"
            entries[key] = scale * number(item, tau)
    return ExactMatrix.from_entries((target.width, source.width), [(i, j, x) for (i, j), x in entries.items()])


def coordinates(text: str, stream: Stream) -> range:
    """found[0:4], found[2], or the bare name of a slot of width 1."""
    if text in dict(stream.slots) and dict(stream.slots)[text] == 1:
        return stream[text]
    name, _, inside = text.rpartition("[")
    first, _, stop = inside.rstrip("]").partition(":")
    assert int(stop or int(first) + 1) <= len(stream[name])
    return stream[name][int(first) : int(stop or int(first) + 1)]


def number(text: str, tau: Mapping[str, Fraction]) -> Fraction:
    """3/2, -2τ, τ1, + and -."""
    digits, symbol, index = text.partition("τ")
    value = Fraction({"": "1", "-": "-1", "+": "1"}.get(digits, digits))
    return value * tau[symbol + index] if symbol else value
