"""C2: L full layers and one recurrent layer before the second of them solve L-FuncComp, proved for all inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from constructions.c2 import FAMILIES, Plan, build
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.suppositions import after, of_weights, one_bit_fewer, shifts_lowered
from separation.arithmetic import ExactMatrix
from separation.models import DeltaHead, Layer, LinearHead
from separation.proving import Construction, prove
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SIZES = (Sizes(5, ()), Sizes(3, (2,)), Sizes(4, (3, 2)), Sizes(2, (2, 1, 2)), Sizes(8, (8, 8, 8)))

Builder = Callable[[Sizes, str, str], Construction]
"""Sizes, word, family."""


def words(sizes: Sizes) -> tuple[str, str]:
    """RF^L and FRF^(L-1)."""
    return "R" + "F" * sizes.L, "FR" + "F" * (sizes.L - 1)


def last_two_layers_swapped(sizes: Sizes, word: str, family: str) -> Construction:
    whole = build(sizes, word, family)
    *first, second_last, last = whole.model.layers
    return replace(whole, model=replace(whole.model, layers=(*first, last, second_last)))


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
    return with_layer(whole, number, replace(whole.model.layers[number], heads=(head,)))


def z0_handed_on(sizes: Sizes, word: str, family: str) -> Construction:
    """R hands z_0's value on; where F came first that is i_0 and not i_1."""
    whole = build(sizes, word, family)
    return with_layer(whole, word.index("R"), Plan(sizes, family).hand_over("value"))


def with_layer(whole: Construction, number: int, layer: Layer) -> Construction:
    layers = whole.model.layers
    return replace(whole, model=replace(whole.model, layers=(*layers[:number], layer, *layers[number + 1 :])))


def state_bits(sizes: Sizes, family: str) -> int:
    """Each of ⌈log2 m⌉ entries is −1, 0 or 1: two bits; the normaliser is 0 or 1."""
    return 2 * bit_count(sizes.m) + (family == "linear")


def check(builder: Builder) -> Checked:
    cases = [(sizes, word, family) for sizes in SIZES for word in words(sizes) for family in FAMILIES]
    for sizes, word, family in cases:
        subject = builder(sizes, word, family)
        where = f"{sizes}, {word}, {family}"
        proof = prove(subject.model, subject.stages, sizes.shape())
        require(proof.ok, f"{where}: {proof.failures[0] if proof.failures else 'no margin'}")
        require(subject.model.word == word, f"{where}: the layers are {subject.model.word}")
        wanted = state_bits(sizes, family)
        require(proof.state_bits == wanted, f"{where}: {proof.state_bits} bits of state, the formula says {wanted}")
    longest = max(sizes.length for sizes in SIZES)
    return Checked(
        Status.ALL_INPUTS,
        "layer by layer on the exact weights, closed form",
        f"{len(SIZES)} sizes, up to {longest} tokens, both orders, {' and '.join(FAMILIES)}",
    )


WITNESS = build(Sizes(3, (2,)), "FRF", "linear")

STATEMENT = Statement(
    id="C2",
    title="RF^L and FRF^(L-1) solve L-FuncComp",
    latex=r"RF^{L},\ FRF^{L-1}\ \text{solve}\ L\text{-FuncComp}(m;n_1,\dots,n_{L-1}),"
    r"\quad s\le 2\lceil\log_2 m\rceil+1",
    english="L full layers and one recurrent layer before the second, whose state has at most 2⌈log2 m⌉+1 bits, answer "
    "every input.",
    subject=build,
    check=check,
    twins={
        "last two layers swapped": last_two_layers_swapped,
        "all tokens are kept in the state": all_tokens_kept,
        "F first, and R hands on z_0": z0_handed_on,
        "shifts one below a match's score": after(shifts_lowered, build),
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=(
        *of_weights(WITNESS, SIZES, elsewhere=build(Sizes(3, (3,)), "FRF", "linear")),
        Hypothesis(
            "the word is RF^L or FRF^(L-1)",
            lambda subject: subject.model.word in words(subject.sizes),
            last_two_layers_swapped(Sizes(3, (2,)), "FRF", "linear"),
        ),
    ),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
    rests_on=("S1", "S2", "S3", "S4", "C1"),
)
