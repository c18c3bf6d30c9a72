"""C3: L+1 layers of linear attention solve L-FuncComp; their state is one bit for each bit of the tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import log2

from constructions.c3 import build
from proofs_checks.statement import Checked, CheckFailed, Statement, Status, require
from proofs_checks.suppositions import activations_fit, after, at_sizes, one_bit_fewer
from separation.arithmetic import ExactMatrix
from separation.models import LinearHead
from separation.proving import Construction, prove
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SIZES = (
    Sizes(2, ()),
    Sizes(16, ()),
    Sizes(3, (2,)),
    Sizes(4, (3, 2)),
    Sizes(2, (2, 1, 2)),
    Sizes(8, (8,)),
    Sizes(4, (4, 4)),
)


HALF = Fraction(1, 2)


def one_address_without_a_feature(sizes: Sizes) -> Construction:
    return with_last_head(sizes, lambda head: _rows(head, range(head.w_k.shape[0] - 1)))


def wide_peaks(sizes: Sizes) -> Construction:
    """A feature is not 0 at the addresses one bit away: its entry of the state holds more than one token's value."""
    return with_last_head(sizes, lambda head: replace(head, b_k=ExactMatrix(head.b_k.numerators + 2)))


def every_feature_twice(sizes: Sizes) -> Construction:
    """Right answers, as each copy weighs one half at the query; but twice the state."""

    def doubled(head: LinearHead) -> LinearHead:
        both = _rows(head, [*range(head.w_k.shape[0])] * 2)
        return replace(both, w_q=both.w_q.scaled(HALF), b_q=both.b_q.scaled(HALF))

    return with_last_head(sizes, doubled)


def last_two_layers_swapped(sizes: Sizes) -> Construction:
    whole = build(sizes)
    *first, second_last, last = whole.model.layers
    return replace(whole, model=replace(whole.model, layers=(*first, last, second_last)))


def with_last_head(sizes: Sizes, change: Callable[[LinearHead], LinearHead]) -> Construction:
    whole = build(sizes)
    *first, last = whole.model.layers
    (head,) = last.heads
    assert isinstance(head, LinearHead)
    return replace(whole, model=replace(whole.model, layers=(*first, replace(last, heads=(change(head),)))))


def _rows(head: LinearHead, chosen: Sequence[int]) -> LinearHead:
    """Only these features, in this order."""
    return replace(
        head,
        w_q=head.w_q.rows(chosen),
        b_q=head.b_q.rows(chosen),
        w_k=head.w_k.rows(chosen),
        b_k=head.b_k.rows(chosen),
    )


def state_bits(sizes: Sizes) -> int:
    """⌈log2 m⌉ + Σ_k N_{k-1}·⌈log2 N_{k-1}⌉."""
    return bit_count(sizes.m) + sum(size * bit_count(size) for size in sizes.N)


def check(builder: Callable[[Sizes], Construction]) -> Checked:
    ratios = []
    for sizes in SIZES:
        subject = builder(sizes)
        require(subject.model.word == "R" * (sizes.L + 1), f"{sizes}: the layers are {subject.model.word}")
        proof = prove(subject.model, subject.stages, sizes.shape())
        require(proof.ok, f"{sizes}: {proof.failures[0] if proof.failures else 'no margin'}")
        found = proof.state_bits
        if found != state_bits(sizes):
            raise CheckFailed(f"{sizes}: {found} bits of state, the formula says {state_bits(sizes)}")
        # Linear attention alone cannot do with fewer than log2 of the number of tables z_L.
        last = sizes.N[-1]
        require((last**last - 1).bit_length() <= found, f"{sizes}: {found} bits are below N·log2 N for N = {last}")
        ratios.append(found / (last * log2(last)))
    longest = max(sizes.length for sizes in SIZES)
    return Checked(
        Status.ALL_INPUTS,
        "layer by layer on the exact weights, closed form; every state entry by entry",
        f"{len(SIZES)} sizes, up to {longest} tokens; {min(ratios):.2f} to {max(ratios):.2f} times N·log2 N bits",
    )


WITNESS = build(Sizes(3, (2,)))

STATEMENT = Statement(
    id="C3",
    title="R^(L+1) solves L-FuncComp with a state of all tables",
    latex=r"R^{L+1}\ \text{solves}\ L\text{-FuncComp},\quad"
    r"\Lambda=\lceil\log_2 m\rceil+\sum_{k=1}^{L}N_{k-1}\lceil\log_2 N_{k-1}\rceil\ \ge\ N_{L-1}\log_2 N_{L-1}",
    english="Linear attention alone answers every input in L+1 layers. Each entry of its states is one bit, and there "
    "are as many as the tables have: little more than the N·log2 N (N = N_{L-1}) that no such model can do without.",
    subject=build,
    check=check,
    twins={
        "one address without a feature": one_address_without_a_feature,
        "wide peaks": wide_peaks,
        "every feature twice": every_feature_twice,
        "last two layers swapped": last_two_layers_swapped,
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=(at_sizes(SIZES, elsewhere=build(Sizes(3, (3,)))), activations_fit(WITNESS)),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
)
