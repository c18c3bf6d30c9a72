"""Layers, heads, width, precision and states of every construction as functions of the sizes, and how these grow.

A formula is a line of Python: what is shown is what is computed. FuncComp: L tables, m, n = (n_1, …, n_{L-1}),
N[0] = m, N[l] = N[l-1]·n_l. 2-Sum: modulus M; blocks of B tokens, of which k are opened. ``tokens`` is the length of
the prompt, clog2(x) = ⌈log2 x⌉, half_ln(x) = ⌈(ln x)/2⌉; tag, digit, … are the coordinates of SLOTS.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from constructions import FOR_TWO_SUM
from separation.arithmetic.balls import floor_scaled_exp
from separation.tasks import TaskSizes, task_of
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes

SLOTS = {
    "tag": "clog2(L + 2)",
    "digit": "clog2(max(n, default=1))",
    "index": "clog2(N[max(0, L - 2)])",
    "query": "sum(clog2(x) for x in n)",
    "value": "clog2(N[L - 1])",
}
"""Slots of the stream that several constructions have, and their coordinates."""

QUANTITIES = ("layers", "heads", "width", "P", "p", "state_bits", "summary_bits")

WORDS: Mapping[str, Callable[[int], str]] = {
    "F^(L+1)": lambda tables: "F" * (tables + 1),
    "RF^L": lambda tables: "R" + "F" * tables,
    "FRF^(L-1)": lambda tables: "FR" + "F" * (tables - 1),
    "R^(L+1)": lambda tables: "R" * (tables + 1),
    "F^(1+⌈log2(L+1)⌉)": lambda tables: "F" * (1 + bit_count(tables + 1)),
}


def half_ln(x: int) -> int:
    """⌈(ln x)/2⌉, exact: e^{2t} is irrational for t ≥ 1, so the least t with ⌊e^{2t}⌋ ≥ x."""
    t = 0
    while floor_scaled_exp(0, Fraction(2 * t)) < x:
        t += 1
    return t


FUNCTIONS = {
    "clog2": lambda x: bit_count(int(x)),
    "half_ln": lambda x: half_ln(int(x)),
    "log2": lambda x: Fraction(math.log2(int(x))),
    **{function.__name__: function for function in (math.ceil, min, max, sum)},
}
Letters = Mapping[str, Any]


def letters_at(sizes: TaskSizes, block: int = 1, opened: int = 0) -> dict[str, Any]:
    """What the letters stand for at given sizes; B is a fraction, so that every quotient is exact."""
    if isinstance(sizes, TwoSumSizes):
        return {"tokens": sizes.length, "M": sizes.modulus, "B": Fraction(block), "k": opened}
    plain = task_of(sizes).plain_sizes
    return {"L": plain.L, "m": plain.m, "n": plain.n, "N": plain.N, "tokens": plain.length}


def number(text: str, letters: Letters) -> Fraction:
    """A formula of this file at given letters."""
    return Fraction(eval(text, {"__builtins__": {}, **FUNCTIONS, **letters}))


@dataclass(frozen=True)
class Growth:
    """quantity / scale → constant as the sizes grow, or L; FuncComp: for L ≥ 2, and ``of_one`` (if given) for L = 1.

    ``is_bound``: no model of this kind can have less than the scale.
    """

    quantity: str
    scale: str
    constant: str = "1"
    of_one: str | None = None
    with_tables: bool = False
    is_bound: bool = False


@dataclass(frozen=True)
class Formula:
    """The sizes of one construction; ``where`` says what letters of its own stand for, each may use those before it."""

    construction: str
    word: str
    does: str
    quantities: Mapping[str, str]
    growth: tuple[Growth, ...] = ()
    family: str | None = None
    where: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return " ".join(part for part in (self.construction, self.word, self.family) if part)

    @property
    def is_search(self) -> bool:
        """2-Sum, not FuncComp."""
        return self.construction in FOR_TWO_SUM

    def letters(self, sizes: TaskSizes) -> str:
        """The word at given sizes, e.g. RFF for RF^L."""
        depth = task_of(sizes).depth
        return self.word if self.word not in WORDS or depth is None else WORDS[self.word](depth)

    def options(self, sizes: TaskSizes) -> dict[str, Any]:
        """The options with which `build` makes this variant."""
        variant = {"word": self.letters(sizes), "family": self.family}
        return variant if self.construction in ("C2", "C5") else {}

    def number(self, text: str, letters: Letters) -> Fraction:
        """A formula in the letters, the slots and the letters of ``where``."""
        meanings = self.where if self.is_search else SLOTS if "N" in letters else {}
        for name, meaning in meanings.items():
            letters = {**letters, name: number(meaning, letters)}
        return number(text, letters)

    def value(self, quantity: str, sizes: TaskSizes, block: int = 1, opened: int = 0) -> int:
        """The quantity at given sizes."""
        found = self.number(self.quantities[quantity], letters_at(sizes, block, opened))
        if found.denominator != 1:
            raise ValueError(f"{self.quantities[quantity]} is {found} at {sizes}, not an integer")
        return int(found)

    def ratio(self, growth: Growth, letters: Letters) -> float | None:
        """quantity/scale, as a float; None where the scale is 0."""
        scale = self.number(growth.scale, letters)
        return float(self.number(self.quantities[growth.quantity], letters) / scale) if scale else None


LOOK_UPS = "1 + tag + digit + index + query + 3*value"
PRECISION = "max(8, clog2(tokens))"
OF_P = Growth("p", "log2(tokens)")


def _sizes(layers: str, width: str, p: str, heads: str = "1", state: str = "0", summary: str = "0") -> dict[str, str]:
    """All quantities; P = p."""
    return dict(zip(QUANTITIES, (layers, heads, width, p, p, state, summary), strict=True))


def _width(constant: str, of_one: str | None = None) -> Growth:
    return Growth("width", "log2(tokens)", constant, of_one)


def _handing(word: str, does: str, family: str) -> Formula:
    """C2; linear attention has a normaliser of one bit, and an entry is −1, 0 or 1."""
    sizes = _sizes("L + 1", LOOK_UPS, PRECISION, state="2*clog2(m)" + " + 1" * (family == "linear"))
    return Formula("C2", word, does, sizes, (_width("5 - 1/L"), OF_P, Growth("state_bits", "log2(m)", "2")), family)


def _thinking(word: str, does: str, family: str | None = None) -> Formula:
    """C5: FR has a slot for the next digit too, F none for flags; the last generated token is not read."""
    slots = f"{4 if family else 1} + 2*tag + {3 if word == 'FR' else 2}*digit + index + query + 2*value"
    growth = (_width("4 + 1/L" if word == "FR" else "4", of_one="3"), OF_P)
    if family is None:
        return Formula("C5", word, does, _sizes("1", slots, "max(8, clog2(tokens + L))"), growth)
    p, state = "max(8, clog2(tokens + L - 1))", "clog2(m) + query"
    sizes = _sizes("2", slots, p, heads="1 + min(1, query)", state=state)
    return Formula("C5", word, does, sizes, (*growth, Growth("state_bits", "log2(tokens)")), family)


FAMILIES = ("linear", "delta")
FORMULAS: Sequence[Formula] = (
    Formula(
        "C1", "F^(L+1)", "w reads a table a layer", _sizes("L + 1", LOOK_UPS, PRECISION), (_width("5 - 1/L"), OF_P)
    ),
    *(_handing("RF^L", "R hands z_0 to w", family) for family in FAMILIES),
    *(_handing("FRF^(L-1)", "R hands i_1 from z_0 to w", family) for family in FAMILIES),
    Formula(
        "C3",
        "R^(L+1)",
        "tables held in the state",
        _sizes("L + 1", LOOK_UPS, PRECISION, state="clog2(m) + sum(x*clog2(x) for x in N)"),
        (_width("5 - 1/L"), OF_P, Growth("state_bits", "N[L - 1]*log2(N[L - 1])", is_bound=True)),
    ),
    Formula(
        "C4",
        "F^(1+⌈log2(L+1)⌉)",
        "encoder, pointer doubling",
        _sizes("1 + clog2(L + 1)", "5 + 3*tag + 2*query + index + 2*value", PRECISION),
        (Growth("layers", "log2(L)", with_tables=True), _width("5 - 3/L", of_one="3"), OF_P),
    ),
    *(_thinking("RF", "chain of thought: hops", family) for family in FAMILIES),
    *(_thinking("FR", "chain of thought: addresses", family) for family in FAMILIES),
    _thinking("F", "chain of thought: records"),
    Formula(  # a temperature above 8b − 3 needs so many keys that clog2(tokens) is the largest term of p anyway
        "C6",
        "F",
        "each x asks for M − x",
        _sizes("1", "3*b + 3", "max(8, clog2(tokens), clog2(8*b - 3) + clog2(4*b))"),
        (Growth("width", "log2(M)", "3"), Growth("width", "log2(tokens)", "6"), OF_P),
        where={"b": "clog2(M)"},
    ),
    Formula(
        "C7",
        "S",
        "head h: token h of a block",
        _sizes(
            "1",
            "1 + 2*b + B*(b + 2)",
            "max(8, clog2(tokens), clog2(max(tau, 8*b - 3)) + clog2(4*b))",
            heads="B",
            summary="B*b",
        ),
        (Growth("width", "B*log2(M)", "1 + 2/B"), Growth("summary_bits", "B*log2(M)"), OF_P),
        where={
            "b": "clog2(M)",
            "keys": "ceil(tokens/B) - 1 + B*ceil(k/B) + B",
            "tau": "half_ln(max(2, (keys - 1)*(4*b - 1)))",
        },
    ),
)
