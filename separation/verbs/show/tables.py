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
"""(kinds of tokens that use a segment, names of its digits and of their mirror image)."""


def table_to_document(table: RowTable, stream: Stream, shape: Shape, naming: Naming) -> dict[str, Any]:
    if isinstance(table, Stored):
        rows = row_stream(table.height)
        blocks = find_blocks(table.matrix.T, stream, rows, as_columns=range(table.height))
        return {"rows": table.height, "blocks": blocks_to_document(blocks, stream, rows)}
    segments = []
    for segment in table.segments:
        kinds, digits = naming(shape, segment)
        count = len(segment.digit_bits)
        if len(digits) != count or CONSTANT in digits or len(set(digits)) != len(digits):
            digits = [f"digit{place}" for place in range(1, count + 1)]
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


def position_names(shape: Shape, segment: Segment) -> tuple[list[str], list[str]]:
    kinds = [kind for kind in shape.kinds if segment.start <= kind.start < segment.stop]
    whole = len(kinds) == 1 and tuple(v.size for v in kinds[0].address) == segment.radices
    return [kind.name for kind in kinds], [v.name for v in kinds[0].address] if whole else []


def token_names(shape: Shape, segment: Segment) -> tuple[list[str], list[str]]:
    kinds = [kind for kind in shape.kinds if segment.start <= kind.first_id < segment.stop]
    starts = [kind for kind in kinds if kind.first_id == segment.start]
    if not starts:
        return [kind.name for kind in kinds], []
    names = [v.name for v in starts[0].value]
    if segment.mirror is not None and starts[0].mirror is not None:
        names.append(starts[0].mirror.name)
    return [kind.name for kind in kinds], names


def answer_names(shape: Shape, segment: Segment) -> tuple[list[str], list[str]]:
    groups = [group for group in shape.outputs if segment.start <= group.start < segment.stop]
    starts = [group for group in groups if group.start == segment.start]
    names = [group.name for group in groups] if len(shape.outputs) > 1 else []
    return names, [v.name for v in starts[0].address] if starts else []
