"""The spaces that a model's matrices go between, under the names that blocks are written with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from separation.models import Stream
from separation.tasks.shape import bit_count

CONSTANT = "one"
BIAS = Stream([(CONSTANT, 1)])
# Matrix → (its rows, its columns): x is the residual stream, 1 what a bias is read off, the others lie inside a part.
HEAD_SPACES = {"W_Q": ("key", "x"), "W_K": ("key", "x"), "W_V": ("head", "x"), "W_O": ("x", "head")}
MLP_SPACES = {"W_1": ("unit", "x"), "b_1": ("unit", "1"), "W_2": ("x", "unit"), "b_2": ("x", "1")}


def part_spaces(stream: Stream, widths: Mapping[str, int]) -> dict[str, Stream]:
    """The spaces of a head or an MLP by name; ``widths`` are of those inside it."""
    return {"x": stream, "1": BIAS, **{name: Stream([(name, width)]) for name, width in widths.items()}}


def constant_columns(stream: Stream) -> range:
    return stream[CONSTANT] if (CONSTANT, 1) in stream.slots else range(0)


def row_stream(height: int) -> Stream:
    """The rows of a stored table."""
    return Stream([("row", height)])


def segment_stream(digits: Sequence[str], radices: Sequence[int]) -> Stream:
    """one ⊕ the bits of each digit: what a segment's matrix acts on."""
    return Stream([(CONSTANT, 1), *zip(digits, map(bit_count, radices), strict=True)])
