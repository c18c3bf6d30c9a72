"""Rule P7: derived forms satisfy a claimed invariant."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import fmpq, fmpq_mat

from separation.arithmetic import ExactMatrix
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms, Symbol
from separation.proving.invariants import Invariant


def require_contained(derived: Forms, claimed: Invariant) -> None:
    """derived − forms = noise · Z, and each row of Z ranges within its radius."""
    rest = derived.minus(claimed.forms).compact()
    coordinates = _coordinates(rest, claimed.noise, derived)
    for place, radius in enumerate(claimed.radii):
        low, high = tight_range(coordinates, place)
        if low < -radius or high > radius:
            row = int(np.flatnonzero(claimed.noise.numerators[:, place])[0])
            raise ProofFailed(
                "P7", row, f"ranges over [{_short(low)}, {_short(high)}], claimed within ±{_short(radius)}"
            )


def tight_range(forms: Forms, row: int) -> tuple[Fraction, Fraction]:
    """[min, max] of one form; absolute values of one-symbol forms are followed exactly, at their break points."""
    terms = dict(forms.terms(row))
    together: dict[Symbol, list[tuple[Symbol, Fraction]]] = {}
    for symbol, number in terms.items():
        base = _only_symbol(symbol)
        if base is not None:
            together.setdefault(base, []).append((symbol, number))
    low = high = Fraction(0)
    for symbol, number in terms.items():
        if _only_symbol(symbol) is None and symbol not in together:
            ends = (number * symbol.low, number * symbol.high)
            low, high = low + min(ends), high + max(ends)
    for base, absolutes in together.items():
        values = _one_variable(base, terms.get(base, Fraction(0)), absolutes)
        low, high = low + min(values), high + max(values)
    return low, high


def _one_variable(base: Symbol, slope: Fraction, absolutes: list[tuple[Symbol, Fraction]]) -> list[Fraction]:
    """Values of slope·x + Σ number·|a·x + c| at the ends of base's range and at the break points inside it."""
    parts = [(number, dict(symbol.inside)) for symbol, number in absolutes]
    points = {base.low, base.high}
    for _, inside in parts:
        point = -inside.get(ONE, Fraction(0)) / inside[base]
        if base.low < point < base.high:
            points.add(point)
    return [
        slope * x + sum(number * abs(inside[base] * x + inside.get(ONE, Fraction(0))) for number, inside in parts)
        for x in points
    ]


def _only_symbol(symbol: Symbol) -> Symbol | None:
    """ν for |a·ν + c|, if ν is itself no modulus: the range of one inside another must not be counted twice."""
    bases = [base for base, _ in symbol.inside if base != ONE]
    return bases[0] if len(bases) == 1 and not bases[0].inside else None


def _coordinates(rest: Forms, noise: ExactMatrix, derived: Forms) -> Forms:
    """Z with noise · Z = rest; a row of the stream that no noise reaches must agree exactly."""
    found = noise_coordinates(rest, noise)
    differs = (rest.matrix - noise @ found.matrix).numerators != 0
    if differs.any():
        row = int(np.argwhere(differs)[0][0])
        raise ProofFailed("P7", row, f"holds {derived.row_text(row)}, off the claim by {rest.row_text(row)}")
    return found


def noise_coordinates(rest: Forms, noise: ExactMatrix) -> Forms:
    """The Z for which noise · Z is nearest to rest."""
    support = noise.numerators != 0
    if (support.sum(axis=0) == 1).all() and (support.sum(axis=1) <= 1).all():
        rows = support.argmax(axis=0)
        scales = [(place, place, 1 / noise.entry(int(row), place)) for place, row in enumerate(rows)]
        return Forms(rest.symbols, ExactMatrix.from_entries((len(rows), len(rows)), scales) @ rest.matrix.rows(rows))
    return Forms(rest.symbols, _least_squares(noise, rest.matrix))


def _least_squares(noise: ExactMatrix, rest: ExactMatrix) -> ExactMatrix:
    """(BᵀB)^-1 Bᵀ rest over ℚ."""
    gram, right = (_rational(noise.T @ part) for part in (noise, rest))
    try:
        solved = gram.solve(right)
    except ZeroDivisionError:
        raise ProofFailed("P7", 0, "the claimed noise columns are not independent") from None
    return ExactMatrix.from_rows([[Fraction(int(e.p), int(e.q)) for e in row] for row in solved.tolist()])


def _rational(matrix: ExactMatrix) -> fmpq_mat:
    return fmpq_mat([[fmpq(e.numerator, e.denominator) for e in row] for row in matrix.fractions()])


def _short(number: Fraction) -> str:
    return str(number) if number.denominator < 10**6 else f"{float(number):.6g}"
