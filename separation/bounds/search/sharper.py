"""The shortest certified prompt of a word over all sharper theorems: A2, A3, A_L, A_W, B2, B_L and C."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from separation.bounds.budget import ceil_log2
from separation.bounds.log_sums import LogSum, compare
from separation.bounds.search.ceilings import linear_bits
from separation.bounds.search.estimated import EstimatedSearch, TwoTables
from separation.bounds.search.fixed_point import least_consistent
from separation.bounds.search.many_tables import ManyTables, with_one_value
from separation.bounds.search.one_full_layer import shortest_a2
from separation.bounds.search.three_tables import ThreeTables
from separation.bounds.search.three_tables_no_early_r import shortest_a3_no_early_r
from separation.bounds.search.two_full_layers import first_that_holds
from separation.bounds.theorems.outcome import Impossibility, table_sizes
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer

Beta = int | Callable[[int], int]

MOST_GROWTH = 1.25  # of log2 of the tokens, when β is that of the prompt and not of two tokens


def least_prompt(word: Word, L: int, beta: Beta, linear: int | Sequence[int]) -> Impossibility:
    """The shortest prompt found at which no model of this word solves FuncComp with L tables, L > depth.

    where ``beta`` is a number, or a function from the length of the prompt to β that never decreases; ``linear`` is
    (Λ_0, …, Λ_#F), or the bits of all R layers together. For one full layer (A2) the prompt is the shortest of all.
    """
    candidates = prompts_by_theorem(word, L, beta, linear)
    if not candidates:
        raise InputError("no prompt was found; the numbers are too large for this search")
    return min(candidates, key=lambda found: found.tokens)


def prompts_by_theorem(word: Word, L: int, beta: Beta, linear: int | Sequence[int]) -> list[Impossibility]:
    """The shortest prompt found by each theorem that applies, each of them certified; none where a search gave up."""
    require_integer("L", L, 1)
    if word.depth >= L:
        raise InputError(f"{word} solves L = {L} at all sizes (its depth is {word.depth}); a larger L is needed")
    bits = linear_bits(word, linear)
    searches: list[Callable[[int], Impossibility | None]] = []
    full = word.full
    if full == 0:
        return [recurrent_only(L, bits[0])]
    if full < L:
        searches += _without_a_layer(full, L - full - 1, bits)
    if not word.early:
        searches += _with_all_layers(full, L - full, bits)
    found = [consistent(search, beta) for search in searches]
    return [outcome for outcome in found if outcome is not None and outcome.holds]


def consistent(search: Callable[[int], Impossibility | None], beta: Beta) -> Impossibility | None:
    """The prompt found for β(2^k), with the least k such that it has at most 2^k tokens.

    The prompt grows with β, so whenever it is longer than 2^k, no k below ⌈log2⌉ of its length can do. Where a search
    takes long, the first k comes from what real numbers allow.
    """
    if isinstance(beta, int):
        return search(require_integer("beta", beta, 1))
    beta_at, k = beta, 1
    if isinstance(search, EstimatedSearch):
        estimated = search
        first = least_consistent(lambda k: estimated.real_length(beta_at(1 << k)), lambda at_two: MOST_GROWTH * at_two)
        if first is None:
            return None
        k = first
    while True:
        found = search(beta_at(1 << k))
        if found is None:
            return None
        need = ceil_log2(found.tokens)
        if need <= k:
            return found
        k = need


def recurrent_only(L: int, bits: int) -> Impossibility:
    """Theorem C: Λ < N_{L-1}·log2 N_{L-1}. Two entries in every table but the last, which is the least."""

    def outcome(last: int) -> Impossibility:
        return recurrent_only_at(last, (), bits) if L == 1 else recurrent_only_at(2, (*(1,) * (L - 2), last), bits)

    return first_that_holds(outcome, 1 if L == 1 else 0)


def recurrent_only_at(m: int, n: Sequence[int], bits: int) -> Impossibility:
    """Theorem C at given sizes: no word in R alone with Λ = ``bits`` solves them, with any chain of thought."""
    N, name = table_sizes(m, n)[-1], f"N_{len(n)}"
    asked = compare("asked", f"Λ < {name}·log2 {name}", LogSum(bits), LogSum(0, ((N, N),)), strict=True)
    return Impossibility("C", m, tuple(n), 0, (bits,), (), (asked,), len(n) + 1)


def one_table(beta: int, linear: Sequence[int], identity_tables: int) -> Impossibility:
    """Theorem B with L = 1 at the least m; further tables are the identity."""

    def outcome(m: int) -> Impossibility:
        return one_table_at(m, (1,) * identity_tables, beta, linear)

    return first_that_holds(outcome, 1)


def one_table_at(m: int, n: Sequence[int], beta: int, linear: Sequence[int]) -> Impossibility:
    """Theorem B with L = 1: β + Λ_1 < m·log2 m. Only m is used: further tables are the identity."""
    asked = compare("asked", "β + Λ_1 < m·log2 m", LogSum(beta + linear[1]), LogSum(0, ((m, m),)), strict=True)
    return Impossibility("B", m, tuple(n), beta, tuple(linear), (), (asked,), 1)


def _without_a_layer(
    full: int, identity_tables: int, bits: tuple[int, ...]
) -> list[Callable[[int], Impossibility | None]]:
    """One table more than full layers: A2, A3, A_L, A_W."""
    if full == 1:
        return [lambda beta: shortest_a2(beta, bits, identity_tables)[0]]
    searches: list[Callable[[int], Impossibility | None]] = []
    if full == 2:
        searches.append(ThreeTables(bits, identity_tables))
        if bits[1] == 0:
            searches.append(lambda beta: shortest_a3_no_early_r(beta, bits, identity_tables))
    else:
        searches.append(lambda beta: with_one_value(beta, bits, identity_tables))
        searches.append(ManyTables("W", full + 1, bits, identity_tables))
    return searches


def _with_all_layers(
    full: int, identity_tables: int, bits: tuple[int, ...]
) -> list[Callable[[int], Impossibility | None]]:
    """As many tables as full layers, no R layer before the second: B, B2, B_L."""
    if full == 1:
        return [lambda beta: one_table(beta, bits, identity_tables)]
    if full == 2:
        return [TwoTables(bits, identity_tables)]
    return [ManyTables("B", full, bits, identity_tables)]
