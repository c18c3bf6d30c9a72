"""T.pad: full layers that do nothing may be put in front; nothing changes, and Λ_0 = 0 then.

A full layer whose writing matrix is 0 and that has no MLP adds nothing, whatever it attends to. Put k of them in front
of a word: outputs are the same, Λ_0 = … = Λ_{k-1} = 0, and then follow the Λ of the word.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import WITH_MIXED, words_up_to
from separation.bounds import Word
from separation.models import Head, idle_head

Padding = Callable[[tuple[str, ...], int], tuple[str, ...]]
"""(layers, number of idle full ones) ↦ layers; an idle one is written "idle"."""
LONGEST, MOST = 4, 3
WORDS = words_up_to(LONGEST, WITH_MIXED)


def in_front(layers: tuple[str, ...], count: int) -> tuple[str, ...]:
    return ("idle",) * count + layers


def check(padding: Padding) -> Checked:
    """A padded word has ``count`` full layers more, and the Λ that T_pad gives it; an idle layer as built writes 0.

    The state bits of the R layers are different powers of two, so equal sums have equal terms.
    """
    head = idle_head("F", 8)
    require(isinstance(head, Head) and not head.w_o.entries(), "an idle layer writes something")
    for word, count in product(WORDS, range(MOST + 1)):
        padded = Word(tuple("F" if letter == "idle" else letter for letter in padding(word.layers, count)))
        bits = [1 << index for index in range(word.recurrent)]
        require(padded.full == word.full + count, f"{word}: padded it has {padded.full} full layers")
        own, found = word.linear_bits(bits), padded.linear_bits(bits)
        for t, each in enumerate(found):
            said = IN_COQ.term("T_pad", r"fun t => (if t < z .*?)\)\]", t=t, z=count, Lam=own.__getitem__)
            require(each == said, f"{word} with {count} idle layers: Λ_{t} is {each}, and {said} in Coq")
    return Checked(
        Status.EXHAUSTIVE,
        "T_pad in Coq; Λ of every padded word against it; an idle layer as built",
        f"all {len(WORDS)} words over F, R, [FR] of up to {LONGEST} layers, up to {MOST} idle ones",
    )


STATEMENT = Statement(
    id="T.pad",
    title="idle full layers in front of words of up to 4 layers",
    latex=r"F^k a\ \text{does what}\ a\ \text{does},\quad\Lambda(F^k a)=(0,\dots,0,\Lambda(a))",
    english="A word with fewer full layers than a theorem applies to is padded with idle ones in front; then Λ_0 is 0.",
    subject=in_front,
    check=check,
    twins={
        "idle layers at the end": lambda layers, count: layers + ("idle",) * count,
        "after the first layer": lambda layers, count: layers[:1] + ("idle",) * count + layers[1:],
        "one too few": lambda layers, count: ("idle",) * max(0, count - 1) + layers,
    },
    applies_to=("D2",),
    hypotheses=(
        Hypothesis(
            "the word has fewer full layers than L − 1",
            lambda held: Word.parse(held[0]).full < held[1] - 1,
            outside=("FRF", 3),
        ),
    ),
    witness=("RFR", 4),
)
"""The witness: a word and L."""
