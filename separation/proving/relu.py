"""Rule P6: x ← x + W_2 relu(W_1 x + b_1) + b_2 on forms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models import MLP
from separation.proving.forms import ONE, Forms, FreshNoise, Symbol, absolute


def hidden_forms(mlp: MLP, stream: Forms) -> Forms:
    """W_1 x + b_1."""
    return stream.image(mlp.w_1).plus(Forms.constant(mlp.b_1))


def after_mlp(mlp: MLP, stream: Forms, hidden: Forms, fresh: FreshNoise) -> Forms:
    """x + W_2 relu(hidden) + b_2: certain units are linear, the others are split on a bit or become |hidden|."""
    low, high = hidden.bounds()
    certain = low.numerators[:, 0] >= 0
    open_units = np.flatnonzero(~certain & (high.numerators[:, 0] > 0))
    kept = np.flatnonzero(certain)
    result = stream.plus(Forms.constant(mlp.b_2))
    result = result.plus(Forms(hidden.symbols, mlp.w_2.columns(kept) @ hidden.matrix.rows(kept)))
    split, undecided = _split_units(hidden, open_units)
    for place, units in split.items():
        result = result.plus(_by_cases(mlp, hidden, place, units, fresh))
    if undecided:
        result = result.plus(_by_absolute_values(mlp, hidden, undecided, low, high))
    return result.compact()


def _split_units(hidden: Forms, units: np.ndarray) -> tuple[dict[int, list[int]], list[int]]:  # type: ignore[type-arg]
    """Units whose sign is certain once their heaviest bit is known, by that bit; and the rest."""
    is_bit = np.array([symbol.is_bit for symbol in hidden.symbols])
    weights = np.abs(hidden.matrix.numerators) * is_bit
    split: dict[int, list[int]] = {}
    undecided: list[int] = []
    for unit in units.tolist():
        place = int(weights[unit].argmax())
        decides = weights[unit, place] != 0 and all(
            _sign(_row_with_bit(hidden, unit, place, sign)) is not None for sign in (1, -1)
        )
        if decides:
            split.setdefault(place, []).append(unit)
        else:
            undecided.append(unit)
    return split, undecided


def _row_with_bit(hidden: Forms, unit: int, place: int, sign: int) -> Forms:
    """One hidden form with a bit set to ±1."""
    numerators = hidden.matrix.numerators[[unit]].copy()
    numerators[0, 0] += sign * numerators[0, place]
    numerators[0, place] = 0
    return Forms(hidden.symbols, ExactMatrix(numerators, hidden.matrix.denominator))


def _sign(form: Forms) -> int | None:
    low, high = form.bounds()
    if low.numerators[0, 0] >= 0:
        return 1
    return 0 if high.numerators[0, 0] <= 0 else None


def _by_cases(mlp: MLP, hidden: Forms, place: int, units: list[int], fresh: FreshNoise) -> Forms:
    """(G₊ + G₋)/2 + s·(G₊ − G₋)/2, with G± what these units write when the bit s is ±1."""
    written = []
    for sign in (1, -1):
        rows = [_row_with_bit(hidden, unit, place, sign) for unit in units]
        live = [row.matrix if _sign(row) == 1 else row.matrix.scaled(0) for row in rows]
        stacked = live[0].T
        for row in live[1:]:
            stacked = stacked.beside(row.T)
        written.append(mlp.w_2.columns(units) @ stacked.T)
    mean, swing = (written[0] + written[1]).scaled(Fraction(1, 2)), (written[0] - written[1]).scaled(Fraction(1, 2))
    result = Forms(hidden.symbols, mean)
    for column in np.flatnonzero((swing.numerators != 0).any(axis=0)).tolist():
        symbol = hidden.symbols[place] if column == 0 else fresh(hidden.symbols[column].radius)
        nothing = ExactMatrix.zeros(mean.shape[0], 1)
        result = result.plus(Forms((ONE, symbol), nothing.beside(swing.columns([column]))))
    return result


def _by_absolute_values(mlp: MLP, hidden: Forms, units: list[int], low: ExactMatrix, high: ExactMatrix) -> Forms:
    """relu(h) = h/2 + |h|/2, one symbol for all multiples of the same form."""
    half = Fraction(1, 2)
    result = Forms(hidden.symbols, (mlp.w_2.columns(units) @ hidden.matrix.rows(units)).scaled(half))
    columns: dict[Symbol, ExactMatrix] = {}
    for unit in units:
        terms = [(s, hidden.matrix.entry(unit, place)) for place, s in enumerate(hidden.symbols)]
        terms = [(symbol, number) for symbol, number in terms if number]
        lead = next(number for symbol, number in terms if symbol != ONE)
        largest = max(high.entry(unit, 0), -low.entry(unit, 0)) / abs(lead)
        symbol = absolute(tuple((s, number / lead) for s, number in terms), largest)
        column = mlp.w_2.columns([unit]).scaled(abs(lead) * half)
        columns[symbol] = columns[symbol] + column if symbol in columns else column
    matrix = ExactMatrix.zeros(result.height, 1)
    for column in columns.values():
        matrix = matrix.beside(column)
    return result.plus(Forms((ONE, *columns), matrix))
