"""T.C: recurrent layers alone must carry the whole last table.

A word over R alone, with a chain of thought of any length, needs Λ ≥ N_{L-1}·log2 N_{L-1} bits: with identities for
z_1, …, z_{L-1} every entry of z_L can be asked for, and all that is known of z_L passes one boundary.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

from constructions import c1, c3
from proofs_checks.kit.hypotheses import broken_rules
from proofs_checks.kit.statement import Checked, Hypothesis, Later, Statement, Status, require
from proofs_checks.statements.c3 import one_address_without_a_feature
from separation.bounds import theorem_c
from separation.tasks.funccomp import Instance, Sizes, hops

Cases = tuple[Sizes, ...]
CASES: Cases = (
    Sizes(2, ()),
    Sizes(3, ()),
    Sizes(3, (2,)),
    Sizes(2, (3,)),
    Sizes(4, (1,)),
    Sizes(2, (2, 3)),
    Sizes(3, (1, 2)),
    Sizes(2, (2, 2, 2)),
)


class Claim(NamedTuple):
    """Tables z_1..z_{L-1} with which all of z_L is asked for, and whether Λ bits are too few for its N entries."""

    preset: Callable[[Sizes], list[list[int]]]
    forbidden: Callable[[int, int], bool]


def identities(sizes: Sizes) -> list[list[int]]:
    return [list(range(size)) for size in sizes.N[:-1]]


def too_few(entries: int, bits: int) -> bool:
    """2^Λ < N^N."""
    return bool(2**bits < entries**entries)


def check(claim: Claim) -> Checked:
    """With z_1..z_{L-1} the identity every entry of z_L is asked for by some (z_0, w).

    So two last tables that differ have different answers to some question, and a state between the tables and z_0 must
    tell all N^N of them apart (N = N_{L-1}): 2^Λ ≥ N^N. A chain of thought is a function of that state and of (z_0, w).
    The questions are listed at each size; the answer to each is the entry itself, so all N^N tables differ; the
    calculator's verdict is compared with 2^Λ < N^N on both sides of the edge.
    By hand: i_ℓ = i_{ℓ-1} + w_{ℓ-1}·N_{ℓ-2} by induction.
    """
    for sizes in CASES:
        last, tables = sizes.N[-1], claim.preset(sizes)
        marked = [*tables, list(range(last))]
        starts = product(range(sizes.m), product(*(range(digit) for digit in sizes.n)))
        asked = {hops(Instance(sizes, start, marked, query))[-1] for start, query in starts}
        missing = set(range(last)) - asked
        require(not missing, f"{sizes}: nobody asks for the entries {sorted(missing)} of the last table")
        edge = (last**last - 1).bit_length()
        for bits in range(max(0, edge - 2), edge + 2):
            verdict, said = theorem_c(sizes, bits).certified, claim.forbidden(last, bits)
            require(verdict == said, f"{sizes}, {bits} bits: the calculator says {verdict}, the claim {said}")
    return Checked(
        Status.EXHAUSTIVE,
        "all questions listed; the calculator against N^N",
        f"{len(CASES)} sizes, L up to 4",
    )


def _constant(sizes: Sizes) -> list[list[int]]:
    return [[0] * size for size in sizes.N[:-1]]


def _last_entry_lost(sizes: Sizes) -> list[list[int]]:
    return [[min(entry, size - 2) for entry in range(size)] for size in sizes.N[:-1]]


WITNESS = Later(lambda: c3.build(Sizes(2, (3,))))

STATEMENT = Statement(
    id="T.C",
    title="R alone needs the bits of the last table, at small sizes",
    latex=r"\Lambda\ge N_{L-1}\log_2 N_{L-1}",
    english="A word without F solves FuncComp only with a state of N·log2 N bits, with any chain of thought.",
    subject=Claim(identities, too_few),
    check=check,
    twins={
        "constant tables": Claim(_constant, too_few),
        "one entry of each table lost": Claim(_last_entry_lost, too_few),
        "2^Λ = N^N is too few": Claim(identities, lambda entries, bits: 2**bits <= entries**entries),
        "⌊log2 N⌋ bits for an entry": Claim(
            identities, lambda entries, bits: bits < entries * (entries.bit_length() - 1)
        ),
    },
    speaks_of=("D1",),
    rests_on=("L3",),
    # A model that the theorem applies to: C3, which is right and has no F.
    hypotheses=(
        Hypothesis(
            "the word has no F", lambda subject: "F" not in subject.model.word, Later(lambda: c1.build(Sizes(2, (3,))))
        ),
        Hypothesis(
            "every input is answered right",
            lambda subject: not broken_rules(subject),
            Later(lambda: one_address_without_a_feature(Sizes(2, (3,)))),
        ),
        Hypothesis(
            "the sizes are among those listed", lambda s: s.sizes in CASES, Later(lambda: c3.build(Sizes(2, (4,))))
        ),
    ),
    witness=WITNESS,
)
