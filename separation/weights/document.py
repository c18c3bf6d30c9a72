"""A construction's weights as one document: slots, tables, the matrices of each layer as named blocks, invariants.

Rows of W_Q and W_K are called key, rows of W_V head, rows of W_1 unit, the row of a gate gate; the key or value of the
token with index 3 in a block of keys is token3; a bias is read off the constant `one`; a stored table's row is row[5].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.models import (
    MLP,
    AnyHead,
    Head,
    Layer,
    Model,
    RecurrentHead,
    RowTable,
    Segment,
    SparseHead,
    Stored,
    Stream,
    attention_name,
)
from separation.models import blank_recurrent_head as blank
from separation.proving import Construction
from separation.tasks.shape import Shape, bit_count
from separation.weights.blocks import NO_UNIT, TAU, Block, Unit, blocks_to_document, find_blocks, scalar_text
from separation.weights.invariant_lines import stage_lines

Document = dict[str, Any]
CONSTANT = "one"
BIAS = Stream([(CONSTANT, 1)])
Layout = Mapping[str, tuple[str, str]]
# Matrix → (its rows, its columns): x is the residual stream, 1 what a bias is read off, the others lie inside a part.
_READS = {"W_Q": ("key", "x"), "W_K": ("key", "x"), "W_V": ("head", "x")}
_WRITES = {"W_O": ("x", "head")}
HEAD_SPACES: dict[str, Layout] = {
    "full": {**_READS, **_WRITES},
    "linear": {
        "W_Q": ("key", "x"),
        "b_Q": ("key", "1"),
        "W_K": ("key", "x"),
        "b_K": ("key", "1"),
        "W_V": ("head", "x"),
        **_WRITES,
    },
    "delta": {
        **_READS,
        "W_A": ("gate", "x"),
        "b_A": ("gate", "1"),
        "W_B": ("gate", "x"),
        "b_B": ("gate", "1"),
        **_WRITES,
    },
    "recurrent": {"W_X": ("input", "x"), "b_X": ("input", "1"), "b_C": ("constant", "1"), **_WRITES},
    "sparse": {**_READS, "C_K": ("key", "block keys"), "C_V": ("head", "block values"), **_WRITES},
}
MLP_SPACES: Layout = {"W_1": ("unit", "x"), "b_1": ("unit", "1"), "W_2": ("x", "unit"), "b_2": ("x", "1")}
# Columns of the one are cut where blocks of the other begin, so that the two can be read side by side.
_CUT_BY = {"W_Q": "W_K", "b_1": "W_1", "b_Q": "W_Q", "b_K": "W_K", "b_X": "W_X"}
Naming = Callable[[Shape, Segment], tuple[list[str], list[str]]]
"""(kinds of tokens that use a segment, names of its digits and of their mirror image)."""


def weights_to_document(construction: Construction, layer: int | None = None) -> Document:
    """The weights and invariants of a construction, of one layer (counted from 1) or of all."""
    model, shape = construction.model, construction.shape
    stream, precision = model.stream, model.precision
    symbols = temperatures(model)
    numbers = range(1, len(model.layers) + 1) if layer is None else (layer,)
    stages = {
        number: stage_lines(construction.stages[number], stream, shape) if number < len(construction.stages) else {}
        for number in sorted({stage for number in numbers for stage in (number - 1, number)})
    }
    return {
        "attention": attention_name(model),
        "precision": {"P": precision.score_bits, "p": precision.bits, "fraction": precision.fraction_bits},
        "slots": [{"name": name, "width": width} for name, width in stream.slots],
        "temperature": {symbol: str(value) for value, symbol in symbols.items()},
        "embedding": {
            "positions": _table_to_document(model.positions, stream, shape, _position_names),
            "tokens": _table_to_document(model.tokens, stream, shape, _token_names),
        },
        "layers": [
            {
                "layer": number,
                **_layer_to_document(model.layers[number - 1], stream, symbols),
                "before": stages[number - 1],
                "after": stages[number],
            }
            for number in numbers
        ],
        "unembedding": _table_to_document(model.unembedding, stream, shape, _answer_names),
    }


def head_widths(head: AnyHead) -> dict[str, int]:
    """The widths of the spaces inside a head."""
    if isinstance(head, RecurrentHead):
        return {"input": head.w_x.shape[0], "constant": head.b_c.shape[0], "head": head.d_v}
    return {"key": head.w_q.shape[0], "head": head.w_v.shape[0]}


def head_spaces(stream: Stream, widths: Mapping[str, int], numbers: Mapping[str, Any]) -> dict[str, Stream]:
    """The spaces of a head by name; the tokens of a block of keys are called token0, token1, ….

    The inputs of a recurrent head have the names that its family gives them.
    """
    spaces = part_spaces(stream, {"gate": 1, **widths})
    if "block" in numbers:
        for name, inside in (("block keys", "key"), ("block values", "head")):
            spaces[name] = Stream((f"token{index}", widths[inside]) for index in range(numbers["block"]))
    if "family" in numbers:
        head = blank(**numbers)
        for name, parts in (("input", head.inputs), ("constant", head.constants)):
            spaces[name] = Stream((part.name, part.stop - part.start) for part in parts)
    return spaces


def part_spaces(stream: Stream, widths: Mapping[str, int]) -> dict[str, Stream]:
    """The spaces of a head or an MLP by name; ``widths`` are of those inside it."""
    return {"x": stream, "1": BIAS, **{name: Stream([(name, width)]) for name, width in widths.items()}}


def constant_columns(stream: Stream) -> range:
    return stream[CONSTANT] if (CONSTANT, 1) in stream.slots else range(0)


def row_stream(height: int) -> Stream:
    """The rows of a stored table."""
    return Stream([("row", height)])


def segment_stream(digits: Sequence[str], radices: Sequence[int], mirror: int | None = None) -> Stream:
    """one ⊕ the bits of each digit ⊕ those of the mirror image, if there is one: what a segment's matrix acts on."""
    sizes = radices if mirror is None else (*radices, mirror)
    return Stream([(CONSTANT, 1), *zip(digits, map(bit_count, sizes), strict=True)])


