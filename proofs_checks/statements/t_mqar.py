"""T.MQAR: recurrent layers alone must carry the values of all pairs.

MQAR, multi-query associative recall, has D pairs of a key and a value, all keys different, and then queries, each of
them the key of a pair; the answer is its value. One full layer looks the pair up by its key, with O(log) bits
(`constructions/programs/recall.py`, proved for all inputs). For R alone the argument is that of theorem C: fix D keys;
each of the D questions has another value as its answer, so the state between pairs and queries must tell all V^D lists
of values apart, Λ ≥ D·log2 V. Compiled as R the same program keeps K·⌈log2 V⌉ signs, one for each bit of the value of
every key that there is: with K = D that is the bound, but for rounding log2 V up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from constructions.programs import gallery
from proofs_checks.kit.statement import Checked, Hypothesis, Lazy, Statement, Status, require
from separation.arithmetic import ExactMatrix
from separation.models import LinearHead
from separation.proving import Construction, certified_proof
from separation.tasks import task_of


class Sizes(NamedTuple):
    """D pairs, K keys, V values and Q queries."""

    pairs: int
    keys: int
    values: int
    queries: int = 1


CASES = (Sizes(1, 2, 2), Sizes(2, 2, 3), Sizes(3, 5, 2, 2), Sizes(3, 3, 5), Sizes(4, 8, 4, 3), Sizes(8, 8, 2))


def built(sizes: Sizes, word: str = "R") -> Construction:
    found: Construction = gallery("mqar", **sizes._asdict()).compile(word).construction
    return found


class Claim(NamedTuple):
    """Who is asked for, one prompt for each, and whether Λ bits are too few for D pairs with V values."""

    asked: Callable[[Sizes], list[int]]
    forbidden: Callable[[Sizes, int], bool]


def every_pair(sizes: Sizes) -> list[int]:
    return list(range(sizes.pairs))


def too_few(sizes: Sizes, bits: int) -> bool:
    """2^Λ < V^D."""
    return bool(2**bits < sizes.values**sizes.pairs)


def tables_told_apart(claim: Claim, sizes: Sizes) -> int:
    """How many of the V^D lists of values, with the keys 0..D−1, differ in an answer to some question."""
    task, V = task_of(gallery("mqar", **sizes._asdict()).definitions), sizes.values
    lists = np.array(list(product(range(V), repeat=sizes.pairs))) + V * np.arange(sizes.pairs)
    queries = [np.full((len(lists), sizes.queries), sizes.keys * V + asked) for asked in claim.asked(sizes)]
    answers = [task.right_answers(np.hstack([lists, asked])).reshape(len(lists), -1) for asked in queries]
    return len(np.unique(np.hstack(answers), axis=0))


def check(claim: Claim) -> Checked:
    """Fix D different keys. Each of the D questions "what belongs to key k" has another value of the list as answer.

    So two lists of values that differ have different answers to some question, and what crosses the boundary between
    the pairs and the queries must tell all V^D of them apart: 2^Λ ≥ V^D. A chain of thought is a function of that state
    and of the queries. At each size all lists are asked all questions by the oracle, and the number of lists that are
    told apart is compared with the claim on both sides of the edge; the program compiled as R, proved by the kernel,
    has at least as many bits as the bound, and with K = D one sign for each bit of each value, no more.
    """
    for sizes in CASES:
        lists = tables_told_apart(claim, sizes)
        edge = (sizes.values**sizes.pairs - 1).bit_length()
        for bits in range(max(0, edge - 2), edge + 2):
            due, said = 2**bits < lists, claim.forbidden(sizes, bits)
            require(due == said, f"{sizes}, {bits} bits: {lists} lists are told apart, the claim says {said}")
        subject = built(sizes)
        require(certified_proof(subject).ok, f"{sizes}: the R layer is not proved")
        held = sum(head.state_entries for layer in subject.model.layers for head in layer.stateful_heads)
        tight = sizes.keys * (sizes.values - 1).bit_length()
        require(held == tight, f"{sizes}: {held} numbers in the state, not {tight}")
        few = sizes.keys == sizes.pairs and claim.forbidden(sizes, held)
        require(not few, f"{sizes}: {held} bits are in use and said to be too few")
    return Checked(
        Status.EXHAUSTIVE,
        "all lists of values and all questions by the oracle; the proved R layer above the bound",
        f"{len(CASES)} sizes, up to 8 pairs",
    )


def _forgets(sizes: Sizes) -> Construction:
    """The last feature is gone: the pair with the last key is not stored."""
    right = built(sizes)
    (layer,) = right.model.layers
    head = layer.heads[0]
    assert isinstance(head, LinearHead)
    bias = head.b_k.numerators.copy()
    bias[-1] -= 1
    changed = replace(layer, heads=(replace(head, b_k=ExactMatrix(bias)),))
    return replace(right, name="MQAR without its last feature", model=replace(right.model, layers=(changed,)))


STATEMENT = Statement(
    id="T.MQAR",
    title="R alone needs the bits of all values for MQAR, at small sizes",
    latex=r"\Lambda\ge D\log_2 V",
    english="A word without F solves MQAR with D pairs and V values only with a state of D·log2 V bits.",
    subject=Claim(every_pair, too_few),
    check=check,
    twins={
        "the first pair alone is asked for": Claim(lambda _sizes: [0], too_few),
        "the last pair is never asked for": Claim(lambda sizes: list(range(max(1, sizes.pairs - 1))), too_few),
        "2^Λ = V^D is too few": Claim(every_pair, lambda sizes, bits: 2**bits <= sizes.values**sizes.pairs),
        "⌊log2 V⌋ bits for a value": Claim(
            every_pair, lambda sizes, bits: bits < sizes.pairs * (sizes.values.bit_length() - 1)
        ),
        "keys that no pair has count too": Claim(every_pair, lambda sizes, bits: 2**bits < sizes.values**sizes.keys),
    },
    rests_on=("L",),
    # A model that the bound applies to: the R layer, which is right and has no F.
    hypotheses=(
        Hypothesis(
            "the word has no F", lambda subject: "F" not in subject.model.word, Lazy(lambda: built(CASES[0], "F"))
        ),
        Hypothesis(
            "every input is answered right",
            lambda subject: certified_proof(subject).ok,
            Lazy(lambda: _forgets(CASES[1])),
        ),
        Hypothesis(
            "the sizes are among those listed",
            lambda subject: subject.sizes in [built(sizes).sizes for sizes in CASES],
            Lazy(lambda: built(Sizes(2, 2, 2))),
        ),
    ),
    witness=Lazy(lambda: built(CASES[1])),
)
