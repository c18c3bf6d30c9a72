"""The best of several matches, bit by bit: existence look-ups instead of one head with many bits of precision.

One head finds the largest of n values with scores that differ by a step for each value, so P grows with n. Bit by bit,
from the highest on, it is asked whether a match has the better bit next, given the bits found so far: ⌈log2 n⌉ + 1
layers with a small P. Both say the same of every prompt; the definitions that are proved and certified are the ones
that are built.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from separation.files import InputError
from separation.tasks.program import Definition, Definitions, Find, Map
from separation.tasks.program.definitions import new_name

ONE_HEAD, BITS = "by one head", "bit by bit"
MOST_VALUES, MOST_PAIRS = 16, 256
"""Values of an order that is no position; pairs (value of the order, values asked for): up to these the kernel proves
what is found bit by bit in some seconds."""


def forms(program: Definitions, asked: bool | None) -> list[tuple[str, Definitions]]:
    """The forms that could be chosen, each with its name; what a find itself asks for comes before ``asked``."""
    finds = orders(program)
    wanted = {d.name: asked if d.bit_by_bit is None else d.bit_by_bit for d in finds}
    always = [d for d in finds if wanted[d.name]]
    free = [d for d in finds if wanted[d.name] is None]
    if asked and not finds:
        raise InputError("bit_by_bit is about the best of several matches, and the program asks for none")
    if not finds:
        return [("", program)]
    found = [(BITS if always else ONE_HEAD, bit_by_bit(program, always))]
    if free and all(is_soon_proved(program, d) for d in free):
        found.append((BITS, bit_by_bit(program, [*always, *free])))
    return found


def orders(program: Definitions) -> list[Find]:
    """The finds that could be either: of several matches the best one is read."""
    finds = [d for d in program.definitions if isinstance(d, Find) and d.best and d.read is not None and not d.once]
    return [d for d in finds if program.kind(d.target).count is not None]


def is_soon_proved(program: Definitions, d: Find) -> bool:
    """Are there so few cases that the kernel decides bit by bit in some seconds?"""
    by = d.best[1] if d.best else ""
    values = program.size(d.target, by)
    pairs = values * prod(program.size(d.target, a) for a, relation, _ in d.where if relation == "=")
    return pairs <= MOST_PAIRS and (by == "position" or values <= MOST_VALUES)


def bit_by_bit(program: Definitions, finds: list[Find]) -> Definitions:
    """The same program; each of these finds is said by existence look-ups."""
    return replace(program, definitions=tuple(_Speller(program, finds).definitions)) if finds else program


class _Speller:
    """The definitions of a program one after the other, those of some finds spelled out."""

    def __init__(self, program: Definitions, finds: list[Find]) -> None:
        self.program, self.definitions = program, list[Definition]()
        self.taken = set(program.sizes)
        self.high: dict[tuple[str, str, int], str] = {}
        self.found: dict[tuple[object, ...], str | int] = {}
        for d in program.definitions:
            if d in finds:
                self.spell(d)
            else:
                self.definitions.append(d)

    def spell(self, d: Find) -> None:
        which, by = d.best or ("", "")
        value = self.best_value(d, which, by)
        there = (*d.where, (by, "=", value))
        if d.read != by or isinstance(value, int):
            self.definitions.append(replace(d, where=there, best=None))
            return
        seen = self.new(d.kind, f"{d.name}_there")
        self.definitions.append(Find(d.kind, seen, d.target, there))
        # There is no value beyond those of the order; a table says something of it all the same.
        values = self.program.size(d.target, by)
        said = [min(x, values - 1) for x in range(1 << (values - 1).bit_length())]
        size = self.program.size(d.kind, d.name)
        if d.default is None:
            self.definitions.append(Map(d.kind, self.new(d.kind, f"{d.name}_promise"), 1, (seen,), (None, 0)))
            self.definitions.append(Map(d.kind, d.name, size, (value,), tuple(said)))
            return
        table = tuple(x if exists else d.default for x in said for exists in (0, 1))
        self.definitions.append(Map(d.kind, d.name, size, (value, seen), table))

    def best_value(self, d: Find, which: str, by: str) -> str | int:
        """``by`` at the best match; without a match the worst value that its bits can spell."""
        match = d.kind, d.target, d.where, d.best
        if match not in self.found:
            better, bits = int(which == "largest"), (self.program.size(d.target, by) - 1).bit_length()
            value: str | int = 0
            for bit in reversed(range(bits)):
                value = self.one_more(d, by, bit, better, 1 << (bits - bit), value if bit < bits - 1 else better)
            self.found[match] = value
        return self.found[match]

    def one_more(self, d: Find, by: str, bit: int, better: int, size: int, so_far: str | int) -> str:
        """The value with one more bit: the better one, if there is a match that has it."""
        wanted, known = so_far, () if isinstance(so_far, int) else (so_far,)
        if isinstance(so_far, str):
            wanted = self.mapped(d.kind, f"{d.name}_asked{bit}", (so_far,), [2 * x + better for x in range(size // 2)])
        there = self.new(d.kind, f"{d.name}_has{bit}")
        atom = self.high_bits(d.target, by, bit), "=", wanted
        self.definitions.append(Find(d.kind, there, d.target, (*d.where, atom)))
        before = range(size // 2) if known else range(1)
        table = [2 * x + (better if has else 1 - better) for has in (0, 1) for x in before]
        return self.mapped(d.kind, f"{d.name}_from{bit}", (there, *known), table)

    def high_bits(self, kind: str, by: str, from_bit: int) -> str:
        """⌊by/2^from_bit⌋, defined once."""
        if not from_bit:
            return by
        if (kind, by, from_bit) not in self.high:
            values = [x >> from_bit for x in range(self.program.size(kind, by))]
            self.high[kind, by, from_bit] = self.mapped(kind, f"{by}_over_{1 << from_bit}", (by,), values)
        return self.high[kind, by, from_bit]

    def mapped(self, kind: str, name: str, inputs: tuple[str, ...], table: list[int]) -> str:
        name = self.new(kind, name)
        self.definitions.append(Map(kind, name, max(table) + 1, inputs, tuple(table)))
        return name

    def new(self, kind: str, name: str) -> str:
        """The name, or the next one that is free."""
        free = new_name(name, {v for of, v in self.taken if of == kind})
        self.taken.add((kind, free))
        return free
