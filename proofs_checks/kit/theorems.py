"""What the statements on theorems share: words, and their inequalities as hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from proofs_checks.kit.statement import Hypothesis
from separation.bounds import Word

WITH_MIXED = ("F", "R", "FR")
"""Layers of full heads, of recurrent heads, and of both."""


def words_up_to(longest: int, layers: tuple[str, ...] = ("F", "R")) -> tuple[Word, ...]:
    """All words of 1 to ``longest`` of these layers, the shortest first."""
    return tuple(Word(word) for length in range(1, longest + 1) for word in product(layers, repeat=length))


class Asked(NamedTuple):
    """A word, and the integers of a theorem by name."""

    word: str
    numbers: Mapping[str, Any]


def asked(word: str, **numbers: Any) -> Asked:
    return Asked(word, numbers)


def supposed(
    witness: Asked,
    calculate: Callable[..., Any],
    *rows: tuple[str, str | Callable[[Word], bool], str | Mapping[str, Any]],
) -> tuple[Hypothesis, ...]:
    """Of each row (text, what, outside) a hypothesis.

    ``what``: how the names of the calculator's inequalities begin, or what holds of the word; ``outside``: another word
    than the witness has, or other integers.
    """

    def decided(what: str | Callable[[Word], bool], case: Asked) -> bool:
        if callable(what):
            return what(Word.parse(case.word))
        verdicts = [each.holds for each in calculate(**case.numbers).inequalities if each.name.startswith(what)]
        return bool(verdicts) and all(verdict is True for verdict in verdicts)

    def excluded(other: str | Mapping[str, Any]) -> Asked:
        return (
            Asked(other, witness.numbers)
            if isinstance(other, str)
            else Asked(witness.word, {**witness.numbers, **other})
        )

    return tuple(Hypothesis(text, partial(decided, what), excluded(other)) for text, what, other in rows)
