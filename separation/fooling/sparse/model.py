"""A given model of one block-sparse layer: two inputs of 2-Sum that it answers alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray, integer_matmul
from separation.files import InputError
from separation.fooling.budget import Budget, Clock
from separation.fooling.pair import NOTHING_PROVED, Interrupted, Message, Pair, Search, Transcript, ended, found_pair
from separation.fooling.sparse.layer import Ambiguity, ambiguous
from separation.fooling.sparse.maps import Sequences, SparseShape
from separation.models import Model, Reading, SparseHead, embedding_reader, reader_of, run
from separation.progress import Progress
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes, outputs

FILLINGS = 64
"""Ways to fill the other blocks that are tried for each ambiguous element at each place."""


@dataclass(frozen=True)
class SparseModel:
    """One S layer whose heads have blocks of one length; the query is the last token."""

    model: Model
    sizes: TwoSumSizes

    def __post_init__(self) -> None:
        blocks = {head.block for head in self.heads}
        if self.model.word != "S" or len(self.model.layers) != 1 or len(blocks) != 1:
            raise InputError(f"the model is {self.model.word}; one S layer with blocks of one length is needed")
        if self.shape.blocks < 1:
            raise InputError("the prompt has no block before the last one: nothing is summarised")

    @property
    def heads(self) -> tuple[SparseHead, ...]:
        return tuple(self.model.heads_of(SparseHead))

    @property
    def shape(self) -> SparseShape:
        """Blocks before that of the last token; k over all heads."""
        block, opened = self.heads[0].block, sum(head.opened for head in self.heads)
        return SparseShape(self.sizes.modulus, block, (self.sizes.length - 1) // block, opened)

    def summaries(self, place: int, sequences: Sequences) -> NDArray[Any]:
        """C_K (k_1; …; k_B) and C_V (v_1; …; v_B) of all heads, over one denominator for each place."""
        added = self._added[place]
        total: IntegerArray = np.zeros((len(sequences), added.shape[2]), dtype=added.dtype)
        for offset in range(sequences.shape[1]):
            total = total + added[offset, sequences[:, offset]]
        return total

    @cached_property
    def _added(self) -> list[IntegerArray]:
        """For each place (offset, value, numbers): what a token adds to the summaries."""
        values = np.arange(self.sizes.modulus, dtype=np.int64)
        count = self.shape.blocks * self.shape.block
        stream = embedding_reader(self.model, np.broadcast_to(values[:, None], (len(values), count))).rows(0, count)
        reading = Reading(self.model, 1, reader_of(stream))
        parts = []
        for head in self.heads:
            for matrix, compressor in ((head.w_k, head.c_k), (head.w_v, head.c_v)):
                vectors = reading.map(stream, matrix, "key or value").values
                size = matrix.shape[0]
                columns = [compressor.numerators[:, o * size : (o + 1) * size].T for o in range(head.block)]
                parts.append(
                    np.stack([integer_matmul(vectors[:, at], columns[at % head.block]) for at in range(count)])
                )
        together = np.concatenate(parts, axis=2)
        return [together[start : start + self.shape.block] for start in range(0, count, self.shape.block)]

    def transcript(self, x: tuple[int, ...], place: int) -> tuple[Transcript, bool]:
        """For each head the blocks that it opens and its summary of the block at a place; and whether none opens it."""
        stream = embedding_reader(self.model, np.array([x])).rows(0, len(x))
        reading = Reading(self.model, 1, reader_of(stream))
        last, unit = np.array([len(x) - 1]), 1 << self.model.precision.fraction_bits
        messages, closed = [], True
        for index, head in enumerate(self.heads):
            attention = head.attend(reading)
            query = reading.map(stream.tokens(len(x) - 1, len(x)), head.w_q, "query")
            opened = sorted(attention.choice(query, last)[2].ravel().tolist())
            closed = closed and place not in opened
            summaries = attention.keys.summary_key, attention.keys.summary_value
            told = (Fraction(int(number), s.denominator * unit) for s in summaries for number in s.values[0, place])
            messages.append(Message(1, index, (*opened, *told)))
        return tuple(messages), closed


def find_model_pair(
    model: Model,
    sizes: TwoSumSizes,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> tuple[Search, int | None]:
    """Two inputs of 2-Sum that differ in one block, which no head opens, and that ``model`` answers alike; the block.

    Input a has no x before its last token −x; b has x in the block, whose summary stays the same.
    """
    subject, clock = SparseModel(model, sizes), (budget or Budget()).start(progress)
    method = "ambiguous elements of the model"
    found: list[Ambiguity] = []
    try:
        for place in range(subject.shape.blocks):
            found.append(ambiguous(subject, subject.shape, place, seed, clock))
        for pair, place in _pairs(subject, found, clock, seed):
            if pair.holds:
                return found_pair(pair, clock, method), place
    except KeyboardInterrupt:
        raise Interrupted(ended(clock, method, False, f"stopped by hand; {NOTHING_PROVED}")) from None
    none = all(ambiguity.complete and not ambiguity.witnesses for ambiguity in found)
    note = "no element is ambiguous in any block: summaries tell all" if none else NOTHING_PROVED
    return ended(clock, method, none, note), None


def _pairs(subject: SparseModel, found: list[Ambiguity], clock: Clock, seed: int) -> Iterator[tuple[Pair, int]]:
    """For each x, those that are ambiguous in most blocks first, and each place: several fillings of other blocks."""
    random = np.random.default_rng([seed, 6])
    counts = {x: sum(x in ambiguity.witnesses for ambiguity in found) for x in range(1, subject.sizes.modulus)}
    for x in sorted((x for x in counts if counts[x]), key=lambda x: -counts[x]):
        for ambiguity in (part for part in found if x in part.witnesses):
            for attempt in range(FILLINGS):
                if clock.left <= 0:
                    return
                clock.spend(1, "inputs compared")
                pair = _pair(subject, x, ambiguity, found, random if attempt else None)
                if pair is not None:
                    yield pair, ambiguity.place


def _pair(
    subject: SparseModel, x: int, ambiguity: Ambiguity, found: list[Ambiguity], random: np.random.Generator | None
) -> Pair | None:
    shape, sizes = subject.shape, subject.sizes
    a = np.full(sizes.length, sizes.modulus - x)
    for part in found:
        start = part.place * shape.block
        if random is not None:
            free = random.integers(1, sizes.modulus - 1, size=shape.block)
            a[start : start + shape.block] = free + (free >= x)
        elif x in part.witnesses:
            a[start : start + shape.block] = part.witnesses[x][1]
    start, b = ambiguity.place * shape.block, a.copy()
    b[start : start + shape.block], a[start : start + shape.block] = ambiguity.witnesses[x]
    inputs = TwoSumInstance(sizes, a), TwoSumInstance(sizes, b)
    said = run(subject.model, np.stack([a, b])).answers.tolist()
    expected_a, expected_b = (outputs(instance)[-1] for instance in inputs)
    (seen_a, closed_a), (seen_b, closed_b) = (subject.transcript(instance.x, ambiguity.place) for instance in inputs)
    if not (closed_a and closed_b):  # who opens the block may have read it: equal answers show nothing
        return None
    return Pair(*inputs, expected_a, expected_b, (said[0],), (said[1],), seen_a, seen_b)
