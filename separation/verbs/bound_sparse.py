"""`bound --sparse`: Theorems D and D', the summary bits that one sparse layer needs for 2-Sum."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds import SparseBound, sparse_certificate, theorem_d
from separation.bounds.known import how_known
from separation.bounds.theorems.theorem_d_average import forbids_errors, least_summary_bits
from separation.files import InputError, require_writable
from separation.verbs.options import write_accepted

MAX_TERMS, MAX_DIGITS = 1 << 16, 1 << 20  # of V(d, B): terms, and binary digits of each


@dataclass(frozen=True)
class SparseReport:
    """Theorem D; with ``summary_bits`` the question is whether that many are too few, else how many are needed."""

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
            "known": how_known("D"),
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
        written = write_accepted(out, sparse_certificate(found, too_few))
    return SparseReport(found, summary_bits, time.perf_counter() - start, written)


@dataclass(frozen=True)
class SparseErrorsReport:
    """Theorem D': the summary bits that a sparse layer needs to miss at most δ and raise at most ε false alarms."""

    block: int
    opened: int
    blocks: int
    missed: Fraction
    false_alarms: Fraction
    bits_needed: int
    summary_bits: int | None
    forbidden: bool | None
    seconds: float

    @property
    def ok(self) -> bool:
        return self.forbidden is not False

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "theorem": "D'",
            "known": how_known("D'"),
            "block": self.block,
            "open": self.opened,
            "blocks": self.blocks,
            "errors": [str(self.missed), str(self.false_alarms)],
            "bits_needed": self.bits_needed,
            "summary_bits": self.summary_bits,
            "forbidden": self.forbidden,
            "seconds": self.seconds,
        }


def bound_sparse_errors(
    *,
    block: int,
    opened: int,
    blocks: int,
    missed: Fraction,
    false_alarms: Fraction,
    summary_bits: int | None = None,
) -> SparseErrorsReport:
    """r ≥ B·D(1−δ ‖ k/g+ε): the least whole r that is not forbidden, or whether the r given is."""
    start = time.perf_counter()
    layer = (block, opened, blocks, missed, false_alarms)
    needed = least_summary_bits(*layer)
    forbidden = None
    if summary_bits is not None:
        forbidden = all(inequality.holds for inequality in forbids_errors(summary_bits, *layer))
    return SparseErrorsReport(*layer, needed, summary_bits, forbidden, time.perf_counter() - start)
