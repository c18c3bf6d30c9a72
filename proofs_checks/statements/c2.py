"""C2: L full layers and one recurrent layer before the second of them solve L-FuncComp, proved for all inputs.

The word RF^L: only z_0's token writes the state, so at w the state is z_0; then full layers read tables 1..L as in C1.
The word FRF^(L-1): in layer 1 z_0's own token reads table 1 at its own value, the recurrence hands that i_1 to w, and
tables 2..L follow. Linear attention has one feature, constant at queries and at keys relu(code·tag − T + 1), where
code is z_0's tag of T bits: 1 at z_0, and 0 elsewhere, since a wrong bit costs 2. The gated delta rule has the same
number as its gate β, with k = q = α = 1. Both i_0 and i_1 lie in [m], so the state is ⌈log2 m⌉ numbers out of −1, 0, 1
(and a normaliser, 0 or 1): at most 2⌈log2 m⌉ + 1 bits. One head per layer, and the width of C1. One full layer of C1
is thus replaced by a recurrence of O(log m) bits, if it comes before the second full layer (with one full layer:
anywhere).

At tiny sizes every input is also run through the exact arithmetic model, and the answer compared with the oracle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from constructions.c2 import FAMILIES, Plan, build
from proofs_checks.kit.construction_checks import TINY, Demand, Exhausted, Proved, sizes_and_tokens
from proofs_checks.kit.hypotheses import (
    after,
    last_layers_swapped,
    of_weights,
    one_bit_fewer,
    shifts_lowered,
    with_layer,
)
from proofs_checks.kit.statement import Hypothesis, Lazy, Statement
from separation.arithmetic import ExactMatrix
from separation.models import DeltaHead, LinearHead
from separation.proving import Construction, Proof
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SIZES = (Sizes(5, ()), Sizes(3, (2,)), Sizes(4, (3, 2)), Sizes(8, (8, 8)))


def words(sizes: Sizes) -> tuple[str, str]:
    """RF^L and FRF^(L-1)."""
    return "R" + "F" * sizes.L, "FR" + "F" * (sizes.L - 1)


last_two_layers_swapped = after(last_layers_swapped, build)


def all_tokens_kept(sizes: Sizes, word: str, family: str) -> Construction:
    """The key's feature, or the gate, is 1 at every token."""
    whole = build(sizes, word, family)
    number = word.index("R")
    (head,) = whole.model.layers[number].heads
    nothing, one = ExactMatrix.zeros(1, whole.model.width), ExactMatrix.from_rows([[1]])
    if isinstance(head, LinearHead):
        head = replace(head, w_k=nothing, b_k=one)
    elif isinstance(head, DeltaHead):
        head = replace(head, w_b=nothing, b_b=one)
    return with_layer(whole, number, heads=(head,))


def z0_handed_on(sizes: Sizes, word: str, family: str) -> Construction:
    """R hands z_0's value on; where F came first that is i_0 and not i_1."""
    whole = build(sizes, word, family)
    return with_layer(whole, word.index("R"), layer=Plan(sizes, family).hand_over("value"))


def state_bits(sizes: Sizes, family: str) -> int:
    """Each of ⌈log2 m⌉ entries is −1, 0 or 1: two bits; the normaliser is 0 or 1."""
    return 2 * bit_count(sizes.m) + (family == "linear")


def demands(subject: Construction, proof: Proof, sizes: Sizes, word: str, family: str) -> Iterator[Demand]:
    yield subject.model.word == word, f"the layers are {subject.model.word}"
    expected = state_bits(sizes, family)
    yield proof.state_bits == expected, f"{proof.state_bits} bits of state, the formula says {expected}"


ROW = Proved(
    [(sizes, word, family) for sizes in SIZES for word in words(sizes) for family in FAMILIES],
    f"{sizes_and_tokens(SIZES)}, both orders, {' and '.join(FAMILIES)}",
    demands,
    Exhausted([(sizes, list(product(words(sizes), FAMILIES))) for sizes in TINY if sizes.length <= 8]),
)
WITNESS = Lazy(lambda: build(Sizes(3, (2,)), "FRF", "linear"))

STATEMENT = Statement(
    id="C2",
    title="RF^L and FRF^(L-1) solve L-FuncComp at given sizes",
    latex=r"RF^{L},\ FRF^{L-1}\ \text{solve}\ L\text{-FuncComp}(m;n_1,\dots,n_{L-1}),"
    r"\quad s\le 2\lceil\log_2 m\rceil+1",
    english="L full layers and one recurrent layer before the second, whose state has at most 2⌈log2 m⌉+1 bits, answer "
    "every input.",
    subject=build,
    check=ROW.check,
    twins={
        "last two layers swapped": last_two_layers_swapped,
        "all tokens are kept in the state": all_tokens_kept,
        "F first, and R hands on z_0": z0_handed_on,
        "shifts one below a match's score": after(shifts_lowered, build),
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=(
        *of_weights(WITNESS, SIZES, elsewhere=Lazy(lambda: build(Sizes(3, (3,)), "FRF", "linear"))),
        Hypothesis(
            "the word is RF^L or FRF^(L-1)",
            lambda subject: subject.model.word in words(subject.sizes),
            Lazy(lambda: last_two_layers_swapped(Sizes(3, (2,)), "FRF", "linear")),
        ),
    ),
    witness=WITNESS,
    applies_to=("D1", "D2"),
    rests_on=("S1", "S2", "S3", "S4", "C1"),
)
