"""`show`: a construction's weights as a paper writes them: named blocks, the temperature as a symbol, the invariants.

A block is {"to": "found[0:4]", "from": "value[0:4]", "coefficient": "τ"}; x[a:b] are the coordinates a..b−1 of slot x.
Which matrix it stands for follows from its two widths:

    to k, from k      coefficient · identity
    to k, from 1      a column: k times the coefficient, or the vector "τ·(+,-,+)", "(1,-1/2,3)"

Rows of W_Q and W_K are called key, rows of W_V head, rows of W_1 unit; a bias is read off the constant `one`; a stored
table's row is row[5]. `rebuild` reads a document's blocks back into the model they were found in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from constructions import build
from separation.arithmetic import ExactMatrix, Precision, number_from_json, number_to_json
from separation.arithmetic.numbers import integer_from_json
from separation.files import InputError
from separation.models import MLP, Blocks, Declared, Head, Layer, Model, Segment, Stored, Stream
from separation.models.document import MAX_ENTRIES, fields, listed
from separation.models.tables import RowTable
from separation.proving.construction import Construction
from separation.proving.forms import ONE, Symbol
from separation.proving.invariants import Invariant, Stage
from separation.tasks.shape import Shape, bit_count
from separation.verbs.options import chosen_sizes

TAU = "τ"
CONSTANT = "one"
MAX_WIDTH = 1 << 20
LONGEST_PATTERN = 8
Entry = tuple[int, int, Fraction]
Document = dict[str, Any]

_PLACE = re.compile(r"(.+)\[(\d{1,9})(?::(\d{1,9}))?\]\Z", re.ASCII | re.DOTALL)
_SCALAR = re.compile(rf"(-?)(\d+(?:/\d+)?)?({TAU}\d*)?\Z", re.ASCII)


@dataclass(frozen=True)
class ShowReport:
    """A construction to be shown: all of its layers, or one."""

    construction: Construction
    layer: int | None = None

    @property
    def ok(self) -> bool:
        return True

    def document(self) -> Document:
        model, sizes = self.construction.model, self.construction.sizes
        shape = sizes.shape()
        symbols = temperatures(model)
        numbers = range(1, len(model.layers) + 1) if self.layer is None else (self.layer,)
        stages = {
            place: stage_lines(self.construction.stages[place], model.stream, shape)
            for place in sorted({place for number in numbers for place in (number - 1, number)})
        }
        precision = model.precision
        return {
            "ok": self.ok,
            "construction": self.construction.name,
            "L": sizes.L,
            "m": number_to_json(sizes.m),
            "n": [number_to_json(size) for size in sizes.n],
            "tokens": number_to_json(sizes.length),
            "precision": {"P": precision.score_bits, "p": precision.bits, "fraction": precision.fraction_bits},
            "slots": [{"name": name, "width": width} for name, width in model.stream.slots],
            "temperature": {symbol: str(value) for value, symbol in symbols.items()},
            "embedding": {
                "positions": _table_to_document(model.positions, model.stream, _position_names(shape)),
                "tokens": _table_to_document(model.tokens, model.stream, _token_names(shape)),
            },
            "layers": [
                {
                    "layer": number,
                    **_layer_to_document(model.layers[number - 1], model.stream, symbols),
                    "before": stages[number - 1],
                    "after": stages[number],
                }
                for number in numbers
            ],
            "unembedding": _table_to_document(model.unembedding, model.stream, _answer_names(shape)),
        }


def show(
    construction: str,
    *,
    L: int | None = None,
    m: int | None = None,
    n: Sequence[int] | None = None,
    tokens: int | None = None,
    layer: int | None = None,
) -> ShowReport:
    """The weights and invariants of a construction at given sizes, of one layer (counted from 1) or of all."""
    return describe(build(construction, chosen_sizes(L, m, n, tokens)), layer)


def describe(construction: Construction, layer: int | None = None) -> ShowReport:
    """The report of a construction that is already there, a model file's for instance."""
    last = len(construction.model.layers)
    if layer is not None and not 1 <= layer <= last:
        raise InputError(f"layer is {layer}; allowed are 1..{last}")
    return ShowReport(construction, layer)


