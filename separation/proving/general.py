"""Rule P4 by enumeration: every possible query against every key, in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import FLOAT_EXACT, IntegerArray, integer_matmul, largest
from separation.files import InputError
from separation.models import mixed_radix_bits
from separation.proving.forms import ONE, bit, is_bit, variable_bits, variable_of
from separation.proving.kernel import Fact, Scores
from separation.proving.kernel_tasks import Kind
from separation.tasks.shape import Variable

MEMORY_LIMIT = 1 << 30
BLOCK_SCORES = 1 << 21
BIG_INTEGER_KEYS = 1 << 12


@dataclass(frozen=True)
class Outcome:
    """Over all queries: the most that other keys weigh against the winner, its least score, the least gap."""

    leak: Fraction
    least_score: Fraction
    gap: Fraction | None


def enumerated(
    scores: Sequence[Scores],
    kinds: Sequence[Kind],
    target: int,
    fact: Fact,
    known: Sequence[Variable],
    weigh: bool = True,
    progress: Callable[[float], None] = lambda _: None,
) -> Outcome | None:
    """Scores of all queries with all keys, for all values of what the reader knows (``known``); None if the fact's
    token does not always win, or noise reaches a score.

    ``scores``: of the first kinds, score = Σ M[b][a] s_a t_b. Without ``weigh`` only the gap is found, which is all
    that logits need.
    """
    keys = list(zip(scores, kinds, strict=False))
    asked = {symbol for table in scores for column in table.values() for symbol in column}
    if any(not isinstance(symbol, str) for symbol in asked):
        return None
    if any(not set(table) <= {ONE, *kind.name_bits} for table, kind in keys):
        return None
    variables = enumerated_variables({variable_of(str(s)) for s in asked if is_bit(s)}, known, kinds[target], fact)
    if variables is None:
        return None
    table, scale = _score_table(keys, variables)
    sizes, named = tuple(variable.size for variable in variables), _winners(keys, variables, target, fact)
    product, number, width = _product(table), prod(sizes), table.shape[1]
    leak, least, gap = 0.0, None, None
    for numbers in _blocks(number, max(1, BLOCK_SCORES // width)):
        rows, winners = np.arange(len(numbers)), named(numbers)
        found = product(mixed_radix_bits(numbers, sizes))
        best = found[rows, winners].copy()
        found -= best[:, None]
        if width > 1:
            found[rows, winners] = -np.inf if found.dtype != object else found.min()
            gap = -int(found.max()) if gap is None else min(gap, -int(found.max()))
            if gap <= 0:
                return None
        least = int(best.min()) if least is None else min(least, int(best.min()))
        if weigh:
            exponents = found.astype(np.float64, copy=False)
            exponents[rows, winners] = -np.inf
            exponents /= float(scale)
            leak = max(leak, float(np.exp(exponents, out=exponents).sum(axis=1).max()))
        progress(float(numbers[-1] + 1) / number)
    assert least is not None
    # Terms that underflow are below 2^-1022 each.
    most = Fraction(leak) * rounding_factor(width) + Fraction(width, 2**1010)
    return Outcome(most, Fraction(least, scale), None if gap is None else Fraction(gap, scale))


def enumerated_variables(
    mentioned: set[str], known: Sequence[Variable], target: Kind, fact: Fact
) -> list[Variable] | None:
    """The variables that an enumeration must go through, in the order of the task: those that scores depend on, and
    those that say which token of ``target`` is the right one; None if the query cannot tell which one that is.

    A query that does not mention an address variable is the same for all its values, so it can only be right about all
    of them if there is one value. What compares queries with keys, for a look-up or for the answer, asks here.
    """
    by_name = {variable.name: variable for variable in known}
    if not mentioned <= by_name.keys():
        return None
    for name, size in target.names:
        theirs = [fact.get(symbol) for symbol in variable_bits(name, (size - 1).bit_length())]
        asked = by_name.get(variable_of(theirs[0] or "")) if theirs else None
        told = asked is not None and asked.name in mentioned and asked.size == size
        if size > 1 and not (told and asked and theirs == variable_bits(asked.name, asked.bits)):
            return None
    return [variable for name, variable in by_name.items() if name in mentioned]


def agreed(closed: Fraction | None, general: Fraction, keys: int) -> Fraction:
    """The λ of both paths: the closed form's is at least the enumerated one.

    The float64 sum may be `rounding_factor` too large, and is then rounded up by as much: the square is allowed.
    """
    if closed is None or closed >= 1:
        return general
    if general > closed * rounding_factor(keys) ** 2 + Fraction(keys, 2**1000):
        raise AssertionError(
            f"the closed form ({closed}) and the enumeration ({general}) disagree: a bug, please report"
        )
    return closed


def rounding_factor(terms: int) -> Fraction:
    """How much a float64 sum of this many exponentials is inflated to be an upper bound for certain.

    Each exp is off by at most 64 ulp and by 745 half-ulps of its argument, a sum of n terms by at most n ulp.
    """
    return 1 + Fraction(terms + 2**13, 2**51)


def require_memory(height: int, keys: int) -> None:
    """Refuse what would not fit, before anything is allocated."""
    needed = keys * height * 16
    if needed > MEMORY_LIMIT:
        raise InputError(
            f"the general path would need {needed / 2**30:.1f} GB for {keys} keys, its limit is "
            f"{MEMORY_LIMIT / 2**30:.0f} GB; use --path closed"
        )


def _score_table(keys: Sequence[tuple[Scores, Kind]], variables: Sequence[Variable]) -> tuple[IntegerArray, int]:
    """(1 + bits of the variables, all keys): numerators over one denominator; bits times it are the scores."""
    symbols = [ONE, *(symbol for v in variables for symbol in variable_bits(v.name, v.bits))]
    require_memory(len(symbols), sum(kind.count for _, kind in keys))
    scale = lcm(*(c.denominator for table, _ in keys for column in table.values() for c in column.values()))
    parts = []
    for table, kind in keys:
        columns = [table.get(symbol, {}) for symbol in (ONE, *kind.name_bits)]
        numbers = [[int(column.get(symbol, 0) * scale) for symbol in symbols] for column in columns]
        wide = max((abs(c) for row in numbers for c in row), default=0) >= 1 << 62
        matrix = np.array(numbers, dtype=object if wide else np.int64)
        for part in _blocks(kind.count, 1 << 16):
            parts.append(integer_matmul(mixed_radix_bits(part, tuple(size for _, size in kind.names)), matrix))
    return np.ascontiguousarray(np.concatenate(parts).T), scale


def _product(table: IntegerArray) -> Callable[[IntegerArray], IntegerArray]:
    """bits ↦ scores with all keys, exactly: float64 numbers below 2^53, Python integers beyond."""
    if largest(table) * len(table) < FLOAT_EXACT:
        right = table.astype(np.float64)
        return lambda bits: bits.astype(np.float64) @ right
    if table.shape[1] > BIG_INTEGER_KEYS:
        raise InputError(f"scores of 2^53 and more: the general path then takes at most {BIG_INTEGER_KEYS} keys")
    return lambda bits: integer_matmul(bits, table).astype(object)


def _blocks(number: int, size: int) -> Iterator[NDArray[np.int64]]:
    for start in range(0, number, size):
        yield np.arange(start, min(start + size, number))


def _winners(
    keys: Sequence[tuple[Scores, Kind]], variables: Sequence[Variable], target: int, fact: Fact
) -> Callable[[NDArray[np.int64]], NDArray[np.int64]]:
    """Which key is the fact's token, for queries numbered in mixed radix over the variables."""
    start, kind = sum(before.count for _, before in keys[:target]), keys[target][1]

    def positions(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        digits, rest = {}, numbers
        for variable in reversed(variables):
            digits[variable.name] = rest % variable.size
            rest = rest // variable.size
        index = np.zeros_like(numbers)
        for name, size in kind.names:
            if size > 1:  # one value is 0, whatever names it
                index = index * size + digits[variable_of(fact[bit(name, 0)])]
        found: NDArray[np.int64] = start + index
        return found

    return positions
