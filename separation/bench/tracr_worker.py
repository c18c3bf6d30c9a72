"""One pointer chase compiled by Tracr and tried: `python -m separation.bench.tracr_worker N L TABLES`, JSON out.

The prompt is TABLES tables of N entries and then z_0, TABLES being L or 1: one table that every hop reads again. Hop ℓ
selects the position ptr of its table, ptr = z_0 at first, and aggregates the entry there; the answer stands at z_0.
This is the only module that imports Tracr.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import jax
import numpy as np
from tracr.compiler import compiling
from tracr.rasp import rasp

TRIALS = 3

Chase = tuple[list[int], int, int]
"""(entries of all tables in order, z_0, answer)."""


def program(starts: list[int]) -> Any:
    """The RASP program; ``starts`` are the positions at which the tables of the hops begin."""
    pointer: Any = rasp.tokens
    for number, start in enumerate(starts, start=1):
        asked = rasp.Select(rasp.indices, pointer, lambda key, query, first=start: key == first + query)
        pointer = rasp.Aggregate(asked, rasp.tokens).named(f"hop_{number}")
    return pointer


def chain_trap(size: int, starts: list[int], random: np.random.Generator) -> Chase:
    """All entries are 0, but for one chain of hops through other values, all different."""
    path = (1 + random.permutation(size - 1)[: len(starts) + 1]).tolist()
    entries = [0] * (max(starts) + size)
    for start, here, after in zip(starts, path, path[1:], strict=False):
        entries[start + here] = after
    return entries, path[0], path[-1]


def random_tables(size: int, starts: list[int], random: np.random.Generator) -> Chase:
    """Every entry uniform."""
    entries = random.integers(size, size=max(starts) + size).tolist()
    first = pointer = int(random.integers(size))
    for start in starts:
        pointer = entries[start + pointer]
    return entries, first, pointer


def main(size: int, hops: int, tables: int) -> dict[str, Any]:
    starts = [number * size if tables > 1 else 0 for number in range(hops)]
    begin = time.perf_counter()
    model = compiling.compile_rasp_to_model(program(starts), set(range(size)), max_seq_len=tables * size + 1)
    seconds = time.perf_counter() - begin

    def right(chase: Chase) -> bool:
        entries, first, answer = chase
        decoded = model.apply([compiling.COMPILER_BOS, *entries, first]).decoded
        return bool(decoded[-1] == answer)

    random = np.random.default_rng(0)
    return {
        "width": len(model.residual_labels),
        "parameters": sum(int(leaf.size) for leaf in jax.tree_util.tree_leaves(model.params)),
        "key_size": int(model.model_config.key_size),
        "seconds": seconds,
        "trials": TRIALS,
        "chain_trap_right": sum(right(chain_trap(size, starts, random)) for _ in range(TRIALS)),
        "random_right": sum(right(random_tables(size, starts, random)) for _ in range(TRIALS)),
    }


if __name__ == "__main__":
    print(json.dumps(main(*map(int, sys.argv[1:4]))))