# Coefficients


@dataclass(frozen=True)
class Coefficient:
    """One number, or a column of at least two, in units of ``symbol`` (no unit if that is empty)."""

    numbers: tuple[Fraction, ...]
    symbol: str = ""

    @property
    def text(self) -> str:
        """3/2, -2τ, τ·(+,-,+), (1,-1/2)."""
        if len(self.numbers) == 1:
            return scalar_text(self.numbers[0], self.symbol)
        sizes = {abs(number) for number in self.numbers}
        common = sizes.pop() if len(sizes) == 1 else Fraction(1)
        signs = not sizes and common
        items = ["+" if number > 0 else "-" for number in self.numbers] if signs else map(str, self.numbers)
        factor = scalar_text(common, self.symbol)
        return ("" if factor == "1" else f"{factor}·") + f"({','.join(items)})"

    @classmethod
    def parse(cls, text: object, field: str, symbols: Collection[str]) -> Coefficient:
        """The inverse of ``text``."""
        plain = text.replace("−", "-") if isinstance(text, str) else ""
        factor, bracket, rest = plain.rpartition("(")
        match = _SCALAR.match(factor.removesuffix("·") if factor else "1") if bracket else _SCALAR.match(plain)
        if match is None or not (match[2] or match[3]) or (bracket and not rest.endswith(")")):
            raise InputError(f"{field} must be a coefficient like 3/2, -2{TAU} or {TAU}·(+,-), got {str(text)[:40]!r}")
        if match[3] and match[3] not in symbols:
            raise InputError(f"{field} has the symbol {match[3]}, which temperature does not give")
        scale = number_from_json(match[1] + (match[2] or "1"), field)
        items = [{"+": "1", "-": "-1"}.get(item, item) for item in rest[:-1].split(",")] if bracket else ["1"]
        return cls(tuple(scale * number_from_json(item, field) for item in items), match[3] or "")

    def cut(self, start: int, stop: int) -> Coefficient:
        """A part of a column; one number is the same in every part."""
        if len(self.numbers) == 1:
            return self
        part = self.numbers[start:stop]
        return Coefficient(part[:1] if len(set(part)) == 1 else part, self.symbol)


def scalar_text(number: Fraction, symbol: str = "") -> str:
    """1, -1, 3/2, τ, -2τ."""
    if not symbol or not number:
        return str(number)
    return {1: symbol, -1: f"-{symbol}"}.get(int(number) if number.denominator == 1 else 0, f"{number}{symbol}")


def temperatures(model: Model) -> dict[Fraction, str]:
    """Value → symbol: τ if all heads with a temperature have the same, else τ1, τ2, … in order of layers."""
    found = (temperature(head) for layer in model.layers for head in layer.heads)
    values = list(dict.fromkeys(value for value in found if value is not None))
    return {value: TAU if len(values) == 1 else f"{TAU}{number}" for number, value in enumerate(values, start=1)}


def temperature(head: Head) -> Fraction | None:
    """shift / d_k, the score of a match if all key coordinates are ±1, when it divides all entries of W_Q."""
    rows = head.w_q.shape[0]
    if not rows or head.shift <= 0:
        return None
    value = head.shift / rows
    entries = {abs(number) for _, _, number in head.w_q.entries()}
    return value if entries and all((number / value).denominator == 1 for number in entries) else None


# Blocks


