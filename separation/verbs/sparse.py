"""`bound --sparse`: Theorem D, the summary bits that one sparse layer needs for 2-Sum."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds import SparseBound, sparse_certificate, theorem_d
from separation.files import InputError, require_writable
from separation.proving.certificates import accepted, write_certificate

MAX_TERMS, MAX_DIGITS = 1 << 16, 1 << 20  # of V(d, B): terms, and binary digits of each


@dataclass(frozen=True)
class SparseReport:
    """Theorem D; with ``summary_bits`` the question is whether so many are too few, else the answer is how many."""

    bound: SparseBound
    summary_bits: int | None
    seconds: float
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.summary_bits is None or self.bound.forbids(self.summary_bits)

    def document(self) -> dict[str, Any]:
        bound = self.bound
        sizes = {"modulus": bound.modulus, "block": bound.block, "open": bound.opened, "blocks": bound.blocks}
        return {
            "ok": self.ok,
            "theorem": "D",
            **{name: number_to_json(value) for name, value in sizes.items()},
            "clear": number_to_json(bound.clear),
            "values": number_to_json(bound.values),
            "values_log2": math.log2(bound.values),
            "bits_needed": bound.bits,
            "summary_bits": None if self.summary_bits is None else number_to_json(self.summary_bits),
            "forbidden": None if self.summary_bits is None else self.ok,
            "certificate": None if self.out is None else str(self.out),
            "seconds": self.seconds,
        }


def bound_sparse(
    *,
    modulus: int,
    block: int,
    opened: int,
    blocks: int,
    summary_bits: int | None = None,
    out: str | Path | None = None,
) -> SparseReport:
    """2^r ≥ V(d,B): the least whole r, or whether the r given is too small.

    The certificate says that the r given is too small, or, if none is, that one bit less than the least is.
    """
    start = time.perf_counter()
    if out is not None:
        require_writable(out)
    terms = min(block, modulus)
    if terms > MAX_TERMS or terms * modulus.bit_length() > MAX_DIGITS:
        raise InputError(f"block is {block} and modulus {modulus}: the count of summaries has too many digits")
    found = theorem_d(modulus, block, opened, blocks)
    written = None
    if out is not None:
        too_few = found.bits - 1 if summary_bits is None else summary_bits
        written = Path(out)
        write_certificate(written, accepted(sparse_certificate(found, too_few)))
    return SparseReport(found, summary_bits, time.perf_counter() - start, written)
