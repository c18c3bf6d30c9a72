"""`bound --sparse` and `ceiling --sparse`: Theorems D and D', what one sparse layer needs and reaches in 2-Sum."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separation.bounds import SparseBound, sparse_certificate, theorem_d
from separation.bounds.certificate import sparse_ceiling_certificate
from separation.bounds.known import how_known
from separation.bounds.theorems.theorem_d import forbids_errors, least_summary_bits, most_hits, sparse_layers_solve
from separation.files import InputError, require_writable
from separation.verbs.report import Report, facts_table, say, say_written
from separation.verbs.subjects import write_accepted

if TYPE_CHECKING:
    from rich.console import Console

MAX_TERMS, MAX_DIGITS = 1 << 16, 1 << 20  # of V(d, B): terms, and binary digits of each
AVERAGE = "D', " + how_known("D'")
TOO_FEW = {True: "[red]too few[/red]", False: "[yellow]not forbidden[/yellow]"}


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
class SparseReport(Report):
    """Theorem D; with ``summary_bits`` the question is whether that many are too few, else how many are needed."""

    bound: SparseBound
    summary_bits: int | None
    seconds: float
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.summary_bits is None or self.bound.forbids(self.summary_bits)

    def facts(self) -> dict[str, Any]:
        bound = self.bound
        return {
            "theorem": "D",
            "known": how_known("D"),
            "modulus": bound.modulus,
            "block": bound.block,
            "open": bound.opened,
            "blocks": bound.blocks,
            "clear": bound.clear,
            "values": bound.values,
            "values_log2": math.log2(bound.values),
            "bits_needed": bound.bits,
            "summary_bits": self.summary_bits,
            "forbidden": None if self.summary_bits is None else self.ok,
            "certificate": self.out,
        }

    def show(self, console: Console) -> None:
        """The layer, how many summaries it needs, and whether those given are too few."""
        bound = self.bound
        layer = f"blocks of {bound.block} tokens, {bound.opened} of {bound.blocks} opened"
        needed = f"2^{math.log2(bound.values):.2f} summaries, {bound.bits} bits; that many suffice"
        table = facts_table(
            [
                ("task", f"2-Sum modulo {bound.modulus}"),
                ("layer", f"one sparse layer: {layer}"),
                ("theorem", f"D, {how_known('D')}"),
                ("a block needs", needed),
            ]
        )
        if self.summary_bits is not None:
            table.add_row(f"{self.summary_bits} bits", TOO_FEW[self.ok])
        console.print(table)
        say_written("certificate", self.out, console)


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


@dataclass(frozen=True)
class SparseErrorsReport(Report):
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

    def facts(self) -> dict[str, Any]:
        return {
            "theorem": "D'",
            "known": how_known("D'"),
            "block": self.block,
            "open": self.opened,
            "blocks": self.blocks,
            "errors": [str(self.missed), str(self.false_alarms)],
            "bits_needed": self.bits_needed,
            "summary_bits": self.summary_bits,
            "forbidden": self.forbidden,
        }

    def show(self, console: Console) -> None:
        errors = f"misses at most {self.missed} of the matches and raises at most {self.false_alarms} false alarms"
        say(f"A sparse layer that {errors} needs {self.bits_needed} summary bits a block, at least.", console)
        layer = f"blocks of {self.block} tokens, {self.opened} of {self.blocks} opened"
        table = facts_table([("layer", layer), ("theorem", AVERAGE)])
        if self.summary_bits is not None:
            table.add_row(f"{self.summary_bits} bits", TOO_FEW[bool(self.forbidden)])
        console.print(table)


def ceiling_sparse(
    *,
    block: int,
    opened: int,
    blocks: int,
    summary_bits: int,
    false_alarms: Fraction = Fraction(0),
    out: str | Path | None = None,
) -> SparseCeilingReport:
    """1 − δ ≤ ⟨k/g + ε; r/B⟩: the largest share of matches that one sparse layer can find."""
    start = time.perf_counter()
    if out is not None:
        require_writable(out)
    layer = (block, opened, blocks, summary_bits, false_alarms)
    found = most_hits(summary_bits, block, opened, blocks, false_alarms)
    written = None
    if out is not None:
        if found >= 1:
            raise InputError("no certificate: a ceiling of 1 says nothing")
        written = write_accepted(out, sparse_ceiling_certificate(*layer, found))
    return SparseCeilingReport(*layer, found, time.perf_counter() - start, written)


@dataclass(frozen=True)
class SparseCeilingReport(Report):
    """Theorem D': at most this share of the matches is found, with false alarms ε and r summary bits."""

    block: int
    opened: int
    blocks: int
    summary_bits: int
    false_alarms: Fraction
    found: Fraction
    seconds: float
    out: Path | None = None

    @property
    def chance(self) -> Fraction:
        return min(Fraction(1), Fraction(self.opened, self.blocks) + self.false_alarms)

    def facts(self) -> dict[str, Any]:
        return {
            "theorem": "D'",
            "known": how_known("D'"),
            "block": self.block,
            "open": self.opened,
            "blocks": self.blocks,
            "summary_bits": self.summary_bits,
            "false_alarms": str(self.false_alarms),
            "ceiling": str(self.found),
            "ceiling_float": float(self.found),
            "chance": str(self.chance),
            "chance_float": float(self.chance),
            "certified": self.found < 1,
            "certificate": self.out,
        }

    def show(self, console: Console) -> None:
        found, chance = (f"{100 * float(share):.4g} %" for share in (self.found, self.chance))
        say(f"One such sparse layer finds at most {found} of the matches; chance is {chance}.", console)
        layer = f"blocks of {self.block} tokens, {self.opened} of {self.blocks} opened"
        rows = [("layer", f"{layer}, {self.summary_bits} summary bits a block")]
        rows += [("false alarms", str(self.false_alarms)), ("theorem", AVERAGE)]
        console.print(facts_table(rows))
        say_written("certificate", self.out, console)


