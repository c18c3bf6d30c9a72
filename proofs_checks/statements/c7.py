"""C7: one block-sparse layer with B heads solves 2-Sum, proved for all inputs.

Tokens are grouped in blocks of B. Head h has C6's query, keys, values and shift, and knows an earlier block by its
h-th token: summary key and summary value are the code of that token, selected rather than averaged. The B heads
together see every token at or before the query, in a summary or in the query's own block, so which blocks are opened
does not matter; the k opened blocks only add keys. A head has at most K = ⌈n/B⌉ − 1 + B·⌈k/B⌉ + B keys, and τ is
chosen as in C6 with K instead of n. The MLP measures and thresholds each head's distance separately; the answer is 1
if some head fired. B heads of b coordinates, width 1 + 2b + B(b+2), p as in C6. The summaries of a block depend on r =
B·b of its ±1 bits, counted on the built weights as the rank of all summary keys and values together.

At tiny sizes every input is also run through the exact arithmetic model, and the answer at every token compared with
the oracle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from constructions.c7 import build
from proofs_checks.kit.construction_checks import Demand, Exhausted, Proved, sizes_and_tokens
from proofs_checks.kit.hypotheses import (
    activations_fit,
    after,
    coarser_rounding,
    half_the_temperature,
    scores_below_the_shift,
    shifts_lowered,
    with_layer,
)
from proofs_checks.kit.measurements import sparse_heads, summary_bits
from proofs_checks.kit.statement import Hypothesis, Lazy, Statement
from proofs_checks.statements.c6 import told_apart
from separation.proving import Construction, Proof
from separation.tasks.two_sum import TwoSumSizes

CASES = (
    (TwoSumSizes(6, 3), 1, 1),
    (TwoSumSizes(3, 5), 4, 1),
    (TwoSumSizes(7, 5), 2, 0),
    (TwoSumSizes(9, 7), 3, 4),
    (TwoSumSizes(64, 4097), 4, 1),
    (TwoSumSizes(4096, 4096**2 + 1), 8, 2),
)
"""Sizes, B and k."""


def is_proved(subject: Construction) -> bool:
    heads = sparse_heads(subject.model)
    return (subject.sizes, heads[0].block, sum(head.opened for head in heads)) in CASES


def mean_of_the_block(sizes: TwoSumSizes, block: int, opened: int) -> Construction:
    """Every head is given the mean of the codes of a block."""
    whole = build(sizes, block, opened)
    first, *others = sparse_heads(whole.model)
    total = first.c_k
    for head in others:
        total = total + head.c_k
    mean = total.scaled(Fraction(1, block))
    heads = tuple(replace(head, c_k=mean, c_v=mean) for head in (first, *others))
    return with_layer(whole, 0, heads=heads)


def one_head_for_two_offsets(sizes: TwoSumSizes, block: int, opened: int) -> Construction:
    """The last head repeats the token of the first: nobody sees the last token of a block."""
    whole = build(sizes, block, opened)
    first, *others = sparse_heads(whole.model)
    heads = (first, *others[:-1], *(replace(head, c_k=first.c_k, c_v=first.c_v) for head in others[-1:]))
    return with_layer(whole, 0, heads=heads)


def demands(subject: Construction, _proof: Proof, sizes: TwoSumSizes, block: int, opened: int) -> Iterator[Demand]:
    heads, bits, summarised = sparse_heads(subject.model), sizes.code_bits, summary_bits(subject.model)
    yield subject.model.word == "S" and len(heads) == block, f"not one sparse layer of {block} heads"
    yield {head.w_q.shape[0] for head in heads} == {bits}, f"heads wider than {bits}"
    yield {head.block for head in heads} == {block}, "other blocks"
    yield sum(head.opened for head in heads) == opened, "more blocks are opened"
    yield summarised == block * bits, f"{summarised} bits are summarised"


RUN = Exhausted(
    [
        (TwoSumSizes(n, M), [(block, opened)])
        for n, M, block, opened in ((6, 3, 1, 1), (7, 3, 2, 0), (7, 3, 3, 1), (3, 5, 4, 1), (5, 5, 2, 1), (4, 7, 3, 0))
    ]
)
ROW = Proved(CASES, sizes_and_tokens([sizes for sizes, _, _ in CASES]), demands, RUN)
WITNESS = Lazy(lambda: build(TwoSumSizes(7, 5), block=2, opened=0))

STATEMENT = Statement(
    id="C7",
    title="S solves 2-Sum with B heads at given sizes",
    latex=r"S_{B,k}\ \text{solves}\ 2\text{-Sum}(n,M),\quad H=B,\ d=\lceil\log_2 M\rceil,\ r=B\lceil\log_2 M\rceil",
    english=(
        "A single block-sparse layer with B heads of ⌈log2 M⌉ coordinates answers every input at every token; "
        "a block is summarised in B⌈log2 M⌉ bits."
    ),
    subject=build,
    check=ROW.check,
    twins={
        "half the temperature": after(half_the_temperature, build),
        "the mean of the block": mean_of_the_block,
        "one head for two offsets": one_head_for_two_offsets,
        "the shift one below a match's score": after(shifts_lowered, build),
        "a rounding step above 1/(4b)": after(coarser_rounding, build),
    },
    hypotheses=(
        Hypothesis(
            "n, M, B and k are among those proved", is_proved, Lazy(lambda: build(TwoSumSizes(8, 5), block=2, opened=0))
        ),
        scores_below_the_shift(WITNESS),
        activations_fit(WITNESS),
        *told_apart(WITNESS),
    ),
    witness=WITNESS,
    applies_to=("D2", "D3"),
    rests_on=("S1", "S2.repeated", "S2.floors", "S3", "C6.gap"),
)
