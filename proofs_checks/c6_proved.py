"""C6: one full-attention layer solves 2-Sum, proved for all inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from constructions.c6 import build, least_temperature
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.suppositions import after, shifts_lowered
from separation.models import Head, Layer
from separation.proving import Construction, prove
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes

SIZES = (
    TwoSumSizes(1, 3),
    TwoSumSizes(5, 3),
    TwoSumSizes(4, 7),
    TwoSumSizes(64, 4097),
    TwoSumSizes(4096, 4096**2 + 1),
)


class Search(NamedTuple):
    """n, M, the temperature τ, the shift c, and the bits f of a fraction: η = 2^-f."""

    length: int
    modulus: int
    temperature: int
    shift: int
    fraction_bits: int

    @property
    def code_bits(self) -> int:
        """b."""
        return bit_count(self.modulus)


def leaks_little(search: Search) -> bool:
    """δ ≤ 1/(4b), that is (n−1)·e^{-2τ}·(4b−1) ≤ 1."""
    return search.temperature >= least_temperature(search.length, search.code_bits)


def rounds_finely(search: Search) -> bool:
    """η ≤ 1/(4b)."""
    return Fraction(1, 1 << search.fraction_bits) <= Fraction(1, 4 * max(1, search.code_bits))


def coarser_rounding(construction: Construction) -> Construction:
    """One bit fewer behind the point, as many before it."""
    precision = construction.model.precision
    coarser = replace(precision, bits=precision.bits - 1, fraction_bits=precision.fraction_bits - 1)
    return replace(construction, model=replace(construction.model, precision=coarser))


def half_the_temperature(sizes: TwoSumSizes) -> Construction:
    (head,) = build(sizes).model.layers[0].heads
    assert isinstance(head, Head)
    temperature = int(head.w_q.numerators.max())
    return build(sizes, temperature=max(1, temperature // 2))


def query_for_x_itself(sizes: TwoSumSizes) -> Construction:
    whole = build(sizes)
    (head,) = whole.model.layers[0].heads
    assert isinstance(head, Head)
    temperature = int(head.w_q.numerators.max())
    return with_layer(whole, replace(whole.model.layers[0], heads=(replace(head, w_q=head.w_k.scaled(temperature)),)))


def threshold_one_higher(sizes: TwoSumSizes) -> Construction:
    """A near miss, at distance 2, fires too."""
    whole = build(sizes)
    measure, threshold = whole.model.layers[0].mlps
    higher = replace(threshold, b_1=threshold.b_1.with_entry(0, 0, 11).with_entry(1, 0, 7))
    return with_layer(whole, replace(whole.model.layers[0], mlps=(measure, higher)))


def with_layer(construction: Construction, layer: Layer) -> Construction:
    return replace(construction, model=replace(construction.model, layers=(layer,)))


def check(builder: Callable[[TwoSumSizes], Construction]) -> Checked:
    for sizes in SIZES:
        subject = builder(sizes)
        require(subject.model.word == "F", f"{sizes} has the layers {subject.model.word}, not one full one")
        require(subject.model.heads == 1, f"{sizes} has {subject.model.heads} heads")
        require(subject.model.width == 3 * sizes.code_bits + 3, f"{sizes} has width {subject.model.width}")
        proof = prove(subject.model, subject.stages, subject.shape)
        require(proof.ok, f"{sizes}: {proof.failures[0] if proof.failures else 'no margin'}")
    longest = max(sizes.length for sizes in SIZES)
    return Checked(
        Status.ALL_INPUTS,
        "layer by layer on the exact weights, closed form",
        f"{len(SIZES)} sizes, up to {longest} tokens",
    )


WITNESS = Search(4, 7, temperature=2, shift=6, fraction_bits=4)

STATEMENT = Statement(
    id="C6",
    title="F solves 2-Sum",
    latex=r"F\ \text{solves}\ 2\text{-Sum}(n,M),\quad H=1,\ d=3\lceil\log_2 M\rceil+3",
    english="A single full-attention layer with one head and width 3⌈log2 M⌉ + 3 answers every input at every token.",
    subject=build,
    check=check,
    twins={
        "half the temperature": half_the_temperature,
        "a query for x itself": query_for_x_itself,
        "a threshold one higher": threshold_one_higher,
        "the shift one below a match's score": after(shifts_lowered, build),
        "a rounding step above 1/(4b)": after(coarser_rounding, build),
    },
    hypotheses=(
        Hypothesis("M is odd", lambda search: search.modulus % 2 == 1, WITNESS._replace(modulus=8)),
        Hypothesis("b = ⌈log2 M⌉ ≥ 2", lambda s: s.code_bits >= 2, Search(1, 1, 1, 0, 3)),
        Hypothesis("δ ≤ 1/(4b)", leaks_little, WITNESS._replace(temperature=1, shift=3)),
        Hypothesis("η ≤ 1/(4b)", rounds_finely, WITNESS._replace(fraction_bits=3)),
        Hypothesis(
            "the shift is the score τ·b of a match",
            lambda search: search.shift == search.temperature * search.code_bits,
            WITNESS._replace(shift=5),
        ),
        Hypothesis(
            "n and M are among those proved",
            lambda search: (search.length, search.modulus) in {(sizes.length, sizes.modulus) for sizes in SIZES},
            WITNESS._replace(length=5),
        ),
    ),
    witness=WITNESS,
    speaks_of=("D2", "D3"),
    rests_on=("S1", "S2.repeated", "S2.floors", "S3", "C6.gap"),
)