@dataclass(frozen=True)
class SparseLayersReport(Report):
    """C8 and D2: 2-Sum by several sparse layers whose summaries say where a block is, and nothing of what is in it."""

    length: int
    block: int
    opened: int
    layers: int
    always: int

    @property
    def solvable(self) -> bool | None:
        return sparse_layers_solve(self.length, self.block, self.opened, self.layers, self.always)

    @property
    def ok(self) -> bool:
        return self.solvable is not None

    def facts(self) -> dict[str, Any]:
        return {
            "task": "two_sum",
            "solvable": self.solvable,
            "construction": "C8" if self.solvable else None,
            "theorem": "D2" if self.solvable is False else None,
            "known": how_known("D2"),
            "length": self.length,
            "block": self.block,
            "open": self.opened,
            "layers": self.layers,
            "always": self.always,
            "solved_up_to": (self.opened * self.block) ** self.layers,
            "impossible_from": ((self.opened + 1) * self.block + self.always) ** self.layers + 1,
        }

    def show(self, console: Console) -> None:
        """A sentence, and both lengths."""
        facts = self.facts()
        verdict = {True: "solve", False: "do not solve", None: "are not known to solve"}[self.solvable]
        plural = "layer" if self.layers == 1 else "layers"
        say(
            f"{self.layers} sparse {plural} with content-free summaries {verdict} 2-Sum with {self.length:,} tokens.",
            console,
        )
        console.print(
            facts_table(
                [
                    (
                        "layers",
                        f"blocks of {self.block} tokens, {self.opened} opened, {self.always} tokens always read",
                    ),
                    (
                        "solved",
                        f"up to {facts['solved_up_to']:,} data tokens, with workspace tokens in the prompt (C8)",
                    ),
                    ("impossible", f"from {facts['impossible_from']:,} on (D2)"),
                    ("known", facts["known"]),
                ]
            )
        )
