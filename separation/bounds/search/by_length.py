"""What is certified of a word for prompts of a given length, and how long a prompt must be before anything is.

β depends on the length of the prompt, so it is given as a function from the tokens to β.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from separation.arithmetic import number_to_json
from separation.bounds.budget import Budget, Message, ceil_log2, padded_linear
from separation.bounds.known import how_known, is_proved
from separation.bounds.powers import log2_float
from separation.bounds.search.accuracy_prompts import AccuracyPrompt, least_prompt_by_theorem_e, searches_without_front
from separation.bounds.search.ceilings import a2_average_values, ceiling, chance, table_in_front
from separation.bounds.search.fixed_point import shortest_prompt_within
from separation.bounds.search.sharper import prompts_by_theorem
from separation.bounds.theorems.ceiling import Ceiling
from separation.bounds.theorems.outcome import Impossibility, prompt_tokens
from separation.bounds.word import Word
from separation.files import InputError

BetaAt = Callable[[int], int]

MOST_FULL_SEARCHED = 4
"""Full layers up to which the sharper theorems are searched; beyond, prompts are far beyond any and A or B is quick."""
LAST_DIGITS = (4, 16, 64)  # n_{L-1} of a table that is given away
GRID = 0.5  # steps of log2 n_1
FIRST_TRIED = (8, 32, 128)  # n_{L-1} with two and more full layers, where every look at sizes is a search
MOST_TRIED = 10
BELOW_ONE = Fraction(9999, 10_000)
MOST_FULL_ON_AVERAGE = 1  # full layers up to which Theorem E is asked for the shortest prompt
SAFE_BITS = 2.0  # that integers may do better than what real numbers allow, nearly
MOST_BETA_BITS = 400


@dataclass(frozen=True)
class CeilingAtSizes:
    """accuracy ≤ ``found.value`` on FuncComp(m, n), which has ``tokens`` tokens."""

    m: int
    n: tuple[int, ...]
    beta: int
    found: Ceiling

    @property
    def tokens(self) -> int:
        return prompt_tokens(self.m, self.n)

    def document(self) -> dict[str, Any]:
        return {
            "ceiling": str(self.found.value),
            "ceiling_float": float(self.found.value),
            "chance": str(chance(self.m, self.n)),
            "theorem": self.found.theorem,
            "known": how_known(self.found.theorem),
            "beta": self.beta,
            "m": self.m,
            "n": list(self.n),
            "tokens": self.tokens,
        }


@dataclass(frozen=True)
class ShortestCertified:
    """The shortest prompt found at which no model of the word solves L tables: 2^``tokens_log2`` tokens, sizes (m, n).

    ``tokens``, ``m`` and ``n`` are None where they have too many digits to be written.
    """

    theorem: str
    tokens: int | None
    tokens_log2: float
    beta: int
    m: int | None = None
    n: tuple[int, ...] | None = None

    def document(self) -> dict[str, Any]:
        return {
            "theorem": self.theorem,
            "known": how_known(self.theorem),
            "tokens": None if self.tokens is None else number_to_json(self.tokens),
            "n_log2": self.tokens_log2,
            "beta": number_to_json(self.beta),
            "m": None if self.m is None else number_to_json(self.m),
            "n": None if self.n is None else [number_to_json(size) for size in self.n],
        }


def lowest_ceiling(
    word: Word, L: int, most_tokens: int, beta_at: BetaAt, linear: Sequence[int], proved_only: bool = False
) -> CeilingAtSizes | None:
    """The lowest accuracy ceiling found over all sizes (m, n) with at most ``most_tokens`` tokens; None if all are 1.

    where L > depth. ``proved_only`` leaves out what is not proved in Coq.
    """
    if out_of_reach(word, L, most_tokens, beta_at(2), linear):
        return None
    best: CeilingAtSizes | None = None
    tried: set[tuple[int, ...]] = set()
    waiting = list(_candidates(word, L, most_tokens, beta_at(most_tokens), linear))
    while waiting:
        m, n = waiting.pop(0)
        if m < 2 or n in tried or prompt_tokens(m, n) > most_tokens:
            continue
        tried.add(n)
        beta = beta_at(prompt_tokens(m, n))
        found = _ceiling(word, m, n, beta, linear, proved_only)
        if found.value < 1 and (best is None or found.value < best.found.value):
            best = CeilingAtSizes(m, n, beta, found)
        if not waiting and best is not None and word.full > 1 and word.depth == L - 1 and len(tried) < MOST_TRIED:
            waiting = [_largest(most_tokens, n) for n in _neighbours(best.n) if n not in tried]
    return best


def out_of_reach(word: Word, L: int, most_tokens: int, beta: int, linear: Sequence[int]) -> bool:
    """Real numbers allow no ceiling below 1 at so few tokens, by far; with tables in front it would take even more."""
    if word.full < 2 or beta.bit_length() > MOST_BETA_BITS:
        return False
    searches = searches_without_front(word, L, tuple(linear), BELOW_ONE)
    return all(search.real_length(beta) > log2_float(most_tokens) + SAFE_BITS for search in searches)


def _largest(most: int, n: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """(m, n) with the largest m that fits."""
    share = sum(accumulate((1, *n), mul))
    return (most - 2) // share, tuple(n)


def _neighbours(n: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """One n_ℓ half as large again, or two thirds."""
    for level, size in enumerate(n):
        for changed in (size + (size + 1) // 2, max(1, size * 2 // 3)):
            yield (*n[:level], changed, *n[level + 1 :])


def _ceiling(
    word: Word, m: int, n: tuple[int, ...], beta: int, linear: Sequence[int], proved_only: bool = False
) -> Ceiling:
    """The ceiling at these sizes; more tables than one beyond the depth are given away, which costs no search."""
    if word.full and word.depth < len(n) and not proved_only:
        return table_in_front(_ceiling(word, m, n[:-1], beta, linear), n[-1])
    return ceiling(word, m, n, beta, linear, proved_only=proved_only)


def _candidates(
    word: Word, L: int, most: int, beta: int, linear: Sequence[int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Sizes worth looking at, the largest that fit: all tokens in the last table where nothing else counts."""
    if word.full == 0:
        # Theorem C' depends on N_{L-1} alone: all other tables are as small as they can be.
        yield (most - 2, ()) if L == 1 else (2, (*(1,) * (L - 2), (most - 2 * L) // 2))
    elif L == 1:
        yield most - 2, ()
    elif word.depth < L - 1:
        # One table is given away: the ceiling of the others, a little higher, holds for all.
        for last in LAST_DIGITS:
            for m, n in _candidates(word, L - 1, most // (last + 1), beta, linear):
                yield m, (*n, last)
    elif word.full == 1:
        yield from _one_full_layer(most, beta, linear)
    else:
        # The last table is the largest; from the best of these it goes on to its neighbours.
        for last in FIRST_TRIED:
            yield _largest(most, (*(1,) * (L - 2), last))


def _one_full_layer(most: int, beta: int, linear: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The two best n_1 by Theorem A2's average form in floats, m as large as fits."""
    top = np.log2(max(most // 4, 2))
    digits = np.unique(np.round(np.exp2(np.arange(0, top, GRID)))).astype(int)
    tau = np.array([1.0]) if linear[0] == 0 else 1 + np.exp2(np.linspace(-4, 20, 60))
    scored = []
    for n1 in digits:
        m = (most - 2) // (1 + int(n1))
        if m < 2:
            continue
        if linear[0] == 0:
            told = min(linear[1] / n1 + beta / m, 1e6)
            scored.append((told / np.log2(max(m * int(n1), 2)), m, int(n1)))
        else:
            values = a2_average_values(tau, float(m), float(n1), float(beta), [float(bits) for bits in linear])
            scored.append((float(np.nanmin(values)), m, int(n1)))
    for _, m, n1 in sorted(scored)[:2]:
        yield m, (n1,)


def shortest_certified(
    word: Word, L: int, message: Message, linear: Sequence[int], proved_only: bool = False
) -> ShortestCertified:
    """The shortest prompt found for L > depth, with the β of its own length: by the sharper theorems, E among
    them, or by A or B. ``proved_only`` leaves out what is not proved in Coq."""

    def beta_at(tokens: int) -> int:
        return message.beta(ceil_log2(tokens))

    few = word.full <= MOST_FULL_SEARCHED
    if few:
        certified: list[tuple[int, str, Impossibility | AccuracyPrompt]] = []
        with suppress(InputError):  # the numbers are too large for that search
            by_theorem = prompts_by_theorem(word, L, beta_at, linear)
            certified += [(found.tokens, found.theorem, found) for found in by_theorem]
        if 0 < word.full <= MOST_FULL_ON_AVERAGE and linear[-1] > linear[0]:  # late states, which E charges once
            average = least_prompt_by_theorem_e(word, L, beta_at, linear, BELOW_ONE)
            if average is not None:
                certified.append((average.tokens, average.ceiling.theorem, average))
        if proved_only:
            certified = [candidate for candidate in certified if is_proved(candidate[1])]
        if certified:
            tokens, theorem, found = min(certified, key=lambda candidate: candidate[0])
            return ShortestCertified(theorem, tokens, log2_float(tokens), found.beta, found.m, tuple(found.n))
    theorem = "B" if word.full == L else "A"
    bits = tuple(linear) if word.full == L else padded_linear(L, word.full, linear)
    evaluation = shortest_prompt_within(Budget(message=message), theorem, L, bits)
    found_sizes = evaluation.parameters
    return ShortestCertified(theorem, found_sizes.tokens(), found_sizes.tokens_log2(), evaluation.beta)
