"""T.monotone: a certificate for β and Λ is one for every smaller β and Λ.

Every D_ℓ grows with β and with every Λ, and no right side contains them. So a certificate holds for every smaller β
and Λ at its own sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.kit.theorems import recursion_symbols
from proofs_checks.kit.verdict import SYMPY
from separation.bounds import Order, Parameters, Rule, conditions, evaluate, run_recursion
from separation.bounds.symbolic import BETA, M

Level = Callable[..., Any]
"""(x_ℓ, D_ℓ, Λ_ℓ, β, bracket_ℓ) ↦ D_{ℓ+1}."""
LEVELS = 5


def one_level(kept: Any, before: Any, linear: Any, beta: Any, bracket: Any) -> Any:
    """x·D + 1 + Λ + β·bracket."""
    return kept * before + 1 + linear + beta * bracket


def _one_level(step: Level) -> None:
    """x_ℓ ≥ 1 and bracket_ℓ ≥ 0 contain neither β nor Λ."""
    kept, bracket = z3.Reals("kept bracket")
    small, large = z3.Reals("D Linear beta"), z3.Reals("D_ Linear_ beta_")
    order = [first <= second for first, second in zip(small, large, strict=True)]
    positive = [kept >= 1, bracket >= 0, small[0] >= 0, small[1] >= 0, small[2] >= 1]
    grown = step(kept, *small, bracket) > step(kept, *large, bracket)
    require_no_numbers([*order, *positive, grown], "a smaller β or Λ makes D larger")


def _polynomials(step: Level) -> None:
    """The calculator's D are polynomials in β and Λ without a negative term, equal to the step; right sides none."""
    for rule in Rule:
        for L in range(2, LEVELS + 1):
            _require_polynomials(rule, L, step)


def _require_polynomials(rule: Rule, L: int, step: Level) -> None:
    n, x, linear = recursion_symbols(rule, L)
    recursion = run_recursion(rule, BETA, linear, M, n, x, lambda _level, draws: (draws, draws / 2), sp.Min)
    budget = (BETA, *linear)
    for level in range(L):
        where = f"{rule.value}, L = {L}, D_{level + 1}"
        terms = sp.Poly(sp.expand(recursion.D[level]), *budget, *n, *x, M).coeffs()
        require(all(coefficient > 0 for coefficient in terms), f"{where} has a negative term", by=SYMPY)
        if level and not (rule is Rule.A_FREE and level == 1):
            bits = linear[level + rule.more_layers]
            rest = sp.expand(recursion.D[level] - step(x[level], recursion.D[level - 1], bits, BETA, 0))
            alien = sp.cancel(rest / BETA).free_symbols & set(budget)
            require(not alien, f"{where} is not the step: {rest}", by=SYMPY)
    for demand in conditions(rule, recursion, n, x):
        right = (
            (demand.right,) if isinstance(demand, Order) else (demand.factor, demand.above, demand.below, demand.nats)
        )
        for side in right:
            letters = (sp.Integer(0) + side).free_symbols
            require(
                not (letters & set(budget)),
                f"{rule.value}, L = {L}: the right side of {demand.name} contains β or Λ",
                by=SYMPY,
            )


STATEMENT = Statement(
    id="T.monotone",
    title="a certificate covers smaller β and Λ",
    latex=r"(E_\ell),(F)\ \text{at}\ (\beta,\Lambda)\ \Rightarrow\ (E_\ell),(F)\ \text{at}\ "
    r"(\beta',\Lambda'),\ \beta'\le\beta,\ \Lambda'\le\Lambda",
    english="A certificate covers its own β and Λ and all smaller ones.",
    subject=one_level,
    check=Steps(
        "every L, every size, theorems A and B",
        (
            Step("one level", _one_level),
            Step(f"the calculator's polynomials for L ≤ {LEVELS}", _polynomials, finite=True),
        ),
        {
            "induction over ℓ": "D_1 is Λ_0, or β·W + Λ_1, and each D_{ℓ+1} = x_ℓ·D_ℓ + 1 + Λ_ℓ + β·bracket_ℓ: so all "
            "D fall with β and Λ.",
            "what the inequalities do with D": "Every left side that contains D grows with it, no right side contains "
            "β or Λ: read off the formulas.",
        },
    ),
    twins={
        "Λ helps": lambda kept, before, linear, beta, bracket: kept * before + 1 - linear + beta * bracket,
        "D is divided by x": lambda kept, before, linear, beta, bracket: before / kept + 1 + linear + beta * bracket,
        "β is a bonus": lambda kept, before, linear, beta, bracket: kept * before + 1 + linear - beta * bracket,
    },
    hypotheses=(
        Hypothesis(
            "the larger budget is certified",
            lambda held: _certified(held[0]),
            outside=((9, 0), (8, 0)),
        ),
        Hypothesis(
            "the other budget is smaller",
            lambda held: held[1][0] <= held[0][0] and held[1][1] <= held[0][1],
            outside=((8, 0), (9, 0)),
        ),
    ),
    witness=((8, 0), (7, 0)),
)
"""The witness: two pairs of β and Λ_1, at m = 2, n_1 = 18, x = (1, 2)."""


def _certified(budget: tuple[int, int]) -> bool:
    beta, linear = budget
    return evaluate(Rule.A_FREE, Parameters(2, (18,), (1, 2)), beta, (0, linear)).certified
