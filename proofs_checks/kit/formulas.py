"""Layers, heads, width, precision and states of every construction as functions of the sizes, and how these grow.

FuncComp: L tables, m, n_1, …, n_{L-1}; N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ; n = 2 + Σ N_ℓ tokens; max n_ℓ is 1 if L = 1.
2-Sum: n tokens, modulus M; blocks of B tokens, of which k are opened.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from constructions import FOR_TWO_SUM
from proofs_checks.kit.expressions import (
    SLOTS,
    B,
    Expression,
    L,
    M,
    N,
    b,
    clog2,
    digit,
    ell,
    half_ln,
    index,
    k,
    kappa,
    keys,
    largest,
    latex,
    least_half_logarithm,
    log2,
    m,
    n,
    n_at,
    query,
    readable,
    replaced,
    tag,
    tau,
    text,
    value,
    without_slots,
)
from separation.tasks import TaskSizes, task_of
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes

__all__ = [
    "FORMULAS",
    "QUANTITIES",
    "SLOTS",
    "Expression",
    "Formula",
    "Growth",
    "evaluate",
    "kappa",
    "latex",
    "readable",
    "text",
    "without_slots",
]

EXACT: Mapping[Expression, Callable[..., Fraction]] = {
    sp.Add: lambda *numbers: sum(numbers, Fraction(0)),
    sp.Mul: lambda *numbers: math.prod(numbers, start=Fraction(1)),
    sp.Pow: lambda base, exponent: Fraction(base ** int(exponent)),
    sp.Max: max,
    sp.Min: min,
    sp.ceiling: lambda x: Fraction(math.ceil(x)),
    clog2: lambda x: Fraction(bit_count(int(x))),
    half_ln: lambda x: Fraction(least_half_logarithm(int(x))),
}


def evaluate(expression: Expression, sizes: TaskSizes, block: int = 1, opened: int = 0) -> int:
    """The expression at given sizes, in exact integers and fractions; it must be an integer."""
    number = number_at(expression, *letters_at(sizes, block, opened), EXACT)
    if number.denominator != 1:
        raise ValueError(f"{text(expression)} is {number} at {sizes}, not an integer")
    return int(number)


Letters = Mapping[Expression, int]
Sequences = Mapping[Expression, tuple[int, ...]]


def letters_at(sizes: TaskSizes, block: int, opened: int) -> tuple[Letters, Sequences]:
    if isinstance(sizes, TwoSumSizes):
        return {n: sizes.length, M: sizes.modulus, B: block, k: opened}, {}
    plain = task_of(sizes).plain_sizes
    return {L: plain.L, m: plain.m, largest: max(plain.n, default=1)}, {N: plain.N, n_at: (0, *plain.n)}


def number_at(
    expression: Expression, letters: Letters, sequences: Sequences, known: Mapping[Expression, Callable[..., Fraction]]
) -> Fraction:
    if expression.is_Rational:
        return Fraction(int(expression.p), int(expression.q))
    if expression.is_Symbol:
        return Fraction(letters[expression])
    if isinstance(expression, sp.Indexed):
        at = number_at(expression.indices[0], letters, sequences, known)
        return Fraction(sequences[expression.base][int(at)])
    if isinstance(expression, sp.Sum):
        ((index, *ends),) = expression.limits
        first, last = (int(number_at(end, letters, sequences, known)) for end in ends)
        terms = ({**letters, index: value} for value in range(first, last + 1))
        return sum((number_at(expression.function, term, sequences, known) for term in terms), Fraction(0))
    return known[expression.func](*(number_at(part, letters, sequences, known) for part in expression.args))


QUANTITIES = ("layers", "heads", "width", "P", "p", "state_bits", "summary_bits")

WORDS: Mapping[str, Callable[[int], str]] = {
    "F^(L+1)": lambda tables: "F" * (tables + 1),
    "RF^L": lambda tables: "R" + "F" * tables,
    "FRF^(L-1)": lambda tables: "FR" + "F" * (tables - 1),
    "R^(L+1)": lambda tables: "R" * (tables + 1),
    "F^(1+⌈log2(L+1)⌉)": lambda tables: "F" * (1 + bit_count(tables + 1)),
}


@dataclass(frozen=True)
class Growth:
    """quantity / scale → constant as ``grows`` → ∞; FuncComp: for L ≥ 2, and ``of_one`` (if not None) for L = 1.

    ``is_bound``: no model of this kind can have less than the scale.
    """

    quantity: str
    order: str
    scale: Expression
    constant: Expression
    of_one: Expression | None = None
    grows: Expression = kappa
    is_bound: bool = False


@dataclass(frozen=True)
class Formula:
    """The sizes of one construction, in the sizes of the task, in SLOTS and in the letters of ``where``.

    ``where`` says what these stand for; each may use the ones after it.
    """

    construction: str
    word: str
    does: str
    quantities: Mapping[str, Expression]
    growth: tuple[Growth, ...]
    family: str | None = None
    where: Mapping[Expression, Expression] = field(default_factory=dict)

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

    def in_sizes(self, expression: Expression) -> Expression:
        """The expression without slots and letters of ``where``."""
        return replaced(expression, (*self.where.items(), *SLOTS.items()))

    def value(self, quantity: str, sizes: TaskSizes, block: int = 1, opened: int = 0) -> int:
        """The quantity at given sizes."""
        return evaluate(self.in_sizes(self.quantities[quantity]), sizes, block, opened)

    def ratio(self, growth: Growth, sizes: TaskSizes, block: int = 1, opened: int = 0) -> float | None:
        """quantity/scale at given sizes, as a float; None where the scale is 0."""
        return self.ratio_of_letters(growth, *letters_at(sizes, block, opened))

    def ratio_of_letters(self, growth: Growth, letters: Letters, sequences: Sequences) -> float | None:
        """The same for given letters, however large."""
        known = {**EXACT, log2: lambda x: Fraction(math.log2(int(x)))}
        parts = (self.quantities[growth.quantity], growth.scale)
        quantity, scale = (number_at(self.in_sizes(part), letters, sequences, known) for part in parts)
        return float(quantity / scale) if scale else None


# --- C1 to C7 ---

PROMPT = {n: 2 + sp.Sum(N[ell], (ell, 0, L - 1))}
LOOK_UPS = 1 + tag + digit + index + query + 3 * value
ENOUGH_FOR_TOKENS = sp.Max(8, clog2(n))


def _sizes(
    layers: Expression, width: Expression, p: Expression, heads: Expression = 1, state: Expression = 0, summary: int = 0
) -> dict[str, Expression]:
    """All quantities; P = p."""
    return dict(zip(QUANTITIES, map(sp.sympify, (layers, heads, width, p, p, state, summary)), strict=True))


def _logarithmic(constant: Expression, of_one: Expression | None = None) -> tuple[Growth, ...]:
    """Width and p are O(log n)."""
    one = None if of_one is None else sp.Integer(of_one)
    width = Growth("width", "O(log n)", log2(n), sp.sympify(constant), one)
    return width, Growth("p", "O(log n)", log2(n), sp.Integer(1))


def _handing(word: str, does: str, family: str) -> Formula:
    """C2; linear attention has a normaliser of one bit, and an entry is −1, 0 or 1."""
    state = 2 * clog2(m) + int(family == "linear")
    grows = Growth("state_bits", "O(log m)", log2(m), sp.Integer(2))
    sizes = _sizes(L + 1, LOOK_UPS, ENOUGH_FOR_TOKENS, state=state)
    return Formula("C2", word, does, sizes, (*_logarithmic(5 - 1 / L), grows), family, PROMPT)


def _thinking(word: str, does: str, family: str | None = None) -> Formula:
    """C5: FR has a slot for the next digit too, F none for flags; the last generated token is not read."""
    slots = 1 + 2 * tag + (3 if word == "FR" else 2) * digit + index + query + 2 * value
    read_again = L - 1 if family else L
    p = sp.Max(8, clog2(n + read_again))
    growth = _logarithmic(4 + 1 / L if word == "FR" else 4, of_one=3)
    if family is None:
        return Formula("C5", word, does, _sizes(1, slots, p), growth, None, PROMPT)
    sizes = _sizes(2, 3 + slots, p, heads=1 + sp.Min(1, query), state=clog2(m) + query)
    handed = Growth("state_bits", "O(log n)", log2(n), sp.Integer(1))
    return Formula("C5", word, does, sizes, (*growth, handed), family, PROMPT)


def _searching() -> tuple[Formula, Formula]:
    """C6 and C7. A temperature above 8b − 3 needs so many keys that in C6 ⌈log2 n⌉ is the largest term of p anyway."""
    least = clog2(8 * b - 3) + clog2(4 * b)
    one = _sizes(1, 3 * b + 3, sp.Max(8, clog2(n), least))
    growth_of_one = (
        Growth("width", "O(log M)", log2(M), sp.Integer(3)),
        Growth("width", "O(log n)", log2(n), sp.Integer(6)),
        Growth("p", "O(log n)", log2(n), sp.Integer(1)),
    )
    whole = clog2(sp.Max(tau, 8 * b - 3)) + clog2(4 * b)
    many = _sizes(1, 1 + 2 * b + B * (b + 2), sp.Max(8, clog2(n), whole), heads=B, summary=B * b)
    growth_of_many = (
        Growth("width", "O(B log M)", B * log2(M), 1 + 2 / B),
        Growth("summary_bits", "O(B log M)", B * log2(M), sp.Integer(1)),
        Growth("p", "O(log n)", log2(n), sp.Integer(1)),
    )
    where = {
        tau: half_ln(sp.Max(2, (keys - 1) * (4 * b - 1))),
        keys: sp.ceiling(n / B) - 1 + B * sp.ceiling(k / B) + B,
        b: clog2(M),
    }
    return (
        Formula("C6", "F", "each x asks for M − x", one, growth_of_one, where={b: clog2(M)}),
        Formula("C7", "S", "head h: token h of a block", many, growth_of_many, where=where),
    )


def _formulas() -> tuple[Formula, ...]:
    tables = clog2(m) + sp.Sum(N[ell] * clog2(N[ell]), (ell, 0, L - 1))
    least = Growth("state_bits", "O(N log N)", N[L - 1] * log2(N[L - 1]), sp.Integer(1), is_bound=True)
    c3 = _sizes(L + 1, LOOK_UPS, ENOUGH_FOR_TOKENS, state=tables)
    doubling = 5 + 3 * tag + 2 * query + index + 2 * value
    halved = Growth("layers", "O(log L)", log2(L), sp.Integer(1), grows=L)
    c4 = _sizes(1 + clog2(L + 1), doubling, ENOUGH_FOR_TOKENS)
    families = ("linear", "delta")
    return (
        Formula(
            "C1",
            "F^(L+1)",
            "w reads a table a layer",
            _sizes(L + 1, LOOK_UPS, ENOUGH_FOR_TOKENS),
            _logarithmic(5 - 1 / L),
            where=PROMPT,
        ),
        *(_handing("RF^L", "R hands z_0 to w", family) for family in families),
        *(_handing("FRF^(L-1)", "R hands i_1 from z_0 to w", family) for family in families),
        Formula("C3", "R^(L+1)", "tables held in the state", c3, (*_logarithmic(5 - 1 / L), least), None, PROMPT),
        Formula(
            "C4",
            "F^(1+⌈log2(L+1)⌉)",
            "encoder, pointer doubling",
            c4,
            (halved, *_logarithmic(5 - 3 / L, of_one=3)),
            where=PROMPT,
        ),
        *(_thinking("RF", "chain of thought: hops", family) for family in families),
        *(_thinking("FR", "chain of thought: addresses", family) for family in families),
        _thinking("F", "chain of thought: records"),
        *_searching(),
    )


FORMULAS: Sequence[Formula] = _formulas()
