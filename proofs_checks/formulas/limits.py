"""How formulas grow: limits by a squeeze, as ⌈ ⌉ and Σ have none that sympy finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product

import sympy as sp

from proofs_checks.formulas.letters import (
    Expression,
    L,
    M,
    clog2,
    further,
    half_ln,
    kappa,
    largest,
    log2,
    m,
    n,
    n_at,
)
from proofs_checks.formulas.printing import text


@cache
def limit(quantity: Expression, scale: Expression, grows: Expression, one_table: bool = False) -> Expression:
    """lim quantity/scale as ``grows`` → ∞; FuncComp: m = n_1 = … = 2^κ with L ≥ 2 tables, or one; 2-Sum: M = n² + 1.

    A squeeze: both lower end/upper end and upper end/lower end must tend to it.
    """
    parts, scales = (_at_equal_sizes(expression, one_table) for expression in (quantity, scale))
    variable = further if grows == L else grows
    found = set()
    for slack in (0, 1):
        ratios = [
            sp.Min(*(_plain_limit(part / whole, variable) for whole in _end(scales, 1 - slack)))
            for part in _end(parts, slack)
        ]
        found.add(sp.simplify(sp.Max(*ratios).subs(further, L - 2)))
    if len(found) != 1:
        raise ArithmeticError(f"{text(quantity)} over {text(scale)} lies between {found}")
    return found.pop()


@cache
def _plain_limit(ratio: Expression, variable: Expression) -> Expression:
    return sp.limit(ratio, variable, sp.oo)


def _at_equal_sizes(expression: Expression, one_table: bool) -> Expression:
    """m = n_ℓ = 2^κ, so N_ℓ = 2^{κ(ℓ+1)}, and L is 1 or 2 + further; in 2-Sum n = 2^κ."""
    sizes = {L: 1, largest: 1} if one_table else {L: 2 + further, largest: 2**kappa}
    expression = expression.subs({m: 2**kappa, n: 2**kappa, **sizes})
    powers = {part: 1 if part.base == n_at else part.indices[0] + 1 for part in expression.atoms(sp.Indexed)}
    return expression.xreplace({part: 2 ** (kappa * power) for part, power in powers.items()})


def _end(expression: Expression, slack: int, factor: Expression = 2**kappa / (2**kappa - 1)) -> list[Expression]:
    """Expressions without ⌈ ⌉ and Σ whose maximum is at most (``slack`` = 0) or at least (1) the given one.

    x ≤ ⌈x⌉ ≤ x + 1, last term ≤ Σ ≤ factor·last term; and what depends on these does not decrease when they grow.
    """
    if not expression.has(clog2, half_ln, log2, sp.ceiling, sp.Max, sp.Sum, M):
        return [expression]
    if expression == M:  # n² ≤ n² + 1 ≤ 2n²
        return [4**kappa * (1 + slack)]
    if expression.func is sp.Max:
        return [found for part in expression.args for found in _end(part, slack, factor)]
    if expression.func is sp.Sum:
        return [_end_of_sum(expression, slack, factor)]
    if expression.func in (clog2, log2):
        return _end_of_logarithm(expression.args[0], slack, slack if expression.func is clog2 else 0)
    if expression.func is sp.Mul and any(part.is_negative for part in expression.args):
        raise ArithmeticError(f"{text(expression)} may decrease when a part of it grows")
    functions: Mapping[Expression, Callable[..., Expression]] = {
        sp.Add: sp.Add,
        sp.Mul: sp.Mul,
        sp.ceiling: lambda x: x + slack,
        half_ln: lambda x: sp.expand_log(sp.log(x), force=True) / 2 + slack,
    }
    choices = product(*(_end(part, slack, factor) for part in expression.args))
    return [functions[expression.func](*choice) for choice in choices]


def _end_of_logarithm(inside: Expression, slack: int, ceiling: int) -> list[Expression]:
    """log2 Σ x_i lies between max log2 x_i and that plus log2 s, for s terms x_i ≥ 0; ⌈ ⌉ adds up to 1."""
    terms = inside.args if inside.is_Add and inside.has(sp.Sum) else (inside,)
    if len(terms) > 1 and not all(term.is_nonnegative or isinstance(term, sp.Sum) for term in terms):
        raise ArithmeticError(f"{text(inside)} may have a negative term")
    ends = [end for term in terms for end in _end(term, slack, 2)]
    more = ceiling + slack * sp.log(len(terms), 2)
    return [sp.expand_log(sp.log(end), force=True) / sp.log(2) + more for end in ends]


@cache
def _end_of_sum(expression: Expression, slack: int, factor: Expression) -> Expression:
    """Σ x_ℓ where all x_ℓ are alike; or where x_ℓ ≥ 2^κ·x_{ℓ-1}: from the last term to 2^κ/(2^κ − 1) ≤ 2 times that."""
    ((index, first, last),) = expression.limits
    (term,) = _end(expression.function, slack)
    if not term.has(index):
        return (last - first + 1) * term
    place = sp.Dummy(positive=True)
    step = sp.simplify(term.subs(index, place) / (2**kappa * term.subs(index, place - 1)) - 1)
    if not step.is_nonnegative:
        raise ArithmeticError(f"the terms of {text(expression)} do not grow fast enough")
    return term.subs(index, last) * (factor if slack else 1)
