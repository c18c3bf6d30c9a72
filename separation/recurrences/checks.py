"""Is a recurrence the same function as its parallel form, whole and in chunks: symbolically, exactly, in floats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from separation.recurrences.inputs import floats, fractions, symbols, tracked
from separation.recurrences.recurrence import Inputs, Recurrence, Sizes, State
from separation.recurrences.tracked import UNIT, Floats, Tracked

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
    """In float64 recurrence and parallel form differ by no more than the sum of their error bounds, in every entry."""
    xs = floats(family, tokens, sizes, seed)
    bound = recurrence_error(family, xs) + parallel_error(family, xs)
    return within(family.run(xs) - family.parallel(xs), bound, f"float64, {_shape(tokens, sizes)}, seed {seed}")


def check_chunked(
    family: Recurrence,
    tokens: int = CHUNKED_TOKENS,
    sizes: Sizes = CHUNKED_SIZES,
    seed: int = 0,
    chunk: int = FLOAT_CHUNK,
) -> Outcome:
    """The same of the recurrence and the form in chunks."""
    xs = floats(family, tokens, sizes, seed)
    bound = recurrence_error(family, xs) + chunked_error(family, xs, chunk)
    scope = f"float64, {_shape(tokens, sizes)}, seed {seed}, chunks of {chunk}"
    return within(family.run(xs) - family.chunked(xs, chunk), bound, scope)


def within(difference: Floats, bound: Floats, scope: str) -> Outcome:
    """Whether no entry is further off than its own bound; the largest of each."""
    found = np.abs(difference)
    return Outcome(bool((found <= bound).all()), scope, float(found.max()), float(bound.max()))


def _shape(tokens: int, sizes: Sizes) -> str:
    return f"T = {tokens}, d_k = {sizes['d_k']}, d_v = {sizes['d_v']}"


MARGIN = 1 + 2.0**-20
"""The bounds are themselves computed in float64; this covers their own rounding."""


def recurrence_error(family: Recurrence, xs: Inputs, unit: float = UNIT, gate_roundings: float = 0.0) -> Floats:
    """A bound on |computed y − exact y|, entry by entry, for a run with unit roundoff u.

    If a step acts on each entry of the state alone, errors are followed entry by entry; else see `_carried_error`.
    """
    run = tracked(family, xs, unit, gate_roundings)
    if family.transition(xs.token(0)) is None:
        return np.asarray(family.run(run).error * MARGIN)
    return _carried_error(family, xs, run, unit, 1, family.run_from)


def chunked_error(family: Recurrence, xs: Inputs, size: int, unit: float = UNIT) -> Floats:
    """A bound on |computed y − exact y| for the form in chunks of ``size`` tokens.

    Of ``sweeps`` over all tokens the last that changes a token is one step from the token before it, which is right by
    then.
    """
    if family.sweeps:
        return recurrence_error(family, xs, unit)
    run = tracked(family, xs, unit)
    if family.transition(xs.token(0)) is None:
        return np.asarray(family.chunked(run, size).error * MARGIN)
    return _carried_error(family, xs, run, unit, size, family.chunk)


def _carried_error(
    family: Recurrence,
    xs: Inputs,
    run: Inputs,
    unit: float,
    size: int,
    advance: Callable[[State, Inputs], tuple[Any, State]],
) -> Floats:
    """The error of ``advance``, that many tokens at a time, and of the state that it is handed.

    With A_t the transition, which acts on each column of the state, and δ the error of a part of tokens t, …, t' alone,
    a column's error behind it has at most the norm E' = ‖A_t'‖₂ ⋯ ‖A_t‖₂ E + ‖δ‖₂.
    """
    (state,), outputs, off = family.initial(xs.sizes), [], np.float64(0)
    for start in range(0, xs.tokens, size):
        part = run.part(start, min(start + size, xs.tokens))
        exact = np.asarray(state, dtype=np.float64)
        found, (moved,) = advance((Tracked(exact, 0 * exact, 0 * exact + 2 * off, unit),), part)
        for t in range(part.tokens):
            off = np.linalg.norm(family.transition(xs.token(start + t)), 2) * MARGIN * off
            reach = family.read((Tracked(0 * exact, 0 * exact + off, 0 * exact, unit),), part.token(t))
            outputs.append(found.error[t] + reach.error)
        state, off = moved.value, off + np.sqrt((moved.error**2).sum(axis=0))
    return np.asarray(np.stack(outputs) * MARGIN)


def parallel_error(family: Recurrence, xs: Inputs) -> Floats:
    """A bound on |computed y − exact y| for the parallel form in float64."""
    if family.sweeps:
        return recurrence_error(family, xs)
    return np.asarray(family.parallel(tracked(family, xs, UNIT)).error * MARGIN)
