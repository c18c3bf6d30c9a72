"""A stack of layers over a residual stream: matrices of exact numbers, and nothing but matrices.

A head, each kind in a file of its own, is a few matrices that know how they run (``attend``), on which grid their
output lies (``output_grid``), how a document names them (``TYPE``, and the names of its fields) and, if tokens hand a
state on, how large that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from flint import fmpq, fmpq_mat

from separation.arithmetic import ExactMatrix, Precision
from separation.counting import count
from separation.models.delta_head import DeltaHead, ProductHead
from separation.models.full_head import Head, OffGrid, affine, multiples
from separation.models.linear_head import LinearHead
from separation.models.reading import Matrices
from separation.models.recurrent_head import RecurrentHead
from separation.models.sparse_head import SparseHead
from separation.models.stream import Stream
from separation.models.tables import RowTable

AnyHead = Head | LinearHead | DeltaHead | ProductHead | SparseHead | RecurrentHead
HEAD_TYPES: dict[str, type[AnyHead]] = {
    head.TYPE: head for head in (Head, LinearHead, DeltaHead, ProductHead, SparseHead, RecurrentHead)
}
STATEFUL = (LinearHead, DeltaHead, ProductHead, RecurrentHead)
StatefulHead = LinearHead | DeltaHead | ProductHead | RecurrentHead
KindOfHead = TypeVar("KindOfHead", bound=AnyHead)


def idle_head(letter: str, width: int, family: str = "linear") -> AnyHead:
    """A head of a layer F or R that reads and writes nothing; ``family`` of R is linear or delta."""
    read, write, zero = ExactMatrix.zeros(1, width), ExactMatrix.zeros(width, 1), ExactMatrix.zeros(1, 1)
    if letter == "F":
        return Head(read, read, read, write, shift=Fraction(0))
    if family == "delta":  # α = 1: the empty state is kept
        return DeltaHead(read, read, read, read, ExactMatrix.from_rows([[1]]), read, zero, write)
    return LinearHead(read, zero, read, zero, read, write, normalised=False)


class Unit(NamedTuple):
    """relu(Σ reads_c·x_c + constant), added to x_r writes_r times: coordinate to coefficient."""

    reads: Mapping[int, Fraction | int]
    constant: Fraction | int
    writes: Mapping[int, Fraction | int]


@dataclass(frozen=True)
class MLP(Matrices):
    """x ← x + W_2 relu(W_1 x + b_1) + b_2, where W_1: h × width; b_1: h × 1; W_2: width × h; b_2: width × 1.

    >>> from separation import MLP, ExactMatrix
    >>> relu = MLP(*(ExactMatrix.from_rows([[number]]) for number in (1, 0, -2, 0)))  # x ← x − 2·relu(x) = −|x|
    >>> relu.w_2.fractions()
    [[Fraction(-2, 1)]]
    """

    w_1: ExactMatrix
    b_1: ExactMatrix
    w_2: ExactMatrix
    b_2: ExactMatrix

    @classmethod
    def of_units(cls, width: int, units: Iterable[Unit], offsets: Mapping[int, Fraction | int] | None = None) -> MLP:
        """An MLP unit by unit; ``offsets`` are those of b_2 that are not 0, by coordinate."""
        listed = list(units)
        reads = [(unit, column, c) for unit, each in enumerate(listed) for column, c in each.reads.items()]
        writes = [(row, unit, c) for unit, each in enumerate(listed) for row, c in each.writes.items()]
        return cls(
            ExactMatrix.from_entries((len(listed), width), reads),
            ExactMatrix.from_entries((len(listed), 1), [(unit, 0, each.constant) for unit, each in enumerate(listed)]),
            ExactMatrix.from_entries((width, len(listed)), writes),
            ExactMatrix.from_entries((width, 1), [(row, 0, c) for row, c in (offsets or {}).items()]),
        )


@dataclass(frozen=True)
class Layer:
    """Attention (all heads read the same stream), then the blocks of the MLP in order, each added to the stream.

    >>> from separation import Layer, Sizes, build
    >>> full, recurrent = build("C1", Sizes(2, ())).model.layers[0], build("C3", Sizes(2, ())).model.layers[0]
    >>> Layer((*full.heads, *recurrent.heads), full.mlps).letter
    '[FR]'
    """

    heads: tuple[AnyHead, ...]
    mlps: tuple[MLP, ...]

    @property
    def letter(self) -> str:
        """F, R or S; [FR] for heads of both kinds side by side; empty without heads."""
        letters = "".join(sorted({head.LETTER for head in self.heads}))
        return letters if len(letters) < 2 else f"[{letters}]"

    def heads_of(self, kind: type[KindOfHead]) -> list[KindOfHead]:
        """Its heads of one kind."""
        return [head for head in self.heads if isinstance(head, kind)]

    @property
    def stateful_heads(self) -> list[StatefulHead]:
        """Those whose tokens hand a state on."""
        return [head for head in self.heads if isinstance(head, STATEFUL)]

    @property
    def matrices(self) -> Iterator[tuple[str, ExactMatrix]]:
        """All matrices with their names, head by head, then block by block."""
        for part in (*self.heads, *self.mlps):
            for name in part.MATRICES:
                yield name, getattr(part, name)


@dataclass(frozen=True)
class Model:
    """x = positions[i] + tokens[id_i]; the layers; the answer is argmax of unembedding · x at the last token.

    A token sees itself and what stands before it; if not ``causal``, full attention sees all tokens (an encoder).

    >>> from separation import Declared, ExactMatrix, Model, Precision, Segment, Stream
    >>> bit = Declared((Segment(0, (2,), ExactMatrix.from_rows([[0, 1]])),))  # row 0 is −1, row 1 is +1
    >>> model = Model(Stream([("bit", 1)]), bit, bit, (), bit, Precision(score_bits=8, bits=8, fraction_bits=4))
    >>> model.word, model.width, model.tokens.height
    ('', 1, 2)
    """

    stream: Stream
    positions: RowTable
    tokens: RowTable
    layers: tuple[Layer, ...]
    unembedding: RowTable
    precision: Precision
    causal: bool = True

    def __post_init__(self) -> None:
        width = self.stream.width
        if not width:
            raise ValueError("slots must have at least one coordinate together")
        for name in ("positions", "tokens", "unembedding"):
            if getattr(self, name).width != width:
                raise ValueError(f"{name} has width {getattr(self, name).width}, the stream {width}")
            if not getattr(self, name).height:
                raise ValueError(f"{name} has no rows")
        for number, layer in enumerate(self.layers, start=1):
            _check_shapes(layer, width, f"layer {number}")
            if not self.causal and layer.letter not in ("", "F"):
                raise ValueError(f"layer {number}: attention both ways is for full attention, not for {layer.letter}")

    @property
    def word(self) -> str:
        """The letters of its layers, e.g. RFF."""
        return "".join(layer.letter for layer in self.layers)

    @property
    def summary(self) -> str:
        """word FF, 2 layers, width 14, P = 24, p = 9."""
        layers = count(len(self.layers), "layer")
        bits = f"P = {self.precision.score_bits}, p = {self.precision.bits}"
        return f"word {self.word or 'without heads'}, {layers}, width {self.width}, {bits}"

    def heads_of(self, kind: type[KindOfHead]) -> list[KindOfHead]:
        """The heads of one kind, layer by layer."""
        return [head for layer in self.layers for head in layer.heads_of(kind)]

    @property
    def width(self) -> int:
        return self.stream.width

    @property
    def heads(self) -> int:
        return max((len(layer.heads) for layer in self.layers), default=0)

    @cached_property
    def is_integral(self) -> bool:
        """W are integers, biases and rows multiples of 2^-f: then every activation is a multiple of 2^-f.

        Products of activations, in recurrent heads, must be known to be such multiples too.
        """
        step = 1 << self.precision.fraction_bits
        tables = (self.positions, self.tokens, self.unembedding)
        named = [pair for layer in self.layers for pair in layer.matrices]
        offsets = [matrix.denominator for name, matrix in named if name.startswith("b")]
        offsets += [table.denominator for table in tables]
        maps = [matrix for name, matrix in named if not name.startswith("b")]
        if any(step % denominator for denominator in offsets) or not all(map_.is_integral for map_ in maps):
            return False
        return self.is_on_grid

    @cached_property
    def is_on_grid(self) -> bool:
        """All activations, states included, are multiples of 2^-f: row r of W x is one of gcd_c(W_rc g_c) · 2^-f.

        relu keeps multiples. False means that nothing is known.
        """
        unit = 1 << self.precision.fraction_bits
        grid = [0] * self.width
        try:
            for matrix in (*self.positions.codes, *self.tokens.codes):
                grid = multiples(matrix, [unit] * matrix.shape[1], grid)
            for layer in self.layers:
                outputs = [head.output_grid(grid, unit) for head in layer.heads]
                for head, output in zip(layer.heads, outputs, strict=True):
                    grid = multiples(head.w_o, output, grid)
                for mlp in layer.mlps:
                    hidden = affine(mlp.w_1, mlp.b_1, grid, unit)
                    grid = multiples(mlp.w_2, hidden, multiples(mlp.b_2, [unit], grid))
        except OffGrid:
            return False
        return True

    @property
    def parameters(self) -> int:
        """Numbers that a dense copy of the layers and of stored tables holds; a declared table counts its matrices."""
        count = 0
        for layer in self.layers:
            count += sum(matrix.shape[0] * matrix.shape[1] for _, matrix in layer.matrices)
        for table in (self.positions, self.tokens, self.unembedding):
            count += sum(matrix.shape[0] * matrix.shape[1] for matrix in table.codes)
        return count


def change_basis(model: Model, basis: ExactMatrix, inverse: ExactMatrix | None = None) -> Model:
    """The same function in the coordinates y = T x: T on what writes the stream, T^-1 on what reads it.

    where basis: T, width × width and invertible.
    """
    inverse = inverse_matrix(basis) if inverse is None else inverse
    layers = tuple(
        Layer(
            tuple(_head_in_basis(head, basis, inverse) for head in layer.heads),
            tuple(replace(m, w_1=m.w_1 @ inverse, w_2=basis @ m.w_2, b_2=basis @ m.b_2) for m in layer.mlps),
        )
        for layer in model.layers
    )
    return replace(
        model,
        stream=Stream([("basis", model.width)]),
        positions=model.positions.mapped(basis),
        tokens=model.tokens.mapped(basis),
        layers=layers,
        unembedding=model.unembedding.mapped(inverse.T),
    )


def _head_in_basis(head: AnyHead, basis: ExactMatrix, inverse: ExactMatrix) -> AnyHead:
    read: dict[str, Any] = {name: getattr(head, name) @ inverse for name in head.READERS}
    return replace(head, **read, w_o=basis @ head.w_o)


def inverse_matrix(matrix: ExactMatrix) -> ExactMatrix:
    """matrix^-1 over ℚ."""
    rows = [[fmpq(entry.numerator, entry.denominator) for entry in row] for row in matrix.fractions()]
    inverse = fmpq_mat(rows).inv().tolist()
    return ExactMatrix.from_rows([[Fraction(int(e.p), int(e.q)) for e in row] for row in inverse])


def _check_shapes(layer: Layer, width: int, name: str) -> None:
    for head in layer.heads:
        _compare(head, head.shapes(width), name)
    for mlp in layer.mlps:
        hidden = mlp.w_1.shape[0]
        _compare(mlp, {"w_1": (hidden, width), "b_1": (hidden, 1), "w_2": (width, hidden), "b_2": (width, 1)}, name)


def _compare(part: AnyHead | MLP, wanted: dict[str, tuple[int, int]], name: str) -> None:
    for matrix, shape in wanted.items():
        found = getattr(part, matrix).shape
        if found != shape:
            raise ValueError(f"{name}: {paper_name(matrix)} has shape {found}, wanted {shape}")


def paper_name(attribute: str) -> str:
    """w_q → W_Q, b_q → b_Q, b_1 → b_1: the names that papers use."""
    return attribute[0] + attribute[1:].upper() if attribute.startswith("b") else attribute.upper()
