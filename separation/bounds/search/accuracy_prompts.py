"""The shortest prompt found at which no model of a word is right more often than a given share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from separation.bounds.budget import ceil_log2
from separation.bounds.entropy import largest_share
from separation.bounds.search.ceilings import (
    MOST_UNION,
    a2_average_values,
    ceiling,
    linear_bits,
    one_full_layer_ceilings,
)
from separation.bounds.search.sharper import Beta
from separation.bounds.theorems.ceiling import Ceiling
from separation.bounds.theorems.outcome import prompt_tokens
from separation.bounds.theorems.theorem_c_average import theorem_c_average
from separation.bounds.theorems.theorem_e import PAYMENTS, term_numbers, theorem_e
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer

ROUNDS = 110
SAMPLES = 400
PENALTY = 20.0
SEEDS = (17, 1, 2)
MOST_GROWTH = 60
MOST_BITS = 199.0  # of a number that is tried


@dataclass(frozen=True)
class AccuracyPrompt:
    """At these sizes and this β, accuracy ≤ ``ceiling.value``."""

    m: int
    n: tuple[int, ...]
    beta: int
    ceiling: Ceiling

    @property
    def tokens(self) -> int:
        return prompt_tokens(self.m, self.n)


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
    bits = linear_bits(word, linear)
    if isinstance(beta, int):
        return _search(word, L, require_integer("beta", beta, 1), bits, accuracy)
    k = 1
    while True:
        found = _search(word, L, beta(1 << k), bits, accuracy)
        need = ceil_log2(found.tokens)
        if need <= k:
            return found
        k = need


def _search(word: Word, L: int, beta: int, bits: tuple[int, ...], accuracy: Fraction) -> AccuracyPrompt:
    if word.full == 0 or (L == 1 and word.full == 1):
        return _recurrent_only(L, beta, bits[0] if word.full == 0 else beta + bits[1], accuracy)
    if word.full == 1 and L == 2:
        return _one_full_layer(beta, bits, accuracy)
    found = []
    if word.full >= L - 1:
        found += [_by_theorem_e(word, L, beta, bits, accuracy)]
    if word.depth < L - 1:
        found += list(_tables_in_front(word, L, beta, bits, accuracy))
    certified = [prompt for prompt in found if prompt is not None]
    if not certified:
        raise InputError("no prompt was found; the numbers are too large for this search")
    return min(certified, key=lambda prompt: prompt.tokens)


def _recurrent_only(L: int, beta: int, bits: int, accuracy: Fraction) -> AccuracyPrompt:
    """Theorem C': the least N with ⟨1/N; Λ/N⟩ ≤ accuracy; two entries in every table but the last."""

    def prompt(last: int) -> AccuracyPrompt:
        m, n = (last, ()) if L == 1 else (2, (*(1,) * (L - 2), last))
        return AccuracyPrompt(m, n, beta, theorem_c_average(m, n, bits))

    return prompt(_least(lambda last: prompt(last).ceiling.value <= accuracy, 2 if L == 1 else 1))


