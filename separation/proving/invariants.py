"""Invariants: what the stream of each kind of token holds between two layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from separation.arithmetic import ExactMatrix, integer_from_json, number_from_json, number_to_json
from separation.files import InputError
from separation.models import fields, listed
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms, Symbol, bit, fresh_noise, variable_bits
from separation.tasks.shape import Kind, Shape
from separation.tasks.suppositions import supposition_named


@dataclass(frozen=True)
class Invariant:
    """For every input and token of the kind: stream = forms + noise · ν for some ν with |ν_j| ≤ radii_j.

    where forms: width forms over 1 and named bits; noise: width × J, its columns independent.
    """

    forms: Forms
    noise: ExactMatrix
    radii: tuple[Fraction, ...]

    def as_forms(self) -> Forms:
        """One run's worth of the invariant: its noise as symbols of their own."""
        columns, radii = self.moving_noise()
        symbols = [fresh_noise(radius) for radius in radii]
        return Forms([*self.forms.symbols, *symbols], self.forms.matrix.hstack(columns)).compact()

    def moving_noise(self) -> tuple[ExactMatrix, list[Fraction]]:
        """The noise columns with their radii, without those of radius 0, which are 0."""
        known = [place for place, radius in enumerate(self.radii) if radius]
        return self.noise.columns(known), [self.radii[place] for place in known]


Stage = Mapping[str, Invariant]
"""Kind → invariant; a proof has one stage before the first layer and one after each layer."""


