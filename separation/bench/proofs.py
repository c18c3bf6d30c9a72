"""A proof as the benchmarks time it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from separation.proving import Construction, Proof, embedding, prove


def proved(construction: Construction, path: str = "closed") -> Proof:
    """The proof; a benchmark of a proof that does not hold would mean nothing, so that is an error."""
    proof = prove(construction.model, construction.stages, construction.shape, path)
    if not proof.ok:
        raise RuntimeError(f"{construction.name} is not proved: {'; '.join(map(str, proof.failures))}")
    return proof


@contextmanager
def rows_not_compared() -> Iterator[None]:
    """Leave out the comparison of a declared code with the rows of its table, one after the other.

    It takes time in proportion to the prompt, up to 2^20 rows, and guards the code that reads tables, not the proof:
    a declared code *is* the weights.
    """
    kept = embedding.ROWS_CHECKED
    embedding.ROWS_CHECKED = 0
    try:
        yield
    finally:
        embedding.ROWS_CHECKED = kept
