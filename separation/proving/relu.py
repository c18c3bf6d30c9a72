"""Rule P6: x ← x + W_2 relu(W_1 x + b_1) + b_2 on forms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models import MLP
from separation.proving.forms import ONE, Forms, Group, Symbol, absolute, fresh_noise, sum_forms


def hidden_forms(mlp: MLP, stream: Forms) -> Forms:
    """W_1 x + b_1."""
    return stream.image(mlp.w_1).plus(Forms.constant(mlp.b_1))


def after_mlp(mlp: MLP, stream: Forms, hidden: Forms) -> Forms:
    """x + W_2 relu(hidden) + b_2: certain units are linear, the others are split on a bit or become |hidden|."""
    low, high = hidden.bounds()
    certain = low.numerators[:, 0] >= 0
    kept = np.flatnonzero(certain)
    parts = [stream, Forms.constant(mlp.b_2)]
    parts.append(Forms(hidden.symbols, mlp.w_2.columns(kept) @ hidden.matrix.rows(kept)))
    split, undecided = _split_units(hidden, np.flatnonzero(~certain & (high.numerators[:, 0] > 0)).tolist())
    parts += [_by_cases(mlp, hidden, bit, units) for bit, units in split.items()]
    if undecided:
        parts.append(_by_absolute_values(mlp, hidden, undecided))
    return sum_forms(parts).compact()


Signs = tuple[bool, bool]
"""Is a unit ≥ 0 (else it is ≤ 0) when its bit is +1, and when it is −1?"""


def _split_units(hidden: Forms, units: list[int]) -> tuple[dict[Symbol, dict[int, Signs]], list[int]]:
    """Units whose sign is certain once one bit is known, by that bit; and the rest."""
    is_bit = np.array([symbol.is_bit for symbol in hidden.symbols])
    weights = np.abs(hidden.matrix.numerators) * is_bit
    split: dict[Symbol, dict[int, Signs]] = {}
    undecided: list[int] = []
    for unit in units:
        place = int(weights[unit].argmax())
        if weights[unit, place]:
            bit: Symbol | None = hidden.symbols[place]
            signs = [_sign_in_case(hidden, unit, place, case) for case in (1, -1)]
        else:
            bit, signs = _signs_by_guard(hidden, unit)
        if bit is None or signs[0] is None or signs[1] is None:
            undecided.append(unit)
        else:
            split.setdefault(bit, {})[unit] = (signs[0], signs[1])
    return split, undecided


def _sign_in_case(hidden: Forms, unit: int, place: int, case: int) -> bool | None:
    """True if the unit is ≥ 0 when the bit is ``case``, False if it is ≤ 0, None if it may be either.

    The bit adds ±|c| to the ends of the range; knowing it takes that away and shifts the range by case·c.
    """
    low, high = hidden.bounds()
    c = hidden.matrix.entry(unit, place)
    return _sign(low.entry(unit, 0) + abs(c) + case * c, high.entry(unit, 0) - abs(c) + case * c)


def _sign(low: Fraction, high: Fraction) -> bool | None:
    if low >= 0:
        return True
    return False if high <= 0 else None


def _signs_by_guard(hidden: Forms, unit: int) -> tuple[Symbol | None, list[bool | None]]:
    """The guard of the one group whose products a unit mentions, if nothing else, and its signs for both values."""
    terms = dict(hidden.terms(unit))
    constant = terms.pop(ONE, Fraction(0))
    groups = {symbol.group for symbol in terms}
    group = next(iter(groups)) if len(groups) == 1 else None
    if group is None:
        return None, []
    numbers = list(terms.values())
    least = [sorted((number * group.least, number)) for number in numbers]
    seen = _sign(constant + sum(low for low, _ in least), constant + sum(high for _, high in least))
    missed = _sign(
        constant - _largest_sum([-number for number in numbers], group), constant + _largest_sum(numbers, group)
    )
    return group.guard, [seen, missed]


def _largest_sum(numbers: list[Fraction], group: Group) -> Fraction:
    """max Σ c_r p_r over −1 ≤ p_r ≤ 1 with Σ p_r ≤ most: if all c_r > 0, min c·Σ p_r + Σ (c_r − min c)·p_r."""
    least = min(numbers)
    if len(numbers) < group.size or least <= 0:
        return sum(map(abs, numbers), Fraction(0))
    return least * group.most + sum((number - least for number in numbers), Fraction(0))


def _by_cases(mlp: MLP, hidden: Forms, bit: Symbol, units: dict[int, Signs]) -> Forms:
    """(G₊ + G₋)/2 + s·(G₊ − G₋)/2, with G± what these units write when the bit s is ±1."""
    # Only the rows that these units write, and the symbols that they mention: most of a wide stream is neither.
    rows = np.flatnonzero((mlp.w_2.columns(list(units)).numerators != 0).any(axis=1))
    own = Forms(hidden.symbols, hidden.matrix.rows(list(units))).compact()
    written = []
    for case, sign in enumerate((1, -1)):
        live = [place for place, signs in enumerate(units.values()) if signs[case]]
        known = own.matrix.rows(live)
        numerators = known.numerators.copy()
        if bit in own.places:
            numerators[:, 0] += sign * numerators[:, own.places[bit]]
            numerators[:, own.places[bit]] = 0
        out = mlp.w_2.rows(rows).columns([list(units)[place] for place in live])
        written.append(out @ ExactMatrix(numerators, known.denominator))
    mean, swing = ((written[0] + other).scaled(Fraction(1, 2)) for other in (written[1], -written[1]))
    moved = np.flatnonzero((swing.numerators != 0).any(axis=0)).tolist()
    symbols = [_product(bit, own.symbols[column]) for column in moved]
    nothing = ExactMatrix.zeros(len(rows), 1)
    total = Forms(own.symbols, mean).plus(Forms((ONE, *symbols), nothing.beside(swing.columns(moved))))
    return total.at_rows(rows, mlp.w_2.shape[0])


def _product(bit: Symbol, symbol: Symbol) -> Symbol:
    """s·σ: the bit itself for σ = 1, a symbol of its own if σ says so; else it is only known to be as small as σ."""
    if symbol == ONE:
        return bit
    if symbol.times is not None and symbol.times[0] == bit:
        return symbol.times[1]
    return fresh_noise(symbol.radius)


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
