"""The few operations on arrays of any number type that + − * / @ and indexing do not give.

Arrays are numpy arrays of float64 or of objects (fractions, polynomials, symbolic expressions), or `Tracked`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq

from separation.arithmetic import attention_weights, narrow
from separation.recurrences.tracked import Tracked, solve_tracked

WEIGHT_BITS = 32
"""P of the integer weights ⌊2^P exp(score − shift)⌋ that stand for exp in exact arithmetic."""


EXACT = (int, Fraction, fmpq)


def stack(rows: Sequence[Any]) -> Any:
    """Rows of equal shape as one array."""
    if any(isinstance(row, Tracked) for row in rows):
        return Tracked.joined([row[None] for row in rows])
    return np.stack(rows)


def concatenate(parts: Sequence[Any]) -> Any:
    """Arrays one after the other along the first axis."""
    if any(isinstance(part, Tracked) for part in parts):
        return Tracked.joined(parts)
    return np.concatenate(parts)


def outer(column: Any, row: Any) -> Any:
    """column · rowᵀ."""
    return column[:, None] * row[None, :]


def decay_products(gates: Any) -> Iterator[Any]:
    """For t = 1, 2, … the products P_t[j] = g_{j+1} ⋯ g_t of all j ≤ t, as one array; P_t[t] = 1."""
    one = np.ones((1, *gates.shape[1:]), dtype=np.int8)
    products = None
    for t in range(len(gates)):
        products = one if products is None else concatenate([products * gates[t], one])
        yield products


def decayed_scores(x: Any, k: Any, gates: Any, before: bool = False) -> Any:
    """A_tj = x_tᵀ Diag(g_{j+1} ⋯ g_t) k_j for j ≤ t, else 0; ``before``: g_{j+1} ⋯ g_{t-1} for j < t, else 0."""
    tokens, rows = len(gates), [np.zeros(0, dtype=np.int8)] * before
    for t, products in zip(range(tokens - before), decay_products(gates), strict=False):
        rows.append((k[: t + 1] * products) @ x[t + before])
    return stack([concatenate([row, np.zeros(tokens - len(row), dtype=np.int8)]) for row in rows])


def causal(scores: Any, strict: bool = False) -> Any:
    """A_tj for j ≤ t (``strict``: j < t), else 0."""
    return scores * np.tri(len(scores), k=-int(strict), dtype=np.int8)


def unit_lower_solve(lower: Any, right: Any) -> Any:
    """U with (I + L) U = B, L strictly lower triangular: U_t = B_t − Σ_{j<t} L_tj U_j."""
    if isinstance(lower, Tracked) or isinstance(right, Tracked):
        return solve_tracked(lower, right, unit_lower_solve)
    solved = right.copy()
    for t in range(1, len(right)):
        solved[t] = right[t] - lower[t, :t] @ solved[:t]
    return solved


def at_least_one(x: Any) -> Any:
    """max(|x|, 1)."""
    return _by_entry(x, lambda array: np.maximum(np.abs(array), 1), lambda sp, entry: sp.Max(sp.Abs(entry), 1))


def relu(x: Any) -> Any:
    """max(x, 0)."""
    return _by_entry(x, lambda array: np.maximum(array, 0), lambda sp, entry: sp.Max(entry, 0))


def weights(scores: Any, shift: int, bits: int = WEIGHT_BITS) -> Any:
    """exp(score); on fractions ⌊2^P exp(score − shift)⌋, the weights of exact arithmetic."""
    if isinstance(scores, Tracked):
        return scores.exp()
    if scores.dtype != object:
        return np.exp(scores)
    if isinstance(scores[0], EXACT):
        exact = [Fraction(int(score.numerator), int(score.denominator)) for score in scores]
        unit = lcm(*(score.denominator for score in exact))
        numerators = narrow(np.array([int(score * unit) for score in exact], dtype=object))
        found = attention_weights(numerators, unit, Fraction(shift), bits)
        number = fmpq if isinstance(scores[0], fmpq) else Fraction
        return np.array([number(int(weight)) for weight in found], dtype=object)
    import sympy as sp

    return np.array([sp.exp(score) for score in scores], dtype=object)


def _by_entry(x: Any, numeric: Callable[[Any], Any], symbolic: Callable[[Any, Any], Any]) -> Any:
    """On floats and fractions, and with sympy on expressions; neither moves by more than its argument."""
    if isinstance(x, Tracked):
        return x.moved_by_no_more(numeric)
    entries = np.asarray(x)
    if entries.dtype != object or isinstance(entries.flat[0], EXACT):
        return numeric(x)
    import sympy as sp

    return np.frompyfunc(lambda entry: symbolic(sp, sp.expand(entry)), 1, 1)(entries)
