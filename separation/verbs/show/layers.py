"""Heads and MLPs of a layer as documents."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from separation.models import MLP, Head, Layer, Stream
from separation.verbs.show.blocks import NO_UNIT, Block, Unit, blocks_to_document, find_blocks
from separation.verbs.show.coefficients import scalar_text
from separation.verbs.show.spaces import HEAD_SPACES, MLP_SPACES, constant_columns, part_spaces
from separation.verbs.show.temperature import temperature

# Columns of the one are cut where blocks of the other begin, so that the two can be read side by side.
_CUT_BY = {"W_Q": "W_K", "b_1": "W_1"}


def layer_to_document(layer: Layer, stream: Stream, symbols: Mapping[Fraction, str]) -> dict[str, Any]:
    heads = [_head_to_document(head, stream, symbols) for head in layer.heads]
    widths = {"unit": layer.mlp.w_1.shape[0]}
    return {"heads": heads, "mlp": {"spaces": widths, **_matrices(layer.mlp, MLP_SPACES, part_spaces(stream, widths))}}


def _head_to_document(head: Head, stream: Stream, symbols: Mapping[Fraction, str]) -> dict[str, Any]:
    value = temperature(head)
    unit = NO_UNIT if value is None else (value, symbols[value])
    widths = {"key": head.w_q.shape[0], "head": head.w_v.shape[0]}
    return {
        "spaces": widths,
        **_matrices(head, HEAD_SPACES, part_spaces(stream, widths), {"W_Q": unit}),
        "shift": scalar_text(head.shift / unit[0], unit[1]),
    }


def _matrices(
    part: Head | MLP,
    layout: Mapping[str, tuple[str, str]],
    inside: Mapping[str, Stream],
    units: Mapping[str, Unit] | None = None,
) -> dict[str, list[dict[str, str]]]:
    """The part's matrices as blocks, by name."""
    found: dict[str, list[Block]] = {}
    for name in sorted(layout, key=lambda name: name in _CUT_BY):
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
