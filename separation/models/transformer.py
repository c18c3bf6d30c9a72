"""A decoder with full attention: matrices of exact numbers, and nothing but matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from flint import fmpq, fmpq_mat

from separation.arithmetic import ExactMatrix, Precision
from separation.models.stream import Stream
from separation.models.tables import Declared, RowTable, Segment, Stored


@dataclass(frozen=True)
class Head:
    """out_i = Σ_{j≤i} e(q_i·k_j) v_j / Σ_{j≤i} e(q_i·k_j), q = W_Q x, k = W_K x, v = W_V x; the stream gets W_O · out.

    where W_Q, W_K: d_k × width; W_V: d_v × width; W_O: width × d_v; e(s) = ⌊2^P exp(s − shift)⌋. The temperature is a
    factor of W_Q.
    """

    w_q: ExactMatrix
    w_k: ExactMatrix
    w_v: ExactMatrix
    w_o: ExactMatrix
    shift: Fraction

    MATRICES = ("w_q", "w_k", "w_v", "w_o")


@dataclass(frozen=True)
class MLP:
    """x ← x + W_2 relu(W_1 x + b_1) + b_2, where W_1: h × width; b_1: h × 1; W_2: width × h; b_2: width × 1."""

    w_1: ExactMatrix
    b_1: ExactMatrix
    w_2: ExactMatrix
    b_2: ExactMatrix

    MATRICES = ("w_1", "b_1", "w_2", "b_2")


@dataclass(frozen=True)
class Layer:
    """Attention (all heads read the same stream), then the MLP, each added to the stream."""

    heads: tuple[Head, ...]
    mlp: MLP


@dataclass(frozen=True)
class Model:
    """x = positions[i] + tokens[id_i]; the layers; the answer is argmax of unembedding · x at the last token."""

    stream: Stream
    positions: RowTable
    tokens: RowTable
    layers: tuple[Layer, ...]
    unembedding: RowTable
    precision: Precision

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

    @property
    def width(self) -> int:
        return self.stream.width

    @property
    def heads(self) -> int:
        return max((len(layer.heads) for layer in self.layers), default=0)

    @property
    def is_integral(self) -> bool:
        """W are integers, biases and rows multiples of 2^-f: then every activation is a multiple of 2^-f."""
        step = 1 << self.precision.fraction_bits
        tables = (self.positions, self.tokens, self.unembedding)
        offsets = [layer.mlp.b_1.denominator for layer in self.layers]
        offsets += [layer.mlp.b_2.denominator for layer in self.layers]
        offsets += [table.denominator for table in tables]
        maps = [getattr(head, name) for layer in self.layers for head in layer.heads for name in Head.MATRICES]
        maps += [getattr(layer.mlp, name) for layer in self.layers for name in ("w_1", "w_2")]
        return all(step % denominator == 0 for denominator in offsets) and all(map_.is_integral for map_ in maps)

    @property
    def parameters(self) -> int:
        """Numbers that a dense copy of the layers and of stored tables holds; a declared table counts its matrices."""
        count = 0
        for layer in self.layers:
            parts = [getattr(head, name) for head in layer.heads for name in Head.MATRICES]
            parts += [getattr(layer.mlp, name) for name in MLP.MATRICES]
            count += sum(matrix.shape[0] * matrix.shape[1] for matrix in parts)
        for table in (self.positions, self.tokens, self.unembedding):
            matrices = [table.matrix] if isinstance(table, Stored) else [part.matrix for part in table.segments]
            count += sum(matrix.shape[0] * matrix.shape[1] for matrix in matrices)
        return count


def change_basis(model: Model, basis: ExactMatrix, inverse: ExactMatrix | None = None) -> Model:
    """The same function in the coordinates y = T x: T on what writes the stream, T^-1 on what reads it.

    where basis: T, width × width and invertible.
    """
    inverse = inverse_matrix(basis) if inverse is None else inverse
    layers = tuple(
        Layer(
            tuple(
                replace(h, w_q=h.w_q @ inverse, w_k=h.w_k @ inverse, w_v=h.w_v @ inverse, w_o=basis @ h.w_o)
                for h in layer.heads
            ),
            replace(layer.mlp, w_1=layer.mlp.w_1 @ inverse, w_2=basis @ layer.mlp.w_2, b_2=basis @ layer.mlp.b_2),
        )
        for layer in model.layers
    )
    return replace(
        model,
        stream=Stream([("basis", model.width)]),
        positions=_map_rows(model.positions, basis),
        tokens=_map_rows(model.tokens, basis),
        layers=layers,
        unembedding=_map_rows(model.unembedding, inverse.T),
    )


def inverse_matrix(matrix: ExactMatrix) -> ExactMatrix:
    """matrix^-1 over ℚ."""
    rows = [[fmpq(entry.numerator, entry.denominator) for entry in row] for row in matrix.fractions()]
    inverse = fmpq_mat(rows).inv().tolist()
    return ExactMatrix.from_rows([[Fraction(int(e.p), int(e.q)) for e in row] for row in inverse])


def _map_rows(table: RowTable, matrix: ExactMatrix) -> RowTable:
    if isinstance(table, Stored):
        return Stored(table.matrix @ matrix.T)
    return Declared(tuple(Segment(part.start, part.radices, matrix @ part.matrix) for part in table.segments))


def _check_shapes(layer: Layer, width: int, name: str) -> None:
    for head in layer.heads:
        keys, values = head.w_q.shape[0], head.w_v.shape[0]
        wanted = {"w_q": (keys, width), "w_k": (keys, width), "w_v": (values, width), "w_o": (width, values)}
        _compare(head, wanted, name)
    hidden = layer.mlp.w_1.shape[0]
    _compare(layer.mlp, {"w_1": (hidden, width), "b_1": (hidden, 1), "w_2": (width, hidden), "b_2": (width, 1)}, name)


def _compare(part: Head | MLP, wanted: dict[str, tuple[int, int]], name: str) -> None:
    for matrix, shape in wanted.items():
        found = getattr(part, matrix).shape
        if found != shape:
            shown = matrix if matrix.startswith("b") else matrix.upper()
            raise ValueError(f"{name}: {shown} has shape {found}, wanted {shape}")
