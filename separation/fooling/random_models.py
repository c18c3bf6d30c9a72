"""Seeded random models in R alone: a word, and how many bits the state of each layer may have.

The stream holds the constant 1, a row of small integers for the position and one for the token; layer ℓ adds
``heard ℓ``, what its head says, and ``kept ℓ``, the same clipped to 0..CLIP by its MLP; later layers read the clipped
numbers. So every entry of a state has a range that follows from the weights: the sum over the tokens of the tables of
the least and of the most that each of them can add. The bits of a state are Σ ⌈log2 (values in the range)⌉ over its
entries, and weights are drawn until they are at most those asked for, and until the states of random tables are not
almost all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from constructions.units import units
from separation.arithmetic import ExactMatrix, Precision
from separation.files import InputError
from separation.fooling.messages import packed_states
from separation.models import MLP, Blocks, Layer, LinearHead, Model, Stored, Stream
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes

CLIP = 2
MAX_ENTRIES, MAX_LAYERS = 256, 8
ATTEMPTS = 320
MAX_TOKENS = 1 << 10
FEW_BITS, MANY_BITS = 16, 64
SHORT_ENTRY, LONG_ENTRY = 8, 16
"""Below few bits a state has one entry; below many, one for each bits of a short entry; else of a long one."""
LOOKED_AT, LEAST_DISTINCT, SPREADS = 64, 8, 16
"""Random tables whose states are compared; how many should differ, if the bits allow it; and draws until they do."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class RandomModel:
    """The model, for each R layer the bits of its state after the tables, and how many states LOOKED_AT tables had."""

    model: Model
    sizes: Sizes
    state_bits: tuple[int, ...]
    distinct: int = 0


def random_recurrent_model(layers: int, sizes: Sizes, state_bits: int, seed: int, steps: int = 1) -> RandomModel:
    """R^layers with at most ``state_bits`` bits in each state; it can generate ``steps`` tokens."""
    require_integer("layers", layers, 1, MAX_LAYERS)
    require_integer("state-bits", state_bits, 1, MAX_ENTRIES * LONG_ENTRY)
    require_integer("seed", seed, 0)
    if sizes.length > MAX_TOKENS:
        raise InputError(f"{sizes.length} tokens; random models are made for at most {MAX_TOKENS}")
    entries = 1 if state_bits < FEW_BITS else state_bits // (SHORT_ENTRY if state_bits < MANY_BITS else LONG_ENTRY)
    while entries:
        best: RandomModel | None = None
        for attempt in range(SPREADS):
            source = [seed, entries, attempt] if attempt else [seed, entries]
            found = _Maker(layers, sizes, state_bits, entries, np.random.default_rng(source), steps).make()
            if found is not None and (best is None or found.distinct > best.distinct):
                best = found
            if best is None or best.distinct >= min(LEAST_DISTINCT, 1 << state_bits - 1):
                break
        if best is not None:
            return best
        entries //= 2
    raise InputError(f"no random layer with a state of at most {state_bits} bits found at these sizes")


