"""The shortest prompt found at which no model of a word is right more often than a given share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial

from separation.bounds.budget import ceil_log2
from separation.bounds.search.accuracy_by_theorem_e import ByTheoremE
from separation.bounds.search.accuracy_searches import AccuracyPrompt, AccuracySearch, NoFullLayer, OneFullLayer
from separation.bounds.search.ceilings import linear_bits
from separation.bounds.search.fixed_point import least_consistent
from separation.bounds.search.sharper import Beta
from separation.bounds.search.tables_in_front import TablesInFront
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer

__all__ = ["AccuracyPrompt", "least_prompt_by_theorem_e", "least_prompt_for_accuracy", "real_length_by_theorem_e"]

MOST_GROWTH = 1.25  # of log2 of the tokens, when β is that of the prompt and not of two tokens

WithTables = tuple[int, Callable[[Fraction], AccuracySearch]]
SAFE_BITS = 1.0  # that integers may cost more than real numbers, in one search and not in another


def least_prompt_for_accuracy(
    word: Word, L: int, beta: Beta, linear: int | Sequence[int], accuracy: Fraction
) -> AccuracyPrompt:
    """The shortest prompt found with a certified ceiling of at most ``accuracy``, for L > depth.

    where ``beta`` is a number, or a function from the length of the prompt to β that never decreases.
    """
    require_integer("L", L, 1)
    if not 0 < accuracy <= 1:
        raise InputError(f"the accuracy is {accuracy}; a number above 0 and at most 1 is needed")
    if word.depth >= L:
        raise InputError(f"{word} solves L = {L} at all sizes (its depth is {word.depth}); a larger L is needed")
    certified = _certified(searches(word, L, linear_bits(word, linear), accuracy), beta)
    if certified is None:
        raise InputError("no prompt was found; the numbers are too large for this search")
    return certified


def least_prompt_by_theorem_e(
    word: Word, L: int, beta: Beta, linear: int | Sequence[int], accuracy: Fraction
) -> AccuracyPrompt | None:
    """The same by Theorem E alone, for a word with F and L > depth: A2 and C have their own forms."""
    return _certified(_searches_by_theorem_e(word, L, linear, accuracy), beta)


def real_length_by_theorem_e(word: Word, L: int, beta: int, linear: int | Sequence[int], accuracy: Fraction) -> float:
    """log2 of its tokens, nearly; infinite beyond floats."""
    try:
        return min(search.real_length(beta) for search in _searches_by_theorem_e(word, L, linear, accuracy))
    except OverflowError:
        return math.inf


def _searches_by_theorem_e(word: Word, L: int, linear: int | Sequence[int], accuracy: Fraction) -> list[AccuracySearch]:
    bits = linear_bits(word, linear)
    return [_of_tables(shorter, tables, L, accuracy) for tables, shorter in _by_theorem_e(word, L, bits)]


def _certified(waiting: list[AccuracySearch], beta: Beta) -> AccuracyPrompt | None:
    """The shortest prompt of all; None if there is none."""
    try:
        if len(waiting) > 1:
            waiting = _promising(waiting, beta if isinstance(beta, int) else beta(2))
        found = [prompt for search in waiting if (prompt := _consistent(search, beta)) is not None]
    except OverflowError:  # numbers beyond floats, of one full layer
        return None
    return min(found, key=lambda prompt: prompt.tokens, default=None)


def searches(word: Word, L: int, bits: tuple[int, ...], accuracy: Fraction) -> list[AccuracySearch]:
    """Those that speak of L tables themselves, and those that speak of fewer, with tables in front."""
    if word.full == 0:
        return [NoFullLayer(L, bits[0], False, accuracy)]
    return [_of_tables(shorter, tables, L, accuracy) for tables, shorter in _with_few_tables(word, L, bits)]


def searches_without_front(word: Word, L: int, bits: tuple[int, ...], accuracy: Fraction) -> list[AccuracySearch]:
    """The same, but of as many tables as they speak of themselves."""
    return [shorter(accuracy) for _, shorter in _with_few_tables(word, L, bits)]


def _of_tables(
    shorter: Callable[[Fraction], AccuracySearch], tables: int, L: int, accuracy: Fraction
) -> AccuracySearch:
    return shorter(accuracy) if tables == L else TablesInFront(shorter, L - tables, accuracy)


def _with_few_tables(word: Word, L: int, bits: tuple[int, ...]) -> Iterator[WithTables]:
    """(tables, the search for an accuracy): as many tables as full layers, if no R layer is before the second, and one
    more; at most L."""
    if word.depth == 0:
        yield 1, partial(NoFullLayer, 1, bits[1], True)
    if word.full == 1 and L > 1:
        yield 2, partial(OneFullLayer, bits)
    yield from _by_theorem_e(word, L, bits)


def _by_theorem_e(word: Word, L: int, bits: tuple[int, ...]) -> Iterator[WithTables]:
    for tables in range(max(2, word.depth + 1), min(L, word.full + 1) + 1):
        yield tables, partial(ByTheoremE.of, word, tables, bits)


def _promising(waiting: list[AccuracySearch], beta: int) -> list[AccuracySearch]:
    """Those that real numbers do not rule out."""
    lengths = [search.real_length(beta) for search in waiting]
    return [search for search, length in zip(waiting, lengths, strict=True) if length <= min(lengths) + SAFE_BITS]


def _consistent(search: AccuracySearch, beta: Beta) -> AccuracyPrompt | None:
    """The prompt for β(2^k) with the least k such that it has at most 2^k tokens; the first k from real numbers."""
    if isinstance(beta, int):
        return search.shortest(require_integer("beta", beta, 1))
    beta_at, estimated = beta, search.with_digits(beta(2)) if isinstance(search, TablesInFront) else search
    first = least_consistent(lambda k: estimated.real_length(beta_at(1 << k)), lambda at_two: MOST_GROWTH * at_two)
    k = first or 1
    while True:
        found = search.shortest(beta_at(1 << k))
        if found is None or (need := ceil_log2(found.tokens)) <= k:
            return found
        k = need
