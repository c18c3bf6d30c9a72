"""The smallest accuracy ceiling over all theorems that apply to a word, at given sizes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from separation.bounds.entropy import largest_share
from separation.bounds.known import is_proved
from separation.bounds.search.copies import FEW_TABLES, OTHER_SHARES, Copies
from separation.bounds.theorems.ceiling import NO_CEILING, Ceiling
from separation.bounds.theorems.outcome import checked_sizes, table_sizes
from separation.bounds.theorems.theorem_a2_average import theorem_a2_average, theorem_a2_union
from separation.bounds.theorems.theorem_c_average import theorem_c_average, theorem_c_union
from separation.bounds.theorems.theorem_e import PAYMENTS, theorem_e
from separation.bounds.word import Word
from separation.tasks.checks import require_integer

MOST_UNION = 1500  # entries of the last table up to which the union bound is summed
MOST_SEARCHED = 3  # ways to pay, and to place idle layers, that are looked at more closely


def linear_bits(word: Word, linear: int | Sequence[int]) -> tuple[int, ...]:
    """Λ_0..Λ_#F of a word, as `Word.separate_linear_bits` reads them."""
    return word.separate_linear_bits(linear)


def ceiling(
    word: Word, m: int, n: Sequence[int], beta: int, linear: int | Sequence[int], *, proved_only: bool = False
) -> Ceiling:
    """accuracy ≤ the smallest value found over A2 average, E (A and B, all payments) and C'; 1 if nothing applies.

    where L = len(n) + 1. Words whose depth is at least L solve the task, so their ceiling is 1. ``proved_only`` leaves
    out what is not proved in Coq.
    """
    n = checked_sizes(m, n, 1)
    require_integer("beta", beta, 0)
    bits = linear_bits(word, linear)
    L = len(n) + 1
    if word.depth >= L:
        return NO_CEILING
    found = [NO_CEILING]
    if word.full == 0:
        found += _recurrent_only(m, n, bits[0])
    elif L == 1:
        if word.full == 1:  # no R layer anywhere, as the depth is 0
            found += _recurrent_only(m, n, beta + bits[1])
    else:
        if word.full == 1 and L == 2:
            found += one_full_layer_ceilings(m, n[0], beta, bits)
        # Without late R Theorem E is shorter only where both are nearly 1.
        if min(ceiling.value for ceiling in found) >= Fraction(1, 2) or bits[-1] > bits[-2]:
            found += _theorem_e(word, m, n, beta, bits)
    if L >= 2 and word.depth < L - 1:
        found.append(table_in_front(ceiling(word, m, n[:-1], beta, bits), n[-1]))
    if proved_only:
        found = [NO_CEILING, *(each for each in found[1:] if is_proved(each.theorem))]
    return min(found, key=lambda found: found.value)


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


def chance(m: int, n: Sequence[int]) -> Fraction:
    """1/N_{L-1}: the accuracy of a guess, which every ceiling is at least."""
    return Fraction(1, table_sizes(m, n)[-1])


def placements(full: int, tables: int, linear: Sequence[int]) -> list[tuple[int, ...]]:
    """Λ_0..Λ_{L-1} of all ways to add idle full layers until there are L−1: the blocks keep their order.

    An idle layer splits a block, with all of its R on one side.
    """
    own = [linear[0], *(later - earlier for earlier, later in itertools.pairwise(linear))]
    result = []
    for slots in itertools.combinations(range(tables), full + 1):
        blocks = [0] * tables
        for slot, bits in zip(slots, own, strict=True):
            blocks[slot] = bits
        result.append(tuple(itertools.accumulate(blocks)))
    return sorted(set(result))


def _recurrent_only(m: int, n: tuple[int, ...], bits: int) -> list[Ceiling]:
    found = [theorem_c_average(m, n, bits)]
    if table_sizes(m, n)[-1] <= MOST_UNION:
        found.append(theorem_c_union(m, n, bits))
    return found


def one_full_layer_ceilings(m: int, n1: int, beta: int, linear: tuple[int, ...]) -> list[Ceiling]:
    """Theorem A2 on average with the best τ, and its union bound where it applies and is short enough to sum."""
    found = [theorem_a2_average(m, n1, best_tau(m, n1, beta, linear), beta, linear)]
    if linear[0] == 0 and m * n1 <= MOST_UNION:
        found.append(theorem_a2_union(m, n1, beta, linear))
    return found


def best_tau(m: int, n1: int, beta: int, linear: Sequence[int]) -> Fraction:
    """The τ of Theorem A2's average form that is best on grids of floats, each finer than the one before."""
    if linear[0] == 0:
        return Fraction(1)
    low, high = -6.0, 40.0
    for _ in range(3):
        above = np.linspace(low, high, 300)
        values = a2_average_values(
            1 + np.exp2(above), _float(m), _float(n1), _float(beta), [_float(bits) for bits in linear]
        )
        best = int(np.argmin(values))
        low, high = above[max(best - 1, 0)], above[min(best + 1, len(above) - 1)]
    return Fraction(1 + 2.0 ** float(above[best])).limit_denominator(1000)


def a2_average_values(tau: np.ndarray, m: float, n1: float, beta: float, linear: Sequence[float]) -> np.ndarray:
    """c_τ·Λ_0/m + ⟨1/N; λ_1/n_1 + τ(β·n_1 + Λ_0)/N⟩ in floats."""
    kappa = (linear[1] - linear[0]) / n1 + tau * (beta / m + linear[0] / m / n1)
    share = largest_share(np.full_like(tau, 1 / m / n1), kappa)
    return np.asarray(linear[0] / m * excess_factors(tau) + share)


def excess_factors(tau: np.ndarray) -> np.ndarray:
    """c_τ = 1/log2 y* in floats; y* by Newton's steps from above."""
    y = 2 * tau * (1 + np.log(tau)) + 2
    for _ in range(40):
        y = y - (y - 1 - tau * np.log(y)) / (1 - tau / y)
    return np.asarray(1 / np.log2(y))


def _theorem_e(word: Word, m: int, n: tuple[int, ...], beta: int, linear: tuple[int, ...]) -> list[Ceiling]:
    """Theorem E, of kind B for L full layers, else of kind A with idle full layers wherever they help."""
    L = len(n) + 1
    quiet_word = word.layers[-1] == "F"
    shapes: list[tuple[str, tuple[int, ...], bool]]
    if word.full == L:
        shapes = [("B", linear, quiet_word)]
    else:
        last_idle = [placed for placed in placements(word.full, L, linear) if placed[-1] == placed[-2]]
        shapes = [("A", placed, quiet_word or word.full < L - 1) for placed in last_idle]
        shapes += [("A", placed, False) for placed in placements(word.full, L, linear) if placed[-1] != placed[-2]]
    searches = [
        Copies(kind, payment, m, n, beta, placed)
        for kind, placed, quiet in shapes
        for payment in (("quiet", "delayed") if quiet else ("full", "late", "delayed"))
        if payment in PAYMENTS[kind]
    ]
    searches = sorted(searches, key=lambda search: search.score)[:MOST_SEARCHED]
    best = min((search.closer() for search in searches), key=lambda search: search.score)
    if best.score >= 1 and len(n) >= FEW_TABLES:
        best = best.closer(OTHER_SHARES)
    return [theorem_e(best.kind, best.payment, m, n, best.integers(), beta, best.linear)]


def _float(size: int) -> float:
    """A float for a search; beyond 10^300 the search needs no more."""
    return float(min(size, 10**300))
