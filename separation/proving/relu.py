"""Rule P6: x ← x + W_2 relu(W_1 x + b_1) + b_2 on forms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models import MLP
from separation.proving.forms import ONE, Forms, Group, Symbol, bit, fresh_noise, sum_forms
from separation.tasks.shape import Shape
from separation.tasks.suppositions import Supposition, supposition_named

Terms = dict[Symbol, Fraction]
Additions = dict[int, Terms]
"""Row of the stream → what is added there."""


def selection(mlp: MLP, hidden: Forms, shape: Shape) -> tuple[Forms, list[int]]:
    """What all units that select add to the stream, and which units these are."""
    supposed = {symbol: supposition_named(shape, symbol.variable) for symbol in hidden.symbols if symbol.is_bit}
    known = {symbol: found for symbol, found in supposed.items() if found is not None}
    columns = [hidden.places[symbol] for symbol in known]
    mentioned = np.flatnonzero((hidden.matrix.numerators[:, columns] != 0).any(axis=1)).tolist()
    groups: dict[tuple[str, int, int], dict[int, dict[int, Terms]]] = {}
    for unit in mentioned:
        found = selected_value(dict(hidden.terms(unit)), known)
        if found is not None:
            at, value = found
            groups.setdefault((at.value.name, at.q, at.values), {}).setdefault(at.j, {})[unit] = value
    total: Additions = {}
    selected: list[int] = []
    for (_, _, values), cases in groups.items():
        sums = [weighted_sum(mlp.w_2, cases.get(j, {})) for j in range(values)]
        if all(part == sums[0] for part in sums):
            selected += [unit for units in cases.values() for unit in units]
            for row, terms in sums[0].items():
                total[row] = added(total.get(row, {}), terms)
    return as_forms(total, mlp.w_2.shape[0]), selected


def selected_value(terms: Terms, known: dict[Symbol, Supposition]) -> tuple[Supposition, Terms] | None:
    """relu of a unit that selects, where its j is the right one, and which one that is; None for any other unit."""
    named = {known[symbol].name: known[symbol] for symbol in terms if symbol in known}
    if len(named) != 1:
        return None
    (at,) = named.values()
    codes = {bit(at.index.name, place): sign for place, sign in enumerate(at.signs)}
    sizes = [terms.get(symbol, Fraction(0)) * sign for symbol, sign in codes.items()]
    own = {symbol: number for symbol, number in terms.items() if symbol in known}
    if min(sizes) <= 0 or len(terms) != len(codes) + len(own) + (ONE in terms):
        return None
    height, spread = terms.get(ONE, Fraction(0)) + sum(sizes), sum(map(abs, own.values()), Fraction(0))
    if height < spread or height + spread > 2 * min(sizes):
        return None
    bits = {bit(at.value.name, int(symbol.name.rpartition(".")[2])): number for symbol, number in own.items()}
    return at, {ONE: height, **bits}


def weighted_sum(w_2: ExactMatrix, units: dict[int, Terms]) -> Additions:
    """Σ W_2·value over some units, without what is 0."""
    total: Additions = {}
    columns = w_2.columns(list(units))
    for row, place, weight in columns.entries():
        value = list(units.values())[place]
        total[row] = added(total.get(row, {}), {symbol: weight * number for symbol, number in value.items()})
    return {row: terms for row, terms in total.items() if terms}


def added(terms: Terms, more: Terms) -> Terms:
    total = dict(terms)
    for symbol, number in more.items():
        total[symbol] = total.get(symbol, Fraction(0)) + number
    return {symbol: number for symbol, number in total.items() if number}


def as_forms(rows: Additions, height: int) -> Forms:
    symbols = list(dict.fromkeys([ONE, *(symbol for terms in rows.values() for symbol in terms)]))
    places = {symbol: index for index, symbol in enumerate(symbols)}
    entries = [(row, places[symbol], number) for row, terms in rows.items() for symbol, number in terms.items()]
    return Forms(symbols, ExactMatrix.from_entries((height, len(symbols)), entries))


def hidden_forms(mlp: MLP, stream: Forms) -> Forms:
    """W_1 x + b_1."""
    return stream.image(mlp.w_1).plus(Forms.constant(mlp.b_1))


def after_mlp(mlp: MLP, stream: Forms, hidden: Forms, shape: Shape | None = None) -> Forms:
    """x + W_2 relu(hidden) + b_2: certain units are linear, the others select, are split on a bit, or bend.

    Without ``shape`` none selects: what selecting means is the task's to say.
    """
    low, high = hidden.bounds()
    certain = low.numerators[:, 0] >= 0
    kept = np.flatnonzero(certain)
    parts = [stream, Forms.constant(mlp.b_2)]
    parts.append(Forms(hidden.symbols, mlp.w_2.columns(kept) @ hidden.matrix.rows(kept)))
    uncertain = ~certain & (high.numerators[:, 0] > 0)
    if shape is not None:
        chosen, units = selection(mlp, hidden, shape)
        parts.append(chosen)
        uncertain[units] = False
    split, undecided = _split_units(hidden, np.flatnonzero(uncertain).tolist())
    parts += [_by_cases(mlp, hidden, bit, units) for bit, units in split.items()]
    total = sum_forms(parts).compact()
    return _with_ridges(mlp, total, _ridges(hidden, undecided)) if undecided else total


Signs = tuple[bool, bool]
"""Is a unit ≥ 0 (else it is ≤ 0) when its bit is +1, and when it is −1?"""


def _split_units(hidden: Forms, units: list[int]) -> tuple[dict[Symbol, dict[int, Signs]], list[int]]:
    """Units whose sign is certain once one bit is known, by that bit; and the rest."""
    bits = sorted((symbol.name, place) for place, symbol in enumerate(hidden.symbols) if symbol.is_bit)
    by_name = [place for _, place in bits]  # of equally large coefficients the first by name
    weights = np.abs(hidden.matrix.numerators[:, by_name])
    split: dict[Symbol, dict[int, Signs]] = {}
    undecided: list[int] = []
    for unit in units:
        largest = int(weights[unit].argmax()) if by_name else None
        if largest is not None and weights[unit, largest]:
            place = by_name[largest]
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
    least, alone = min(numbers), sum(map(abs, numbers), Fraction(0))
    if len(numbers) < group.size or least <= 0:
        return alone
    return min(alone, least * group.most + sum((number - least for number in numbers), Fraction(0)))


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
    total = Forms(own.symbols, mean).plus(Forms((ONE, *symbols), nothing.hstack(swing.columns(moved))))
    return total.at_rows(rows, mlp.w_2.shape[0])


def _product(bit: Symbol, symbol: Symbol) -> Symbol:
    """s·σ: the bit itself for σ = 1, a symbol of its own if σ says so; else it is only known to be as small as σ."""
    if symbol == ONE:
        return bit
    if symbol.times is not None and symbol.times[0] == bit:
        return symbol.times[1]
    return fresh_noise(symbol.radius)


@dataclass
class Ridge:
    """A ridge function of a form t without constant: unit u is a + b·t. ``t``: symbol → coefficient."""

    t: dict[Symbol, Fraction]
    units: dict[int, tuple[Fraction, Fraction]]

    @property
    def points(self) -> list[Fraction]:
        """The ends of t's range, and where a unit bends."""
        reach = sum((abs(number) * symbol.radius for symbol, number in self.t.items()), Fraction(0))
        return sorted({-reach, reach, *(-a / b for a, b in self.units.values())})


