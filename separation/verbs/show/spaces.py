"""The spaces that a model's matrices go between, under the names that blocks are written with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from separation.models import AnyHead, RecurrentHead, Stream
from separation.models.recurrent_head import blank
from separation.tasks.shape import bit_count

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
            spaces[name] = Stream((f"token{place}", widths[inside]) for place in range(numbers["block"]))
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