def temperatures(model: Model) -> dict[Fraction, str]:
    """Value → symbol: τ if all heads with a temperature have the same, else τ1, τ2, … in order of layers."""
    found = (temperature(head) for layer in model.layers for head in layer.heads)
    values = list(dict.fromkeys(value for value in found if value is not None))
    return {value: TAU if len(values) == 1 else f"{TAU}{number}" for number, value in enumerate(values, start=1)}


def temperature(head: AnyHead) -> Fraction | None:
    """shift / d_k, the score of a match if all key coordinates are ±1, when it divides all entries of W_Q."""
    if not isinstance(head, (Head, SparseHead)):
        return None
    rows = head.w_q.shape[0]
    if not rows or head.shift <= 0:
        return None
    value = head.shift / rows
    entries = {abs(number) for _, _, number in head.w_q.entries()}
    return value if entries and all((number / value).denominator == 1 for number in entries) else None


def _layer_to_document(layer: Layer, stream: Stream, symbols: Mapping[Fraction, str]) -> dict[str, Any]:
    return {
        "heads": [_head_to_document(head, stream, symbols) for head in layer.heads],
        "mlps": [_mlp_to_document(mlp, stream) for mlp in layer.mlps],
    }


def _mlp_to_document(mlp: MLP, stream: Stream) -> dict[str, Any]:
    widths = {"unit": mlp.w_1.shape[0]}
    return {"spaces": widths, **_matrices(mlp, MLP_SPACES, part_spaces(stream, widths))}


def _head_to_document(head: AnyHead, stream: Stream, symbols: Mapping[Fraction, str]) -> dict[str, Any]:
    value = temperature(head)
    unit = NO_UNIT if value is None else (value, symbols[value])
    widths = head_widths(head)
    inside = head_spaces(stream, widths, {name: getattr(head, name) for name in head.NUMBERS})
    return {
        "type": head.TYPE,
        "spaces": widths,
        **_matrices(head, HEAD_SPACES[head.TYPE], inside, {"W_Q": unit}),
        **{name: _number(name, getattr(head, name), unit) for name in head.NUMBERS},
    }


