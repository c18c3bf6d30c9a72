"""MQAR by one look-up: one full layer, or one recurrent layer with a state that holds a value for every key.

    one      1              the constant 1
    pair     1              +1 at pairs, −1 at queries
    key      ⌈log2 K⌉       code(key) at pairs, 0 at queries
    asked    ⌈log2 K⌉       code(asked) at queries, 0 at pairs
    value    ⌈log2 V⌉       at pairs: code(value); for R its bits as 0 and 1
    found    ⌈log2 V⌉       what the head has read

F: query τ·(1, asked), key (pair, key). The match scores τ·(1 + b), another pair at most τ·(b − 1), a query −τ. With
(D + Q)·e^{-2τ} ≤ 1/(8⌈log2 V⌉) all other keys move the bits of the value together by less than 1/2.
R: feature a is relu(code(a)·key + pair − b), 1 at the pair with key a and 0 elsewhere; likewise for queries. A state
entry is one bit: K·⌈log2 V⌉ bits in all, of which R alone needs D·log2 V.

No invariants are stated: they are inferred.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from separation.arithmetic import ExactMatrix, Precision, exp_ball, upper_fraction
from separation.files import InputError
from separation.models import Blocks, Declared, Head, Layer, LinearHead, Model, Segment, Stream, sign_bits
from separation.proving import Construction
from separation.tasks.checks import shown
from separation.tasks.mqar import MQARSizes
from separation.tasks.shape import bit_count

SIZES = MQARSizes
"""What it is built for."""
MAX_FEATURES = 1 << 14


def build(
    sizes: MQARSizes,
    word: str = "F",
    bits: int | None = None,
    score_bits: int | None = None,
    temperature: int | None = None,
) -> Construction:
    """Weights for ``word``, F or R; p = ``bits`` (16 if None), P = ``score_bits`` (p if None)."""
    if word not in ("F", "R"):
        raise InputError(f"word is {shown(word)}; MQAR is built as F or R")
    key, value = bit_count(sizes.keys), bit_count(sizes.values)
    stream = Stream([("one", 1), ("pair", 1), ("key", key), ("asked", key), ("value", value), ("found", value)])
    tau = least_temperature(sizes) if temperature is None else temperature
    head = _full(stream, tau) if word == "F" else _recurrent(stream, sizes)
    bits = 16 if bits is None else bits
    largest = max(tau, 2) if word == "F" else 2 * key + 2
    precision = Precision(bits if score_bits is None else score_bits, bits, max(0, bits - bit_count(largest + 1)))
    half = Fraction(1, 2) if word == "R" else 1
    model = Model(
        stream=stream,
        positions=Declared((_where(stream, 0, sizes.pairs, 1), _where(stream, sizes.pairs, sizes.queries, -1))),
        tokens=_tokens(stream, sizes, half),
        layers=(Layer((head,), ()),),
        unembedding=_answers(stream, sizes, half),
        precision=precision,
    )
    return Construction("MQAR", sizes, model)


def least_temperature(sizes: MQARSizes) -> int:
    """The least integer τ with (D + Q)·e^{-2τ} ≤ 1/(8⌈log2 V⌉)."""
    tau = 1
    while upper_fraction(sizes.length * exp_ball(-2 * tau)) > Fraction(1, 8 * bit_count(sizes.values)):
        tau += 1
    return tau


def _where(stream: Stream, start: int, count: int, pair: int) -> Segment:
    digits = Stream([("one", 1), ("position", bit_count(count))])
    return Segment(start, (count,), Blocks(stream, digits).constants("one", [1]).constants("pair", [pair]).build())


def _tokens(stream: Stream, sizes: MQARSizes, half: Fraction | int) -> Declared:
    """(key, value) at pairs, the key asked for at queries."""
    spelled = Stream([("one", 1), ("key", len(stream["key"])), ("value", len(stream["value"]))])
    pairs = Blocks(stream, spelled).copy("key", "key").copy("value", "value", half)
    if half != 1:
        pairs.constants("value", [half] * len(stream["value"]))
    queries = Blocks(stream, Stream([("one", 1), ("asked", len(stream["asked"]))])).copy("asked", "asked")
    segments = (
        Segment(0, (sizes.keys, sizes.values), pairs.build()),
        Segment(sizes.keys * sizes.values, (sizes.keys,), queries.build()),
    )
    return Declared(segments)


def _answers(stream: Stream, sizes: MQARSizes, half: Fraction | int) -> Declared:
    """The logit of v is Σ_j code(v)_j·found_j, for 0 and 1 as bits Σ_j code(v)_j·(2·found_j − 1)."""
    code = Stream([("one", 1), ("found", len(stream["found"]))])
    rows = Blocks(stream, code).copy("found", "found", 1 if half == 1 else 2)
    for column in code["found"] if half != 1 else ():
        rows.put(stream["one"][0], column, -1)
    return Declared((Segment(0, (sizes.values,), rows.build()),))


def _full(stream: Stream, tau: int) -> Head:
    key = Stream([("pair", 1), ("key", len(stream["key"]))])
    found = Stream([("found", len(stream["found"]))])
    return Head(
        w_q=Blocks(key, stream).constants("pair", [tau]).copy("key", "asked", tau).build(),
        w_k=Blocks(key, stream).copy("pair", "pair").copy("key", "key").build(),
        w_v=Blocks(found, stream).copy("found", "value").build(),
        w_o=Blocks(stream, found).copy("found", "found").build(),
        shift=Fraction(tau * key.width),
    )


def _recurrent(stream: Stream, sizes: MQARSizes) -> LinearHead:
    if sizes.keys > MAX_FEATURES:
        raise InputError(f"R has a feature for each of {shown(sizes.keys)} keys; at most {MAX_FEATURES}")
    codes = sign_bits(np.arange(sizes.keys), sizes.keys)
    found = Stream([("found", len(stream["found"]))])
    maps = {}
    for slot, sign in (("key", 1), ("asked", -1)):
        matrix = np.zeros((sizes.keys, stream.width), dtype=np.int64)
        matrix[:, stream[slot].start : stream[slot].stop] = codes
        matrix[:, stream["pair"].start] = sign
        maps[slot] = ExactMatrix(matrix)
    bias = ExactMatrix(np.full((sizes.keys, 1), -codes.shape[1]))
    return LinearHead(
        w_q=maps["asked"],
        b_q=bias,
        w_k=maps["key"],
        b_k=bias,
        w_v=Blocks(found, stream).copy("found", "value").build(),
        w_o=Blocks(stream, found).copy("found", "found").build(),
        normalised=False,
    )


__all__ = ["SIZES", "build", "least_temperature"]
