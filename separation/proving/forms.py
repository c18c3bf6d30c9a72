"""Forms, the values of the proof's abstract run: the kernel's, exact linear combinations of `1`, bits and noise.

A form maps symbols to numbers: a string is `1` or a ±1 bit, all else is an unknown number within a radius.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from separation.proving.kernel import ONE as ONE
from separation.proving.kernel import Form, Forms, Noise, Rational, Symbol


class Named(Noise):
    """Noise that a person is told by a name."""

    __slots__ = ("name",)

    def __init__(self, name: str, radius: Rational) -> None:
        super().__init__(radius)
        self.name = name


def bit(variable: str, place: int) -> str:
    """Bit ``place`` (of weight 2^place) of a variable, as ±1."""
    return f"{variable}.{place}"


def variable_of(symbol: str) -> str:
    """The variable of a bit: i2 for i2.3."""
    return symbol.rpartition(".")[0]


def place_of(symbol: str) -> int:
    """Which bit of its variable a bit is: 3 for i2.3."""
    return int(symbol.rpartition(".")[2])


def variable_bits(variable: str, bits: int) -> list[str]:
    return [bit(variable, index) for index in range(bits)]


def is_bit(symbol: Symbol) -> bool:
    return isinstance(symbol, str) and symbol != ONE


def named(symbol: Symbol) -> str:
    """What a person is told of a symbol."""
    if isinstance(symbol, str):
        return symbol
    return symbol.name if isinstance(symbol, Named) else f"noise (up to {float(symbol.radius):g})"


def form_text(form: Form, most: int = 4) -> str:
    """i2.0, -i2.0, 2·i1.0 + 1, 0: the constant, bits by their variable, then noise."""
    terms = sorted(form.items(), key=lambda term: order_of(term[0]))
    signs = {"1": "", "-1": "-"}
    shown = [str(c) if s == ONE else f"{signs.get(str(c), f'{c}·')}{named(s)}" for s, c in terms[:most]]
    return " + ".join([*shown, *(["…"] if len(terms) > most else [])]) or "0"


def order_of(symbol: Symbol) -> tuple[int, list[tuple[int, str]], int]:
    """`1`, bits by the name of their variable, least significant first, then noise."""
    if not isinstance(symbol, str):
        return 2, [], 0
    if symbol == ONE:
        return 0, [], 0
    words = re.findall(r"\d+|\D+", variable_of(symbol))
    return 1, [(int(word), "") if word.isdigit() else (-1, word) for word in words], place_of(symbol)


def symbols_of(forms: Iterable[Form]) -> set[Symbol]:
    """Those that some form mentions."""
    return {symbol for form in forms for symbol in form}


def constants(forms: Forms) -> bool:
    """Does no form depend on anything?"""
    return symbols_of(forms) <= {ONE}
