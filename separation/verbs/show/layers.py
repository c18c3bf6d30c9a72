"""Heads and MLPs of a layer as documents."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.models import MLP, AnyHead, Layer, Stream
from separation.verbs.show.blocks import NO_UNIT, Block, Unit, blocks_to_document, find_blocks
from separation.verbs.show.coefficients import scalar_text
from separation.verbs.show.spaces import (
    HEAD_SPACES,
    MLP_SPACES,
    Layout,
    constant_columns,
    head_spaces,
    head_widths,
    part_spaces,
)
from separation.verbs.show.temperature import temperature

# Columns of the one are cut where blocks of the other begin, so that the two can be read side by side.
_CUT_BY = {"W_Q": "W_K", "b_1": "W_1", "b_Q": "W_Q", "b_K": "W_K", "b_X": "W_X"}


def layer_to_document(layer: Layer, stream: Stream, symbols: Mapping[Fraction, str]) -> dict[str, Any]:
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
