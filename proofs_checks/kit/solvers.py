"""Claims about integers and real numbers decided by z3, and identities in symbols decided by sympy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any

import sympy as sp
import z3

from proofs_checks.kit.verdict import SYMPY, Z3, CheckFailed, Undecided, ask, require

DIGITS = 30
VALUES = (2, 3, 5, 7, 11, 13, 17, 19)
POINTS = 12
"""How many points are tried before an expression that sympy cannot reduce to 0 is left undecided."""


def require_zero(expression: Any, message: str) -> None:
    """The expression is 0 for all positive values; a point where it is not refutes that, otherwise `Undecided`."""
    ask(SYMPY)
    rest = _simplest(expression + sp.S.Zero)
    if rest == 0:
        return
    for point in _points(rest):
        value = rest.subs(point).doit()
        if value.is_zero is False or (
            value.is_zero is None and abs(sp.N(value, DIGITS)) > sp.Float(10) ** -(DIGITS // 2)
        ):
            where = ", ".join(f"{letter} = {number}" for letter, number in point.items())
            raise CheckFailed(f"{message} by {rest}" + (f", which is {value} at {where}" if point else ""))
    raise Undecided(f"{message}: sympy cannot say whether {rest} is 0")


def require_relation(relation: Any, message: str) -> None:
    """An inequality that sympy finds true; one that it leaves open does not pass."""
    require(relation is sp.true or relation is True, message, by=SYMPY)


def _simplest(expression: Any) -> Any:
    for form in (sp.expand, sp.simplify, lambda each: sp.simplify(sp.expand_log(each, force=True))):
        expression = form(expression)
        if expression == 0:
            return sp.Integer(0)
    return expression


def _points(expression: Any) -> Iterator[dict[Any, int]]:
    letters = sorted(expression.free_symbols, key=str)
    for values in islice(permutations(VALUES, len(letters)), POINTS):
        yield dict(zip(letters, values, strict=True))


EFFORT = 60_000_000
"""z3's own count of steps (rlimit), not seconds: a busy machine changes no verdict."""


def require_no_numbers(claims: list[z3.BoolRef], message: str) -> None:
    """No numbers of the variables' own sorts satisfy all claims; what z3 leaves open is `Undecided`."""
    solver, answer = _asked(claims)
    if answer == z3.sat:
        raise CheckFailed(f"{message}: {' '.join(str(solver.model()).split())}")
    if answer != z3.unsat:
        raise Undecided(f"{message}: z3 does not know")


def _asked(claims: list[z3.BoolRef]) -> tuple[z3.Solver, z3.CheckSatResult]:
    """The question put in a context of its own: z3 numbers terms as they come, and what was asked before would show."""
    ask(Z3)
    own = z3.Context()
    solver = z3.Solver(ctx=own)
    solver.set("rlimit", EFFORT)
    solver.add(*(claim.translate(own) for claim in claims))
    return solver, solver.check()
