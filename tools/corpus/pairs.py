"""Pairs: two inputs that a model, or every layer with a compression map, answers alike; found by the project's own
searches on seeded random models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial

import numpy as np

from separation.arithmetic import ExactMatrix, Precision
from separation.bounds import Word
from separation.fooling import find_pair, pair_certificate, random_recurrent_model
from separation.fooling.hybrids import find_hybrid_pair, random_hybrid
from separation.fooling.sparse import (
    MatrixMap,
    SparseShape,
    find_model_pair,
    find_sparse_pair,
    map_certificate,
    random_map,
)
from separation.models import DeltaHead, Layer, Model, SparseHead, Stored, Stream
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes
from tools.corpus.entries import TOOL, Document, Entry, matrix


def recurrent(layers: int, m: int, n: tuple[int, ...], bits: int, steps: int) -> Document:
    """Linear attention alone, seed 3; `steps` tokens are generated."""
    made = random_recurrent_model(layers, Sizes(m, n), bits, seed=3, steps=steps)
    pair = find_pair(made.model, made.sizes, seed=3, steps=steps).pair
    assert pair is not None
    return pair_certificate(pair, made.model, (0, made.sizes.length - 2), TOOL)


def hybrid(word: str, m: int, n: tuple[int, ...]) -> Document:
    sizes = Sizes(m, n)
    made = random_hybrid(Word.parse(word), sizes, 0, score_bits=2)
    pair = find_hybrid_pair(made.model, sizes, seed=0).search.pair
    assert pair is not None
    return pair_certificate(pair, made.model, (0, sizes.N[-1]), TOOL)


def _integers(random: np.random.Generator, height: int, width: int, most: int = 1) -> ExactMatrix:
    return ExactMatrix(random.integers(-most, most + 1, size=(height, width)))


def delta() -> Document:
    """The first seed of a gated delta rule that is fooled."""
    sizes, width = Sizes(2, ()), 6
    for seed in range(50):
        random = np.random.default_rng(seed)
        maps = [_integers(random, 1, width) for _ in range(4)]
        key, one = ExactMatrix.from_rows([[0, 1, 0, 0, 0, 0]]), ExactMatrix.from_rows([[1]])
        head = DeltaHead(maps[0], key, maps[1], maps[2], one, maps[3], one, _integers(random, width, 1))
        positions, tokens = (Stored(_integers(random, count, width)) for count in (sizes.length, sizes.vocabulary))
        answers = Stored(_integers(random, 2, width, 3))
        model = Model(Stream([("x", width)]), positions, tokens, (Layer((head,), ()),), answers, Precision(0, 30, 0))
        pair = find_pair(model, sizes, seed=0).pair
        if pair is not None:
            return pair_certificate(pair, model, (0, 2), TOOL)
    raise AssertionError("no delta model is fooled")


def sparse() -> Document:
    """One sparse layer over blocks of two tokens, one of which it opens."""
    random, width, sizes = np.random.default_rng(0), 6, TwoSumSizes(7, 5)
    q, k, v = (_integers(random, 1, width) for _ in range(3))
    c_k, c_v = (_integers(random, 1, 2) for _ in range(2))
    head = SparseHead(q, k, v, c_k, c_v, _integers(random, width, 1), Fraction(200), 2, 1)
    positions, tokens = (Stored(_integers(random, count, width)) for count in (7, 5))
    answers = Stored(_integers(random, 2, width, 3))
    model = Model(Stream([("x", width)]), positions, tokens, (Layer((head,), ()),), answers, Precision(290, 40, 4))
    found, place = find_model_pair(model, sizes)
    assert found.pair is not None
    assert place is not None
    return pair_certificate(found.pair, model, (2 * place, 2 * place + 2), TOOL)


def no_layers() -> Document:
    """A model without layers answers the same whatever the table holds."""
    task: Document = {"task": "funccomp", "m": 2, "n": []}
    rows = {"positions": (4, {(3, 0): 1}), "tokens": (3, {(2, 0): 1}), "unembedding": (2, {(1, 0): 1})}
    model: Document = {"schema": "separation.model/1", "task": task, "attention": "causal"}
    model |= {"precision": {"P": 0, "p": 4, "fraction": 0}, "slots": [{"name": "x", "width": 1}], "layers": []}
    model |= {name: {"stored": matrix(height, 1, entries)} for name, (height, entries) in rows.items()}
    inputs = {name: {**task, "z0": 0, "tables": [[value, 0]], "w": []} for name, value in (("a", 0), ("b", 1))}
    claim = {"word": "", "differ": [0, 1], **inputs, "expected_a": 0, "expected_b": 1}
    claim |= {"output_a": [1], "output_b": [1], "transcript": []}
    document = {"schema": "separation.certificate/1", "kind": "pair", "tool": TOOL}
    return document | {"claim": claim, "model": model}


def table_map() -> Document:
    shape = SparseShape(5, 2, 3, 1)
    summary = random_map(shape, 2, 0)
    found = map_certificate(find_sparse_pair(summary, shape), summary)
    assert found is not None
    return found


def linear_map() -> Document:
    summary = MatrixMap(np.array([[[1, 2]], [[2, 1]], [[1, 1]]]), 3)
    found = map_certificate(find_sparse_pair(summary, SparseShape(5, 2, 3, 1)), summary)
    assert found is not None
    return found


BASES: dict[str, tuple[Callable[[], Document], str]] = {
    "r": (partial(recurrent, 1, 3, (), 4, 1), "linear attention alone"),
    "rr-thoughts": (partial(recurrent, 2, 3, (), 3, 3), "two linear layers, three generated tokens"),
    "r-two-tables": (partial(recurrent, 1, 2, (2,), 5, 1), "linear attention, inputs with two tables"),
    "delta": (delta, "a gated delta rule whose state is no sum over tokens"),
    "f": (partial(hybrid, "F", 3, ()), "one full layer"),
    "rf": (partial(hybrid, "RF", 2, (2,)), "R, then F, two tables"),
    "fr": (partial(hybrid, "FR", 3, ()), "F, then R"),
    "beside": (partial(hybrid, "[FR]", 3, ()), "an F and an R head side by side"),
    "ff": (partial(hybrid, "FF", 4, ()), "two full layers"),
    "s": (sparse, "one sparse layer, 2-Sum"),
    "no-layers": (no_layers, "a model without layers, by hand"),
    "map-table": (table_map, "a compression map given as tables"),
    "map-linear": (linear_map, "a compression map given as matrices modulo 3"),
}


@cache
def _text(name: str) -> str:
    return json.dumps({**BASES[name][0](), "tool": TOOL})


def base(name: str) -> Document:
    document: Document = json.loads(_text(name))
    return document


def entries() -> Iterator[Entry]:
    for name, (_, why) in BASES.items():
        yield Entry(name, "pair", "accept", why, "fool", partial(base, name))
