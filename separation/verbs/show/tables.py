"""Embedding and unembedding tables as documents, with the names that the task gives to digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from separation.arithmetic import number_to_json
from separation.models import Segment, Stored, Stream
from separation.models.tables import RowTable
from separation.tasks.shape import Shape
from separation.verbs.show.blocks import blocks_to_document, find_blocks
from separation.verbs.show.spaces import CONSTANT, constant_columns, row_stream, segment_stream

Naming = Callable[[Shape, Segment], tuple[list[str], list[str]]]
"""(kinds of tokens that use a segment, names of its digits)."""


def table_to_document(table: RowTable, stream: Stream, shape: Shape, naming: Naming) -> dict[str, Any]:
    if isinstance(table, Stored):
        rows = row_stream(table.height)
        blocks = find_blocks(table.matrix.T, stream, rows, as_columns=range(table.height))
        return {"rows": table.height, "blocks": blocks_to_document(blocks, stream, rows)}
    segments = []
    for segment in table.segments:
        kinds, digits = naming(shape, segment)
        if len(digits) != len(segment.radices) or CONSTANT in digits or len(set(digits)) != len(digits):
            digits = [f"digit{place}" for place in range(1, len(segment.radices) + 1)]
        source = segment_stream(digits, segment.radices)
        blocks = find_blocks(segment.matrix, stream, source, as_columns=constant_columns(source))
        segments.append(
            {
                "kinds": kinds,
                "start": number_to_json(segment.start),
                "radices": [number_to_json(radix) for radix in segment.radices],
                "digits": digits,
                "blocks": blocks_to_document(blocks, stream, source),
            }
        )
    return {"segments": segments}


def position_names(shape: Shape, segment: Segment) -> tuple[list[str], list[str]]:
    kinds = [kind for kind in shape.kinds if segment.start <= kind.start < segment.stop]
    whole = len(kinds) == 1 and tuple(v.size for v in kinds[0].address) == segment.radices
    return [kind.name for kind in kinds], [v.name for v in kinds[0].address] if whole else []


def token_names(shape: Shape, segment: Segment) -> tuple[list[str], list[str]]:
    kinds = [kind for kind in shape.kinds if segment.start <= kind.first_id < segment.stop]
    starts = [kind for kind in kinds if kind.first_id == segment.start]
    return [kind.name for kind in kinds], [v.name for v in starts[0].value] if starts else []


def answer_names(shape: Shape, _segment: Segment) -> tuple[list[str], list[str]]:
    return [], [shape.answer.name]
