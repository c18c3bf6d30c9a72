"""Rule P6, units that select: of what a table says at every index, what it says at the right one.

A unit selects if its form is c_1 + Σ_k c_k·(bit k of i_{ℓ-1}) + Σ_b d_b·(bit b of `iℓ at j mod q`), over all of the
last log2 q bits k and at least one b, with the c_k of the signs of j, and

    A − D ≥ 0  and  A + D ≤ 2·min |c_k|,    A = c_1 + Σ |c_k|,  D = Σ |d_b|.

It is ≥ 0 where i_{ℓ-1} is j modulo q, and ≤ 0 elsewhere. So relu is A + Σ d_b·(bit b of iℓ) in the first case, where
`iℓ at j mod q` is iℓ, and 0 otherwise. If, for each j that occurs, the units of j add the same G to the stream, then
whatever i_{ℓ-1} is, all of them together add G.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models import MLP
from separation.proving.forms import ONE, Forms, Symbol, bit
from separation.tasks.shape import Shape
from separation.tasks.suppositions import Supposition, supposition_named

Terms = dict[Symbol, Fraction]
Written = dict[int, Terms]
"""Row of the stream → what is added there."""


def selection(mlp: MLP, hidden: Forms, shape: Shape) -> tuple[Forms, list[int]]:
    """What all units that select add to the stream, and which units these are."""
    supposed = {symbol: supposition_named(shape, symbol.variable) for symbol in hidden.symbols if symbol.is_bit}
    told = {symbol: found for symbol, found in supposed.items() if found is not None}
    columns = [hidden.places[symbol] for symbol in told]
    mentioned = np.flatnonzero((hidden.matrix.numerators[:, columns] != 0).any(axis=1)).tolist()
    groups: dict[tuple[str, int, int], dict[int, dict[int, Terms]]] = {}
    for unit in mentioned:
        found = selected_value(dict(hidden.terms(unit)), told)
        if found is not None:
            at, value = found
            groups.setdefault((at.value.name, at.q, at.values), {}).setdefault(at.j, {})[unit] = value
    total: Written = {}
    taken: list[int] = []
    for (_, _, values), cases in groups.items():
        sums = [written(mlp.w_2, cases.get(j, {})) for j in range(values)]
        if all(part == sums[0] for part in sums):
            taken += [unit for units in cases.values() for unit in units]
            for row, terms in sums[0].items():
                total[row] = added(total.get(row, {}), terms)
    return as_forms(total, mlp.w_2.shape[0]), taken


def selected_value(terms: Terms, told: dict[Symbol, Supposition]) -> tuple[Supposition, Terms] | None:
    """relu of a unit that selects, where its j is the right one, and which one that is; None for any other unit."""
    named = {told[symbol].name: told[symbol] for symbol in terms if symbol in told}
    if len(named) != 1:
        return None
    (at,) = named.values()
    codes = {bit(at.index.name, place): sign for place, sign in enumerate(at.signs)}
    sizes = [terms.get(symbol, Fraction(0)) * sign for symbol, sign in codes.items()]
    own = {symbol: number for symbol, number in terms.items() if symbol in told}
    if min(sizes) <= 0 or len(terms) != len(codes) + len(own) + (ONE in terms):
        return None
    height, spread = terms.get(ONE, Fraction(0)) + sum(sizes), sum(map(abs, own.values()), Fraction(0))
    if height < spread or height + spread > 2 * min(sizes):
        return None
    bits = {bit(at.value.name, int(symbol.name.rpartition(".")[2])): number for symbol, number in own.items()}
    return at, {ONE: height, **bits}


def written(w_2: ExactMatrix, units: dict[int, Terms]) -> Written:
    """Σ W_2·value over some units, without what is 0."""
    total: Written = {}
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


def as_forms(rows: Written, height: int) -> Forms:
    symbols = list(dict.fromkeys([ONE, *(symbol for terms in rows.values() for symbol in terms)]))
    places = {symbol: index for index, symbol in enumerate(symbols)}
    entries = [(row, places[symbol], number) for row, terms in rows.items() for symbol, number in terms.items()]
    return Forms(symbols, ExactMatrix.from_entries((height, len(symbols)), entries))


__all__ = ["selection"]