@dataclass(frozen=True)
class Block:
    """coefficient · identity where both ranges are of one length, a column where ``columns`` has length 1."""

    rows: range
    columns: range
    coefficient: Coefficient

    @property
    def is_column(self) -> bool:
        return len(self.columns) == 1

    def entries(self, values: Mapping[str, Fraction]) -> list[Entry]:
        """What the block puts where, symbols replaced by their values."""
        unit = values[self.coefficient.symbol] if self.coefficient.symbol else Fraction(1)
        count = len(self.rows)
        numbers = self.coefficient.numbers * (count if len(self.coefficient.numbers) == 1 else 1)
        columns = [self.columns[0]] * count if self.is_column else self.columns
        return [(row, column, unit * x) for row, column, x in zip(self.rows, columns, numbers, strict=True)]

    def to_document(self, target: Stream, source: Stream) -> dict[str, str]:
        to, origin = place_text(target, self.rows), place_text(source, self.columns)
        return {"to": to, "from": origin, "coefficient": self.coefficient.text}

    @classmethod
    def from_document(
        cls, value: Any, field: str, target: Stream, source: Stream, symbols: Collection[str] = (TAU,)
    ) -> Block:
        value = fields(value, field, ("to", "from", "coefficient"))
        rows = _parse_place(value["to"], f"{field}.to", target)
        columns = _parse_place(value["from"], f"{field}.from", source)
        coefficient = Coefficient.parse(value["coefficient"], f"{field}.coefficient", symbols)
        vector = len(coefficient.numbers)
        if len(columns) not in (1, len(rows)) or (vector > 1 and (len(columns) > 1 or vector != len(rows))):
            raise InputError(f"{field}: {value['to']} and {value['from']} do not fit {coefficient.text[:40]}")
        return cls(rows, columns, coefficient)


def find_blocks(
    matrix: ExactMatrix,
    target: Stream,
    source: Stream,
    *,
    as_columns: Collection[int] = (),
    cuts: Collection[int] = (),
    unit: tuple[Fraction, str] = (Fraction(1), ""),
) -> list[Block]:
    """The matrix as blocks: columns of ``as_columns`` by runs of rows, everything else by diagonal runs.

    No run leaves a slot, and none of a column goes past a row in ``cuts``. Only non-zero entries are looked at.
    """
    row_slots, column_slots = _slot_numbers(target), _slot_numbers(source)
    value, symbol = unit

    def below(last: Entry, entry: Entry) -> bool:
        down = entry[:2] == (last[0] + 1, last[1]) and row_slots[entry[0]] == row_slots[last[0]]
        return down and entry[0] not in cuts

    def diagonal(last: Entry, entry: Entry) -> bool:
        along = entry == (last[0] + 1, last[1] + 1, last[2]) and row_slots[entry[0]] == row_slots[last[0]]
        return along and column_slots[entry[1]] == column_slots[last[1]]

    entries = matrix.entries()
    columns = sorted((entry for entry in entries if entry[1] in as_columns), key=lambda entry: (entry[1], entry[0]))
    others = sorted(
        (entry for entry in entries if entry[1] not in as_columns), key=lambda entry: (entry[0] - entry[1], entry[0])
    )
    blocks = []
    for run in [*_runs(columns, below), *_runs(others, diagonal)]:
        (top, left, _), (bottom, right, _) = run[0], run[-1]
        numbers = tuple(number / value for _, _, number in run)
        coefficient = Coefficient(numbers[:1] if len(set(numbers)) == 1 else numbers, symbol)
        blocks.append(Block(range(top, bottom + 1), range(left, right + 1), coefficient))
    return sorted(blocks, key=lambda block: (block.rows.start, block.columns.start))


def place_text(stream: Stream, places: range) -> str:
    """found[0:4], found[2] for one coordinate, the bare name for a slot of width 1."""
    name, width, start = slot_at(stream, places.start)
    if width == 1 and not name.endswith("]"):
        return name
    first = places.start - start
    return f"{name}[{first}]" if len(places) == 1 else f"{name}[{first}:{first + len(places)}]"


def _parse_place(text: object, field: str, stream: Stream) -> range:
    """The inverse of `place_text`."""
    match = _PLACE.match(text) if isinstance(text, str) else None
    name = match[1] if match else text
    widths = dict(stream.slots)
    if not isinstance(name, str) or name not in widths:
        known = ", ".join(widths)[:200]
        raise InputError(f"{field}: {str(text)[:40]!r} is no place in the slots {known}")
    first = int(match[2]) if match else 0
    stop = (int(match[3]) if match[3] else first + 1) if match else 1
    if not first < stop <= widths[name] or (match is None and widths[name] != 1):
        raise InputError(f"{field}: {str(text)[:40]!r} does not fit the slot {name}, which has width {widths[name]}")
    return stream[name][first:stop]


