"""C3: L+1 layers of linear attention solve L-FuncComp; their state is one bit for each bit of the tables.

R^(L+1) with unnormalised linear attention: layer 1 hands z_0 to w; layer k+1 has one feature for each address a of
table k, relu(code(k)·tag − T + code(a)·address − b + 1) for b bits of address. It is 1 at the one token of table k at
a, and 0 at every other. The query's features are the same with the tag of w and the bits of (w_{k-1}, i_{k-1}), so w
reads exactly one entry and all other tokens read 0. Values and pointers are bits 0 and 1, where relu is the identity:
nothing is rounded and nothing clipped. One token at most adds to an entry of the state, and it adds a bit: ⌈log2 m⌉ +
Σ_k N_{k-1}⌈log2 N_{k-1}⌉ bits in all. No model without a full layer can do with fewer than N_{L-1}·log2 N_{L-1}: let
z_1, …, z_{L-1} be the identity; then (z_0, w) can ask for every entry of z_L, and all that is known of z_L passes one
boundary. If all n_ℓ ≥ 2, C3 has at most 2·N_{L-1}⌈log2 N_{L-1}⌉ + ⌈log2 m⌉ bits.

At tiny sizes every input is also run through the exact arithmetic model, and the answer compared with the oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import log2

from constructions.c3 import build
from proofs_checks.kit.construction_checks import TINY, Demand, Exhausted, Proved, sizes_and_tokens
from proofs_checks.kit.hypotheses import (
    activations_fit,
    after,
    at_sizes,
    last_layers_swapped,
    one_bit_fewer,
    with_layer,
)
from proofs_checks.kit.statement import Lazy, Statement
from separation.arithmetic import ExactMatrix
from separation.models import LinearHead
from separation.proving import Construction, Proof
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


last_two_layers_swapped = after(last_layers_swapped, build)


def with_last_head(sizes: Sizes, change: Callable[[LinearHead], LinearHead]) -> Construction:
    whole = build(sizes)
    (head,) = whole.model.layers[-1].heads
    assert isinstance(head, LinearHead)
    return with_layer(whole, -1, heads=(change(head),))


def _rows(head: LinearHead, chosen: Sequence[int]) -> LinearHead:
    """Only these features, in this order."""
    return replace(head, **{name: getattr(head, name).rows(chosen) for name in ("w_q", "b_q", "w_k", "b_k")})


def state_bits(sizes: Sizes) -> int:
    """⌈log2 m⌉ + Σ_k N_{k-1}·⌈log2 N_{k-1}⌉."""
    return bit_count(sizes.m) + sum(size * bit_count(size) for size in sizes.N)


def demands(subject: Construction, proof: Proof, sizes: Sizes) -> Iterator[Demand]:
    found, expected, last = proof.state_bits, state_bits(sizes), sizes.N[-1]
    yield subject.model.word == "R" * (sizes.L + 1), f"the layers are {subject.model.word}"
    yield found == expected, f"{found} bits of state, the formula says {expected}"
    # Linear attention alone needs at least log2 of the number of tables z_L.
    yield (last**last - 1).bit_length() <= expected, f"{expected} bits are below N·log2 N for N = {last}"


RATIOS = [state_bits(sizes) / (sizes.N[-1] * log2(sizes.N[-1])) for sizes in SIZES]
ROW = Proved(
    [(sizes,) for sizes in SIZES],
    f"{sizes_and_tokens(SIZES)}; {min(RATIOS):.2f} to {max(RATIOS):.2f} times N·log2 N bits",
    demands,
    Exhausted([(sizes, [()]) for sizes in TINY]),
    "; every state entry by entry",
)
WITNESS = Lazy(lambda: build(Sizes(3, (2,))))

STATEMENT = Statement(
    id="C3",
    title="R^(L+1) solves L-FuncComp at given sizes, with a state that holds all tables",
    latex=r"R^{L+1}\ \text{solves}\ L\text{-FuncComp},\quad"
    r"\Lambda=\lceil\log_2 m\rceil+\sum_{k=1}^{L}N_{k-1}\lceil\log_2 N_{k-1}\rceil\ \ge\ N_{L-1}\log_2 N_{L-1}",
    english="Linear attention alone answers every input in L+1 layers. Each entry of its states is one bit, and there "
    "are as many entries as the tables have bits: little more than the N·log2 N (N = N_{L-1}) that every such model "
    "needs.",
    subject=build,
    check=ROW.check,
    twins={
        "one address without a feature": one_address_without_a_feature,
        "wide peaks": wide_peaks,
        "every feature twice": every_feature_twice,
        "last two layers swapped": last_two_layers_swapped,
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=(at_sizes(SIZES, elsewhere=Lazy(lambda: build(Sizes(3, (3,))))), activations_fit(WITNESS)),
    witness=WITNESS,
    applies_to=("D1", "D2"),
)
