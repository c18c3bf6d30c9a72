"""Are given sizes hard: the integers of a sharper theorem's proof, looked for at exactly these sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from separation.bounds.search.ceilings import linear_bits
from separation.bounds.search.one_full_layer import most_reached
from separation.bounds.search.sharper import recurrent_only_at
from separation.bounds.theorems.outcome import Impossibility, checked_sizes
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.bounds.theorems.theorem_a3 import theorem_a3_no_early_r
from separation.bounds.theorems.theorem_al import theorem_al
from separation.bounds.theorems.theorem_b2 import theorem_b2
from separation.bounds.theorems.theorem_bl import theorem_bl
from separation.bounds.word import Word

MOST_ENTRIES = 200_000  # values of x_0 or Θ_1 that are all looked at; of more, these many
CANDIDATES = 5


def impossible_at(word: Word, m: int, n: Sequence[int], beta: int, linear: int | Sequence[int]) -> Impossibility | None:
    """A theorem that holds at exactly these sizes, with its integers; None if none was found.

    Theorems for fewer tables count too: the tables beyond are the identity, whatever their n_ℓ.
    """
    n = checked_sizes(m, n, 1)
    bits = linear_bits(word, linear)
    if word.depth > len(n):
        return None
    return next((found for found in _tries(word, m, n, beta, bits) if found.holds), None)


def _tries(word: Word, m: int, n: tuple[int, ...], beta: int, bits: tuple[int, ...]) -> Iterator[Impossibility]:
    full, L = word.full, len(n) + 1
    if full == 0:
        yield recurrent_only_at(m, n, bits[0])
        return
    if full == 1 and L >= 2:
        yield theorem_a2(m, n, most_reached(m, m, bits[0]), beta, bits)
    if full == 2 and L >= 3 and bits[1] == 0:
        yield from _a3_no_early_r(m, n, beta, bits)
    if full == 2 and L >= 2 and not word.early:
        yield from _b2(m, n, beta, bits)
    if full >= 2 and full < L:
        yield theorem_al(m, n, 1, (1,) * full, (1,) * (full - 1), beta, bits)
    if full >= 2 and full <= L and not word.early:
        yield theorem_bl(m, n, 1, 1, (1,) * (full - 1), (1,) * (full - 2), beta, bits)


def _axis(most: int) -> np.ndarray:
    """1..most, or as many numbers of it as are looked at, spread evenly by ratio."""
    if most <= MOST_ENTRIES:
        return np.arange(1, most + 1, dtype=float)
    return np.unique(np.round(np.exp2(np.linspace(0, math.log2(most), MOST_ENTRIES))))


def _b2(m: int, n: tuple[int, ...], beta: int, bits: tuple[int, ...]) -> Iterator[Impossibility]:
    """x_0 with v = ⌊m/x_0⌋ or a little less, by how far the last inequality is met."""
    n1, beside, late = n[0], bits[1], bits[2] - bits[1]
    best: list[tuple[float, int, int]] = []
    x0 = _axis(m)
    for spare in range(3):
        v = np.maximum(1, np.floor(m / x0) - spare)
        theta = np.maximum(1, np.ceil(x0 * v * np.exp2(-(beta * n1 + beside) / x0)))
        told = beside + beta * (n1 + x0 + x0 * v + n1 * x0) + theta * late
        slack = n1 * theta * math.log2(m * n1) - told
        best += [(float(slack[i]), int(x0[i]), int(v[i])) for i in np.argsort(-slack)[:CANDIDATES]]
    for _, entries, values in sorted(best, reverse=True)[:CANDIDATES]:
        reached = most_reached(entries, entries * values, beta * n1 + beside)
        yield theorem_b2(m, n, entries, values, reached, beta, bits)


def _a3_no_early_r(m: int, n: tuple[int, ...], beta: int, bits: tuple[int, ...]) -> Iterator[Impossibility]:
    """Θ_1 with v = ⌊m/Θ_1⌋ or a little less, by how far the last inequality is met."""
    n1, n2 = n[:2]
    W = n1 * n2
    best: list[tuple[float, int, int]] = []
    theta1 = _axis(m)
    for spare in range(3):
        v = np.maximum(1, np.floor(m / theta1) - spare)
        entries = n1 * theta1
        theta2 = np.maximum(1, np.ceil(entries * v * np.exp2(-beta * n2 / theta1)))
        heard = W + m + theta1 + entries * v + (n1 - 1) * (m - theta1) + W * theta1
        slack = n2 * theta2 * math.log2(m * W) - beta * heard - theta2 * bits[2]
        best += [(float(slack[i]), int(theta1[i]), int(v[i])) for i in np.argsort(-slack)[:CANDIDATES]]
    for _, reached, values in sorted(best, reverse=True)[:CANDIDATES]:
        theta2_most = most_reached(n1 * reached, n1 * reached * values, beta * W)
        yield theorem_a3_no_early_r(m, n, reached, values, theta2_most, beta, bits)
