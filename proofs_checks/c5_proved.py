"""C5: with a chain of thought RF, FR and F solve L-FuncComp for every L, proved for all inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from constructions.c2 import FAMILIES
from constructions.c5 import Plan, build
from constructions.c5.rows import Line
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.suppositions import (
    activations_fit,
    after,
    one_bit_fewer,
    prompt_sizes,
    scores_below_the_shift,
    shifts_lowered,
)
from separation.models import Layer
from separation.proving import Construction, prove
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Kind, bit_count

SIZES = (Sizes(5, ()), Sizes(3, (2,)), Sizes(2, (1, 3)), Sizes(4, (2, 1, 2)), Sizes(2, (2,) * 6))
CASES = (*((word, family) for word in ("RF", "FR") for family in FAMILIES), ("F", FAMILIES[0]))

Builder = Callable[[Sizes, str, str], Construction]
"""Sizes, word, family."""


class OneStepBehind(Plan):
    """A generated token asks what the token before it asked."""

    def __init__(self, sizes: Sizes, word: str, family: str) -> None:
        super().__init__(sizes, word, family)
        self.aims |= {name: aim - 1 for name, aim in self.aims.items() if name not in ("w", "z0")}


class WithoutGroups(Plan):
    """An id's logit does not look at the aim."""

    def row(self, group: Kind) -> Line:
        return {slot: letters for slot, letters in super().row(group).items() if slot != "aim"}


class WithKeys(Plan):
    """A generated token has the address that it asks for as its key, and finds itself."""

    def say(self, group: Kind) -> Line:
        line = super().say(group)
        if "thought" not in line:
            return line
        index = line["pointer"][: len(self.stream["index"])]
        return {**line, "tag": line["aim"], "digit": line["asked"], "index": index}


class WithoutForgetting(Plan):
    """In FR the token w keeps what it finds, and takes i_1 on top of it."""

    def full_layer(self) -> Layer:
        return Layer((self.look_up(),), (self.mlp(),))


def twin(plan: type[Plan]) -> Builder:
    """What a plan builds, and claims."""

    def broken(sizes: Sizes, word: str, family: str) -> Construction:
        changed = plan(sizes, word, family)
        return changed.construction("C5", changed.layers(), changed.stages(), None, None)

    return broken


def layers_swapped(sizes: Sizes, word: str, family: str) -> Construction:
    whole = build(sizes, word, family)
    return replace(whole, model=replace(whole.model, layers=whole.model.layers[::-1]))


TWINS: dict[str, Builder] = {
    "layers swapped": layers_swapped,
    "a token asks what the one before it asked": twin(OneStepBehind),
    "logits without the group": twin(WithoutGroups),
    "generated tokens with keys": twin(WithKeys),
    "FR, and w forgets nothing": twin(WithoutForgetting),
}


def check(builder: Builder) -> Checked:
    for sizes in SIZES:
        for word, family in CASES:
            subject, where = builder(sizes, word, family), f"{sizes}, {word}, {family}"
            proof = prove(subject.model, subject.stages, subject.shape)
            require(proof.ok, f"{where}: {proof.failures[0] if proof.failures else 'no margin'}")
            require(subject.model.word == word, f"{where}: the layers are {subject.model.word}")
            handed = bit_count(sizes.m) + sum(map(bit_count, sizes.n)) if "R" in word else 0
            require(proof.state_bits == handed, f"{where}: the state has {proof.state_bits} bits, not {handed}")
    most, longest = max(sizes.L for sizes in SIZES), max(sizes.length for sizes in SIZES)
    return Checked(
        Status.ALL_INPUTS,
        "layer by layer on the exact weights, closed form, at w and at every generated token",
        f"{len(SIZES)} sizes, L up to {most}, up to {longest} tokens, F, and RF and FR with {' and '.join(FAMILIES)}",
    )


WITNESS = build(Sizes(3, (2,)), "RF", "linear")

STATEMENT = Statement(
    id="C5",
    title="RF, FR and F with a chain of thought solve L-FuncComp",
    latex=r"RF,\ FR,\ F\ \text{with chain of thought solve}\ L\text{-FuncComp},"
    r"\quad s=\lceil\log_2 m\rceil+\sum_\ell\lceil\log_2 n_\ell\rceil",
    english="One pair of layers, decoded greedily, answers every input for every L after L tokens, its state being "
    "⌈log2 m⌉+Σ⌈log2 n_ℓ⌉ bits; one full layer alone after L+1 tokens.",
    subject=build,
    check=check,
    twins={
        **TWINS,
        "shifts one below a match's score": after(shifts_lowered, build),
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=(
        Hypothesis(
            "the sizes are among those proved",
            lambda subject: prompt_sizes(subject) in SIZES,
            build(Sizes(3, (3,)), "RF", "linear"),
        ),
        scores_below_the_shift(WITNESS),
        activations_fit(WITNESS),
    ),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
    rests_on=("S1", "S2", "S3", "S4", "C1"),
)
