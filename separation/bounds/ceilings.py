"""The smallest accuracy ceiling over all theorems that apply to a word, at given sizes or of a given length."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from separation.bounds.average import AverageQuestion
from separation.bounds.budget import Budget
from separation.bounds.entropy import largest_share
from separation.bounds.known import is_proved
from separation.bounds.search import with_most_slack
from separation.bounds.theorem import checked_sizes, prompt_tokens, table_sizes
from separation.bounds.theorems.ceiling import NO_CEILING, AccuracyBound, Ceiling
from separation.bounds.theorems.cube_average import best_cube_average
from separation.bounds.theorems.theorem_a2 import theorem_a2_average, theorem_a2_nested, theorem_a2_union
from separation.bounds.theorems.theorem_c import theorem_c_average, theorem_c_union
from separation.bounds.word import Word
from separation.tasks.checks import require_integer

if TYPE_CHECKING:
    import numpy as np

MOST_UNION = 1500  # entries of the last table up to which the union bound, in integers of as many digits, is summed
DIGITS = (2, 4, 8, 16, 32, 64, 128, 256)  # n_ℓ that are tried where a length is given


def ceiling(
    word: Word, m: int, n: Sequence[int], beta: int, state_bits: int | Sequence[int], *, proved_only: bool = False
) -> Ceiling:
    """accuracy ≤ the smallest value found over A2, B2c and A3c average, E and C'; 1 if nothing applies.

    where L = len(n) + 1. Words whose depth is at least L solve the task, so their ceiling is 1. ``proved_only`` leaves
    out what is not proved in Coq.
    """
    n = checked_sizes(m, n, 1)
    require_integer("beta", beta, 0)
    bits, L = word.separate_state_bits(state_bits), len(n) + 1
    if word.depth >= L:
        return NO_CEILING
    found = [NO_CEILING]

    def add(more: Sequence[Ceiling]) -> None:
        found.extend(each for each in more if not proved_only or is_proved(each.theorem))

    if word.full == 0:
        add(_recurrent_only(m, n, bits[0]))
    elif L == 1:
        if word.full == 1:  # no R layer anywhere, as the depth is 0
            add(_recurrent_only(m, n, beta + bits[1]))
    else:
        if word.full == 1 and L == 2:
            add(one_full_layer_ceilings(m, n[0], beta, bits))
        elif cube_applies(word, L):
            add([best_cube_average(m, n, beta, bits)])
        # Without late R Theorem E is shorter only where both are nearly 1.
        if min(ceiling.value for ceiling in found) >= Fraction(1, 2) or bits[-1] > bits[-2]:
            add(_theorem_e(word, m, n, beta, bits, proved_only))
    if L >= 2 and word.depth < L - 1 and not proved_only:
        found.append(table_in_front(ceiling(word, m, n[:-1], beta, bits), n[-1]))
    return min(found, key=lambda found: found.value)


def cube_applies(word: Word, tables: int) -> bool:
    """Two full layers: without an R layer before the second for two tables, before the first for three."""
    return word.full == 2 and (not word.early if tables == 2 else tables == 3 and not word.blocks[0])


def table_in_front(shorter: Ceiling, last: int) -> Ceiling:
    """accuracy at L ≤ min_k k·p + n_{L-1}^(−k)/k!, p the ceiling at L−1 tables with the same word and β, n_{L-1} =
    ``last``.

    Give z_L away: it stands in front of the prompt, where it hears nothing. Who answers i_L can then name i_{L-1}: a
    random one of the K indices that lead to the same answer. K − 1 is binomial with N_{L-2}−1 trials of 1/N_{L-1}, so
    Pr[K > k] ≤ n_{L-1}^(−k)/k!, and with K ≤ k the right one is named with probability at least 1/k.
    """
    values = [k * shorter.value + Fraction(1, last**k * math.factorial(k)) for k in range(1, 40)]
    k = min(range(39), key=values.__getitem__)
    parameters = (*shorter.parameters, ("named", k + 1))
    value = min(Fraction(1), values[k])
    return Ceiling(value, f"{shorter.theorem}, one table in front", parameters, shorter.terms, shorter.rest)


def _recurrent_only(m: int, n: tuple[int, ...], bits: int) -> list[Ceiling]:
    found = [theorem_c_average(m, n, bits)]
    if table_sizes(m, n)[-1] <= MOST_UNION:
        found.append(theorem_c_union(m, n, bits))
    return found


def one_full_layer_ceilings(m: int, n1: int, beta: int, state_bits: tuple[int, ...]) -> list[Ceiling]:
    """Theorem A2 on average: nested shares, and with early states the best τ, else the union bound if it is short."""
    found = [theorem_a2_nested(m, n1, beta, state_bits)]
    if state_bits[0]:
        found.append(theorem_a2_average(m, n1, best_tau(m, n1, beta, state_bits), beta, state_bits))
    elif m * n1 <= MOST_UNION:
        found.append(theorem_a2_union(m, n1, beta, state_bits))
    return found


def best_tau(m: int, n1: int, beta: int, state_bits: Sequence[int]) -> Fraction:
    """The τ of Theorem A2's average form that is best on grids of floats, each finer than the one before."""
    import numpy as np

    low, high = -6.0, 40.0
    sizes = [float(min(size, 10**300)) for size in (m, n1, beta, *state_bits)]  # beyond, the grid needs no more
    for _ in range(3):
        above = np.linspace(low, high, 300)
        values = a2_average_values(1 + np.exp2(above), sizes[0], sizes[1], sizes[2], sizes[3:])
        best = int(np.argmin(values))
        low, high = above[max(best - 1, 0)], above[min(best + 1, len(above) - 1)]
    return Fraction(1 + 2.0 ** float(above[best])).limit_denominator(1000)