class InvariantBuilder:
    """Writes an invariant slot by slot: `code`, `constants`, `junk`, or `put` for one entry; what is not written is 0.

    >>> from separation import InvariantBuilder, Stream
    >>> stream = Stream([("one", 1), ("pointer", 2), ("found", 2)])
    >>> held = InvariantBuilder(stream.width).constants(stream["one"], [1]).code(stream["pointer"], "i1", 2)
    >>> [held.junk(stream["found"], 1).build().forms.row_text(row) for row in range(5)]
    ['1', '1·i1.0', '1·i1.1', '0', '0']
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._entries: list[tuple[int, Symbol, Fraction]] = []
        self._noise: list[tuple[int, Fraction]] = []

    def put(self, row: int, symbol: Symbol, number: Fraction | int) -> InvariantBuilder:
        self._entries.append((row, symbol, Fraction(number)))
        return self

    def code(self, rows: Sequence[int], variable: str, bits: int) -> InvariantBuilder:
        """The ±1 bits of a variable, then −1 up to the end of the slot: the code of a number in a wider slot."""
        for index, row in enumerate(rows):
            self.put(row, bit(variable, index), 1) if index < bits else self.put(row, ONE, -1)
        return self

    def constants(self, rows: Sequence[int], numbers: Sequence[int]) -> InvariantBuilder:
        for row, number in zip(rows, numbers, strict=True):
            self.put(row, ONE, number)
        return self

    def junk(self, rows: Sequence[int], radius: Fraction | int) -> InvariantBuilder:
        """Each coordinate is some number within ±radius."""
        self._noise += [(row, Fraction(radius)) for row in rows]
        return self

    def build(self) -> Invariant:
        symbols = list(dict.fromkeys([ONE, *(symbol for _, symbol, _ in self._entries)]))
        places = {symbol: index for index, symbol in enumerate(symbols)}
        triples = [(row, places[symbol], number) for row, symbol, number in self._entries]
        matrix = ExactMatrix.from_entries((self.width, len(symbols)), triples)
        columns = [(row, index, 1) for index, (row, _) in enumerate(self._noise)]
        noise = ExactMatrix.from_entries((self.width, len(self._noise)), columns)
        return Invariant(Forms(symbols, matrix), noise, tuple(radius for _, radius in self._noise))


def change_invariant_basis(stages: Sequence[Stage], basis: ExactMatrix) -> tuple[Stage, ...]:
    """What the invariants say of y = T x."""
    return tuple(
        {kind: Invariant(inv.forms.image(basis), basis @ inv.noise, inv.radii) for kind, inv in stage.items()}
        for stage in stages
    )


def known_symbols(shape: Shape, kind: Kind, flags: Sequence[str] = ()) -> dict[str, Symbol]:
    """The symbols an invariant of this kind may mention: its own variables, the global ones, and flags of one bit."""
    variables = [*kind.own, *shape.global_variables]
    bits = [symbol for variable in variables for symbol in variable_bits(variable.name, variable.bits)]
    bits += [bit(flag, 0) for flag in flags]
    return {"1": ONE, **{symbol.name: symbol for symbol in bits}}


class _Symbols:
    """The symbols of a kind by their names; those of suppositions are too many to be listed."""

    def __init__(self, shape: Shape, kind: Kind, flags: Sequence[str]) -> None:
        self.shape, self.known = shape, known_symbols(shape, kind, flags)

    def get(self, name: str) -> Symbol | None:
        variable, _, place = name.rpartition(".")
        supposed = None if name in self.known else supposition_named(self.shape, variable)
        if supposed is None:
            return self.known.get(name)
        bits = variable_bits(variable, supposed.value.bits)
        return next((symbol for symbol in bits if symbol.name == f"{variable}.{place}"), None)


def stages_to_document(stages: Sequence[Stage]) -> list[dict[str, Any]]:
    return [{kind: _to_document(invariant) for kind, invariant in stage.items()} for stage in stages]


def stages_from_document(value: Any, shape: Shape, width: int, flags: Sequence[str] = ()) -> tuple[Stage, ...]:
    """The invariants of a model file; every kind must have one at every stage. ``flags``: see `known_symbols`."""
    names = tuple(kind.name for kind in shape.kinds)
    symbols = [(kind, _Symbols(shape, kind, flags)) for kind in shape.kinds]
    stages = []
    for number, entry in enumerate(listed(value, "invariants")):
        entry = fields(entry, f"invariants[{number}]", names)
        stages.append(
            {
                kind.name: _from_document(entry[kind.name], f"invariants[{number}].{kind.name}", allowed, kind, width)
                for kind, allowed in symbols
            }
        )
    return tuple(stages)


def _to_document(invariant: Invariant) -> dict[str, Any]:
    forms = [
        [row, invariant.forms.symbols[column].name, number_to_json(number)]
        for row, column, number in invariant.forms.matrix.entries()
    ]
    columns: list[list[Any]] = [[] for _ in invariant.radii]
    for row, column, number in invariant.noise.entries():
        columns[column].append([row, number_to_json(number)])
    noise = [
        {"radius": number_to_json(radius), "column": column}
        for radius, column in zip(invariant.radii, columns, strict=True)
    ]
    return {"forms": forms, "noise": noise}


def _from_document(value: Any, field: str, allowed: _Symbols, kind: Kind, width: int) -> Invariant:
    value = fields(value, field, ("forms", "noise"))
    builder = InvariantBuilder(width)
    seen: set[tuple[int, str]] = set()
    for number, entry in enumerate(listed(value["forms"], f"{field}.forms")):
        place = f"{field}.forms[{number}]"
        if len(listed(entry, place)) != 3:
            raise InputError(f"{place} must be [row, symbol, number]")
        symbol = allowed.get(entry[1]) if isinstance(entry[1], str) else None
        if symbol is None:
            raise InputError(f"{place}: {str(entry[1])[:40]!r} is no symbol of kind {kind.name}")
        row = integer_from_json(entry[0], f"{place} row", most=width - 1)
        if (row, entry[1]) in seen:
            raise InputError(f"{place} repeats symbol {entry[1]} of row {row}")
        seen.add((row, entry[1]))
        builder.put(row, symbol, number_from_json(entry[2], place))
    forms = builder.build().forms
    radii, triples = [], []
    for number, entry in enumerate(listed(value["noise"], f"{field}.noise")):
        place = f"{field}.noise[{number}]"
        entry = fields(entry, place, ("radius", "column"))
        radius = number_from_json(entry["radius"], f"{place}.radius")
        if radius < 0:
            raise InputError(f"{place}.radius must not be negative")
        radii.append(radius)
        for item in listed(entry["column"], f"{place}.column"):
            if len(listed(item, f"{place}.column")) != 2:
                raise InputError(f"{place}.column must hold [row, number] pairs")
            row = integer_from_json(item[0], f"{place}.column row", most=width - 1)
            triples.append((row, number, number_from_json(item[1], f"{place}.column")))
    return Invariant(forms, ExactMatrix.from_entries((width, len(radii)), triples), tuple(radii))


def require_contained(derived: Forms, claimed: Invariant) -> None:
    """derived − forms = noise · Z, and each row of Z ranges within its radius."""
    for violation in violations(derived, claimed):
        raise violation


def violations(derived: Forms, claimed: Invariant) -> Iterator[ProofFailed]:
    """Every coordinate that is not as claimed: first those that no noise reaches, then those out of their radius."""
    rest = derived.minus(claimed.forms).compact()
    noise, radii = claimed.moving_noise()
    coordinates = noise_coordinates(rest, noise)
    differs = (rest.matrix - noise @ coordinates.matrix).numerators != 0
    for row in np.flatnonzero(differs.any(axis=1)).tolist():
        details = {"holds": derived.row_text(row), "claimed": claimed.forms.row_text(row)}
        message = f"holds {details['holds']}, off the claim by {rest.row_text(row)}"
        yield ProofFailed("P7", row, message, details=details)
    for index, (radius, (low, high)) in enumerate(zip(radii, coordinates.ranges(), strict=True)):
        if low < -radius or high > radius:
            row = int(np.flatnonzero(noise.numerators[:, index])[0])
            message = f"ranges over [{short(low)}, {short(high)}], claimed within ±{short(radius)}"
            yield ProofFailed("P7", row, message)


def noise_coordinates(rest: Forms, noise: ExactMatrix) -> Forms:
    """The Z for which noise · Z is nearest to rest."""
    support = noise.numerators != 0
    if (support.sum(axis=0) == 1).all() and (support.sum(axis=1) <= 1).all():
        rows = support.argmax(axis=0)
        scales = [(index, index, 1 / noise.entry(int(row), index)) for index, row in enumerate(rows)]
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


def short(number: Fraction) -> str:
    return str(number) if number.denominator < 10**6 else f"{float(number):.6g}"