def _runs(entries: Iterable[Entry], follows: Callable[[Entry, Entry], bool]) -> list[list[Entry]]:
    runs: list[list[Entry]] = []
    for entry in entries:
        if runs and follows(runs[-1][-1], entry):
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return runs


def _slot_numbers(stream: Stream) -> list[int]:
    return [number for number, (_, width) in enumerate(stream.slots) for _ in range(width)]


def slot_at(stream: Stream, coordinate: int) -> tuple[str, int, int]:
    """(name, width, first coordinate) of the slot of a coordinate."""
    start = 0
    for name, width in stream.slots:
        if start <= coordinate < start + width:
            return name, width, start
        start += width
    raise IndexError(f"coordinate {coordinate} of {stream.width}")


# Layers and tables as documents

BIAS = Stream([(CONSTANT, 1)])


def inner_streams(part: Document) -> dict[str, Stream]:
    """The unnamed spaces inside a head or an MLP, by the names they are shown under."""
    return {name: Stream([(name, part["spaces"][name])]) for name in part["spaces"]}


def segment_stream(digits: Sequence[str], radices: Sequence[int]) -> Stream:
    """one ⊕ the bits of each digit: what a segment's matrix acts on."""
    return Stream([(CONSTANT, 1), *zip(digits, map(bit_count, radices), strict=True)])


def _layer_to_document(layer: Layer, stream: Stream, symbols: Mapping[Fraction, str]) -> Document:
    constant = _constant_columns(stream)
    heads = []
    for head in layer.heads:
        value = temperature(head)
        unit = (Fraction(1), "") if value is None else (value, symbols[value])
        key, inner = Stream([("key", head.w_q.shape[0])]), Stream([("head", head.w_v.shape[0])])
        w_k = find_blocks(head.w_k, key, stream, as_columns=constant)
        cuts = {block.rows.start for block in w_k}
        w_q = find_blocks(head.w_q, key, stream, as_columns=constant, cuts=cuts, unit=unit)
        heads.append(
            {
                "spaces": {"key": key.width, "head": inner.width},
                "W_Q": _listed(w_q, key, stream),
                "W_K": _listed(w_k, key, stream),
                "W_V": _listed(find_blocks(head.w_v, inner, stream, as_columns=constant), inner, stream),
                "W_O": _listed(find_blocks(head.w_o, stream, inner), stream, inner),
                "shift": scalar_text(head.shift / unit[0], unit[1]),
            }
        )
    unit_stream = Stream([("unit", layer.mlp.w_1.shape[0])])
    w_1 = find_blocks(layer.mlp.w_1, unit_stream, stream, as_columns=constant)
    b_1 = find_blocks(layer.mlp.b_1, unit_stream, BIAS, as_columns=(0,), cuts={block.rows.start for block in w_1})
    mlp = {
        "spaces": {"unit": unit_stream.width},
        "W_1": _listed(w_1, unit_stream, stream),
        "b_1": _listed(b_1, unit_stream, BIAS),
        "W_2": _listed(find_blocks(layer.mlp.w_2, stream, unit_stream), stream, unit_stream),
        "b_2": _listed(find_blocks(layer.mlp.b_2, stream, BIAS, as_columns=(0,)), stream, BIAS),
    }
    return {"heads": heads, "mlp": mlp}


def _constant_columns(stream: Stream) -> range:
    return stream[CONSTANT] if (CONSTANT, 1) in stream.slots else range(0)


def _listed(blocks: Iterable[Block], target: Stream, source: Stream) -> list[dict[str, str]]:
    return [block.to_document(target, source) for block in blocks]


Names = Callable[[Segment], tuple[list[str], list[str]]]
"""Segment → (kinds of tokens that use it, names of its digits)."""


