"""Is a recurrence the same function as its parallel form, whole and in chunks: symbolically, exactly, in floats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from separation.recurrences.errors import chunked_error, parallel_error, recurrence_error
from separation.recurrences.inputs import floats, fractions, symbols
from separation.recurrences.recurrence import Recurrence, Sizes

SYMBOLIC_TOKENS, SYMBOLIC_SIZES = 3, {"d_k": 2, "d_v": 2, "d": 2, "w": 2, "n_h": 2}
EXACT_TOKENS, EXACT_SIZES = 7, {"d_k": 3, "d_v": 2, "d": 3, "w": 3, "n_h": 2}
FLOAT_TOKENS, FLOAT_SIZES = 256, {"d_k": 16, "d_v": 32, "d": 64, "w": 32, "n_h": 2}
CHUNKED_TOKENS, CHUNKED_SIZES = 1024, {"d_k": 64, "d_v": 64, "d": 64, "w": 128, "n_h": 2}
SYMBOLIC_CHUNK, EXACT_CHUNK, FLOAT_CHUNK = 2, 3, 32
"""Tokens of a chunk; the last one is shorter where the tokens do not come out even."""


@dataclass(frozen=True)
class Outcome:
    """``holds`` is None where nothing was checked, and ``scope`` says why; floats give ``error`` and its ``bound``."""

    holds: bool | None
    scope: str
    error: float | None = None
    bound: float | None = None


def check_symbolic(family: Recurrence, tokens: int = SYMBOLIC_TOKENS, sizes: Sizes = SYMBOLIC_SIZES) -> Outcome:
    """Recurrence and parallel form, whole and in chunks, are the same polynomials, quotients or expressions."""
    xs = symbols(family, tokens, sizes)
    wanted = family.run(xs)
    forms = (family.parallel(xs), family.chunked(xs, SYMBOLIC_CHUNK))
    holds = all(_is_zero(difference) for form in forms for difference in (wanted - form).flat)
    return Outcome(holds, f"all inputs, {_shape(tokens, sizes)}, whole and in chunks of {SYMBOLIC_CHUNK}")


def _is_zero(number: Any) -> bool:
    if hasattr(number, "expand"):
        import sympy as sp

        return bool(sp.expand(number) == 0)
    return bool(number == 0)


def check_exact(family: Recurrence, tokens: int = EXACT_TOKENS, sizes: Sizes = EXACT_SIZES, seed: int = 0) -> Outcome:
    """Recurrence and parallel form, whole and in chunks, are equal fractions on random fractions."""
    xs = fractions(family, tokens, sizes, seed)
    wanted = family.run(xs)
    holds = all((wanted == form).all() for form in (family.parallel(xs), family.chunked(xs, EXACT_CHUNK)))
    scope = f"random fractions, {_shape(tokens, sizes)}, seed {seed}, whole and in chunks of {EXACT_CHUNK}"
    return Outcome(holds, scope)


def check_float(family: Recurrence, tokens: int = FLOAT_TOKENS, sizes: Sizes = FLOAT_SIZES, seed: int = 0) -> Outcome:
    """In float64 the two differ by no more than the sum of their error bounds, in every entry."""
    xs = floats(family, tokens, sizes, seed)
    found = np.abs(family.run(xs) - family.parallel(xs))
    bound = recurrence_error(family, xs) + parallel_error(family, xs)
    scope = f"float64, {_shape(tokens, sizes)}, seed {seed}"
    return Outcome(bool((found <= bound).all()), scope, float(found.max()), float(bound.max()))


def check_chunked(
    family: Recurrence,
    tokens: int = CHUNKED_TOKENS,
    sizes: Sizes = CHUNKED_SIZES,
    seed: int = 0,
    chunk: int = FLOAT_CHUNK,
) -> Outcome:
    """In float64 the recurrence and the form in chunks differ by no more than the sum of their error bounds."""
    xs = floats(family, tokens, sizes, seed)
    found = np.abs(family.run(xs) - family.chunked(xs, chunk))
    bound = recurrence_error(family, xs) + chunked_error(family, xs, chunk)
    scope = f"float64, {_shape(tokens, sizes)}, seed {seed}, chunks of {chunk}"
    return Outcome(bool((found <= bound).all()), scope, float(found.max()), float(bound.max()))


def _shape(tokens: int, sizes: Sizes) -> str:
    return f"T = {tokens}, d_k = {sizes['d_k']}, d_v = {sizes['d_v']}"
