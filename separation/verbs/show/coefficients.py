"""Coefficients of blocks: exact numbers, columns of them, and the temperature as a symbol."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from separation.arithmetic import number_from_json
from separation.files import InputError

TAU = "τ"
_SCALAR = re.compile(rf"(-?)(\d+(?:/\d+)?)?({TAU}\d*)?\Z", re.ASCII)


@dataclass(frozen=True)
class Coefficient:
    """One number, or a column of at least two, in units of ``symbol`` (no unit if that is empty)."""

    numbers: tuple[Fraction, ...]
    symbol: str = ""

    @classmethod
    def of_column(cls, numbers: Sequence[Fraction], symbol: str) -> Coefficient:
        """One number if all of them are the same."""
        return cls(tuple(numbers[:1] if len(set(numbers)) == 1 else numbers), symbol)

    @property
    def text(self) -> str:
        """3/2, -2τ, τ·(+,-,+), (1,-1/2)."""
        if len(self.numbers) == 1:
            return scalar_text(self.numbers[0], self.symbol)
        common, items = self.factored()
        factor = scalar_text(common, self.symbol)
        return ("" if factor == "1" else f"{factor}·") + f"({','.join(items)})"

    def factored(self) -> tuple[Fraction, list[str]]:
        """(common factor, items) of a column: the items are + and - if they differ in nothing but their sign."""
        sizes = {abs(number) for number in self.numbers}
        if len(sizes) > 1:
            return Fraction(1), list(map(str, self.numbers))
        return sizes.pop(), ["+" if number > 0 else "-" if number else "0" for number in self.numbers]

    @classmethod
    def parse(cls, text: object, field: str, symbols: Collection[str]) -> Coefficient:
        """The inverse of ``text``."""
        plain = text.replace("−", "-") if isinstance(text, str) else ""
        factor, bracket, rest = plain.rpartition("(")
        match = _SCALAR.match(factor.removesuffix("·") if factor else "1") if bracket else _SCALAR.match(plain)
        if match is None or not (match[2] or match[3]) or (bracket and not rest.endswith(")")):
            raise InputError(f"{field} must be a coefficient like 3/2, -2{TAU} or {TAU}·(+,-), got {str(text)[:40]!r}")
        if match[3] and match[3] not in symbols:
            raise InputError(f"{field} has the symbol {match[3]}, which temperature does not give")
        scale = number_from_json(match[1] + (match[2] or "1"), field)
        items = [{"+": "1", "-": "-1"}.get(item, item) for item in rest[:-1].split(",")] if bracket else ["1"]
        return cls(tuple(scale * number_from_json(item, field) for item in items), match[3] or "")

    def cut(self, start: int, stop: int) -> Coefficient:
        """A part of a column; one number is the same in every part."""
        return self if len(self.numbers) == 1 else Coefficient.of_column(self.numbers[start:stop], self.symbol)

    def values(self, symbols: Mapping[str, Fraction]) -> tuple[Fraction, ...]:
        """The numbers themselves, the symbol replaced by its value."""
        unit = symbols[self.symbol] if self.symbol else 1
        return tuple(unit * number for number in self.numbers)


def scalar_text(number: Fraction, symbol: str = "") -> str:
    """1, -1, 3/2, τ, -2τ."""
    if not symbol or not number:
        return str(number)
    return {1: symbol, -1: f"-{symbol}"}.get(int(number) if number.denominator == 1 else 0, f"{number}{symbol}")
