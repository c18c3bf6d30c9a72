"""One recurrent layer in place of a full one (C2), and every word up to its depth (C2.words)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

from constructions import c1
from constructions.c2 import FAMILIES, Plan, build
from constructions.words import build_word, depth
from proofs_checks.kit.construction_checks import TINY, Demand, Exhausted, Proved, sizes_and_tokens
from proofs_checks.kit.hypotheses import (
    after,
    last_layers_swapped,
    of_weights,
    one_bit_fewer,
    proved,
    shifts_lowered,
    with_layer,
)
from proofs_checks.kit.statement import Checked, Hypothesis, Lazy, Statement, Status, require
from proofs_checks.kit.theorems import words_up_to
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

HANDS_ON = Statement(
    id="C2",
    title="RF^L and FRF^(L-1) solve L-FuncComp at given sizes",
    latex=r"RF^{L},\ FRF^{L-1}\ \text{solve}\ L\text{-FuncComp}(m;n_1,\dots,n_{L-1}),"
    r"\quad s\le 2\lceil\log_2 m\rceil+1",
    english="L full layers and one recurrent layer before the second, whose state has at most 2⌈log2 m⌉+1 bits, answer "
    "every input.",
    explanation="""
The word RF^L: only z_0's token writes the state, so at w the state is z_0; then full layers read tables 1..L as in C1.
The word FRF^(L-1): in layer 1 z_0's own token reads table 1 at its own value, the recurrence hands that i_1 to w, and
tables 2..L follow. Linear attention has one feature, constant at queries and at keys relu(code·tag − T + 1), where
code is z_0's tag of T bits: 1 at z_0, and 0 elsewhere, since a wrong bit costs 2. The gated delta rule has the same
number as its gate β, with k = q = α = 1. Both i_0 and i_1 lie in [m], so the state is ⌈log2 m⌉ numbers out of −1, 0, 1
(and a normaliser, 0 or 1): at most 2⌈log2 m⌉ + 1 bits. One head per layer, and the width of C1. One full layer of C1
is thus replaced by a recurrence of O(log m) bits, if it comes before the second full layer (with one full layer:
anywhere).

At tiny sizes every input is also run through the exact arithmetic model, and the answer compared with the oracle.
""",
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

LONGEST = 4
WORDS = tuple("".join(word.layers) for word in words_up_to(LONGEST))

Models = Callable[[str], Iterator[tuple[int, Construction]]]
"""For a word: some L, each with weights for L-FuncComp."""


class Asked(NamedTuple):
    """A word of layers, and the tables that it is asked to follow."""

    word: str
    L: int


def sizes_for(L: int) -> Sizes:
    """m = 3 and n = (1, 2, 1, …)."""
    return Sizes(3, tuple(1 + level % 2 for level in range(L - 1)))


@cache
def built(word: str, L: int) -> Construction:
    return build_word(word, sizes_for(L), "linear" if len(word) % 2 else "delta")


def up_to_depth(word: str) -> Iterator[tuple[int, Construction]]:
    for L in range(1, depth(word) + 1):
        yield L, built(word, L)


def full_layers_only(word: str) -> Iterator[tuple[int, Construction]]:
    """As if R never helped: C1 up to L = #F − 1, and no further."""
    for L in range(1, word.count("F")):
        yield L, build_word(word, sizes_for(L))


def any_r_counts(word: str) -> Iterator[tuple[int, Construction]]:
    """As if one R could replace a full layer wherever it stands: for FFR the layers of FRF in that order."""
    yield from up_to_depth(word)
    if word == "FFR":
        yield 2, last_two_layers_swapped(sizes_for(2), "FRF", "linear")


def no_idle_layers(word: str) -> Iterator[tuple[int, Construction]]:
    """The spare layers of a word of full layers repeat the last one of C1."""
    yield from up_to_depth(word)
    if word == "FFF":
        whole = c1.build(sizes_for(1))
        first, last = whole.model.layers
        model = replace(whole.model, layers=(first, last, last))
        yield 1, replace(whole, name=word, model=model, stages=[*whole.stages, whole.stages[-1]])


def check(models: Models) -> Checked:
    count = 0
    for word in WORDS:
        reached = 0
        for L, subject in models(word):
            where = f"{word}, L = {L}"
            require(subject.model.word == word, f"{where}: the layers are {subject.model.word}")
            if depth(word) >= L and subject is built(word, L):
                _proved_once(word, L)
            else:
                proved(subject, sizes_for(L), where)
            reached = max(reached, L)
            count += 1
        before_second = "".join(word.split("F")[:2])
        expected = 0 if "F" not in word else word.count("F") - 1 + ("R" in before_second)
        require(reached == expected, f"{word} reaches L = {reached}, the formula says {expected}")
    return Checked(
        Status.ALL_INPUTS,
        "layer by layer on the exact weights, closed form",
        f"all {len(WORDS)} words of up to {LONGEST} layers, {count} models",
    )


@cache
def _proved_once(word: str, L: int) -> None:
    """Twins that are wrong at some word share the proofs of the others."""
    proved(built(word, L), sizes_for(L), f"{word}, L = {L}")


EVERY_WORD = Statement(
    id="C2.words",
    title="words of up to 4 layers reach their depth at given sizes",
    latex=r"L\le\#F-1+[\text{some }R\text{ before the second }F]\ \Rightarrow\ "
    r"\text{the word solves}\ L\text{-FuncComp}",
    english="Every order of full and recurrent layers solves L-FuncComp up to the word's depth: "
    "C1 or C2 on some layers, the others idle.",
    explanation="""
The depth of a word over F and R is 0 without F, otherwise #F − 1, plus one if some R comes before the second F (with
one F: anywhere). For L ≤ #F − 1 the first L+1 full layers are C1; for L = #F all full layers and the first R are C2.
All other layers are idle: zero matrices, no MLP. The same invariant holds before and after an idle layer, so the proof
is that of C1 or C2.
""",
    subject=up_to_depth,
    check=check,
    twins={
        "full layers only": full_layers_only,
        "any R counts": any_r_counts,
        "no idle layers": no_idle_layers,
    },
    hypotheses=(
        Hypothesis("L is at most the word's depth", lambda asked: depth(asked.word) >= asked.L, Asked("FFR", 2)),
        Hypothesis("L ≥ 1", lambda asked: asked.L >= 1, Asked("FRF", 0)),
        Hypothesis(f"the word has at most {LONGEST} layers", lambda asked: asked.word in WORDS, Asked("FRFFF", 2)),
    ),
    witness=Asked("FRF", 2),
    applies_to=("D1", "D2"),
    rests_on=("C1", "C2"),
)

STATEMENTS = (HANDS_ON, EVERY_WORD)
