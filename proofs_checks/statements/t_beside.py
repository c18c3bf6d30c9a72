"""T.beside: R heads next to F heads in one layer never count as an R in the depth.

[FR] counts as F in the depth: with idle R heads it is F, and one more table is certified hard, with the bits of its R
heads in Λ_t, Λ_{t+1}, … (for R heads next to the t-th F).
"""

from __future__ import annotations

from collections.abc import Callable

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import WITH_MIXED, is_hard, words_up_to
from separation.bounds import Word

LONGEST = 4
WORDS = [word for word in words_up_to(LONGEST, WITH_MIXED) if "FR" in word.layers]
BUDGET = (8, 8)
"""β, and Λ from the first R on."""


def depth(word: Word) -> int:
    """That of the word with F in place of [FR]."""
    return word.depth


def check(rule: Callable[[Word], int]) -> Checked:
    """An [FR] whose R heads are idle is an F, so what the plain word solves is solved; one table more is hard.

    For every word with some [FR] the theorem that speaks of the plain word at L = depth + 1 has certified sizes, with
    the bits of the R heads next to the t-th F in Λ_t, Λ_{t+1}, …: in theorem B D_1 = β·W + Λ_1.
    """
    for word in WORDS:
        plain = Word(tuple("F" if layer == "FR" else layer for layer in word.layers))
        reached = rule(word)
        require(
            reached == plain.depth, f"{word}: idle R heads leave {plain}, which reaches {plain.depth}, not {reached}"
        )
        require(is_hard(word, reached + 1, *BUDGET), f"{word}: L = {reached + 1} is not forbidden")
        bits = [1 << index for index in range(word.recurrent)]
        require(word.linear_bits(bits) == _counted(word, bits), f"{word}: Λ is {word.linear_bits(bits)}")
    scope = f"all {len(WORDS)} words with [FR] of up to {LONGEST} layers, β = {BUDGET[0]}, Λ = {BUDGET[1]}"
    return Checked(Status.EXHAUSTIVE, "the plain word from below, certified sizes from above", scope)


def _counted(word: Word, bits: list[int]) -> tuple[int, ...]:
    """Λ_t by definition: the R layers in blocks 0..t and the R heads in F layers 1..t."""
    found = []
    for t in range(word.full + 1):
        total, passed, states = 0, 0, iter(bits)
        for layer in word.layers:
            passed += "F" in layer
            if "R" in layer:
                total += next(states) if passed <= t else 0 * next(states)
        found.append(total)
    return tuple(found)


STATEMENT = Statement(
    id="T.beside",
    title="R heads next to F heads add no depth, words of up to 4 layers",
    latex=r"\mathrm{depth}(\dots[FR]\dots)=\mathrm{depth}(\dots F\dots)",
    english="[FR] counts as F for the depth; the R heads next to the t-th F add their bits to Λ_t, Λ_{t+1}, ….",
    subject=depth,
    check=check,
    twins={
        "[FR] counts as RF": lambda word: Word(tuple(letter for layer in word.layers for letter in layer[::-1])).depth,
        "[FR] counts as FR": lambda word: Word(tuple(letter for layer in word.layers for letter in layer)).depth,
        "[FR] counts as R": lambda word: Word(tuple(layer[-1] for layer in word.layers)).depth,
    },
    rests_on=("T.A", "T.B", "T.C", "T.pad"),
    hypotheses=(Hypothesis("some F layer has R heads too", lambda held: any(Word.parse(held).beside), outside="FRF"),),
    witness="[FR]F",
)
"""The witness: a word."""
