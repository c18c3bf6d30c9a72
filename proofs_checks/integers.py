"""Claims about integers and real numbers, decided by z3."""

from __future__ import annotations

import z3

from proofs_checks.statement import require
from separation.tasks.shape import bit_count

TIMEOUT = 20_000
"""Milliseconds."""
LARGEST = 1 << 12


def require_codes_below_squares() -> None:
    """2^⌈log2 a⌉ < a² for a ≥ 2: 2^⌈log2 a⌉ < 2a ≤ a² by the definition of ⌈log2⌉; tried up to LARGEST."""
    for a in range(2, LARGEST):
        require(1 << bit_count(a) < a * a, f"2^⌈log2 {a}⌉ is not below its square")


def require_no_integers(claims: list[z3.BoolRef], message: str) -> None:
    """No integers satisfy all claims; what z3 does not decide counts as a failure."""
    solver, answer = _asked(claims)
    require(answer != z3.sat, f"{message}: {solver.model() if answer == z3.sat else ''}")
    require(answer == z3.unsat, f"{message}: z3 does not know")


def require_implied(held: list[z3.BoolRef], claim: z3.BoolRef, message: str) -> None:
    """Whatever satisfies all of ``held`` satisfies the claim, and something does."""
    require_no_integers([*held, z3.Not(claim)], message)
    _, answer = _asked(held)
    require(answer == z3.sat, f"{message}: nothing satisfies what is supposed")


def _asked(claims: list[z3.BoolRef]) -> tuple[z3.Solver, z3.CheckSatResult]:
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT)
    solver.add(*claims)
    return solver, solver.check()


require_no_numbers = require_no_integers
"""The same for real letters: each letter of z3 knows what it stands for."""
