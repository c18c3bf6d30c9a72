"""The forward pass in torch: only the rows that the answer needs, keys and states kept; or whole matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from separation.files import InputError
from separation.models import (
    MLP,
    AnyHead,
    DeltaHead,
    Head,
    Layer,
    LinearHead,
    Model,
    ProductHead,
    SparseHead,
    columns_read,
    layer_reading,
    layers_others_need,
    spans,
)
from separation.numeric.arithmetic import Arithmetic
from separation.numeric.readers import (
    DeltaReader,
    FullReader,
    Keys,
    LinearReader,
    Maker,
    MatrixReader,
    Reader,
    SparseReader,
)

PIECE_ENTRIES = 1 << 23
ANSWERS_AT_ONCE = 1 << 22

Watch = Callable[[int, int, int, Any], None]
"""(layer from 1, head from 0, first token, what the head hands to the tokens from there on)."""


class Session:
    """A batch of prompts that is read token by token: `read`, `last_answers`, `read` the next tokens, and so on.

    Layers are computed at other tokens than the last only where later heads read what they write there, or at
    ``every_row``. An encoder, and the path of whole matrices, take the whole prompt in one `read`.
    """

    def __init__(
        self,
        model: Model,
        batch: int,
        arithmetic: Arithmetic,
        device: str = "cpu",
        capacity: int | None = None,
        every_row: bool = False,
        watch: Watch | None = None,
    ) -> None:
        self.model, self.batch, self.count = model, batch, 0
        self.maker = Maker(arithmetic, device)
        self.watch = watch or (lambda _layer, _head, _start, _out: None)
        needed = layers_others_need(model)
        self.every_row = every_row
        self.whole = arithmetic.path == "full" or not model.causal
        all_rows = every_row or arithmetic.path == "full"
        self.updated = [all_rows or any(needed[number:]) for number in range(len(needed))]
        self.capacity = model.positions.height if capacity is None else capacity
        # Where other tokens are only read, nothing but what heads read of them is embedded.
        columns = np.arange(model.width) if any(self.updated) or every_row else columns_read(model)
        self.tables = tuple(table.columns(columns) for table in (model.positions, model.tokens))
        read = [layer_reading(layer, columns) for layer in model.layers]
        self._shared: dict[tuple[Any, ...], Keys] = {}
        self.layers = [
            _LayerRun(self.maker, layer, [self._reader(head, number) for head in layer.heads])
            for number, layer in enumerate(read)
        ]
        self.last: Any = None
        self.rows: list[Any] = []

    def read(self, ids: NDArray[np.int64]) -> None:
        """The next tokens of every prompt: (batch, tokens)."""
        with torch.inference_mode():
            if self.whole and self.count:
                raise ValueError("whole matrices are computed for a whole prompt at once")
            size = ids.shape[1] if self.whole else max(1, PIECE_ENTRIES // (self.batch * self.model.width))
            for first, last in spans(0, ids.shape[1], size):
                self._read_piece(ids[:, first:last], wanted=last == ids.shape[1])

    def answers(self) -> NDArray[np.int64]:
        """argmax of the logits at the last token; at every token, (batch, tokens), if every row was asked for."""
        with torch.inference_mode():
            tops = [(first, logits.max(dim=2)) for first, logits in self._logits()]
            best = torch.stack([top.values for _, top in tops]).max(dim=0).indices  # of equal ones, the first
            found = torch.stack([first + top.indices for first, top in tops]).gather(0, best[None])[0]
            numbers: NDArray[np.int64] = found.cpu().numpy()
        return numbers if self.every_row else numbers[:, 0]

    def logits(self) -> Any:
        """(batch, answers), or (batch, tokens, answers) if every row was asked for."""
        with torch.inference_mode():
            whole = torch.cat([part for _, part in self._logits()], dim=2)
            return whole if self.every_row else whole[:, 0]

    def _logits(self) -> Iterator[tuple[int, Any]]:
        rows = torch.cat(self.rows, dim=1) if self.every_row else self.last
        table, rows = self.model.unembedding, rows.to(self.maker.result)
        for first, last in spans(0, table.height, max(1, ANSWERS_AT_ONCE // self.model.width)):
            yield first, rows @ self.maker.rows(table, np.arange(first, last)).to(rows.dtype).T

    def _read_piece(self, ids: NDArray[np.int64], wanted: bool) -> None:
        """The layers in turn; past the last updated one other tokens keep the stream that they have."""
        start = self.count
        stream = self.maker.embedding(self.tables, ids, start)
        self.count += ids.shape[1]
        last: Any = None
        if wanted and not all(self.updated):
            last = self.maker.embedding((self.model.positions, self.model.tokens), ids[:, -1:], self.count - 1)
        for number, (layer, updated) in enumerate(zip(self.layers, self.updated, strict=True), start=1):
            if updated:
                stream = layer.all_rows(stream, start, self._noted(number))
                last = stream[:, -1:]
                continue
            layer.append(stream, start)
            if wanted:
                last = layer.one_row(last, self.count - 1, self._noted(number))
        self.last = stream[:, -1:] if last is None else last
        if self.every_row:
            self.rows.append(stream)

    def _noted(self, number: int) -> Callable[[int, int, Any], None]:
        return lambda head, start, out: self.watch(number, head, start, out)

    def _reader(self, head: AnyHead, number: int) -> Reader:
        match head:
            case Head() if self.maker.arithmetic.path == "full":
                return MatrixReader(self.maker, head, self.model.causal)
            case Head():
                return FullReader(self.maker, head, self._keys(head, number), self.model.causal)
            case SparseHead():
                return SparseReader(self.maker, head, self._keys(head, number))
            case LinearHead():
                return LinearReader(self.maker, head, self.batch)
            case DeltaHead() | ProductHead():
                return DeltaReader(self.maker, head, self.batch)
        raise InputError(f"layer {number}: a head of the type {head.TYPE} has no float run")

    def _keys(self, head: Any, number: int) -> Keys:
        """Heads that read the same maps of the same stream share their keys and values."""
        stage = min(number, sum(self.updated))
        maps = [(matrix.denominator, matrix.numerators.tobytes()) for matrix in (head.w_k, head.w_v)]
        fits = head.w_k.numerators.dtype != object and head.w_v.numerators.dtype != object
        name = (stage, *maps) if fits else (number, id(head))
        if name not in self._shared:
            self._shared[name] = Keys(self.maker, head, self.batch, self.capacity)
        return self._shared[name]


class _LayerRun:
    """The heads of a layer side by side, then the blocks of its MLP; the stream is rounded when the layer is done."""

    def __init__(self, maker: Maker, layer: Layer, readers: list[Reader]) -> None:
        self.maker, self.readers = maker, readers
        self.outputs = [maker.weight(head.w_o).T for head in layer.heads]
        self.mlps = [_MLPRun(maker, mlp) for mlp in layer.mlps]

    def append(self, stream: Any, start: int) -> None:
        for reader in self.readers:
            reader.append(stream, start)

    def all_rows(self, stream: Any, start: int, noted: Callable[[int, int, Any], None]) -> Any:
        outs = [reader.append_and_read(stream, start) for reader in self.readers]
        return self._finish(stream, start, outs, noted)

    def one_row(self, last: Any, position: int, noted: Callable[[int, int, Any], None]) -> Any:
        outs = [reader.read(last, position) for reader in self.readers]
        return self._finish(last, position, outs, noted)

    def _finish(self, stream: Any, start: int, outs: list[Any], noted: Callable[[int, int, Any], None]) -> Any:
        parts = []
        for index, out in enumerate(outs):
            noted(index, start, out)
        for first, last in spans(0, stream.shape[1], 1 << 14):
            result = stream[:, first:last].to(self.maker.result)
            for out, weight in zip(outs, self.outputs, strict=True):
                result = result + out[:, first:last] @ weight
            for mlp in self.mlps:
                result = mlp(result)
            parts.append(self.maker.narrow(result))
        return torch.cat(parts, dim=1)


class _MLPRun:
    """x + W_2 relu(W_1 x + b_1) + b_2."""

    def __init__(self, maker: Maker, mlp: MLP) -> None:
        self.w_1, self.w_2 = maker.weight(mlp.w_1).T, maker.weight(mlp.w_2).T
        self.b_1, self.b_2 = maker.bias(mlp.b_1), maker.bias(mlp.b_2)

    def __call__(self, stream: Any) -> Any:
        return stream + (torch.relu(stream @ self.w_1 + self.b_1) @ self.w_2 + self.b_2)


def decode(
    model: Model, ids: NDArray[np.int64], steps: int, arithmetic: Arithmetic, device: str = "cpu"
) -> NDArray[np.int64]:
    """t_{n+1} = argmax of the logits at the last token, ``steps`` times.

    The prompt is read once, and its keys, values and states are kept; whole matrices are recomputed each time.
    """
    capacity = ids.shape[1] + steps
    session = Session(model, len(ids), arithmetic, device, capacity)
    whole, following = ids, ids
    for _ in range(steps):
        if session.whole:
            session, following = Session(model, len(ids), arithmetic, device, capacity), whole
        session.read(following)
        following = session.answers()[:, None]
        whole = np.concatenate([whole, following], axis=1)
    return whole[:, ids.shape[1] :]