def _number(name: str, value: Any, unit: Unit) -> Any:
    """The shift in units of the temperature; the others as they are in a model file."""
    if name == "shift":
        return scalar_text(value / unit[0], unit[1])
    return value if isinstance(value, (bool, str)) else number_to_json(value)


def _matrices(
    part: AnyHead | MLP,
    layout: Layout,
    inside: Mapping[str, Stream],
    units: Mapping[str, Unit] | None = None,
) -> dict[str, list[dict[str, str]]]:
    """The part's matrices as blocks, by name."""
    found: dict[str, list[Block]] = {}
    # W_K before W_Q, and biases last: what cuts is there before what is cut.
    for name in sorted(layout, key=lambda name: (name.startswith("b"), name in _CUT_BY)):
        to, origin = layout[name]
        found[name] = find_blocks(
            getattr(part, name.lower()),
            inside[to],
            inside[origin],
            as_columns=constant_columns(inside[origin]),
            cuts={block.rows.start for block in found[_CUT_BY[name]]} if name in _CUT_BY else (),
            unit=(units or {}).get(name, NO_UNIT),
        )
    return {name: blocks_to_document(found[name], inside[to], inside[origin]) for name, (to, origin) in layout.items()}


def _table_to_document(table: RowTable, stream: Stream, shape: Shape, naming: Naming) -> dict[str, Any]:
    if isinstance(table, Stored):
        rows = row_stream(table.height)
        blocks = find_blocks(table.matrix.T, stream, rows, as_columns=range(table.height))
        return {"rows": table.height, "blocks": blocks_to_document(blocks, stream, rows)}
    segments = []
    for segment in table.segments:
        kinds, digits = naming(shape, segment)
        count = len(segment.digit_bits)
        if len(digits) != count or CONSTANT in digits or len(set(digits)) != len(digits):
            digits = [f"digit{index}" for index in range(1, count + 1)]
        source = segment_stream(digits, segment.radices, segment.mirror)
        blocks = find_blocks(segment.matrix, stream, source, as_columns=constant_columns(source))
        segments.append(
            {
                "kinds": kinds,
                "start": number_to_json(segment.start),
                "radices": [number_to_json(radix) for radix in segment.radices],
                "digits": digits,
                **({} if segment.mirror is None else {"mirror": number_to_json(segment.mirror)}),
                "blocks": blocks_to_document(blocks, stream, source),
            }
        )
    return {"segments": segments}


def _position_names(shape: Shape, segment: Segment) -> tuple[list[str], list[str]]:
    kinds = [kind for kind in shape.kinds if segment.start <= kind.start < segment.stop]
    whole = len(kinds) == 1 and tuple(v.size for v in kinds[0].address) == segment.radices
    return [kind.name for kind in kinds], [v.name for v in kinds[0].address] if whole else []


def _token_names(shape: Shape, segment: Segment) -> tuple[list[str], list[str]]:
    kinds = [kind for kind in shape.kinds if segment.start <= kind.first_id < segment.stop]
    starts = [kind for kind in kinds if kind.first_id == segment.start]
    if not starts:
        return [kind.name for kind in kinds], []
    names = [v.name for v in starts[0].value]
    if segment.mirror is not None and starts[0].mirror is not None:
        names.append(starts[0].mirror.name)
    return [kind.name for kind in kinds], names


def _answer_names(shape: Shape, segment: Segment) -> tuple[list[str], list[str]]:
    groups = [group for group in shape.outputs if segment.start <= group.start < segment.stop]
    starts = [group for group in groups if group.start == segment.start]
    names = [group.name for group in groups] if len(shape.outputs) > 1 else []
    return names, [v.name for v in starts[0].address] if starts else []
