"""Tracr's width, parameters and time over C1's, for the same pointer chase, up to where Tracr goes wrong.

The chase: L tables of N entries in [N] and a start z_0, no query; C1 gets it as FuncComp with n_1 = … = 1. Tracr
compiles two RASP programs: one for L tables, and one that reads a single table L times, whose shorter prompt it gets
right for longer. Tracr's answers are tried on the chain trap (all entries 0 but for one chain of hops); C1's are proved
for all inputs.

Reference: Lindner et al., Tracr: Compiled Transformers as a Laboratory for Interpretability, 2023.
"""

from __future__ import annotations

import time
from importlib.util import find_spec
from typing import Any

import numpy as np

from constructions.c1 import build
from separation.bench.measuring import ProcessFailed, Report, Row, proved, rows_in_one_thread
from separation.models import Declared, Model
from separation.tasks.funccomp import Sizes

L = 3
ENTRIES = (16, 32, 48, 64, 96, 128, 160, 192, 224, 256)
FAR_ENTRIES = (2**12, 2**24, 2**40)
TRIALS = 3
INSTALL = "Tracr is not installed; to compare with it: pip install 'separation[peer]'"
EXPLANATIONS = (
    "why: Tracr gives the selected key the score 100/√(key size) and all others 0; the key size grows with N",
    "parameters: all matrices and embeddings written out; seconds: Tracr compiles, C1 is built and proved",
)


def run(quick: bool) -> Report:
    """Each RASP program at larger and larger N, until it is wrong on the chain trap or does not compile."""
    entries, far = (ENTRIES[:1], FAR_ENTRIES[:1]) if quick else (ENTRIES, FAR_ENTRIES)
    installed, going = find_spec("tracr") is not None, [1] if quick else [1, L]
    rows: list[Row] = []
    notes = [] if installed else [INSTALL]
    for size in entries if installed else ():
        rows += [ours := our_row(size)] if going else []
        for tables in tuple(going):
            try:
                rows += (found := [compared(row, ours) for row in rows_in_one_thread(compiled, size, L, tables)])
                reason = "" if found[0]["chain_trap"] == f"{TRIALS}/{TRIALS}" else "wrong"
            except ProcessFailed as error:
                reason = str(error)
            if reason:
                going.remove(tables)
                notes.append(f"Tracr, tables {tables}: stops at N = {size}: {reason}")
    rows += [our_row(size) for size in far]
    notes += [*EXPLANATIONS, f"C1: proved for all inputs at every N above, the largest {far[-1]:,}"]
    return Report("tracr_peer", "Tracr / C1, in width, parameters and time", tuple(rows), tuple(notes))


def compared(row: Row, ours: Row) -> Row:
    """A row with its ratios to C1's."""
    figures = ("width", "parameters", "seconds")
    return row | {f"{name}_times_C1": float(row[name] or 0) / float(ours[name] or 1) for name in figures}


def our_row(size: int) -> Row:
    """C1 at N = ``size``, built and proved for all inputs, the comparison of rows included."""
    start = time.perf_counter()
    construction = build(Sizes(size, (1,) * (L - 1)))
    proved(construction)
    row: Row = {"system": "C1", "N": size, "chain_trap": "proved", "width": construction.model.width}
    row |= {"parameters": parameters_written_out(construction.model), "seconds": time.perf_counter() - start}
    return compared(row, row)


def parameters_written_out(model: Model) -> int:
    """The parameters with every table as a dense matrix, as Tracr stores its own."""
    count = model.parameters
    for table in (model.positions, model.tokens, model.unembedding):
        if isinstance(table, Declared):
            count += table.height * model.width
            count -= sum(part.matrix.shape[0] * part.matrix.shape[1] for part in table.segments)
    return count


def compiled(size: int, hops: int, tables: int) -> list[Row]:
    """One row: the chase over ``tables`` tables compiled by Tracr, and how often it is right on the chain trap."""
    import jax
    from tracr.compiler import compiling

    starts = [number * size if tables > 1 else 0 for number in range(hops)]
    begin = time.perf_counter()
    model = compiling.compile_rasp_to_model(program(starts), set(range(size)), max_seq_len=tables * size + 1)
    seconds = time.perf_counter() - begin
    random = np.random.default_rng(0)
    right = 0
    for _ in range(TRIALS):
        entries, first, answer = chain_trap(size, starts, random)
        right += int(model.apply([compiling.COMPILER_BOS, *entries, first]).decoded[-1] == answer)
    row: Row = {"system": f"Tracr, tables {tables}", "N": size, "chain_trap": f"{right}/{TRIALS}"}
    parameters = sum(int(leaf.size) for leaf in jax.tree_util.tree_leaves(model.params))
    return [row | {"width": len(model.residual_labels), "parameters": parameters, "seconds": seconds}]


def program(starts: list[int]) -> Any:
    """In RASP: hop ℓ selects the position ptr of its table, z_0 at first, and aggregates the entry there."""
    from tracr.rasp import rasp

    pointer: Any = rasp.tokens
    for number, start in enumerate(starts, start=1):
        asked = rasp.Select(rasp.indices, pointer, lambda key, query, first=start: key == first + query)
        pointer = rasp.Aggregate(asked, rasp.tokens).named(f"hop_{number}")
    return pointer


def chain_trap(size: int, starts: list[int], random: np.random.Generator) -> tuple[list[int], int, int]:
    """(entries of all tables, z_0, answer): entries are 0, but for one chain of hops through others."""
    path = (1 + random.permutation(size - 1)[: len(starts) + 1]).tolist()
    entries = [0] * (max(starts) + size)
    for start, here, after in zip(starts, path, path[1:], strict=False):
        entries[start + here] = after
    return entries, path[0], path[-1]
