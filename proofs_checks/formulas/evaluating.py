"""Formulas at given sizes, in exact integers and fractions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import sympy as sp

from proofs_checks.formulas.letters import (
    B,
    Expression,
    L,
    M,
    N,
    clog2,
    half_ln,
    k,
    largest,
    least_half_logarithm,
    m,
    n,
    n_at,
)
from proofs_checks.formulas.printing import text
from separation.tasks.catalogue import Task
from separation.tasks.funccomp import Thoughts
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes

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


def evaluate(expression: Expression, sizes: Task, block: int = 1, opened: int = 0) -> int:
    """The expression at given sizes, in exact integers and fractions; it must be an integer there."""
    number = number_at(expression, *letters_at(sizes, block, opened), EXACT)
    if number.denominator != 1:
        raise ValueError(f"{text(expression)} is {number} at {sizes}, no integer")
    return int(number)


Letters = Mapping[Expression, int]
Sequences = Mapping[Expression, tuple[int, ...]]


def letters_at(sizes: Task, block: int, opened: int) -> tuple[Letters, Sequences]:
    if isinstance(sizes, TwoSumSizes):
        return {n: sizes.length, M: sizes.modulus, B: block, k: opened}, {}
    plain = sizes.sizes if isinstance(sizes, Thoughts) else sizes
    return {L: plain.L, m: plain.m, largest: max(plain.n, default=1)}, {N: plain.N, n_at: (0, *plain.n)}


def number_at(
    expression: Expression, letters: Letters, sequences: Sequences, known: Mapping[Expression, Callable[..., Fraction]]
) -> Fraction:
    if expression.is_Rational:
        return Fraction(int(expression.p), int(expression.q))
    if expression.is_Symbol:
        return Fraction(letters[expression])
    if isinstance(expression, sp.Indexed):
        place = number_at(expression.indices[0], letters, sequences, known)
        return Fraction(sequences[expression.base][int(place)])
    if isinstance(expression, sp.Sum):
        ((index, *ends),) = expression.limits
        first, last = (int(number_at(end, letters, sequences, known)) for end in ends)
        terms = ({**letters, index: place} for place in range(first, last + 1))
        return sum((number_at(expression.function, term, sequences, known) for term in terms), Fraction(0))
    return known[expression.func](*(number_at(part, letters, sequences, known) for part in expression.args))
