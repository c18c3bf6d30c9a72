"""Is a recurrence the same function as its parallel form: symbolically, exactly, in floating point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from separation.recurrences.errors import parallel_error, recurrence_error
from separation.recurrences.inputs import floats, fractions, symbols
from separation.recurrences.recurrence import Recurrence, Sizes

SYMBOLIC_TOKENS, SYMBOLIC_SIZES = 3, {"d_k": 2, "d_v": 2, "d": 2, "w": 2, "n_h": 2}
EXACT_TOKENS, EXACT_SIZES = 7, {"d_k": 3, "d_v": 2, "d": 3, "w": 3, "n_h": 2}
FLOAT_TOKENS, FLOAT_SIZES = 256, {"d_k": 16, "d_v": 32, "d": 64, "w": 32, "n_h": 2}


@dataclass(frozen=True)
class Outcome:
    """``holds`` is None where nothing was checked, and ``scope`` says why; floats give ``error`` and its ``bound``."""

    holds: bool | None
    scope: str
    error: float | None = None
    bound: float | None = None


def check_symbolic(family: Recurrence, tokens: int = SYMBOLIC_TOKENS, sizes: Sizes = SYMBOLIC_SIZES) -> Outcome:
    """Recurrence and parallel form are the same polynomials, quotients or expressions in the inputs."""
    if family.parallel_formula is None:
        return _no_parallel_form()
    xs = symbols(family, tokens, sizes)
    differences = family.run(xs) - family.parallel(xs)
    holds = all(_is_zero(difference) for difference in differences.flat)
    return Outcome(holds, f"all inputs, T = {tokens}, d_k = {sizes['d_k']}, d_v = {sizes['d_v']}")


def _is_zero(number: Any) -> bool:
    if hasattr(number, "expand"):
        import sympy as sp

        return bool(sp.expand(number) == 0)
    return bool(number == 0)


def check_exact(family: Recurrence, tokens: int = EXACT_TOKENS, sizes: Sizes = EXACT_SIZES, seed: int = 0) -> Outcome:
    """Recurrence and parallel form are equal fractions on random fractions."""
    if family.parallel_formula is None:
        return _no_parallel_form()
    xs = fractions(family, tokens, sizes, seed)
    holds = bool((family.run(xs) == family.parallel(xs)).all())
    return Outcome(holds, f"random fractions, T = {tokens}, d_k = {sizes['d_k']}, d_v = {sizes['d_v']}, seed {seed}")


def check_float(family: Recurrence, tokens: int = FLOAT_TOKENS, sizes: Sizes = FLOAT_SIZES, seed: int = 0) -> Outcome:
    """In float64 the two differ by no more than the sum of their error bounds, in every entry."""
    if family.parallel_formula is None:
        return _no_parallel_form()
    xs = floats(family, tokens, sizes, seed)
    found = np.abs(family.run(xs) - family.parallel(xs))
    bound = recurrence_error(family, xs) + parallel_error(family, xs)
    scope = f"float64, T = {tokens}, d_k = {sizes['d_k']}, d_v = {sizes['d_v']}, seed {seed}"
    return Outcome(bool((found <= bound).all()), scope, float(found.max()), float(bound.max()))


def _no_parallel_form() -> Outcome:
    return Outcome(None, "no parallel form")
