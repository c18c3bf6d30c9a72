"""T.memory: recurrent layers alone must keep what a task may ask for; as many bits as h symbols of V.

All that later tokens know of a prefix passes one boundary in Λ bits, thoughts or not. V^h prefixes are given such
that any two of them are told apart by some continuation: recall, keys 0..D−1 with any values, and a query for each;
copying, any string; selective copying, letters alone; 2-Sum, the set of values but 0 among the first n−1 tokens,
which is any choice of one value from each of n−1 classes, or any subset of n−1 values with 0 for those left out;
majority, any number of ones among the first half; state-based recall, any table, each row of which some word leads
to. If V^h > 2^Λ, two of them have the same state, and the same answers: one is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofs_checks.kit.other_tasks import SMALL, answered, program_of
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.capacity import DEMANDS, Asked, forbids

Kept = Callable[[Asked], tuple[int, int]]
"""(h, V)."""


def told_apart(task: str, sizes: tuple[int, ...]) -> int:
    """How many prefixes, each with all continuations, have different answers: what any state must tell apart."""
    program, cut = program_of(task, sizes)
    functions: dict[tuple[int, ...], dict[Any, Any]] = {}
    for ids, right in answered(program):
        asked = len(ids) - cut
        functions.setdefault(ids[:cut], {})[ids[cut:]] = tuple(right[-asked:])
    groups: dict[frozenset[Any], set[Any]] = {}
    for each in functions.values():  # compared where they have the same continuations
        groups.setdefault(frozenset(each), set()).add(tuple(sorted(each.items())))
    return max(map(len, groups.values()))


def check(kept: Kept) -> Checked:
    """All inputs of the gallery's programs at tiny sizes, and the calculator's verdict at the last bit."""
    count = 0
    for task, cases in SMALL.items():
        for sizes in cases:
            asked, found = Asked(task, sizes), told_apart(task, sizes)
            h, V = kept(asked)
            require(V**h <= found, f"{task} {sizes}: {V}^{h} prefixes are claimed, {found} differ")
            for bits in ((V**h - 1).bit_length(), max(0, (V**h - 1).bit_length() - 1)):
                holds = forbids(asked, "memory", {"lambda": bits}).holds
                require(holds == (1 << bits < V**h), f"{task} {sizes}: the calculator says {holds} at {bits} bits")
            count += 1
    return Checked(Status.EXHAUSTIVE, "all inputs, prefixes told apart by their continuations", f"{count} tiny sizes")


STATEMENT = Statement(
    id="T.memory",
    title="recurrent layers alone must keep what may be asked",
    latex=r"\Lambda<h\log_2V",
    english="If the prefixes of a task include V^h of which any two are told apart by some continuation, no model of "
    "recurrent layers alone with fewer than h·log2 V state bits answers every prompt, with thoughts or without: recall "
    "of D pairs of V symbols and copying of n (h = D, n), 2-Sum, majority, state-based recall.",
    subject=lambda asked: asked.kept,
    check=check,
    twins={
        "a symbol more": lambda asked: (asked.kept[0] + 1, asked.kept[1]),
        "a value more": lambda asked: (asked.kept[0], asked.kept[1] + 1),
    },
    hypotheses=(
        Hypothesis("a task with a demand", lambda held: held[0] in DEMANDS, outside=("sorting", 11)),
        Hypothesis(
            "Λ < h·log2 V",
            lambda held: forbids(Asked("recall", (4, 8)), "memory", {"lambda": held[1]}).holds is True,
            outside=("recall", 12),
        ),
    ),
    witness=("recall", 11),
)
"""The witness: recall of 4 pairs of 8 symbols, and Λ."""