def _ridges(hidden: Forms, units: list[int]) -> list[Ridge]:
    """Units by their form: those whose forms are multiples of each other, but for the constant, are together."""
    groups: dict[frozenset[tuple[Symbol, Fraction]], Ridge] = {}
    for unit in units:
        terms = dict(hidden.terms(unit))
        constant = terms.pop(ONE, Fraction(0))
        scale = sum(map(abs, terms.values()), Fraction(0))
        if frozenset((symbol, -number / scale) for symbol, number in terms.items()) in groups:
            scale = -scale
        t = {symbol: number / scale for symbol, number in terms.items()}
        groups.setdefault(frozenset(t.items()), Ridge(t, {})).units[unit] = (constant, scale)
    return list(groups.values())


def _with_ridges(mlp: MLP, stream: Forms, groups: list[Ridge]) -> Forms:
    """The stream and what units that bend write: c·t + Σ W_2·relu(a + b·t) in each coordinate, c·t being there.

    If that is linear in t it stays a multiple of t; else it is a number within its range, the same symbol for all
    coordinates that are multiples of each other but for the constant. Any c is sound: see `_narrowest`.
    """
    rows: dict[int, dict[Symbol, Fraction]] = {}
    for group in groups:
        points, shapes = group.points, dict[tuple[Fraction, ...], Symbol]()
        units = list(group.units)
        written = mlp.w_2.columns(units)
        for row in np.flatnonzero((written.numerators != 0).any(axis=1)).tolist():
            terms = rows.setdefault(row, dict(stream.terms(row)))
            weights = [(written.entry(row, index), *group.units[unit]) for index, unit in enumerate(units)]
            piecewise = [
                sum((w * max(Fraction(0), a + b * x) for w, a, b in weights if w), Fraction(0)) for x in points
            ]
            slope = (piecewise[-1] - piecewise[0]) / (points[-1] - points[0])
            if all(y - piecewise[0] == slope * (x - points[0]) for x, y in zip(points, piecewise, strict=True)):
                rows[row] = _sum(terms, group.t, slope, (piecewise[0] + piecewise[-1]) / 2)
                continue
            c, values = _narrowest(terms, group.t, points, piecewise)
            low, high = min(values), max(values)
            rows[row] = _sum(terms, group.t, -c, (low + high) / 2)
            shape = tuple((2 * y - low - high) / (high - low) for y in values)
            turned = tuple(-y for y in shape)
            sign = -1 if turned in shapes else 1
            symbol = shapes.setdefault(turned if sign < 0 else shape, fresh_noise((high - low) / 2))
            rows[row][symbol] = sign * (high - low) / 2 / symbol.radius
    return _with_rows(stream, rows)


