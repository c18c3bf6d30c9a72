"""How far a floating-point run of a recurrence, and of its parallel form, can be from the exact one."""

from __future__ import annotations

import numpy as np

from separation.recurrences.algebra import stack
from separation.recurrences.inputs import tracked
from separation.recurrences.recurrence import Inputs, Recurrence
from separation.recurrences.tracked import UNIT, Floats, Tracked

MARGIN = 1 + 2.0**-20
"""The bounds are themselves computed in float64; this covers their own rounding."""


def recurrence_error(family: Recurrence, xs: Inputs, unit: float = UNIT, gate_roundings: float = 0.0) -> Floats:
    """A bound on |computed y − exact y|, entry by entry, for a run with unit roundoff u.

    If a step acts on each entry of the state alone, errors are followed entry by entry. Otherwise, with A_t the
    transition, which acts on each column of the state, and δ_t the error of one step alone, a column's error has at
    most the norm E_t = ‖A_t‖₂ E_{t-1} + ‖δ_t‖₂.
    """
    run = tracked(family, xs, unit, gate_roundings)
    if family.transition(xs.token(0)) is None:
        return np.asarray(family.run(run).error * MARGIN)
    (state,), outputs, off = family.initial(xs.sizes), [], np.float64(0)
    for t in range(xs.tokens):
        growth = np.linalg.norm(family.transition(xs.token(t)), 2) * MARGIN
        x = run.token(t)
        exact = np.asarray(state, dtype=np.float64)
        (moved,) = family.step((Tracked(exact, 0 * exact, 0 * exact + 2 * off, unit),), x)
        off = growth * off + np.sqrt((moved.error**2).sum(axis=0))
        state = moved.value
        outputs.append(family.read((Tracked(state, 0 * state + off, 0 * state, unit),), x))
    return np.asarray(stack(outputs).error * MARGIN)


def chunked_error(family: Recurrence, xs: Inputs, size: int, unit: float = UNIT) -> Floats:
    """A bound on |computed y − exact y| for the form in chunks of ``size`` tokens.

    As in `recurrence_error`, with a chunk in place of a step: A_C ⋯ A_1 has at most the norm Π ‖A_t‖₂. Of ``sweeps``
    over all tokens the last that changes a token is one step from the token before it, which is right by then.
    """
    if family.sweeps:
        return recurrence_error(family, xs, unit)
    run = tracked(family, xs, unit)
    if family.transition(xs.token(0)) is None:
        return np.asarray(family.chunked(run, size).error * MARGIN)
    (state,), outputs, off = family.initial(xs.sizes), [], np.float64(0)
    for start in range(0, xs.tokens, size):
        part = run.part(start, min(start + size, xs.tokens))
        exact = np.asarray(state, dtype=np.float64)
        found, (moved,) = family.chunk((Tracked(exact, 0 * exact, 0 * exact + 2 * off, unit),), part)
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
