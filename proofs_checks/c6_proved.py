"""C6: one full-attention layer solves 2-Sum, proved for all inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from constructions.c6 import build
from proofs_checks.statement import Checked, Statement, Status, require
from separation.models import Head, Layer
from separation.proving import Construction, prove
from separation.tasks.two_sum import TwoSumSizes

SIZES = (
    TwoSumSizes(1, 3),
    TwoSumSizes(5, 3),
    TwoSumSizes(4, 7),
    TwoSumSizes(64, 4097),
    TwoSumSizes(4096, 4096**2 + 1),
)


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
    },
    speaks_of=("D2", "D3"),
    rests_on=("S1", "S2.repeated", "S2.floors", "S3", "C6.gap"),
)