def _narrowest(
    terms: dict[Symbol, Fraction], t: dict[Symbol, Fraction], points: list[Fraction], piecewise: list[Fraction]
) -> tuple[Fraction, list[Fraction]]:
    """The c for which c·t + ``piecewise`` leaves the least range, of those that make a symbol of t vanish."""
    choices = []
    for c in {terms.get(symbol, Fraction(0)) / number for symbol, number in t.items()}:
        values = [c * x + y for x, y in zip(points, piecewise, strict=True)]
        rest = _sum(terms, t, -c, (min(values) + max(values)) / 2)
        size = sum((abs(number) * symbol.radius for symbol, number in rest.items()), Fraction(0))
        choices.append((size + (max(values) - min(values)) / 2, c, values))
    _, c, values = min(choices, key=lambda choice: choice[:2])
    return c, values


def _sum(
    terms: dict[Symbol, Fraction], t: dict[Symbol, Fraction], factor: Fraction, constant: Fraction
) -> dict[Symbol, Fraction]:
    """terms + factor·t + constant."""
    return added(terms, {ONE: constant, **{symbol: factor * number for symbol, number in t.items()}})


def _with_rows(stream: Forms, rows: dict[int, dict[Symbol, Fraction]]) -> Forms:
    """The stream with other forms in some rows."""
    old = stream.matrix.numerators.copy()
    old[list(rows)] = 0
    kept = Forms(stream.symbols, ExactMatrix(old, stream.matrix.denominator))
    return kept.plus(as_forms(rows, stream.height)).compact()
