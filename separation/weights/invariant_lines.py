"""Invariants in words, line by line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from separation.models import Stream
from separation.proving import ONE, Invariant, Stage
from separation.proving.forms import place_of, symbols_of, variable_of
from separation.tasks.shape import Shape
from separation.weights.blocks import coordinates_text, cut_into_runs, range_text

LONGEST_PATTERN = 8
Stated = Mapping[str, Sequence[str]]
"""Kind → its lines of the invariant."""


@dataclass(frozen=True)
class _Row:
    """constant + Σ coefficient · bit + junk within ±radius + Σ coefficient · ν_j, the ν_j shared with other rows."""

    constant: Fraction
    terms: tuple[tuple[str, Fraction], ...]
    radius: Fraction
    shared: tuple[tuple[int, Fraction], ...]

    @property
    def is_constant(self) -> bool:
        return not self.terms and not self.shared

    @property
    def is_bit(self) -> bool:
        return len(self.terms) == 1 and not self.shared

    def continues(self, other: _Row) -> bool:
        """Whether this row and the next can be said in one breath."""
        if self.radius != other.radius:
            return False
        if self.is_bit and other.is_bit and self.constant == other.constant:
            (symbol, number), (following, same) = self.terms[0], other.terms[0]
            return number == same and (variable_of(following), place_of(following)) == (
                variable_of(symbol),
                place_of(symbol) + 1,
            )
        return self.is_constant and other.is_constant


def stage_lines(stage: Stage, stream: Stream, shape: Shape) -> dict[str, list[str]]:
    """Kind → what its tokens hold, slot by slot: "pointer = code(i1) padded with −1"."""
    lines = {}
    for kind in shape.kinds:
        bits = {variable.name: variable.bits for variable in (*kind.own, *shape.global_variables)}
        # What table ℓ would say at another index, `i2 at 1 mod 4`, has the bits of what it says.
        named = {variable_of(str(symbol)) for symbol in symbols_of(stage[kind.name].forms)}
        bits |= {name: bits[name.partition(" at ")[0]] for name in named if " at " in name}
        lines[kind.name] = invariant_lines(stage[kind.name], stream, bits)
    return lines


def invariant_lines(invariant: Invariant, stream: Stream, bits: Mapping[str, int]) -> list[str]:
    """An invariant in words, all of it: every coordinate is in exactly one line. ``bits``: of each variable."""
    rows = _rows(invariant)
    lines = []
    for name, _ in stream.slots:
        coordinates = stream[name]
        pieces = cut_into_runs(
            (rows[coordinate] for coordinate in coordinates), lambda run, row: run[-1].continues(row)
        )
        if len(pieces) == 2 and _is_padded(pieces[0], pieces[1], bits):
            first = pieces[0][0]
            code = _code_text(first, len(pieces[0]), bits)
            lines.append(f"{name} = {code} padded with −1{_junk_text(first.radius)}")
            continue
        start = coordinates.start
        for piece in pieces:
            to = name if len(piece) == len(coordinates) else coordinates_text(stream, range(start, start + len(piece)))
            lines.append(f"{to} = {_piece_text(piece, bits, [radius for radius, _ in invariant.noise])}")
            start += len(piece)
    return lines


def _rows(invariant: Invariant) -> list[_Row]:
    junk: dict[int, Fraction] = {}
    shared: dict[int, list[tuple[int, Fraction]]] = {}
    for column, (radius, touched) in enumerate(invariant.noise):
        for row, number in touched.items():
            if len(touched) == 1:
                junk[row] = junk.get(row, Fraction(0)) + abs(Fraction(number)) * radius
            else:
                shared.setdefault(row, []).append((column, Fraction(number)))
    return [
        _Row(
            Fraction(form.get(ONE, 0)),
            tuple((str(symbol), Fraction(number)) for symbol, number in form.items() if symbol != ONE),
            junk.get(row, Fraction(0)),
            tuple(shared.get(row, ())),
        )
        for row, form in enumerate(invariant.forms)
    ]


def _is_padded(code: Sequence[_Row], padding: Sequence[_Row], bits: Mapping[str, int]) -> bool:
    """All bits of one variable, then −1 to the end of the slot."""
    first = code[0]
    if not first.is_bit or first.constant or first.radius != padding[0].radius:
        return False
    symbol, number = first.terms[0]
    whole = number == 1 and place_of(symbol) == 0 and len(code) == bits.get(variable_of(symbol))
    return whole and all(row.is_constant and row.constant == -1 for row in padding)


def _piece_text(rows: Sequence[_Row], bits: Mapping[str, int], radii: Sequence[Fraction]) -> str:
    first = rows[0]
    if first.is_constant:
        if first.radius and not any(row.constant for row in rows):
            return f"junk within ±{first.radius}"
        return _constants_text([row.constant for row in rows]) + _junk_text(first.radius)
    if first.is_bit:
        return _code_text(first, len(rows), bits) + _junk_text(first.radius)
    terms = [(number, symbol) for symbol, number in first.terms]
    terms += [(number, f"ν{column + 1}") for column, number in first.shared]
    limits = "".join(f", |ν{column + 1}| ≤ {radii[column]}" for column, _ in first.shared)
    return _sum_text(terms, first.constant) + _junk_text(first.radius) + limits


def _constants_text(numbers: Sequence[Fraction]) -> str:
    """0, 3, code(2) = (−,+), (1,0,3)."""
    if not any(numbers):
        return "0"
    if len(numbers) == 1:
        return _signed(numbers[0])
    if all(abs(number) == 1 for number in numbers):
        code = f"code({sum(1 << coordinate for coordinate, number in enumerate(numbers) if number > 0)})"
        pattern = ",".join("+" if number > 0 else "−" for number in numbers)
        return f"{code} = ({pattern})" if len(numbers) <= LONGEST_PATTERN else code
    if len(set(numbers)) == 1:
        return f"{_signed(numbers[0])} in every coordinate"
    return f"({','.join(map(_signed, numbers))})"


def _code_text(first: _Row, count: int, bits: Mapping[str, int]) -> str:
    """code(i1), code(i1)[0:2] if these are not all of its bits, −2·code(i1) + 1/2."""
    symbol, number = first.terms[0]
    start, variable = place_of(symbol), variable_of(symbol)
    code = f"code({variable})"
    if (start, count) != (0, bits.get(variable)):
        code += f"[{range_text(start, count)}]"
    return _sum_text([(number, code)], first.constant)


def _sum_text(terms: Sequence[tuple[Fraction, str]], constant: Fraction) -> str:
    """2·a − b + 1/2."""
    parts = [(number, name if abs(number) == 1 else f"{abs(number)}·{name}") for number, name in terms]
    parts += [(constant, str(abs(constant)))] if constant else []
    text = "".join(f" {'−' if number < 0 else '+'} {part}" for number, part in parts)
    return ("−" if parts[0][0] < 0 else "") + text[3:]


def _junk_text(radius: Fraction) -> str:
    return f" + junk within ±{radius}" if radius else ""


def _signed(number: Fraction) -> str:
    return str(number).replace("-", "−")


def grouped(stage: Stated, since: Stated | None = None) -> list[tuple[str, str, list[str]]]:
    """(slot, what it holds, in which tokens), the slots in order; with ``since`` only what that stage did not say."""
    found: dict[tuple[str, str], list[str]] = {}
    order: dict[str, int] = {}
    for kind, lines in stage.items():
        for number, line in enumerate(lines):
            slot, _, text = line.partition(" = ")
            order.setdefault(slot.split("[")[0], number)
            if since is None or line not in since[kind]:
                found.setdefault((slot, text), []).append(kind)
    rows = [
        (slot, text, ["all"] if len(kinds) == len(stage) else abbreviated(kinds))
        for (slot, text), kinds in found.items()
    ]
    return sorted(rows, key=lambda row: (order[row[0].split("[")[0]], _first_coordinate(row[0])))


def abbreviated(kinds: Sequence[str]) -> list[str]:
    """table 8, …, table 1, z0: of four or more names that count up or down, the first and the last."""
    runs = cut_into_runs(kinds, _counts_on)
    return [name for run in runs for name in ([run[0], "…", run[-1]] if len(run) > 3 else run)]


def _counts_on(run: Sequence[str], kind: str) -> bool:
    """Whether the names are a word and a number that goes up, or down, by one."""
    names = [name.rpartition(" ") for name in (*run[-2:], kind)]
    if len({word for word, _, _ in names}) > 1 or not all(n.isascii() and n.isdigit() for _, _, n in names):
        return False
    steps = {int(right) - int(left) for (_, _, left), (_, _, right) in pairwise(names)}
    return steps in ({1}, {-1})


def _first_coordinate(slot: str) -> int:
    match = re.search(r"\[(\d+)[:\d]*\]\Z", slot)
    return int(match[1]) if match else 0