def _table_to_document(table: RowTable, stream: Stream, names: Names) -> Document:
    if isinstance(table, Stored):
        rows = Stream([("row", table.height)])
        blocks = find_blocks(table.matrix.T, stream, rows, as_columns=range(table.height))
        return {"rows": table.height, "blocks": _listed(blocks, stream, rows)}
    segments = []
    for segment in table.segments:
        kinds, digits = names(segment)
        if len(digits) != len(segment.radices) or CONSTANT in digits or len(set(digits)) != len(digits):
            digits = [f"digit{place}" for place in range(1, len(segment.radices) + 1)]
        source = segment_stream(digits, segment.radices)
        blocks = find_blocks(segment.matrix, stream, source, as_columns=(0,))
        segments.append(
            {
                "kinds": kinds,
                "start": number_to_json(segment.start),
                "radices": [number_to_json(radix) for radix in segment.radices],
                "digits": digits,
                "blocks": _listed(blocks, stream, source),
            }
        )
    return {"segments": segments}


def _position_names(shape: Shape) -> Names:
    def names(segment: Segment) -> tuple[list[str], list[str]]:
        kinds = [kind for kind in shape.kinds if segment.start <= kind.start < segment.stop]
        whole = len(kinds) == 1 and tuple(v.size for v in kinds[0].address) == segment.radices
        return [kind.name for kind in kinds], [v.name for v in kinds[0].address] if whole else []

    return names


def _token_names(shape: Shape) -> Names:
    def names(segment: Segment) -> tuple[list[str], list[str]]:
        kinds = [kind for kind in shape.kinds if segment.start <= kind.first_id < segment.stop]
        starts = [kind for kind in kinds if kind.first_id == segment.start]
        return [kind.name for kind in kinds], [v.name for v in starts[0].value] if starts else []

    return names


def _answer_names(shape: Shape) -> Names:
    return lambda _segment: ([], [shape.answer.name])


# Documents back into a model


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
    values = {symbol: number_from_json(value, symbol) for symbol, value in document["temperature"].items()}
    stream = Stream((slot["name"], _width(slot["width"], "slots")) for slot in document["slots"])
    precision = fields(document["precision"], "precision", ("P", "p", "fraction"))

    def matrix(blocks: Any, field: str, target: Stream, source: Stream) -> ExactMatrix:
        if target.width * source.width > MAX_ENTRIES:
            raise InputError(f"{field} has more than {MAX_ENTRIES} entries")
        result = Blocks(target, source)
        for number, value in enumerate(listed(blocks, field)):
            block = Block.from_document(value, f"{field}[{number}]", target, source, values)
            for entry in block.entries(values):
                result.put(*entry)
        return result.build()

    def head(value: Any, field: str) -> Head:
        key, inner = (Stream([(name, _width(value["spaces"][name], field))]) for name in ("key", "head"))
        shift = Coefficient.parse(value["shift"], f"{field}.shift", values)
        if len(shift.numbers) != 1:
            raise InputError(f"{field}.shift must be one number")
        return Head(
            w_q=matrix(value["W_Q"], f"{field}.W_Q", key, stream),
            w_k=matrix(value["W_K"], f"{field}.W_K", key, stream),
            w_v=matrix(value["W_V"], f"{field}.W_V", inner, stream),
            w_o=matrix(value["W_O"], f"{field}.W_O", stream, inner),
            shift=shift.numbers[0] * (values[shift.symbol] if shift.symbol else 1),
        )

    def mlp(value: Any, field: str) -> MLP:
        unit = Stream([("unit", _width(value["spaces"]["unit"], field))])
        return MLP(
            w_1=matrix(value["W_1"], f"{field}.W_1", unit, stream),
            b_1=matrix(value["b_1"], f"{field}.b_1", unit, BIAS),
            w_2=matrix(value["W_2"], f"{field}.W_2", stream, unit),
            b_2=matrix(value["b_2"], f"{field}.b_2", stream, BIAS),
        )

    def table(value: Any, field: str) -> RowTable:
        if "rows" in value:
            rows = Stream([("row", _width(value["rows"], field))])
            return Stored(matrix(value["blocks"], field, stream, rows).T)
        segments = []
        for number, part in enumerate(value["segments"]):
            place = f"{field}[{number}]"
            radices = tuple(integer_from_json(radix, f"{place}.radices", least=1) for radix in part["radices"])
            source = segment_stream(part["digits"], radices)
            start = integer_from_json(part["start"], f"{place}.start")
            segments.append(Segment(start, radices, matrix(part["blocks"], place, stream, source)))
        return Declared(tuple(segments))

    return Model(
        stream=stream,
        positions=table(document["embedding"]["positions"], "positions"),
        tokens=table(document["embedding"]["tokens"], "tokens"),
        layers=tuple(
            Layer(
                tuple(head(part, f"layer {layer['layer']} head {i}") for i, part in enumerate(layer["heads"], start=1)),
                mlp(layer["mlp"], f"layer {layer['layer']} mlp"),
            )
            for layer in document["layers"]
        ),
        unembedding=table(document["unembedding"], "unembedding"),
        precision=Precision(*(integer_from_json(precision[key], key, most=4096) for key in ("P", "p", "fraction"))),
    )


