"""C7: one block-sparse layer with B heads solves 2-Sum, proved for all inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from flint import fmpz_mat

from constructions.c6 import least_temperature
from constructions.c7 import build, most_keys, opened_by_head
from proofs_checks.c6_proved import Search, coarser_rounding, rounds_finely, with_layer
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.suppositions import after, shifts_lowered
from separation.models import Model, SparseHead
from separation.proving import Construction, prove
from separation.tasks.two_sum import TwoSumSizes

Builder = Callable[[TwoSumSizes, int, int], Construction]
"""(sizes, B, k) → construction."""

CASES = (
    (TwoSumSizes(6, 3), 1, 1),
    (TwoSumSizes(3, 5), 4, 1),
    (TwoSumSizes(7, 5), 2, 0),
    (TwoSumSizes(9, 7), 3, 4),
    (TwoSumSizes(64, 4097), 4, 1),
    (TwoSumSizes(4096, 4096**2 + 1), 8, 2),
)


class SparseSearch(NamedTuple):
    """C6's numbers, B and k."""

    search: Search
    block: int
    opened: int


def leaks_little(sparse: SparseSearch) -> bool:
    """δ ≤ 1/(4b) with at most K = ⌈n/B⌉ − 1 + B·⌈k/B⌉ + B keys for a head."""
    keys = most_keys(sparse.search.length, sparse.block, max(opened_by_head(sparse.block, sparse.opened)))
    return sparse.search.temperature >= least_temperature(keys, sparse.search.code_bits)


def is_proved(sparse: SparseSearch) -> bool:
    search, block, opened = sparse
    return (search.length, search.modulus, block, opened) in {(s.length, s.modulus, b, k) for s, b, k in CASES}


def half_the_temperature(sizes: TwoSumSizes, block: int, opened: int) -> Construction:
    temperature = int(sparse_heads(build(sizes, block, opened).model)[0].w_q.numerators.max())
    return build(sizes, block, opened, temperature=max(1, temperature // 2))


def mean_of_the_block(sizes: TwoSumSizes, block: int, opened: int) -> Construction:
    """Every head is given the mean of the codes of a block."""
    whole = build(sizes, block, opened)
    first, *others = sparse_heads(whole.model)
    total = first.c_k
    for head in others:
        total = total + head.c_k
    mean = total.scaled(Fraction(1, block))
    heads = tuple(replace(head, c_k=mean, c_v=mean) for head in (first, *others))
    return with_layer(whole, replace(whole.model.layers[0], heads=heads))


def one_head_for_two_offsets(sizes: TwoSumSizes, block: int, opened: int) -> Construction:
    """The last head repeats the token of the first: what stands last in a block is seen by nobody."""
    whole = build(sizes, block, opened)
    first, *others = sparse_heads(whole.model)
    heads = (first, *others[:-1], *(replace(head, c_k=first.c_k, c_v=first.c_v) for head in others[-1:]))
    return with_layer(whole, replace(whole.model.layers[0], heads=heads))


def sparse_heads(model: Model) -> tuple[SparseHead, ...]:
    return tuple(head for layer in model.layers for head in layer.heads if isinstance(head, SparseHead))


def summary_bits(model: Model) -> int:
    """r: on how many ±1 bits of a block all its summary keys and values depend, as the rank of that linear map.

    The map reads the streams of the block's B tokens, one after the other; key and value share what they both read.
    """
    rows: set[tuple[int, ...]] = set()
    for head in sparse_heads(model):
        for compressor, reader in ((head.c_k, head.w_k), (head.c_v, head.w_v)):
            size = reader.shape[0]
            parts = [compressor.columns(range(o * size, (o + 1) * size)) @ reader for o in range(head.block)]
            whole = parts[0]
            for part in parts[1:]:
                whole = whole.beside(part)
            rows.update(tuple(row) for row in whole.numerators.tolist() if any(row))
    return int(fmpz_mat([list(row) for row in rows]).rank()) if rows else 0


def check(builder: Builder) -> Checked:
    for sizes, block, opened in CASES:
        subject = builder(sizes, block, opened)
        name, heads, bits = f"{sizes}, B = {block}, k = {opened}", sparse_heads(subject.model), sizes.code_bits
        require(subject.model.word == "S" and len(heads) == block, f"{name} is not one sparse layer of {block} heads")
        require({head.w_q.shape[0] for head in heads} == {bits}, f"{name} has heads wider than {bits}")
        require({head.block for head in heads} == {block}, f"{name} has other blocks")
        require(sum(head.opened for head in heads) == opened, f"{name} opens more blocks")
        proof = prove(subject.model, subject.stages, subject.shape)
        require(proof.ok, f"{name}: {proof.failures[0] if proof.failures else 'no margin'}")
        require(summary_bits(subject.model) == block * bits, f"{name} summarises {summary_bits(subject.model)} bits")
    longest = max(sizes.length for sizes, _, _ in CASES)
    return Checked(
        Status.ALL_INPUTS,
        "layer by layer on the exact weights, closed form",
        f"{len(CASES)} sizes, up to {longest} tokens",
    )


SEARCH = Search(7, 5, temperature=2, shift=6, fraction_bits=4)
WITNESS = SparseSearch(SEARCH, block=2, opened=0)

STATEMENT = Statement(
    id="C7",
    title="S solves 2-Sum with B heads",
    latex=r"S_{B,k}\ \text{solves}\ 2\text{-Sum}(n,M),\quad H=B,\ d=\lceil\log_2 M\rceil,\ r=B\lceil\log_2 M\rceil",
    english=(
        "A single block-sparse layer with B heads of ⌈log2 M⌉ coordinates answers every input at every token; "
        "a block is summarised in B⌈log2 M⌉ bits."
    ),
    subject=build,
    check=check,
    twins={
        "half the temperature": half_the_temperature,
        "the mean of the block": mean_of_the_block,
        "one head for two offsets": one_head_for_two_offsets,
        "the shift one below a match's score": after(shifts_lowered, build),
        "a rounding step above 1/(4b)": after(coarser_rounding, build),
    },
    hypotheses=(
        Hypothesis(
            "M is odd", lambda s: s.search.modulus % 2 == 1, WITNESS._replace(search=SEARCH._replace(modulus=6))
        ),
        Hypothesis("δ ≤ 1/(4b)", leaks_little, WITNESS._replace(search=SEARCH._replace(temperature=1, shift=3))),
        Hypothesis(
            "η ≤ 1/(4b)", lambda s: rounds_finely(s.search), WITNESS._replace(search=SEARCH._replace(fraction_bits=3))
        ),
        Hypothesis(
            "the shift is the score τ·b of a match",
            lambda s: s.search.shift == s.search.temperature * s.search.code_bits,
            WITNESS._replace(search=SEARCH._replace(shift=5)),
        ),
        Hypothesis(
            "n, M, B and k are among those proved", is_proved, WITNESS._replace(search=SEARCH._replace(length=8))
        ),
    ),
    witness=WITNESS,
    speaks_of=("D2", "D3"),
    rests_on=("S1", "S2.repeated", "S2.floors", "S3", "C6.gap"),
)
