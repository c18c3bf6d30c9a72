"""One sparse layer and 2-Sum: x ambiguous in more blocks than are opened, and the two inputs that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from separation.arithmetic import number_to_json
from separation.fooling.budget import Budget
from separation.fooling.pair import NOTHING_PROVED, Interrupted, Message, Pair, Search, ended, found_pair
from separation.fooling.sparse.layer import (
    Ambiguity,
    RandomScorer,
    Scorer,
    SparseLayer,
    Witness,
    ambiguous,
    right_layer,
)
from separation.fooling.sparse.maps import MatrixMap, SparseShape, TableMap, as_map
from separation.progress import Progress
from separation.proving import CERTIFICATE_SCHEMA, accepted
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes, outputs
from separation.version import VERSION


@dataclass(frozen=True)
class SparseSearch:
    """What is known of a compression map: the search, the ambiguities, and one of two things.

    ``x`` and ``swaps`` (place → a block with x, of the summary that the block of input a has there), more than k of
    them; or ``right``, a layer with this map that is right on every input. Neither, if not all sequences were seen.
    """

    search: Search
    shape: SparseShape
    ambiguities: tuple[Ambiguity, ...]
    x: int | None = None
    swaps: dict[int, tuple[int, ...]] | None = None
    opened: tuple[int, ...] = ()
    unopened: int | None = None
    right: SparseLayer | None = None

    def document(self) -> dict[str, Any]:
        """The keys next to those of the search itself."""
        return {
            "x": self.x,
            "ambiguous_blocks": None if self.swaps is None else sorted(self.swaps),
            "opened": list(self.opened),
            "unopened": self.unopened,
            "can_be_right": False if self.swaps is not None else True if self.right is not None else None,
        }


def find_sparse_pair(
    given: Any,
    shape: SparseShape,
    *,
    modulus: int | None = None,
    scorer: Scorer | None = None,
    seed: int = 0,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> SparseSearch:
    """Two inputs of 2-Sum that no sparse layer with this compression map tells apart, or the layer that is right.

    where ``given`` is a function (block, place) → summary, an integer matrix (``modulus`` q, if any), or a torch
    module; ``scorer`` is that of the layer to be fooled, by default a random one of this seed. Whatever it opens, input
    a looks the same as with a swap in a block that stays closed.
    """
    summary, clock = as_map(given, modulus), (budget or Budget()).start(progress)
    found: list[Ambiguity] = []
    method = "ambiguous elements"
    try:
        for place in range(shape.blocks):
            if clock.left <= 0:
                return SparseSearch(ended(clock, method, False, NOTHING_PROVED), shape, tuple(found))
            found.append(ambiguous(summary, shape, place, seed, clock))
    except KeyboardInterrupt:
        raise Interrupted(ended(clock, method, False, f"stopped by hand; {NOTHING_PROVED}")) from None
    complete = all(ambiguity.complete for ambiguity in found)
    method = "all sequences of a block" if complete else "random sequences of a block"
    counts = {x: sum(x in ambiguity.witnesses for ambiguity in found) for x in range(1, shape.modulus)}
    x = max(counts, key=lambda candidate: counts[candidate])
    if counts[x] <= shape.opened:
        right = right_layer(shape, summary, found) if complete else None
        note = NOTHING_PROVED
        if right is not None:
            note = (
                f"no x is ambiguous in more than {shape.opened} blocks: a layer with this map is right, and was built"
            )
        return SparseSearch(ended(clock, method, complete, note), shape, tuple(found), right=right)
    witnesses = {ambiguity.place: ambiguity.witnesses[x] for ambiguity in found if x in ambiguity.witnesses}
    layer = SparseLayer(shape, summary, scorer or RandomScorer(seed, shape.opened))
    pair, unopened = sparse_pair(layer, x, witnesses)
    swaps = {place: with_x for place, (with_x, _) in witnesses.items()}
    search = found_pair(pair, clock, method)
    opened = layer.view(pair.a.x)[0] if isinstance(pair.a, TwoSumInstance) else ()
    return SparseSearch(search, shape, tuple(found), x, swaps, opened, unopened)


def sparse_pair(layer: SparseLayer, x: int, witnesses: dict[int, Witness]) -> tuple[Pair, int]:
    """Input a without x, input b with x in an ambiguous block that the layer does not open; and that block."""
    shape = layer.shape
    filler = next(value for value in range(1, shape.modulus) if value != x)
    blocks = [witnesses[place][1] if place in witnesses else (filler,) * shape.block for place in range(shape.blocks)]
    a = _joined(blocks, shape.modulus - x)
    opened, _ = layer.view(a)
    unopened = next(place for place in sorted(witnesses) if place not in opened)
    b = _joined([*blocks[:unopened], witnesses[unopened][0], *blocks[unopened + 1 :]], shape.modulus - x)
    sizes = TwoSumSizes(shape.length, shape.modulus)
    inputs = TwoSumInstance(sizes, a), TwoSumInstance(sizes, b)
    expected = [outputs(instance)[-1] for instance in inputs]
    said = [(layer.answer(instance.x),) for instance in inputs]
    messages = [(Message(1, 0, (*layer.view(instance.x)[0], *layer.numbers(instance.x))),) for instance in inputs]
    return Pair(*inputs, expected[0], expected[1], said[0], said[1], messages[0], messages[1]), unopened


def map_certificate(found: SparseSearch, summary: Any, tool: str = VERSION) -> dict[str, Any] | None:
    """The certificate of a pair for a map that is a table or a matrix, accepted by the kernel; None for other maps."""
    pair, shape = found.search.pair, found.shape
    document = _map_document(as_map(summary), shape)
    if pair is None or found.swaps is None or document is None:
        return None
    assert isinstance(pair.a, TwoSumInstance)
    assert isinstance(pair.b, TwoSumInstance)
    swaps = [{"block": place, "with": list(block)} for place, block in sorted(found.swaps.items())]
    claim = {
        "modulus": shape.modulus,
        "block": shape.block,
        "open": shape.opened,
        "blocks": shape.blocks,
        "x": found.x,
        "a": list(pair.a.x),
        "b": list(pair.b.x),
        "expected_a": pair.expected_a,
        "expected_b": pair.expected_b,
        "opened": list(found.opened),
        "swaps": swaps,
    }
    return accepted({"schema": CERTIFICATE_SCHEMA, "kind": "pair", "tool": tool, "claim": claim, "map": document})


def _map_document(summary: Any, shape: SparseShape) -> dict[str, Any] | None:
    if isinstance(summary, TableMap):
        return {"type": "table", "tables": summary.tables.tolist()}
    if isinstance(summary, MatrixMap) and summary.modulus is not None:
        rows = [summary.at(index).tolist() for index in range(shape.blocks)]
        return {"type": "linear", "modulus": number_to_json(summary.modulus), "rows": rows}
    return None


def _joined(blocks: Sequence[tuple[int, ...]], query: int) -> tuple[int, ...]:
    return (*(token for block in blocks for token in block), query)