def a2_average_values(tau: np.ndarray, m: float, n1: float, beta: float, state_bits: Sequence[float]) -> np.ndarray:
    """c_τ·Λ_0/m + ⟨1/N; λ_1/n_1 + τ(β·n_1 + Λ_0)/N⟩ in floats."""
    import numpy as np

    kappa = (state_bits[1] - state_bits[0]) / n1 + tau * (beta / m + state_bits[0] / m / n1)
    share = largest_share(np.full_like(tau, 1 / m / n1), kappa)
    return np.asarray((state_bits[0] / m * excess_factors(tau) if state_bits[0] else 0.0) + share)


def a2_nested_value(m: float, n1: float, beta: float, state_bits: Sequence[float]) -> float:
    """⟨⟨1/N; λ_1/n_1 + (β·n_1 + Λ_0)/N⟩; Λ_0/m⟩ in floats."""
    inner = largest_share(1 / m / n1, (state_bits[1] - state_bits[0]) / n1 + beta / m + state_bits[0] / m / n1)
    return float(largest_share(inner, state_bits[0] / m))


def excess_factors(tau: np.ndarray) -> np.ndarray:
    """c_τ = 1/log2 y* in floats; y* by Newton's steps from above."""
    import numpy as np

    y = 2 * tau * (1 + np.log(tau)) + 2
    for _ in range(40):
        y = y - (y - 1 - tau * np.log(y)) / (1 - tau / y)
    return np.asarray(1 / np.log2(y))


def _theorem_e(
    word: Word, m: int, n: tuple[int, ...], beta: int, state_bits: tuple[int, ...], proved_only: bool
) -> list[Ceiling]:
    """Theorem E, of kind B for L full layers, else of kind A, with idle full layers behind all others; ``proved_only``:
    a form of Coq, of kind A alone, as the charges of kind B are late ones and those of Coq delayed."""
    L = len(n) + 1
    if word.full == L:
        if proved_only:
            return []
        kind, placed = "B", state_bits
    else:
        kind, placed = "A", (*state_bits, *(state_bits[-1],) * (L - 1 - word.full))
    found = with_most_slack(AverageQuestion(kind, L, beta, placed, sizes=(m, *n), in_coq=proved_only))
    return [] if found is None else [found.ceiling]


def lowest_ceiling(
    word: Word, L: int, most_tokens: int, budget: Budget, *, proved_only: bool = False
) -> AccuracyBound | None:
    """The lowest accuracy ceiling found over sizes (m, n) with at most ``most_tokens`` tokens; None if all are 1.

    where L > depth; ``proved_only`` leaves out what is not proved in Coq. The last table is the largest; from the best
    n_{L-1} it goes on to those halfway to its neighbours.
    """
    best: AccuracyBound | None = None
    bits = budget.separate_state_bits(word)

    def look(n: tuple[int, ...]) -> None:
        nonlocal best
        m = (most_tokens - 2) // sum(itertools.accumulate((1, *n), lambda a, b: a * b))
        if m < 2:
            return
        beta = budget.beta_at(prompt_tokens(m, n)) if word.full else 0
        found = ceiling(word, m, n, beta, bits, proved_only=proved_only)
        if found.value < 1 and (best is None or found.value < best.ceiling.value):
            best = AccuracyBound(word, m, n, beta, bits, found)

    if word.full == 0 or L == 1:
        # Theorem C' depends on N_{L-1} alone: all other tables are as small as they can be.
        look(() if L == 1 else (*(1,) * (L - 2), (most_tokens - 2 * L) // 2))
        return best
    for n in _shapes(word, L):
        look(n)
    if best is not None:
        for last in {best.n[-1] * 2 // 3, best.n[-1] * 3 // 2} - {0}:
            look((*best.n[:-1], last))
    return best


def _shapes(word: Word, L: int) -> Iterator[tuple[int, ...]]:
    """n_1 = … = 1 and n_{L-1} among a few; tables beyond those of the depth have digits of their own."""
    beyond = L - word.depth - 1
    for digit in DIGITS:
        yield from ((*(1,) * (L - 2 - beyond), digit, *(front,) * beyond) for front in ((8, 32) if beyond else (0,)))
