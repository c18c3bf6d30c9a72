"""Rule P4 by enumeration: every possible query against every key, in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import FLOAT_EXACT, IntegerArray, Precision, integer_matmul, largest
from separation.files import InputError
from separation.models import mixed_radix_bits
from separation.proving.attention import HeadForms, Match, facts_in_view, visible_kinds
from separation.proving.closed_form import floor_correction
from separation.proving.forms import ONE, Forms, bit, stack_numerators
from separation.tasks.shape import Fact, Kind, Shape, Variable

MEMORY_LIMIT = 1 << 30
BLOCK_SCORES = 1 << 21
BIG_INTEGER_KEYS = 1 << 12

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Outcome:
    """Over all queries: the most that other keys weigh against the winner, its least score, the least gap."""

    leak: Fraction
    least_score: Fraction
    gap: Fraction | None


def enumerated_match(
    forms: HeadForms, shape: Shape, kind: Kind, precision: Precision, progress: Progress | None = None
) -> Match | None:
    """The fact that every query of the kind finds; None if no fact is found by all, or noise reaches a score."""
    query = forms.query[kind.name]
    if any(not (symbol.is_bit or symbol == ONE) for symbol in query.symbols):
        return None
    known = (*kind.own, *shape.global_variables)
    kinds = visible_kinds(shape, kind)
    if any(not _only_addresses(forms.key[other.name], other) for other in kinds):
        return None
    for fact in facts_in_view(shape, kind):
        variables = enumerated_variables(query, known, shape.kind(fact.kind), fact)
        if variables is not None and _first_query_finds(query, forms, kinds, variables, fact):
            outcome = compare_all(query, [(forms.key[k.name], k) for k in kinds], known, fact, progress)
            if outcome is None:
                return None
            correction = floor_correction(forms, outcome.least_score, precision)
            if correction is None:
                return None
            return Match(fact, outcome.leak * correction, outcome.least_score, "general", outcome.gap)
    return None


def enumerated_variables(query: Forms, known: Sequence[Variable], target: Kind, fact: Fact) -> list[Variable] | None:
    """The variables that an enumeration must go through, in the order of the task: those that the query mentions, and
    those that say which token of ``target`` is the right one; None if the query cannot tell which one that is.

    A query that does not mention an address variable is the same for all its values, so it can only be right about all
    of them if there is one value. What compares queries with keys, for a look-up or for the answer, asks here.
    """
    mentioned = {symbol.variable for symbol in query.symbols if symbol.is_bit}
    by_name = {variable.name: variable for variable in known}
    if not mentioned <= by_name.keys():
        return None
    for place, name in zip(target.address, fact.address, strict=True):
        is_told = name in mentioned and by_name[name].size == place.size
        if place.size > 1 and not is_told:
            return None
    return [variable for name, variable in by_name.items() if name in mentioned]


def compare_all(
    query: Forms,
    keys: Sequence[tuple[Forms, Kind]],
    known: Sequence[Variable],
    fact: Fact,
    progress: Progress | None = None,
    weigh: bool = True,
) -> Outcome | None:
    """Scores of all queries with all keys, for all values of what the reader knows (``known``); None if the fact's
    token does not always win.

    Without ``weigh`` only the gap is found, which is all that logits need.
    """
    variables = enumerated_variables(query, known, _target(keys, fact), fact)
    if variables is None:
        return None
    require_memory(query.height, sum(kind.count for _, kind in keys))
    table, scale = _key_table(keys)
    columns, query_scale = _query_columns(query, variables)
    scale *= query_scale
    product = _score_product(columns, table)
    winner_of = _winner_positions(keys, variables, fact)
    number = prod(variable.size for variable in variables)
    leak = 0.0
    least: int | None = None
    gap: int | None = None
    for numbers in _blocks(number, max(1, BLOCK_SCORES // len(table))):
        bits = mixed_radix_bits(numbers, tuple(variable.size for variable in variables))
        rows, winners = np.arange(len(numbers)), winner_of(numbers)
        scores = product(bits)
        best = scores[rows, winners].copy()
        scores -= best[:, None]
        if len(table) > 1:
            scores[rows, winners] = -np.inf if scores.dtype != object else scores.min()
            gap = min(gap, -int(scores.max())) if gap is not None else -int(scores.max())
            if gap <= 0:
                return None
        least = int(best.min()) if least is None else min(least, int(best.min()))
        if weigh:
            exponents = scores.astype(np.float64, copy=False)
            exponents[rows, winners] = -np.inf
            exponents /= float(scale)
            leak = max(leak, float(np.exp(exponents, out=exponents).sum(axis=1).max()))
        if progress is not None:
            progress(float(numbers[-1] + 1) / number)
    assert least is not None
    return Outcome(_rounded_up(leak, len(table)), Fraction(least, scale), None if gap is None else Fraction(gap, scale))


def _score_product(columns: IntegerArray, table: IntegerArray) -> Callable[[IntegerArray], IntegerArray]:
    """bits ↦ scores with all keys, exactly: float64 numbers below 2^53, Python integers beyond."""
    row_sums = [sum(abs(int(number)) for number in row) for row in columns]
    if max(row_sums, default=0) * largest(table) * len(row_sums) < FLOAT_EXACT:
        left, right = columns.T.astype(np.float64), np.ascontiguousarray(table.T, dtype=np.float64)
        return lambda bits: bits.astype(np.float64) @ left @ right
    if len(table) > BIG_INTEGER_KEYS:
        raise InputError(f"scores of 2^53 and more: the general path then takes at most {BIG_INTEGER_KEYS} keys")
    return lambda bits: integer_matmul(integer_matmul(bits, columns.T), table.T).astype(object)


def require_memory(height: int, keys: int) -> None:
    """Refuse what would not fit, before anything is allocated."""
    needed = keys * height * 16
    if needed > MEMORY_LIMIT:
        raise InputError(
            f"the general path would need {needed / 2**30:.1f} GB for {keys} keys, its limit is "
            f"{MEMORY_LIMIT / 2**30:.0f} GB; use --path closed"
        )


def rounding_factor(terms: int) -> Fraction:
    """How much a float64 sum of this many exponentials is inflated to be an upper bound for certain.

    Each exp is off by at most 64 ulp and by 745 half-ulps of its argument, a sum of n terms by at most n ulp.
    """
    return 1 + Fraction(terms + 2**13, 2**51)


def _rounded_up(leak: float, terms: int) -> Fraction:
    # Terms that underflow are below 2^-1022 each.
    return Fraction(leak) * rounding_factor(terms) + Fraction(terms, 2**1010)


def _blocks(number: int, size: int) -> Iterator[NDArray[np.int64]]:
    for start in range(0, number, size):
        yield np.arange(start, min(start + size, number))


def _only_addresses(key: Forms, kind: Kind) -> bool:
    own = {variable.name for variable in kind.address}
    return all(symbol == ONE or (symbol.is_bit and symbol.variable in own) for symbol in key.symbols)


def _query_columns(query: Forms, variables: Sequence[Variable]) -> tuple[NDArray[np.int64], int]:
    """(height, 1 + bits): numerators of the query over (1, bits of the variables in order)."""
    symbols = [ONE, *(bit(v.name, index) for v in variables for index in range(v.bits))]
    matrix = query.over(symbols)
    return matrix.numerators, matrix.denominator


def _key_table(keys: Sequence[tuple[Forms, Kind]]) -> tuple[NDArray[np.int64], int]:
    """(all keys, height): numerators of every key's vector over one denominator, in prompt order."""
    denominator = lcm(*(forms.matrix.denominator for forms, _ in keys))
    parts = []
    for forms, kind in keys:
        symbols = [ONE, *(bit(v.name, index) for v in kind.address for index in range(v.bits))]
        numerators = stack_numerators(forms.over(symbols), denominator)
        for numbers in _blocks(kind.count, 1 << 16):
            bits = mixed_radix_bits(numbers, tuple(v.size for v in kind.address))
            parts.append(integer_matmul(bits, numerators.T))
    return np.concatenate(parts), denominator


