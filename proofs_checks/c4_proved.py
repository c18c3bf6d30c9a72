"""C4: an encoder of 1+⌈log2(L+1)⌉ full-attention layers solves L-FuncComp, proved for all inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from constructions.c4 import Plan, build
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.suppositions import after, of_weights, one_bit_fewer, shifts_lowered
from separation.proving import Construction, prove
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SIZES = (
    Sizes(5, ()),
    Sizes(3, (2,)),
    Sizes(4, (3, 2)),
    Sizes(2, (2, 1, 2)),
    Sizes(8, (8, 8, 8)),
    Sizes(2, (1, 2, 1, 1, 2, 1)),
)


def half_the_temperature(sizes: Sizes) -> Construction:
    return build(sizes, temperature=max(1, Plan(sizes).temperature // 2))


def one_layer_fewer(sizes: Sizes) -> Construction:
    whole = build(sizes)
    model = replace(whole.model, layers=whole.model.layers[:-1])
    return replace(whole, model=model, stages=[*whole.stages[:-2], whole.stages[-1]])


def only_w_takes_over(sizes: Sizes) -> Construction:
    """The gate of layer 1 in all layers: w makes one hop a layer, as in a decoder."""
    whole, waiting = build(sizes), Plan(sizes).mlp("waits")
    layers = tuple(replace(layer, mlps=(waiting,)) for layer in whole.model.layers)
    return replace(whole, model=replace(whole.model, layers=layers))


def attention_one_way(sizes: Sizes) -> Construction:
    """The same weights in a decoder: no table token sees w."""
    whole = build(sizes)
    return replace(whole, model=replace(whole.model, causal=True))


def check(builder: Callable[[Sizes], Construction]) -> Checked:
    for sizes in SIZES:
        subject = builder(sizes)
        first, *later = subject.model.layers
        require(1 + len(later) <= 1 + bit_count(sizes.L + 1), f"{sizes} uses more than 1+⌈log2(L+1)⌉ layers")
        require(all(layer == later[0] for layer in later), f"{sizes}: the layers after the first differ")
        require(all(len(layer.heads) == 1 for layer in (first, *later)), f"{sizes} uses more than one head")
        proof = prove(subject.model, subject.stages, subject.shape)
        require(proof.ok, f"{sizes}: {proof.failures[0] if proof.failures else 'no margin'}")
    most, longest = max(sizes.L for sizes in SIZES), max(sizes.length for sizes in SIZES)
    return Checked(
        Status.ALL_INPUTS,
        "layer by layer on the exact weights, closed form",
        f"{len(SIZES)} sizes, up to {most} tables and {longest} tokens",
    )


WITNESS = build(Sizes(3, (2,)))

STATEMENT = Statement(
    id="C4",
    title="an encoder of 1+⌈log2(L+1)⌉ layers solves L-FuncComp",
    latex=r"F_{\leftrightarrow}^{1+\lceil\log_2(L+1)\rceil}\ \text{solves}\ L\text{-FuncComp}(m;n_1,\dots,n_{L-1})",
    english=(
        "With attention both ways 1+⌈log2(L+1)⌉ full-attention layers with one head and width O(log n) answer every "
        "input; all layers after the first have the same weights."
    ),
    subject=build,
    check=check,
    twins={
        "half the temperature": half_the_temperature,
        "one layer fewer": one_layer_fewer,
        "only w takes over what it reads": only_w_takes_over,
        "attention one way": attention_one_way,
        "shifts one below a match's score": after(shifts_lowered, build),
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=(
        *of_weights(WITNESS, SIZES, elsewhere=build(Sizes(3, (3,)))),
        Hypothesis(
            "every token sees every token",
            lambda subject: not subject.model.causal,
            attention_one_way(Sizes(3, (2,))),
        ),
    ),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
    rests_on=("S1", "S2", "S3", "S4"),
)