def _width(value: object, field: str) -> int:
    return integer_from_json(value, f"{field} width", most=MAX_WIDTH)


# Invariants, line by line


@dataclass(frozen=True)
class _Row:
    """constant + Σ coefficient · bit + junk within ±radius + Σ coefficient · ν_j, the ν_j shared with other rows."""

    constant: Fraction
    terms: tuple[tuple[Symbol, Fraction], ...]
    radius: Fraction
    shared: tuple[tuple[int, Fraction], ...]

    @property
    def is_constant(self) -> bool:
        return not self.terms and not self.shared

    @property
    def is_bit(self) -> bool:
        return len(self.terms) == 1 and not self.shared

    def continues(self, other: _Row) -> bool:
        """Whether this row and the next can be said in one breath."""
        if self.radius != other.radius:
            return False
        if self.is_bit and other.is_bit and self.constant == other.constant:
            (symbol, number), (following, same) = self.terms[0], other.terms[0]
            return number == same and (following.variable, _bit(following)) == (symbol.variable, _bit(symbol) + 1)
        return self.is_constant and other.is_constant


def stage_lines(stage: Stage, stream: Stream, shape: Shape) -> dict[str, list[str]]:
    """Kind → what its tokens hold, slot by slot: "pointer = code(i1) padded with −1"."""
    lines = {}
    for kind in shape.kinds:
        variables = (*kind.address, *kind.value, *shape.global_variables)
        lines[kind.name] = invariant_lines(stage[kind.name], stream, {v.name: v.bits for v in variables})
    return lines


def invariant_lines(invariant: Invariant, stream: Stream, bits: Mapping[str, int]) -> list[str]:
    """An invariant in words, all of it: every coordinate is in exactly one line. ``bits``: of each variable."""
    rows = _rows(invariant)
    lines = []
    for name, _ in stream.slots:
        places = stream[name]
        pieces: list[list[int]] = []
        for place in places:
            if pieces and rows[place - 1].continues(rows[place]):
                pieces[-1].append(place)
            else:
                pieces.append([place])
        if len(pieces) == 2 and _is_padded([[rows[place] for place in piece] for piece in pieces], bits):
            lines.append(f"{name} = {_code_text(rows[places[0]], len(pieces[0]), bits)} padded with −1")
            lines[-1] += _junk_text(rows[places[0]].radius)
            continue
        for piece in pieces:
            to = name if len(piece) == len(places) else place_text(stream, range(piece[0], piece[-1] + 1))
            lines.append(f"{to} = {_piece_text([rows[place] for place in piece], bits, invariant.radii)}")
    return lines