def _winner_positions(
    keys: Sequence[tuple[Forms, Kind]], variables: Sequence[Variable], fact: Fact
) -> Callable[[NDArray[np.int64]], NDArray[np.int64]]:
    """Where in the key table the fact's token stands, for queries numbered in mixed radix over the variables."""
    target = _target(keys, fact)
    place = target.start - keys[0][1].start

    def positions(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        digits, rest = {}, numbers
        for variable in reversed(variables):
            digits[variable.name] = rest % variable.size
            rest = rest // variable.size
        index = np.zeros_like(numbers)
        for variable, name in zip(target.address, fact.address, strict=True):
            if variable.size > 1:  # one value is 0, whatever names it
                index = index * variable.size + digits[name]
        return place + index

    return positions


def _target(keys: Sequence[tuple[Forms, Kind]], fact: Fact) -> Kind:
    return next(kind for _, kind in keys if kind.name == fact.kind)


def _first_query_finds(
    query: Forms, forms: HeadForms, kinds: Sequence[Kind], variables: Sequence[Variable], fact: Fact
) -> bool:
    """Is this the fact to try: is its token the best for the first query?"""
    columns, _ = _query_columns(query, variables)
    bits = mixed_radix_bits(np.zeros(1, dtype=np.int64), tuple(v.size for v in variables))
    vector = integer_matmul(bits, columns.T)
    best = {}
    for kind in kinds:
        key = forms.key[kind.name]
        constant, *slopes = (int(number) for number in integer_matmul(vector, key.matrix.numerators)[0])
        best[kind.name] = Fraction(constant + sum(map(abs, slopes)), key.matrix.denominator)
    return best[fact.kind] >= max(best.values())
