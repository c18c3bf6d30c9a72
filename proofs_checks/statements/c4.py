"""C4: an encoder of 1+⌈log2(L+1)⌉ full-attention layers solves L-FuncComp, proved for all inputs.

Attention goes both ways. Every token holds (v, e): following it leads to v after table e. A table's token starts with
its own value, z_0 with i_0. In layer 1 w takes over what z_0 holds, and all other tokens read the digits of w. In
every later layer a token with e < L asks table e+1 at (w_e, v) and takes over the whole state of the token it finds,
the number of the next table to ask included, so that what e gains doubles with each layer and no weight depends on the
layer's number; a token with e = L is done, and a gate in the MLP drops what it reads. One head per layer, width O(log
n); all layers after the first have the same weights. The proof follows each token's own later hops layer by layer on
the exact weights.

At tiny sizes every input is also run through the exact arithmetic model, and the answer compared with the oracle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from constructions.c4 import Plan, build
from proofs_checks.kit.construction_checks import TINY, Demand, Exhausted, Proved
from proofs_checks.kit.hypotheses import (
    after,
    half_the_temperature,
    last_layer_dropped,
    of_weights,
    one_bit_fewer,
    shifts_lowered,
    with_model,
)
from proofs_checks.kit.statement import Hypothesis, Lazy, Statement
from separation.proving import Construction, Proof
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SIZES = (
    Sizes(5, ()),
    Sizes(3, (2,)),
    Sizes(4, (3, 2)),
    Sizes(8, (8, 8)),
    Sizes(2, (1, 2, 1, 1, 2, 1)),
)


one_layer_fewer = after(last_layer_dropped, build)


def only_w_takes_over(sizes: Sizes) -> Construction:
    """The gate of layer 1 in all layers: w makes one hop a layer, as in a decoder."""
    whole, waiting = build(sizes), Plan(sizes).mlp("waits")
    layers = tuple(replace(layer, mlps=(waiting,)) for layer in whole.model.layers)
    return with_model(whole, layers=layers)


def attention_one_way(sizes: Sizes) -> Construction:
    """The same weights in a decoder: no token of a table sees w."""
    return with_model(build(sizes), causal=True)


def demands(subject: Construction, _proof: Proof, sizes: Sizes) -> Iterator[Demand]:
    first, *later = subject.model.layers
    yield 1 + len(later) <= 1 + bit_count(sizes.L + 1), "more than 1+⌈log2(L+1)⌉ layers"
    yield all(layer == later[0] for layer in later), "the layers after the first differ"
    yield all(len(layer.heads) == 1 for layer in (first, *later)), "more than one head"


ROW = Proved(
    [(sizes,) for sizes in SIZES],
    f"{len(SIZES)} sizes, up to {max(s.L for s in SIZES)} tables and {max(s.length for s in SIZES)} tokens",
    demands,
    Exhausted([(sizes, [()]) for sizes in (*TINY, Sizes(2, (1, 1, 1)))]),
)
WITNESS = Lazy(lambda: build(Sizes(3, (2,))))

STATEMENT = Statement(
    id="C4",
    title="an encoder of 1+⌈log2(L+1)⌉ layers solves L-FuncComp at given sizes",
    latex=r"F_{\leftrightarrow}^{1+\lceil\log_2(L+1)\rceil}\ \text{solves}\ L\text{-FuncComp}(m;n_1,\dots,n_{L-1})",
    english=(
        "With attention both ways 1+⌈log2(L+1)⌉ full-attention layers with one head and width O(log n) answer every "
        "input; all layers after the first have the same weights."
    ),
    subject=build,
    check=ROW.check,
    twins={
        "half the temperature": after(half_the_temperature, build),
        "one layer fewer": one_layer_fewer,
        "only w takes over what it reads": only_w_takes_over,
        "attention one way": attention_one_way,
        "shifts one below a match's score": after(shifts_lowered, build),
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=(
        *of_weights(WITNESS, SIZES, elsewhere=Lazy(lambda: build(Sizes(3, (3,))))),
        Hypothesis(
            "every token sees every token",
            lambda subject: not subject.model.causal,
            Lazy(lambda: attention_one_way(Sizes(3, (2,)))),
        ),
    ),
    witness=WITNESS,
    applies_to=("D1", "D2"),
    rests_on=("S1", "S2", "S3", "S4"),
)
