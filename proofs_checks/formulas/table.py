"""The formulas of C1 to C7."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from proofs_checks.formulas.formula import QUANTITIES, Formula, Growth
from proofs_checks.formulas.letters import (
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
    keys,
    log2,
    m,
    n,
    query,
    tag,
    tau,
    value,
)

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