def _least(good: Callable[[int], bool], first: int) -> int:
    """The least number that is good, when all larger ones are."""
    low, high = first - 1, first
    while not good(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


def _one_full_layer(beta: int, bits: tuple[int, ...], accuracy: Fraction) -> AccuracyPrompt:
    """A2 on average: for every n_1 the least m, by floats; certified at the end, and made shorter while that lasts."""
    tau = 1 + np.exp2(np.linspace(-6, 30, 150)) if bits[0] else np.ones(1)
    linear = [float(value) for value in bits]
    target = float(accuracy)

    def good(n1: int, m: int) -> bool:
        if bits[0] == 0:
            share = largest_share(np.array(1 / m / n1), np.array(linear[1] / n1 + beta / m))
            return float(share) <= target
        return float(np.min(a2_average_values(tau, float(m), float(n1), float(beta), linear))) <= target

    best = (math.inf, 0, 0)
    n1 = 1
    while 2 * (1 + n1) < best[0]:
        limit = 4 * (beta + bits[1] + 4) ** 2 if math.isinf(best[0]) else (int(best[0]) - 1) // (1 + n1)
        if limit >= 2 and good(n1, limit):
            m = _least(partial(good, n1), 2)
            best = min(best, (m * (1 + n1), m, n1))
        n1 += 1 + n1 // 24
    _, m, n1 = best

    def certified(m: int) -> Ceiling:
        return min(one_full_layer_ceilings(m, n1, beta, bits), key=lambda found: found.value)

    while (found := certified(m)).value > accuracy:
        m += 1 + m // 10**6
    while m > 2 and m * n1 < MOST_UNION and (shorter := certified(m - 1)).value <= accuracy:
        m, found = m - 1, shorter
    return AccuracyPrompt(m, (n1,), beta, found)


def _tables_in_front(
    word: Word, L: int, beta: int, bits: tuple[int, ...], accuracy: Fraction
) -> Iterator[AccuracyPrompt]:
    """From L−1 tables: k·p + n_{L-1}^(−k)/k! ≤ accuracy asks for p there, for some n_{L-1} and the best k."""
    for last in (2, 8):
        targets = [(accuracy - Fraction(1, last**k * math.factorial(k))) / k for k in range(1, 30)]
        if (target := max(targets)) > 0:
            shorter = _search(word, L - 1, beta, bits, target)
            n = (*shorter.n, last)
            yield AccuracyPrompt(shorter.m, n, beta, ceiling(word, shorter.m, n, beta, bits))


def _by_theorem_e(word: Word, L: int, beta: int, bits: tuple[int, ...], accuracy: Fraction) -> AccuracyPrompt | None:
    """Random sizes and copies around the best ones found, ever closer; the prompt grows until it is certified."""
    kind = "B" if word.full == L else "A"
    quiet = word.layers[-1] == "F"
    payments = [
        name for name in PAYMENTS[kind] if name in (("quiet", "delayed") if quiet else ("full", "late", "delayed"))
    ]
    found = []
    for payment in payments:
        tries = [_closing_in(kind, payment, L, beta, bits, float(accuracy), seed) for seed in SEEDS]
        _, point = min(tries, key=lambda found: found[0])
        if point is None:
            continue
        m, n, x = int(point[0]), tuple(int(value) for value in point[1:L]), [int(value) for value in point[L:]]
        for _ in range(MOST_GROWTH):
            result = theorem_e(kind, payment, m, n, x, beta, bits)
            if result.value <= accuracy:
                found.append(AccuracyPrompt(m, n, beta, result))
                break
            m += 1 + m // 1000
    return min(found, key=lambda prompt: prompt.tokens) if found else None


def _closing_in(
    kind: str, payment: str, L: int, beta: int, bits: tuple[int, ...], target: float, seed: int
) -> tuple[float, np.ndarray | None]:
    """(cost, (m, n_1.., x_0..)); None if no point with a small enough sum was found."""
    random = np.random.default_rng(seed)
    linear = [float(value) for value in bits]
    y = math.log2(16 * beta + bits[-1])
    tops = np.array([2.0 ** (L - 1) * 2.5 * y + 8, *(3 * y + 4 for _ in range(L - 1)), *(6 * y for _ in range(L))])
    samples = np.exp2(random.random((2 * L, 20 * SAMPLES)) * np.minimum(tops, MOST_BITS)[:, None])
    best: np.ndarray | None = None
    best_cost, centre_score, width, penalty = math.inf, math.inf, 3.0, PENALTY
    centre = samples[:, 0]
    for _ in range(ROUNDS):
        samples = np.minimum(np.maximum(1, np.round(samples)), 1e60)
        samples[0] = np.maximum(samples[0], 2)
        samples[L] = np.minimum(samples[L], samples[0])
        m, n, x = samples[0], list(samples[1:L]), list(samples[L:])
        value, beyond = np.zeros(samples.shape[1]), np.zeros(samples.shape[1])
        for above, below, told, entries in term_numbers(kind, payment, m, n, x, float(beta), linear):
            q = np.broadcast_to(np.asarray(above / below), value.shape)
            value = value + np.where(q > 0, largest_share(np.where(q > 0, q, 1), told / entries), 0)
            # A share of 1 says nothing of how far away the bound is: how much larger κ is than log2(1/q) does.
            chance = -np.log2(np.minimum(np.where(q > 0, q, 0.5), 0.999))
            beyond = beyond + np.where(q > 0, np.maximum(0, np.log2(told / entries / chance + 1e-30)), 0)
            beyond = beyond + np.maximum(0, np.log2(np.maximum(q, 1)))
        cost = m * sum(np.cumprod([np.ones_like(m), *n], axis=0))
        score = np.log2(cost) + penalty * (np.maximum(0, np.log2(value / target)) + beyond)
        index = int(np.argmin(score))
        if score[index] < centre_score:
            centre, centre_score = samples[:, index].copy(), float(score[index])
        inside = np.where(value <= target, cost, np.inf)
        index = int(np.argmin(inside))
        if inside[index] < best_cost:
            best, best_cost = samples[:, index].copy(), float(inside[index])
        shape = (2 * L, SAMPLES)
        samples = centre[:, None] * np.exp2(random.normal(size=shape) * width * (random.random(shape) < 0.6))
        samples += random.integers(-1, 2, size=shape) * (random.random(shape) < 0.3)
        width = max(width * 0.93, 0.01)
    return best_cost, best
