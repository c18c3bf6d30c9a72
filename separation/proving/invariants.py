"""Invariants: what the stream of each kind of token holds between two layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.arithmetic import ExactMatrix, integer_from_json, number_from_json, number_to_json
from separation.files import InputError
from separation.models import Model, fields, listed
from separation.proving.forms import ONE, bit
from separation.proving.kernel import Forms, Noise, Rational, add, bit_names
from separation.proving.kernel import Invariant as KernelInvariant
from separation.proving.kernel_tasks import Kind, Task
from separation.tasks.shape import Shape


@dataclass(frozen=True)
class Invariant:
    """For every input and token of the kind: stream = forms + Σ column_j · ν_j for some ν_j with |ν_j| ≤ radius_j.

    where forms: a form in 1 and named bits for each coordinate; noise: radii with columns, row to number, independent.
    """

    forms: Forms
    noise: tuple[tuple[Fraction, dict[int, Rational]], ...] = ()

    def as_forms(self) -> KernelInvariant:
        """One run's worth of the invariant: its noise as symbols of their own; what has radius 0 is 0."""
        forms, symbols = [dict(form) for form in self.forms], []
        for radius, column in self.noise:
            if radius:
                symbols.append(Noise(radius))
                for row, number in column.items():
                    forms[row][symbols[-1]] = number
        return forms, symbols

    def in_basis(self, basis: ExactMatrix) -> Invariant:
        """What the invariant says of y = T x."""
        rows: Forms = [{} for _ in self.forms]
        noise: list[tuple[Fraction, dict[int, Rational]]] = [(radius, {}) for radius, _ in self.noise]
        for row, column, number in basis.entries():
            add(rows[row], self.forms[column], number)
            for (_, old), (_, new) in zip(self.noise, noise, strict=True):
                if column in old:
                    add(new, {row: old[column]}, number)
        return Invariant(rows, tuple(noise))


Stage = Mapping[str, Invariant]
"""Kind → invariant; a proof has one stage before the first layer and one after each layer."""


class InvariantBuilder:
    """Writes an invariant slot by slot: `code`, `constants`, `junk`, or `put` for one entry; what is not written is 0.

    >>> from separation import InvariantBuilder, Stream
    >>> stream = Stream([("one", 1), ("pointer", 2), ("found", 2)])
    >>> held = InvariantBuilder(stream.width).constants(stream["one"], [1]).code(stream["pointer"], "i1", 2)
    >>> held.junk(stream["found"], 1).build().forms
    [{'1': 1}, {'i1.0': 1}, {'i1.1': 1}, {}, {}]
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._entries: list[tuple[int, str, Rational]] = []
        self._noise: list[tuple[int, Fraction]] = []

    def put(self, row: int, symbol: str, number: Rational) -> InvariantBuilder:
        self._entries.append((row, symbol, number))
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
        found: Forms = [{} for _ in range(self.width)]
        for row, symbol, number in self._entries:
            found[row][symbol] = found[row].get(symbol, 0) + number
        # A file lists the symbols of every row in the same order.
        order = {symbol: place for place, symbol in enumerate([ONE, *dict.fromkeys(s for _, s, _ in self._entries)])}
        forms: Forms = [{s: form[s] for s in sorted(form, key=lambda s: order[str(s)]) if form[s]} for form in found]
        return Invariant(forms, tuple((radius, {row: 1}) for row, radius in self._noise))


def seen_variables(model: Model, shape: Shape) -> list[str]:
    """Of a search, for each head: 1 if it sees a key with x' = M − x at or before the token."""
    if not shape.search:
        return []
    layers = enumerate(model.layers, 1)
    return [f"seen {number}/{head}" for number, layer in layers for head in range(len(layer.heads))]


class _Symbols:
    """The symbols that an invariant of a kind may mention: its own variables, those that are the same for all tokens,
    and flags of one bit."""

    def __init__(self, task: Task, kind: Kind, flags: Sequence[str]) -> None:
        self.task, self.known = task, {*bit_names(kind.own), *(bit(flag, 0) for flag in flags)}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.known or self.task.shared(name))


def stages_to_document(stages: Sequence[Stage]) -> list[dict[str, Any]]:
    return [{kind: _to_document(invariant) for kind, invariant in stage.items()} for stage in stages]


def stages_from_document(value: Any, task: Task, width: int, flags: Sequence[str] = ()) -> tuple[Stage, ...]:
    """The invariants of a model file; every kind must have one at every stage. ``flags``: see `seen_variables`."""
    names = tuple(kind.name for kind in task.kinds)
    symbols = [(kind, _Symbols(task, kind, flags)) for kind in task.kinds]
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
    forms = [[row, s, number_to_json(c)] for row, form in enumerate(invariant.forms) for s, c in form.items()]
    noise = [
        {"radius": number_to_json(radius), "column": [[row, number_to_json(c)] for row, c in sorted(column.items())]}
        for radius, column in invariant.noise
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
        if entry[1] not in allowed:
            raise InputError(f"{place}: {str(entry[1])[:40]!r} is no symbol of kind {kind.name}")
        row = integer_from_json(entry[0], f"{place} row", most=width - 1)
        if (row, entry[1]) in seen:
            raise InputError(f"{place} repeats symbol {entry[1]} of row {row}")
        seen.add((row, entry[1]))
        builder.put(row, entry[1], number_from_json(entry[2], place))
    forms = builder.build().forms
    noise: list[tuple[Fraction, dict[int, Rational]]] = []
    for number, entry in enumerate(listed(value["noise"], f"{field}.noise")):
        place = f"{field}.noise[{number}]"
        entry = fields(entry, place, ("radius", "column"))
        radius = number_from_json(entry["radius"], f"{place}.radius")
        if radius < 0:
            raise InputError(f"{place}.radius must not be negative")
        noise.append((radius, {}))
        for item in listed(entry["column"], f"{place}.column"):
            if len(listed(item, f"{place}.column")) != 2:
                raise InputError(f"{place}.column must hold [row, number] pairs")
            row = integer_from_json(item[0], f"{place}.column row", most=width - 1)
            add(noise[-1][1], {row: number_from_json(item[1], f"{place}.column")})
    return Invariant(forms, tuple(noise))


def short(number: Rational) -> str:
    return str(number) if number.denominator < 10**6 else f"{float(number):.6g}"
