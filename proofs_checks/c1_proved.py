"""C1: L+1 full-attention layers solve L-FuncComp, proved for all inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from constructions.c1 import build
from proofs_checks.statement import Checked, Statement, Status, require
from proofs_checks.suppositions import after, of_weights, one_bit_fewer, shifts_lowered
from separation.models import Head
from separation.proving import Construction, prove
from separation.tasks.funccomp import Sizes

SIZES = (Sizes(5, ()), Sizes(3, (2,)), Sizes(4, (3, 2)), Sizes(2, (2, 2, 2)), Sizes(8, (8, 8, 8, 8)))


def half_the_temperature(sizes: Sizes) -> Construction:
    whole = build(sizes)
    (head,) = whole.model.layers[0].heads
    assert isinstance(head, Head)
    temperature = head.shift / head.w_q.shape[0]
    return build(sizes, temperature=max(1, int(temperature) // 2))


def last_two_layers_swapped(sizes: Sizes) -> Construction:
    whole = build(sizes)
    *first, second_last, last = whole.model.layers
    return replace(whole, model=replace(whole.model, layers=(*first, last, second_last)))


def one_layer_fewer(sizes: Sizes) -> Construction:
    whole = build(sizes)
    model = replace(whole.model, layers=whole.model.layers[:-1])
    return replace(whole, model=model, stages=[*whole.stages[:-2], whole.stages[-1]])


def check(builder: Callable[[Sizes], Construction]) -> Checked:
    covered = 0
    for sizes in SIZES:
        subject = builder(sizes)
        require(len(subject.model.layers) <= sizes.L + 1, f"{sizes} uses more than L+1 layers")
        proof = prove(subject.model, subject.stages, sizes.shape())
        require(proof.ok, f"{sizes}: {proof.failures[0] if proof.failures else 'no margin'}")
        covered += 1
    longest = max(sizes.length for sizes in SIZES)
    return Checked(
        Status.ALL_INPUTS,
        "layer by layer on the exact weights, closed form",
        f"{covered} sizes, up to {longest} tokens",
    )


WITNESS = build(Sizes(3, (2,)))

STATEMENT = Statement(
    id="C1",
    title="F^(L+1) solves L-FuncComp",
    latex=r"F^{L+1}\ \text{solves}\ L\text{-FuncComp}(m;n_1,\dots,n_{L-1})",
    english="A decoder of L+1 full-attention layers with one head and width O(log n + L) answers every input.",
    subject=build,
    check=check,
    twins={
        "half the temperature": half_the_temperature,
        "last two layers swapped": last_two_layers_swapped,
        "one layer fewer": one_layer_fewer,
        "shifts one below a match's score": after(shifts_lowered, build),
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=of_weights(WITNESS, SIZES, elsewhere=build(Sizes(3, (3,)))),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
    rests_on=("S1", "S2", "S3", "S4"),
)
