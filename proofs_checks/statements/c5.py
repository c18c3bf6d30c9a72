"""C5: with a chain of thought RF, FR and F solve L-FuncComp for every L, proved for all inputs.

The answer becomes the next token, and all tokens but the last are read again. RF: w takes i_0 from the state, asks
table 1 and says (1, i_1); the token (ℓ, i_ℓ) takes w from the state, picks w_ℓ by its tag, asks table ℓ+1 at (w_ℓ,
i_ℓ) and says (ℓ+1, i_{ℓ+1}). FR: z_0's own token asks table 1, w takes i_1 from the state and says the address (2;
w_1, i_1); an address is asked, and the token then picks the next digit of w from the state and says the next address,
the last one the bare i_L. F alone: w reads z_0 and says (0, w, i_0); (ℓ, w, i_ℓ) asks table ℓ+1 at (w_ℓ, i_ℓ) and says
(ℓ+1, w, i_{ℓ+1}). That is L tokens for RF and FR and L+1 for F; depth does not grow with L, and width grows only with
log n, Σ⌈log2 n_ℓ⌉ and the tag. Only z_0 and w write the state: ⌈log2 m⌉ + Σ⌈log2 n_ℓ⌉ bits, by linear attention or the
gated delta rule. w and generated tokens have no key, so whatever is asked scores 0 with them. An id's logit is the
scalar product of ±1 codes of equal length, the tag among them, so every wrong id stays at least 2 below. By causality
and induction over the generated tokens, the proof for the prompt followed by the right tokens is a proof of the
decoded run. At tiny sizes every input is also decoded greedily in the exact arithmetic model, and every generated token
compared with the one that the hops of the input prescribe.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from constructions.c2 import FAMILIES
from constructions.c5 import Plan, build
from constructions.lines import Line
from proofs_checks.kit.construction_checks import Demand, Exhausted, Proved
from proofs_checks.kit.hypotheses import Builder, after, of_weights, one_bit_fewer, shifts_lowered, with_model
from proofs_checks.kit.statement import Lazy, Statement
from separation.models import Layer, decode
from separation.proving import Construction, Proof
from separation.tasks.funccomp import Sizes, Thoughts, batch_hops
from separation.tasks.shape import Kind, bit_count

SIZES = (Sizes(5, ()), Sizes(3, (2,)), Sizes(4, (2, 1, 2)))
VARIANTS = (*((word, family) for word in ("RF", "FR") for family in FAMILIES), ("F", FAMILIES[0]))
"""Word and family."""


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

    def said(self, group: Kind) -> Line:
        line = super().said(group)
        if "thought" not in line:
            return line
        index = line["pointer"][: len(self.stream["index"])]
        return {**line, "tag": line["aim"], "digit": line["asked"], "index": index}


class WithoutForgetting(Plan):
    """In FR the token w keeps what it finds, and takes i_1 on top of it."""

    def full_layer(self) -> Layer:
        return Layer((self.look_up(),), (self.mlp(),))


def twin(plan: type[Plan]) -> Builder:
    """The weights and invariants of a changed plan."""

    def broken(sizes: Sizes, word: str, family: str) -> Construction:
        changed = plan(sizes, word, family)
        return changed.construction("C5", changed.layers(), changed.stages(), None, None)

    return broken


TWINS: dict[str, Builder] = {
    "layers swapped": after(lambda whole: with_model(whole, layers=whole.model.layers[::-1]), build),
    "a token asks what the one before it asked": twin(OneStepBehind),
    "logits without the group": twin(WithoutGroups),
    "generated tokens with keys": twin(WithKeys),
    "FR, and w forgets nothing": twin(WithoutForgetting),
}


def demands(subject: Construction, proof: Proof, sizes: Sizes, word: str, _family: str) -> Iterator[Demand]:
    yield subject.model.word == word, f"the layers are {subject.model.word}"
    handed = bit_count(sizes.m) + sum(map(bit_count, sizes.n)) if "R" in word else 0
    yield proof.state_bits == handed, f"the state has {proof.state_bits} bits, not {handed}"


def right_thoughts(thoughts: Thoughts, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """(prompts × steps): the ids of the generated tokens, for the prompts whose ids are the rows of ``ids``."""
    sizes = thoughts.sizes
    known = {f"i{level}": hop for level, hop in enumerate(batch_hops(sizes, ids).T)}
    query = ids[:, -1] - sizes.N[-1]
    for level in range(sizes.L - 1, 0, -1):
        known[f"w{level}"] = query % sizes.n[level - 1]
        query = query // sizes.n[level - 1]
    groups = {group.name: group for group in thoughts.groups}
    columns = []
    for said in thoughts.shape().emissions:
        number = np.zeros(len(ids), dtype=np.int64)
        for variable, name in zip(groups[said.kind].address, said.address, strict=True):
            number = number * variable.size + known[name]
        columns.append(groups[said.kind].start + number)
    return np.stack(columns, axis=1)


def wrong_thoughts(subject: Construction, ids: NDArray[np.int64], answers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Some token is not the right one; the last one must say the answer."""
    thoughts = subject.sizes
    assert isinstance(thoughts, Thoughts)
    found = decode(subject.model, ids, thoughts.steps)
    said = np.array([thoughts.answer_of(int(token)) for token in found[:, -1]])
    return np.asarray((found != right_thoughts(thoughts, ids)).any(axis=1) | (said != answers))


ROW = Proved(
    [(sizes, *variant) for sizes in SIZES for variant in VARIANTS],
    f"{len(SIZES)} sizes, L up to {max(s.L for s in SIZES)}, up to {max(s.length for s in SIZES)} tokens, "
    f"F, and RF and FR with {' and '.join(FAMILIES)}",
    demands,
    Exhausted(
        [(sizes, VARIANTS) for sizes in (Sizes(2, ()), Sizes(3, ()), Sizes(2, (1,)), Sizes(2, (2,)))],
        wrong=wrong_thoughts,
        method="exact integer decoding, every token against the oracle",
    ),
    ", at w and at every generated token",
)
WITNESS = Lazy(lambda: build(Sizes(3, (2,)), "RF", "linear"))

STATEMENT = Statement(
    id="C5",
    title="RF, FR and F with a chain of thought solve L-FuncComp at given sizes",
    latex=r"RF,\ FR,\ F\ \text{with chain of thought solve}\ L\text{-FuncComp},"
    r"\quad s=\lceil\log_2 m\rceil+\sum_\ell\lceil\log_2 n_\ell\rceil",
    english="One pair of layers, decoded greedily, answers every input for every L after L tokens, its state being "
    "⌈log2 m⌉+Σ⌈log2 n_ℓ⌉ bits; one full layer alone after L+1 tokens.",
    subject=build,
    check=ROW.check,
    twins={
        **TWINS,
        "shifts one below a match's score": after(shifts_lowered, build),
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=of_weights(WITNESS, SIZES, elsewhere=Lazy(lambda: build(Sizes(3, (3,)), "RF", "linear"))),
    witness=WITNESS,
    applies_to=("D1", "D2"),
    rests_on=("S1", "S2", "S3", "S4", "C1"),
)
