"""Prints the time of the proof by enumeration over that of the closed form, and over a bare product with its exp.

The limit of any enumeration in float64 is one matrix product, queries × d_k × keys, and one pass of exp over the
scores, for each look-up that is enumerated and for the answer.
"""

from __future__ import annotations

from functools import partial
from math import prod

import numpy as np

from constructions.c1 import build
from separation.bench.measuring import best_seconds
from separation.bench.proofs import proved, rows_not_compared
from separation.bench.report import Report, Row
from separation.proving import Construction, Proof
from separation.proving.general import BLOCK_SCORES
from separation.tasks.funccomp import Sizes

SIZES = Sizes(128, (128,))
QUICK_SIZES = Sizes(16, (16,))

Product = tuple[int, int, int]
"""(queries, d_k, keys)."""


def run(quick: bool) -> Report:
    construction = build(QUICK_SIZES if quick else SIZES)
    with rows_not_compared():
        products = enumerated_products(construction, proved(construction))
        closed, limit, general = best_seconds(
            partial(proved, construction),
            partial(multiply_and_exponentiate, products),
            partial(proved, construction, "general"),
            repeats=1 if quick else 3,
        )
    scores = sum(queries * keys for queries, _, keys in products)
    times = {
        "closed form": (closed, None),
        "matrix product and exp": (limit, scores),
        "general path": (general, scores),
    }
    rows: list[Row] = [
        {
            "what": what,
            "tokens": construction.sizes.length,
            "scores": count,
            "seconds": seconds,
            "times_closed_form": seconds / closed,
            "times_product_and_exp": seconds / limit,
        }
        for what, (seconds, count) in times.items()
    ]
    return Report("general_path", "time of the proof by enumeration / closed form, and / bare limit", tuple(rows))


def enumerated_products(construction: Construction, proof: Proof) -> list[Product]:
    """What the general path multiplies: each look-up, all values of its address × all keys in view; then the answer."""
    shape = construction.sizes.shape()
    sizes = {variable.name: variable.size for variable in shape.global_variables}
    products = []
    for step in proof.look_ups:
        head = construction.model.layers[step.layer - 1].heads[step.head]
        queries = prod(sizes[name] for name in step.match.fact.address)
        products.append((queries, head.w_q.shape[0], shape.kind(step.kind).stop))
    products.append((shape.answer.size, shape.answer.bits, shape.answer.size))
    return products


def multiply_and_exponentiate(products: list[Product]) -> None:
    """exp(Q·K) in the prover's blocks, Q and K ±1 codes; one more coordinate keeps the scores at or below 0."""
    random = np.random.default_rng(0)
    for queries, depth, keys in products:
        key = 2.0 * random.integers(2, size=(depth + 1, keys)) - 1
        key[-1] = -depth
        block = max(1, BLOCK_SCORES // keys)
        query = 2.0 * random.integers(2, size=(min(block, queries), depth + 1)) - 1
        query[:, -1] = 1
        scores = np.empty((len(query), keys))
        for start in range(0, queries, block):
            count = min(block, queries - start)
            np.matmul(query[:count], key, out=scores[:count])
            np.exp(scores[:count], out=scores[:count])
