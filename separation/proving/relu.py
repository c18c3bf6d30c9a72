"""Rule P6: x ← x + W_2 relu(W_1 x + b_1) + b_2 on forms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models import MLP
from separation.proving.forms import ONE, Forms, Symbol, absolute, fresh_noise


def hidden_forms(mlp: MLP, stream: Forms) -> Forms:
    """W_1 x + b_1."""
    return stream.image(mlp.w_1).plus(Forms.constant(mlp.b_1))


def after_mlp(mlp: MLP, stream: Forms, hidden: Forms) -> Forms:
    """x + W_2 relu(hidden) + b_2: certain units are linear, the others are split on a bit or become |hidden|."""
    low, high = hidden.bounds()
    certain = low.numerators[:, 0] >= 0
    kept = np.flatnonzero(certain)
    result = stream.plus(Forms.constant(mlp.b_2))
    result = result.plus(Forms(hidden.symbols, mlp.w_2.columns(kept) @ hidden.matrix.rows(kept)))
    split, undecided = _split_units(hidden, np.flatnonzero(~certain & (high.numerators[:, 0] > 0)).tolist())
    for place, units in split.items():
        result = result.plus(_by_cases(mlp, hidden, place, units))
    if undecided:
        result = result.plus(_by_absolute_values(mlp, hidden, undecided))
    return result.compact()


def _split_units(hidden: Forms, units: list[int]) -> tuple[dict[int, list[int]], list[int]]:
    """Units whose sign is certain once their heaviest bit is known, by that bit; and the rest."""
    is_bit = np.array([symbol.is_bit for symbol in hidden.symbols])
    weights = np.abs(hidden.matrix.numerators) * is_bit
    split: dict[int, list[int]] = {}
    undecided: list[int] = []
    for unit in units:
        place = int(weights[unit].argmax())
        if weights[unit, place] and all(_sign_in_case(hidden, unit, place, case) is not None for case in (1, -1)):
            split.setdefault(place, []).append(unit)
        else:
            undecided.append(unit)
    return split, undecided


def _sign_in_case(hidden: Forms, unit: int, place: int, case: int) -> int | None:
    """1 if the unit is ≥ 0 when the bit is ``case``, 0 if it is ≤ 0, None if it may be either.

    The bit adds ±|c| to the ends of the range; knowing it takes that away and shifts the range by case·c.
    """
    low, high = hidden.bounds()
    c = hidden.matrix.entry(unit, place)
    if low.entry(unit, 0) + abs(c) + case * c >= 0:
        return 1
    return 0 if high.entry(unit, 0) - abs(c) + case * c <= 0 else None


def _by_cases(mlp: MLP, hidden: Forms, place: int, units: list[int]) -> Forms:
    """(G₊ + G₋)/2 + s·(G₊ − G₋)/2, with G± what these units write when the bit s is ±1."""
    written = []
    for case in (1, -1):
        live = [unit for unit in units if _sign_in_case(hidden, unit, place, case) == 1]
        known = hidden.matrix.rows(live).numerators.copy()
        known[:, 0] += case * known[:, place]
        known[:, place] = 0
        written.append(mlp.w_2.columns(live) @ ExactMatrix(known, hidden.matrix.rows(live).denominator))
    mean, swing = ((written[0] + other).scaled(Fraction(1, 2)) for other in (written[1], -written[1]))
    moved = np.flatnonzero((swing.numerators != 0).any(axis=0)).tolist()
    # s·1 is the bit itself; s·σ for another symbol σ is only known to be as small as σ.
    symbols = [hidden.symbols[place] if column == 0 else fresh_noise(hidden.symbols[column].radius) for column in moved]
    nothing = ExactMatrix.zeros(mean.shape[0], 1)
    return Forms(hidden.symbols, mean).plus(Forms((ONE, *symbols), nothing.beside(swing.columns(moved))))


def _by_absolute_values(mlp: MLP, hidden: Forms, units: list[int]) -> Forms:
    """relu(h) = h/2 + |h|/2, one symbol for all multiples of the same form."""
    low, high = hidden.bounds()
    halves = (mlp.w_2.columns(units) @ hidden.matrix.rows(units)).scaled(Fraction(1, 2))
    places: dict[Symbol, int] = {}
    entries: list[tuple[int, int, Fraction]] = []
    for row, unit in enumerate(units):
        terms = hidden.terms(unit)
        lead = next(number for symbol, number in terms if symbol != ONE)
        largest = max(high.entry(unit, 0), -low.entry(unit, 0)) / abs(lead)
        symbol = absolute(tuple((part, number / lead) for part, number in terms), largest)
        entries.append((row, places.setdefault(symbol, 1 + len(places)), abs(lead) / 2))
    gather = ExactMatrix.from_entries((len(units), 1 + len(places)), entries)
    return Forms(hidden.symbols, halves).plus(Forms((ONE, *places), mlp.w_2.columns(units) @ gather))
