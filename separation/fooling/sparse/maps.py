"""Compression maps: what a sparse layer sees of a block that it does not open, for any block at any place."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.fooling.birthday import digits
from separation.fooling.subject import as_array
from separation.tasks.checks import require_integer
from separation.tasks.two_sum import TwoSumSizes

MAX_TABLE = 1 << 18
"""Entries of a random map that is a table; a certificate has to hold them."""

LARGE = 1 << 31
"""Entries of a matrix, in sum, from which Python's integers are used: below, tokens up to 2^32 do not overflow."""

Sequences = NDArray[np.int64]
"""(count, B): blocks, their tokens in 1..M−1."""


@dataclass(frozen=True)
class SparseShape:
    """g = ``blocks`` complete blocks of B = ``block`` tokens before the query, k = ``opened`` of them opened in all."""

    modulus: int
    block: int
    blocks: int
    opened: int

    def __post_init__(self) -> None:
        for name, value, least in (("block", self.block, 1), ("open", self.opened, 0), ("blocks", self.blocks, 1)):
            require_integer(name, value, least)
        TwoSumSizes(self.length, self.modulus)

    @property
    def values(self) -> int:
        """u = M − 1."""
        return self.modulus - 1

    @property
    def sequences(self) -> int:
        """u^B."""
        return int(self.values**self.block)

    @property
    def length(self) -> int:
        """All blocks, and the query alone in its own."""
        return self.blocks * self.block + 1

    def numbered(self, numbers: NDArray[np.int64]) -> Sequences:
        """The sequences with these numbers, in lexicographic order from 0."""
        return digits(numbers, self.values, self.block) + 1


class SummaryMap(Protocol):
    """summaries(place, sequences): one row for each sequence; equal rows are equal summaries at that place."""

    def summaries(self, place: int, sequences: Sequences) -> NDArray[Any]: ...


@dataclass(frozen=True)
class CallableMap:
    """Any function (block, place) → something that can be hashed; equal values count as one, however they are written.

    ``known`` has the first of equal values, which stands for all: 1 for 1.0, a set for the same set in another order.
    """

    function: Callable[[tuple[int, ...], int], Hashable]
    known: dict[Hashable, Hashable] = field(default_factory=dict, compare=False, repr=False)

    def summaries(self, place: int, sequences: Sequences) -> NDArray[Any]:
        found = np.empty((len(sequences), 1), dtype=object)
        for row, block in enumerate(sequences.tolist()):
            value = self.function(tuple(block), place)
            try:
                found[row, 0] = self.known.setdefault(value, value)
            except TypeError:
                raise InputError(
                    f"a summary is a {type(value).__name__}; a value that can be hashed is needed"
                ) from None
        return found


@dataclass(frozen=True)
class MatrixMap:
    """A x mod q for the matrix A, r × B, of each place; one matrix may serve all places. Without q no remainder."""

    matrices: NDArray[np.int64]
    modulus: int | None = None

    def at(self, place: int) -> NDArray[np.int64]:
        found: NDArray[np.int64] = self.matrices if self.matrices.ndim == 2 else self.matrices[place]
        return found

    def summaries(self, place: int, sequences: Sequences) -> NDArray[Any]:
        matrix = self.at(place)
        # Beyond 64 bits sums wrap, which is harmless for remainders by a power of two below 2^63 alone.
        harmless = self.modulus is not None and self.modulus in {1 << bits for bits in range(63)}
        if not harmless and sum(abs(int(entry)) for entry in matrix.ravel()) >= LARGE:
            matrix = matrix.astype(object)
        images: NDArray[Any] = sequences @ matrix.T
        return images if self.modulus is None else images % self.modulus


@dataclass(frozen=True)
class TableMap:
    """One summary for each of the u^B sequences in their order, at each place."""

    shape: SparseShape
    tables: NDArray[np.int64]

    def summaries(self, place: int, sequences: Sequences) -> NDArray[Any]:
        powers = self.shape.values ** np.arange(self.shape.block)[::-1]
        return np.asarray(self.tables[place][(sequences - 1) @ powers][:, None])


@dataclass(frozen=True)
class TorchMap:
    """A torch module (sequences, place) → a tensor with one row for each; equal means equal in all bits."""

    module: Any

    def summaries(self, place: int, sequences: Sequences) -> NDArray[Any]:
        import torch

        with torch.no_grad():
            found = self.module(torch.from_numpy(sequences), place)
        return as_array(found).reshape(len(sequences), -1)


def as_map(given: Any, modulus: int | None = None) -> SummaryMap:
    """A map of one of the kinds here, from a matrix (with ``modulus`` q), a torch module or a function."""
    if hasattr(given, "summaries"):
        found: SummaryMap = given
        return found
    if isinstance(given, np.ndarray) or (isinstance(given, Sequence) and not isinstance(given, str)):
        matrices = np.asarray(given)
        if matrices.dtype.kind not in "iu" or matrices.ndim not in (2, 3):
            raise InputError("a compression matrix has integers of 64 bits, r x B, or places x r x B")
        return MatrixMap(matrices.astype(np.int64), modulus)
    if hasattr(given, "named_parameters"):
        return TorchMap(given)
    if callable(given):
        return CallableMap(given)
    raise InputError(f"a {type(given).__name__} is no compression map; a function, a matrix or a torch module is")


def random_map(shape: SparseShape, bits: int, seed: int) -> SummaryMap:
    """A seeded random map to that many bits: a table where it is not too large, else a random linear hash."""
    require_integer("summary-bits", bits, 0, 62)
    random = np.random.default_rng([require_integer("seed", seed, 0), 4])
    if shape.block * shape.values.bit_length() <= 30 and shape.sequences * shape.blocks <= MAX_TABLE:
        return TableMap(shape, random.integers(1 << bits, size=(shape.blocks, shape.sequences)))
    most = min(1 << bits, 1 << 40)
    return MatrixMap(random.integers(most, size=(shape.blocks, 1, shape.block)), 1 << bits)
