"""Prints the time of the proof by enumeration over that of the closed form, and over the bare products with their exp.

No enumeration in float64 can do without a matrix product, queries × d_k × keys, for each look-up and for the answer,
and a pass of exp over the scores of each look-up. All times are seconds of one processor.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from math import prod
from typing import NamedTuple

import numpy as np

from constructions.c1 import build
from separation.bench.measuring import (
    Report,
    Row,
    best_seconds,
    print_rows,
    proved,
    rows_in_one_thread,
    rows_not_compared,
)
from separation.models import Head
from separation.proving import Construction, Proof
from separation.proving.general import BLOCK_SCORES
from separation.tasks.funccomp import Sizes

SIZE = 128
QUICK_SIZE = 16


class Product(NamedTuple):
    """Scores of all queries with all keys, and whether they are put through exp."""

    queries: int
    depth: int
    keys: int
    weighed: bool


def run(quick: bool) -> Report:
    rows = rows_in_one_thread(__name__, 1 if quick else 3, QUICK_SIZE if quick else SIZE)
    return Report("general_path", "time of the proof by enumeration / closed form, and / bare limit", tuple(rows))


def compared(repeats: int, size: int) -> list[Row]:
    """The three ways at m = n_1 = ``size``."""
    construction = build(Sizes(size, (size,)))
    with rows_not_compared():
        products = enumerated_products(construction, proved(construction))
        closed, limit, general = best_seconds(
            partial(proved, construction),
            partial(multiply_and_exponentiate, products),
            partial(proved, construction, "general"),
            repeats=repeats,
            clock=time.process_time,
        )
    scores = sum(product.queries * product.keys for product in products)
    times = {
        "closed form": (closed, None),
        "products and exp": (limit, scores),
        "general path": (general, scores),
    }
    return [
        {
            "what": what,
            "tokens": construction.sizes.length,
            "scores": count,
            "seconds": seconds,
            "times_closed_form": seconds / closed,
            "times_products_and_exp": seconds / limit,
        }
        for what, (seconds, count) in times.items()
    ]


def enumerated_products(construction: Construction, proof: Proof) -> list[Product]:
    """What the general path multiplies: each look-up, all values of its address × all keys in view; then the answer."""
    shape = construction.task.shape()
    sizes = {variable.name: variable.size for variable in shape.global_variables}
    products = []
    for step in proof.look_ups:
        head = construction.model.layers[step.layer - 1].heads[step.head]
        assert isinstance(head, Head)
        queries = prod(sizes[name] for name in step.match.fact.address)
        products.append(Product(queries, head.w_q.shape[0], shape.kind(step.kind).stop, weighed=True))
    (answers,) = (group.address[0] for group in shape.outputs)
    products.append(Product(answers.size, answers.bits, answers.size, weighed=False))
    return products


def multiply_and_exponentiate(products: list[Product]) -> None:
    """exp(Q·K) in the prover's blocks, Q and K ±1 codes; one more coordinate keeps the scores at or below 0."""
    random = np.random.default_rng(0)
    for queries, depth, keys, weighed in products:
        key = 2.0 * random.integers(2, size=(depth + 1, keys)) - 1
        key[-1] = -depth
        block = max(1, BLOCK_SCORES // keys)
        query = 2.0 * random.integers(2, size=(min(block, queries), depth + 1)) - 1
        query[:, -1] = 1
        scores = np.empty((len(query), keys))
        for start in range(0, queries, block):
            part = scores[: min(block, queries - start)]
            np.matmul(query[: len(part)], key, out=part)
            if weighed:
                np.exp(part, out=part)


if __name__ == "__main__":
    print_rows(compared(*map(int, sys.argv[1:])))