class _Maker:
    """Random parts, drawn until states are small enough; None in their place if they never are."""

    def __init__(
        self, layers: int, sizes: Sizes, bits: int, entries: int, random: np.random.Generator, steps: int
    ) -> None:
        self.sizes, self.bits, self.random = sizes, bits, random
        self.keys = max(divisor for divisor in range(1, isqrt(entries) + 1) if entries % divisor == 0)
        self.values = entries // self.keys
        self.tokens = sizes.length + steps - 1
        code = 2
        while 3**code < 4 * max(self.tokens, sizes.vocabulary):
            code += 1
        heard = [(f"heard {ell}", self.values) for ell in range(1, layers + 1)]
        kept = [(f"kept {ell}", self.values) for ell in range(1, layers + 1)]
        self.stream = Stream([("one", 1), ("place", code), ("word", code), *heard, *kept])

    def make(self) -> RandomModel | None:
        positions, tokens = self._rows(self.tokens, "place"), self._rows(self.sizes.vocabulary, "word")
        positions[:, self.stream["one"].start] = 1
        layers, bits, largest = [], [], 0
        for number in range(1, len(self.stream.slots) // 2):
            drawn = self._head(number, positions, tokens)
            if drawn is None:
                return None
            head, held, most = drawn
            layers.append(Layer((head,), (self._clip(number),)))
            bits.append(held)
            largest = max(largest, most)
        answers = self._draw(self.sizes.N[-1], self.stream.width, 3)
        model = Model(
            stream=self.stream,
            positions=Stored(ExactMatrix(positions)),
            tokens=Stored(ExactMatrix(tokens)),
            layers=tuple(layers),
            unembedding=Stored(ExactMatrix(answers)),
            precision=Precision(0, largest.bit_length() + 1, 0),
        )
        return RandomModel(model, self.sizes, tuple(bits), self._distinct(model))

    def _distinct(self, model: Model) -> int:
        """States after random tables: a model that has few of them says little, and is fooled trivially."""
        tables = [np.random.default_rng(size).integers(size, size=(LOOKED_AT, size)) for size in reversed(self.sizes.N)]
        return len(np.unique(packed_states(model, np.concatenate(tables, axis=1)), axis=0))

    def _rows(self, count: int, slot: str) -> Numbers:
        """Different rows of numbers in −1..1 in one slot."""
        columns = self.stream[slot]
        codes = self.random.permutation(3 ** len(columns))[:count]
        rows = np.zeros((count, self.stream.width), dtype=np.int64)
        for column in columns:
            codes, rows[:, column] = np.divmod(codes, 3)
        rows[:, columns.start : columns.stop] -= 1
        return rows

    def _draw(self, height: int, columns: int, most: int) -> Numbers:
        """Integers in −most..most without 0."""
        return self.random.choice([*range(-most, 0), *range(1, most + 1)], size=(height, columns))

    def _head(self, number: int, positions: Numbers, tokens: Numbers) -> tuple[LinearHead, int, int] | None:
        """The head of a layer, the bits of its state, and a bound of all its activations."""
        for attempt in range(0, ATTEMPTS, 1 + self.tokens // 64):  # long prompts: fewer tries, each takes longer
            most = max(1, 12 - attempt // 4)
            read = self._read(number)
            keys, values = (self._draw(count, self.stream.width, most) * read for count in (self.keys, self.values))
            # Features are active at three of four tokens at first; each attempt makes that fewer, and states smaller.
            bias = self._bias(positions, tokens, keys, share=min(1.0, 0.25 + attempt / ATTEMPTS))
            low, high = self._range(number, positions, tokens, keys, bias, values)
            bits = sum(int(width).bit_length() for width in (high - low).reshape(-1))
            if 0 < bits <= self.bits:
                queries = self._draw(self.keys, self.stream.width, 1) * read
                head = LinearHead(
                    w_q=ExactMatrix(queries),
                    b_q=ExactMatrix(self._draw(self.keys, 1, 2)),
                    w_k=ExactMatrix(keys),
                    b_k=ExactMatrix(bias),
                    w_v=ExactMatrix(values),
                    w_o=self._say(number),
                    normalised=False,
                )
                query = int(np.abs(queries).sum(axis=1).max()) * CLIP + 2
                # All tokens of the prompt and of thoughts add to the state, not only those of the tables.
                held = int(np.maximum(np.abs(low), np.abs(high)).max()) * self.tokens
                return head, bits, max(self.keys * query * held + CLIP, held)
        return None

    def _bias(self, positions: Numbers, tokens: Numbers, keys: Numbers, share: float) -> Numbers:
        """b with K x + b ≤ 0 for this share of all pairs of a position and a token."""
        scores = (positions @ keys.T)[:, None] + (tokens @ keys.T)[None]
        return -np.quantile(scores.reshape(-1, self.keys), share, axis=0, method="lower")[:, None].astype(np.int64)

    def _read(self, number: int) -> Numbers:
        """Which coordinates layer ``number`` reads: the constant, place, word, and what earlier layers kept."""
        read = np.zeros(self.stream.width, dtype=np.int64)
        for slot in ("one", "place", "word", *(f"kept {ell}" for ell in range(1, number))):
            read[self.stream[slot].start : self.stream[slot].stop] = 1
        return read

    def _range(
        self, number: int, positions: Numbers, tokens: Numbers, keys: Numbers, bias: Numbers, values: Numbers
    ) -> tuple[Numbers, Numbers]:
        """(d_k, d_v): the least and the most that each entry of the state can be after the tables."""
        kept = np.zeros(self.stream.width, dtype=np.int64)
        for ell in range(1, number):
            kept[self.stream[f"kept {ell}"].start : self.stream[f"kept {ell}"].stop] = CLIP
        low = high = np.zeros((self.keys, self.values), dtype=np.int64)
        places = np.arange(self.sizes.length - 2)
        for start, size in zip(map(self.sizes.table_start, range(1, self.sizes.L + 1)), self.sizes.N, strict=True):
            for place in places[start : start + size]:
                x = positions[place] + tokens[:size]
                ends = [(x @ w.T + np.minimum(w, 0) @ kept, x @ w.T + np.maximum(w, 0) @ kept) for w in (keys, values)]
                # The first layer reads nothing that an earlier one kept: both ends are the same.
                scores, said = ([*pair][: min(number, 2)] for pair in ends)
                features = [np.maximum(score + bias[:, 0], 0) for score in scores]
                products = np.stack([f[:, :, None] * v[:, None, :] for f in features for v in said])
                low, high = low + products.min(axis=(0, 1)), high + products.max(axis=(0, 1))
        return low, high

    def _say(self, number: int) -> ExactMatrix:
        return Blocks(self.stream, Stream([("out", self.values)])).copy(f"heard {number}", "out").build()

    def _clip(self, number: int) -> MLP:
        """kept ← relu(heard) − relu(heard − CLIP)."""
        heard, kept = f"heard {number}", f"kept {number}"
        above, beyond = (units(self.stream, {heard: 1}, at, {kept: sign}) for at, sign in ((0, 1), (-CLIP, -1)))
        return MLP.of_units(self.stream.width, [*above, *beyond])
