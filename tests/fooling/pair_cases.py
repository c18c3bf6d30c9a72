"""Models to fool, and certificates of their pairs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from separation.arithmetic import ExactMatrix, Precision
from separation.fooling import find_pair, random_recurrent_model
from separation.fooling.pair import pair_certificate
from separation.fooling.sparse import SparseShape, find_sparse_pair, map_certificate, random_map
from separation.fooling.sparse.model import find_model_pair
from separation.models import Layer, Model, SparseHead, Stored, Stream
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

Document = dict[str, Any]


def integers(random: np.random.Generator, height: int, width: int, most: int = 1) -> ExactMatrix:
    return ExactMatrix(random.integers(-most, most + 1, size=(height, width)))


def sparse_model(seed: int, block: int = 3, blocks: int = 4, modulus: int = 11) -> tuple[Model, TwoSumSizes]:
    """One S layer whose head has one key, one value and one opened block."""
    random, width, length = np.random.default_rng(seed), 6, block * blocks + 1
    maps = [integers(random, 1, width) for _ in range(3)]
    compressors = [integers(random, 1, block) for _ in range(2)]
    head = SparseHead(*maps, *compressors, integers(random, width, 1), Fraction(200), block, 1)
    tables = [Stored(integers(random, count, width)) for count in (length, modulus)]
    answers = Stored(integers(random, 2, width, 3))
    model = Model(Stream([("x", width)]), *tables, (Layer((head,), ()),), answers, Precision(290, 40, 4))
    return model, TwoSumSizes(length, modulus)


@cache
def recurrent_certificate(layers: int, m: int, n: tuple[int, ...], bits: int, steps: int) -> Document:
    made = random_recurrent_model(layers, Sizes(m, n), bits, seed=3, steps=steps)
    found = find_pair(made.model, made.sizes, seed=3, steps=steps)
    assert found.pair is not None
    return pair_certificate(found.pair, made.model, (0, made.sizes.length - 2))


@cache
def sparse_certificate() -> Document:
    model, sizes = sparse_model(0, block=2, blocks=3, modulus=5)
    found, place = find_model_pair(model, sizes)
    assert found.pair is not None
    assert place is not None
    return pair_certificate(found.pair, model, (2 * place, 2 * place + 2))


@cache
def map_case(bits: int = 2) -> Document:
    shape = SparseShape(5, 2, 3, 1)
    summary = random_map(shape, bits, 0)
    certificate = map_certificate(find_sparse_pair(summary, shape), summary)
    assert certificate is not None
    return certificate
