"""`bound --sparse` and `ceiling --sparse`: Theorems D and D', what one sparse layer needs and reaches in 2-Sum."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Any

from separation.bounds import sparse_certificate, theorem_d
from separation.bounds.certificate import sparse_ceiling_certificate, sparse_layers_certificate
from separation.bounds.known import BY_HAND, how_known
from separation.bounds.theorems.theorem_d import forbids_errors, least_summary_bits, most_hits, sparse_layers_solve
from separation.files import InputError, require_writable
from separation.verbs.budgets import write_accepted
from separation.verbs.hard_sizes import percent
from separation.verbs.options import Block, Blocks, Certificate, Opened, Option, refuse, share, two_shares
from separation.verbs.report import Parts, Report, count, facts_table, styled, timed, written

MAX_TERMS, MAX_DIGITS = 1 << 16, 1 << 20  # of V(d, B): terms, and binary digits of each
AVERAGE = "D', " + how_known("D'")
TOO_FEW = {True: styled("red", "too few"), False: styled("yellow", "not forbidden")}


class SparseReport(Report):
    """What Theorem D or D' says of one sparse layer: the numbers of `--json`, and how they are shown.

    ``holds``: what was asked does; without a question it always does.
    """

    holds: bool
    numbers: dict[str, Any]
    sentence: str | None
    rows: tuple[tuple[str, str], ...]

    @property
    def ok(self) -> bool:
        return self.holds

    def facts(self) -> dict[str, Any]:
        return self.numbers

    def parts(self) -> Parts:
        """A sentence, if there is one; the layer, the theorem and what they come to."""
        if self.sentence is not None:
            yield self.sentence
        yield facts_table(self.rows)
        yield written("certificate", self.numbers.get("certificate"))


@timed
def bound_sparse(
    *,
    modulus: Annotated[int | None, "--sparse: odd modulus M of 2-Sum."] = None,
    block: Block,
    opened: Opened,
    blocks: Blocks,
    summary_bits: Annotated[
        int | None, "--sparse: ask whether this many bits for a block's summary are too few."
    ] = None,
    errors: Annotated[
        tuple[Fraction, Fraction] | None,
        "With --sparse: shares of missed matches and of false alarms, e.g. 0.05,0.05.",
        two_shares,
    ] = None,
    out: Certificate = None,
) -> SparseReport:
    """2^r ≥ V(d,B): the least whole r, or whether the r given is too small; with ``errors`` by Theorem D'.

    The certificate says that the r given is too small, or, if none is, that one bit less than the least is.
    """
    if errors is not None:
        refuse("--errors", {"modulus": modulus, "out": out})
        return _bound_with_errors(block, opened, blocks, *errors, summary_bits)
    if modulus is None:
        raise InputError("--modulus is missing")
    require_writable(out)
    terms = min(block, modulus)
    if terms > MAX_TERMS or terms * modulus.bit_length() > MAX_DIGITS:
        raise InputError(f"block is {block} and modulus {modulus}: the count of summaries has too many digits")
    found = theorem_d(modulus, block, opened, blocks)
    claimed = found.bits - 1 if summary_bits is None else summary_bits
    written = write_accepted(out, lambda: sparse_certificate(found, claimed))
    forbidden = None if summary_bits is None else found.forbids(summary_bits)
    log2 = math.log2(found.values)
    numbers = _layer("D", block, opened, blocks, modulus=modulus, clear=found.clear, values=found.values)
    numbers |= {"values_log2": log2, "bits_needed": found.bits, "summary_bits": summary_bits, "forbidden": forbidden}
    rows = [
        ("task", f"2-Sum modulo {modulus}"),
        ("layer", f"one sparse layer: {_blocks(block, opened, blocks)}"),
        ("theorem", f"D, {how_known('D')}"),
        ("a block needs", f"2^{log2:.2f} summaries, {count(found.bits, 'bit')}; that many suffice"),
        *_verdict(summary_bits, forbidden),
    ]
    return SparseReport(forbidden is not False, {**numbers, "certificate": written}, None, tuple(rows))


def _bound_with_errors(
    block: int, opened: int, blocks: int, missed: Fraction, false_alarms: Fraction, summary_bits: int | None
) -> SparseReport:
    """r ≥ B·D(1−δ ‖ k/g+ε): the least whole r that is not forbidden, or whether the r given is."""
    layer = (block, opened, blocks, missed, false_alarms)
    needed = least_summary_bits(*layer)
    forbidden = None
    if summary_bits is not None:
        forbidden = all(inequality.holds for inequality in forbids_errors(summary_bits, *layer))
    numbers = _layer("D'", block, opened, blocks, errors=[str(missed), str(false_alarms)], bits_needed=needed)
    numbers |= {"summary_bits": summary_bits, "forbidden": forbidden}
    errors = f"misses at most {missed} of the matches and raises at most {false_alarms} false alarms"
    sentence = f"A sparse layer that {errors} needs {count(needed, 'summary bit')} a block, at least."
    rows = (("layer", _blocks(block, opened, blocks)), ("theorem", AVERAGE), *_verdict(summary_bits, forbidden))
    return SparseReport(forbidden is not False, numbers, sentence, rows)


@timed
def ceiling_sparse(
    *,
    block: Block,
    opened: Opened,
    blocks: Blocks,
    summary_bits: Annotated[int, "--sparse: bits of a block's summary."],
    false_alarms: Annotated[Fraction, "--sparse: share of wrong answers without a match.", share] = Fraction(0),
    out: Certificate = None,
) -> SparseReport:
    """1 − δ ≤ ⟨k/g + ε; r/B⟩: the largest share of matches that one sparse layer can find."""
    require_writable(out)
    found = most_hits(summary_bits, block, opened, blocks, false_alarms)
    if out is not None and found >= 1:
        raise InputError("no certificate: a ceiling of 1 says nothing")
    layer = (block, opened, blocks, summary_bits, false_alarms)
    written = write_accepted(out, lambda: sparse_ceiling_certificate(*layer, found))
    chance = min(Fraction(1), Fraction(opened, blocks) + false_alarms)
    numbers = _layer("D'", block, opened, blocks, summary_bits=summary_bits, false_alarms=str(false_alarms))
    numbers |= {"ceiling": str(found), "ceiling_float": float(found), "chance": str(chance)}
    numbers |= {"chance_float": float(chance), "certified": found < 1, "certificate": written}
    shares = (percent(float(share)) for share in (found, chance))
    sentence = "One such sparse layer finds at most {} of the matches; chance is {}.".format(*shares)
    rows = (
        ("layer", f"{_blocks(block, opened, blocks)}, {count(summary_bits, 'summary bit')} a block"),
        ("false alarms", str(false_alarms)),
        ("theorem", AVERAGE),
    )
    return SparseReport(True, numbers, sentence, rows)


def _layer(theorem: str, block: int, opened: int, blocks: int, **more: Any) -> dict[str, Any]:
    return {"theorem": theorem, "known": how_known(theorem), "block": block, "open": opened, "blocks": blocks, **more}


def _blocks(block: int, opened: int, blocks: int) -> str:
    return f"blocks of {count(block, 'token')}, {opened} of {blocks} opened"


def _verdict(summary_bits: int | None, forbidden: bool | None) -> list[tuple[str, str]]:
    return [] if summary_bits is None else [(count(summary_bits, "bit"), TOO_FEW[bool(forbidden)])]


@timed
def decide_sparse_layers(
    sparse_layers: Annotated[int, "In place of WORD: 2-Sum by so many sparse layers with content-free summaries ..."],
    *,
    length: Annotated[int, "... of so many data tokens ..."],
    block: Annotated[int, "... in blocks of so many ..."],
    opened: Annotated[int, Option("... of which a token opens so many ...", ("--open",))],
    always: Annotated[int, "... and reads so many more, in windows and sinks."] = 0,
    out: Certificate = None,
) -> SparseReport:
    """C8 and D2: 2-Sum by several sparse layers whose summaries say where a block is, and nothing of what is in it."""
    require_writable(out)
    layers = sparse_layers
    solvable = sparse_layers_solve(length, block, opened, layers, always)
    most, least = (opened * block) ** layers, ((opened + 1) * block + always) ** layers + 1
    numbers: dict[str, Any] = {"task": "two_sum", "solvable": solvable, "construction": "C8" if solvable else None}
    known = {True: BY_HAND, False: how_known("D2"), None: None}[solvable]
    numbers |= {"theorem": "D2" if solvable is False else None, "known": known, "length": length}
    numbers |= {"block": block, "open": opened, "layers": layers, "always": always}
    if out is not None and solvable is not False:
        raise InputError(f"no certificate: Theorem D2 forbids 2-Sum from {least:,} tokens on")
    written = write_accepted(out, lambda: sparse_layers_certificate(layers, block, opened, always, length))
    numbers |= {"solved_up_to": most, "impossible_from": least, "certificate": written}
    verdict = {True: "solve", False: "do not solve", None: "are not known to solve"}[solvable]
    subject = f"{count(layers, 'sparse layer')} with content-free summaries"
    rows = (
        ("layers", f"blocks of {count(block, 'token')}, {opened} opened, {count(always, 'token')} always read"),
        ("solved", f"up to {count(most, 'data token')}, with workspace tokens in the prompt (C8, {BY_HAND})"),
        ("impossible", f"from {least:,} on (D2, {how_known('D2')})"),
    )
    helped = ", with workspace tokens in the prompt" if solvable else ""
    sentence = f"{subject} {verdict} 2-Sum with {count(length, 'token')}{helped}."
    return SparseReport(solvable is not None, numbers, sentence, rows)
