"""FuncComp in L+1 full layers whose scores are squares: attention alone, 7 key numbers and 2 values a head, no MLP.

A number i is held as the pair (i, i²). The stream, of 4L + 15 coordinates, every slot a pair but the first:

| slot | holds |
|---|---|
| one | 1, from the position |
| table, digit, index | which table a token is of (0: z_0, L+1: w), and its place there, from the position |
| value | what the token says; 0 at w |
| digit 0 … digit L | at w: 0, 0, w_1, …, w_{L-1}; digit k is that of the address at which table k is read |
| hop 0 … hop L+1 | 0, then i_0, …, i_L: layer k reads table k at (digit k, hop k) and writes hop k+1 |

The score of a token at (ℓ', g', a') for w in layer k is −τ·((k−ℓ')² + (g−g')² + (a−a')²): 0 at the match and at most −τ
elsewhere, so with τ = P + 1 every other weight ⌊2^P·exp(score)⌋ is 0. Nothing leaks, and nothing has to be erased.
Squares.v has the same weights as functions of the sizes, and proves them right at every size (docs/coq.md).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from constructions.hops import asked_digits, hops
from separation.arithmetic import ExactMatrix, Precision
from separation.models import Blocks, Head, Layer, Model, Stored, Stream
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

KEYS = Stream([("table", 2), ("digit", 2), ("index", 2), ("one", 1)])
VALUE = Stream([("value", 2)])


SIZES = Sizes
"""What it is built for."""


def build(sizes: Sizes, score_bits: int = 0) -> Construction:
    """The weights, with the task that they solve; ``score_bits`` is P."""
    return Construction("C1.squares", sizes, weights(sizes, score_bits))


def weights(sizes: Sizes, score_bits: int = 0) -> Model:
    """q = τ·(2k, −1, 2g, −1, 2a, −1, −(k² + g² + a²)), keys (ℓ', ℓ'², g', g'², a', a'², 1), shift 0, τ = P + 1.

    where P is ``score_bits``.
    """
    stream, tau, L = stream_of(sizes), score_bits + 1, sizes.L
    positions = np.zeros((sizes.length, stream.width), dtype=object)
    positions[:, stream["one"]] = 1
    for hop in hops(sizes):
        place = np.arange(hop.digit_size * hop.index_size)
        rows = hop.start + place
        for slot, numbers in (
            ("table", np.full_like(place, hop.number)),
            ("digit", place // hop.index_size),
            ("index", place % hop.index_size),
        ):
            positions[rows[:, None], list(stream[slot])] = squared(numbers)
    positions[-1, stream["table"]] = squared(np.array([L + 1]))[0]
    values = np.zeros((sizes.N[-1], stream.width), dtype=object)
    values[:, stream["value"]] = squared(np.arange(sizes.N[-1]))
    queries = np.zeros((sizes.queries, stream.width), dtype=object)
    for hop in hops(sizes)[2:]:
        queries[:, stream[f"digit {hop.number}"]] = squared(asked_digits(sizes, hop))
    tokens = np.concatenate([values, queries])
    answers = np.zeros((sizes.N[-1], stream.width), dtype=object)  # 2·v·i − v² is largest at v = i
    answers[:, stream[f"hop {L + 1}"][0]] = 2 * np.arange(sizes.N[-1])
    answers[:, stream["one"][0]] = -(np.arange(sizes.N[-1]) ** 2)
    largest = tau * ((L + 1) ** 2 + max((1, *sizes.n)) ** 2 + 2 * sizes.N[-1] ** 2)
    return Model(
        stream=stream,
        positions=Stored(ExactMatrix.from_rows(positions.tolist())),
        tokens=Stored(ExactMatrix.from_rows(tokens.tolist())),
        layers=tuple(Layer((head(stream, tau, step),), ()) for step in range(L + 1)),
        unembedding=Stored(ExactMatrix.from_rows(answers.tolist())),
        precision=Precision(score_bits, bit_count(largest + 1), 0),
    )


def stream_of(sizes: Sizes) -> Stream:
    pairs = ["table", "digit", "index", "value"]
    pairs += [f"digit {step}" for step in range(sizes.L + 1)] + [f"hop {step}" for step in range(sizes.L + 2)]
    return Stream([("one", 1), *((name, 2) for name in pairs)])


def head(stream: Stream, tau: int, step: int) -> Head:
    """Reads table ``step`` at (digit, hop), and writes what it says into the next hop."""
    (one,) = stream["one"]
    query = Blocks(KEYS, stream)
    for slot, held in (("table", None), ("digit", stream[f"digit {step}"]), ("index", stream[f"hop {step}"])):
        number, square = KEYS[slot]
        query.put(number, one if held is None else held[0], 2 * tau * step if held is None else 2 * tau)
        query.put(square, one, -tau)
        query.put(KEYS["one"][0], one if held is None else held[1], -tau * step**2 if held is None else -tau)
    key = Blocks(KEYS, stream)
    for slot, _ in KEYS.slots:
        key.copy(slot, slot)
    return Head(
        w_q=query.build(),
        w_k=key.build(),
        w_v=Blocks(VALUE, stream).copy("value", "value").build(),
        w_o=Blocks(stream, VALUE).copy(f"hop {step + 1}", "value").build(),
        shift=Fraction(0),
    )


def squared(numbers: NDArray[np.int64]) -> NDArray[np.object_]:
    """(k,) ↦ (k, 2): each number and its square."""
    return np.stack([numbers, numbers**2], axis=-1).astype(object)
