"""T.D.average: how many summary bits one sparse layer needs for 2-Sum with constant errors.

g complete blocks of independent uniform entries, k opened; yes: the value asked for is that of a random entry; no: it
is independent. δ = Pr_yes[answer 0], ε = Pr_no[answer 1]: r ≥ B·D_+(1−δ ‖ k/g+ε). Nearly met by 2^r random sets of
density k/2g, the summary naming the first that contains the block; that was seen in runs, and is only a remark.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, log2
from random import Random
from typing import NamedTuple

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.theorems.theorem_d import forbids_errors

SEEDED_CASES = 300

Claim = Callable[["Errors"], float]
"""The least r at given errors."""


class Errors(NamedTuple):
    """B, k, g; δ = share of missed matches, ε = share of false alarms."""

    block: int
    opened: int
    blocks: int
    missed: float
    false_alarms: float


def excess_entropy(p: float, q: float) -> float:
    """D_+(p ‖ q) = p·log2(p/q) + (1−p)·log2((1−p)/(1−q)) for p > q, else 0."""
    if p <= q:
        return 0.0
    if q <= 0:
        return inf
    return p * log2(p / q) + ((1 - p) * log2((1 - p) / (1 - q)) if p < 1 else 0.0)


def least_bits(of: Errors) -> float:
    """B·D_+(1−δ ‖ k/g+ε)."""
    return of.block * excess_entropy(1 - of.missed, of.opened / of.blocks + of.false_alarms)


@cache
def all_layers(values: int, summaries: int) -> frozenset[tuple[Fraction, Fraction]]:
    """(δ, ε) of every layer with two blocks of one entry that opens one, the best answers to all thresholds.

    Every pair of summary maps, every function from both summaries and the value to the opened block; among answers
    those that say yes where the likelihood ratio is largest are the ones on the frontier.
    """
    maps = list(product(range(summaries), repeat=values))
    prompts = list(product(range(values), repeat=2))
    found = set()
    for first, second in product(maps, repeat=2):
        seen = sorted({(first[a], second[b], x) for a, b in prompts for x in range(values)})
        for opened in product((0, 1), repeat=len(seen)):
            opens = dict(zip(seen, opened, strict=True))
            yes: dict[tuple[int, ...], Fraction] = {}
            no: dict[tuple[int, ...], Fraction] = {}
            for prompt in prompts:
                for x in range(values):
                    key = (first[prompt[0]], second[prompt[1]], x)
                    view: tuple[int, ...] = (*key, prompt[opens[key]])
                    weight = Fraction(1, len(prompts))
                    no[view] = no.get(view, Fraction(0)) + weight / values
                    yes[view] = yes.get(view, Fraction(0)) + weight * prompt.count(x) / 2
            hit = alarms = Fraction(0)
            for seen_view in sorted(no, key=lambda one: yes[one] / no[one], reverse=True):
                hit, alarms = hit + yes[seen_view], alarms + no[seen_view]
                found.add((1 - hit, alarms))
    return frozenset(found)


def check(claim: Claim) -> Checked:
    """No layer has fewer bits than claimed, and the calculator says the same.

    1. *All layers* with two blocks of one entry from two values, one opened, of 0 and 1 summary bits: every summary
       map, every choice of the opened block, every threshold of the answer.
    2. *Calculator*: its integer inequality holds where r is below the claim, seeded; within 1e-6 nothing is asked.
    """
    for bits in (0, 1):
        for missed, alarms in sorted(all_layers(2, 1 << bits)):
            asked = claim(Errors(1, 1, 2, float(missed), float(alarms)))
            require(asked <= bits + 1e-9, f"{bits} bits reach δ = {missed}, ε = {alarms}, where {asked} are claimed")
    rng, verdicts = Random(6), set()
    for _ in range(SEEDED_CASES):
        block, blocks, bits = rng.randint(1, 16), rng.randint(2, 64), rng.randint(0, 60)
        opened = rng.randint(0, blocks // 2)
        missed, alarms = Fraction(rng.randint(0, 19), 20), Fraction(rng.randint(1, 19), 20)
        asked = claim(Errors(block, opened, blocks, float(missed), float(alarms)))
        rounded = -(-bits * missed.denominator // block) * block / missed.denominator
        said = all(one.holds for one in forbids_errors(bits, block, opened, blocks, missed, alarms))
        if abs(rounded - asked) > 1e-6:
            require(
                said == (rounded < asked), f"B = {block}, k/g = {opened}/{blocks}, r = {bits}: calculator says {said}"
            )
            verdicts.add(said)
    require(len(verdicts) == 2, "all seeded cases have one verdict")
    return Checked(
        Status.EXHAUSTIVE,
        "all layers at tiny sizes; floats against the calculator's integers",
        f"two blocks of one entry; {SEEDED_CASES} seeded cases",
    )


STATEMENT = Statement(
    id="T.D.average",
    title="summary bits of one sparse layer with constant errors",
    latex=r"r\ge B\cdot D_+(1-\delta\,\|\,k/g+\varepsilon)",
    english="If g complete blocks have independent uniform entries, a sparse layer that misses at most δ of the "
    "matches and answers yes to at most ε of independent values has at least this many summary bits for each block.",
    subject=least_bits,
    check=check,
    twins={
        "opened blocks tell nothing": lambda of: least_bits(of._replace(opened=0)),
        "false alarms tell nothing": lambda of: least_bits(of._replace(false_alarms=0.0)),
        "for each block, not for each entry": lambda of: least_bits(of._replace(block=1)),
        "twice as many": lambda of: 2 * least_bits(of),
    },
    applies_to=("D3",),
    hypotheses=(
        Hypothesis(
            "k/g + ε is less than 1 − δ",
            lambda of: of.opened / of.blocks + of.false_alarms < 1 - of.missed,
            Errors(16, 64, 64, 0.05, 0.05),
        ),
    ),
    witness=Errors(16, 1, 64, 0.05, 0.05),
)