def _rows(invariant: Invariant) -> list[_Row]:
    height = invariant.forms.height
    constants = [Fraction(0)] * height
    terms: list[list[tuple[Symbol, Fraction]]] = [[] for _ in range(height)]
    for row, column, number in invariant.forms.matrix.entries():
        symbol = invariant.forms.symbols[column]
        if symbol == ONE:
            constants[row] = number
        else:
            terms[row].append((symbol, number))
    columns: list[list[tuple[int, Fraction]]] = [[] for _ in invariant.radii]
    for row, column, number in invariant.noise.entries():
        columns[column].append((row, number))
    radii = [Fraction(0)] * height
    shared: list[list[tuple[int, Fraction]]] = [[] for _ in range(height)]
    for column, touched in enumerate(columns):
        for row, number in touched:
            if len(touched) == 1:
                radii[row] += abs(number) * invariant.radii[column]
            else:
                shared[row].append((column, number))
    return [_Row(constants[row], tuple(terms[row]), radii[row], tuple(shared[row])) for row in range(height)]


def _is_padded(pieces: Sequence[Sequence[_Row]], bits: Mapping[str, int]) -> bool:
    """All bits of one variable, then −1 to the end of the slot."""
    code, padding = pieces
    first = code[0]
    if not first.is_bit or first.constant or first.radius != padding[0].radius:
        return False
    symbol, number = first.terms[0]
    whole = number == 1 and _bit(symbol) == 0 and len(code) == bits.get(symbol.variable)
    return whole and all(row.is_constant and row.constant == -1 for row in padding)


def _piece_text(rows: Sequence[_Row], bits: Mapping[str, int], radii: Sequence[Fraction]) -> str:
    first = rows[0]
    if first.is_constant:
        if first.radius and not any(row.constant for row in rows):
            return f"junk within ±{first.radius}"
        return _constants_text([row.constant for row in rows]) + _junk_text(first.radius)
    if first.is_bit:
        return _code_text(first, len(rows), bits) + _junk_text(first.radius)
    terms = [(number, symbol.name) for symbol, number in first.terms]
    terms += [(number, f"ν{column + 1}") for column, number in first.shared]
    limits = "".join(f", |ν{column + 1}| ≤ {radii[column]}" for column, _ in first.shared)
    return _sum_text(terms, first.constant) + _junk_text(first.radius) + limits


def _constants_text(numbers: Sequence[Fraction]) -> str:
    """0, 3, code(2) = (−,+), (1,0,3)."""
    if not any(numbers):
        return "0"
    if len(numbers) == 1:
        return _signed(numbers[0])
    if all(abs(number) == 1 for number in numbers):
        code = f"code({sum(1 << place for place, number in enumerate(numbers) if number > 0)})"
        pattern = ",".join("+" if number > 0 else "−" for number in numbers)
        return f"{code} = ({pattern})" if len(numbers) <= LONGEST_PATTERN else code
    if len(set(numbers)) == 1:
        return f"{_signed(numbers[0])} in every place"
    return f"({','.join(map(_signed, numbers))})"


def _code_text(first: _Row, count: int, bits: Mapping[str, int]) -> str:
    """code(i1), code(i1)[0:2] if these are not all of its bits, −2·code(i1) + 1/2."""
    symbol, number = first.terms[0]
    start = _bit(symbol)
    code = f"code({symbol.variable})"
    if (start, count) != (0, bits.get(symbol.variable)):
        code += f"[{start}:{start + count}]" if count > 1 else f"[{start}]"
    return _sum_text([(number, code)], first.constant)


def _sum_text(terms: Sequence[tuple[Fraction, str]], constant: Fraction) -> str:
    """2·a − b + 1/2."""
    parts = [(number, name if abs(number) == 1 else f"{abs(number)}·{name}") for number, name in terms]
    parts += [(constant, str(abs(constant)))] if constant else []
    text = "".join(f" {'−' if number < 0 else '+'} {part}" for number, part in parts)
    return ("−" if parts[0][0] < 0 else "") + text[3:]


def _junk_text(radius: Fraction) -> str:
    return f" + junk within ±{radius}" if radius else ""


def _signed(number: Fraction) -> str:
    return str(number).replace("-", "−")


def _bit(symbol: Symbol) -> int:
    return int(symbol.name.rpartition(".")[2])
