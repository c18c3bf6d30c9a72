"""T.monotone: a certificate for β and Λ is one for every smaller β and Λ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
import z3

from proofs_checks.integers import require_no_numbers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Point, Rule
from separation.bounds.evaluation import evaluate
from separation.bounds.ladder import climb, demands
from separation.bounds.symbolic import BETA, M, linear_symbol, n_symbol, x_symbol

Step = Callable[..., Any]
"""(x_ℓ, D_ℓ, Λ_ℓ, β, bracket_ℓ) ↦ D_{ℓ+1}."""
LEVELS = 5


def one_level(kept: Any, before: Any, linear: Any, beta: Any, bracket: Any) -> Any:
    """x·D + 1 + Λ + β·bracket."""
    return kept * before + 1 + linear + beta * bracket


def check(step: Step) -> Checked:
    """D_1 = Λ_0 (or β·W + Λ_1) and D_{ℓ+1} = x_ℓ·D_ℓ + 1 + Λ_ℓ + β·bracket_ℓ grow with β and Λ; right sides do not.

    By induction over ℓ, each step by z3 over all reals: x_ℓ ≥ 1 and bracket_ℓ ≥ 0 contain neither β nor Λ. Every left
    side that contains D grows with it, so what holds for (β, Λ) holds for all smaller ones. The calculator's own D, for
    L ≤ 6: polynomials in β and Λ without a negative term, equal to the step; its right sides, factors and tries contain
    no β and no Λ.
    """
    kept, bracket = z3.Reals("kept bracket")
    small, large = z3.Reals("D Linear beta"), z3.Reals("D_ Linear_ beta_")
    order = [first <= second for first, second in zip(small, large, strict=True)]
    positive = [kept >= 1, bracket >= 0, small[0] >= 0, small[1] >= 0, small[2] >= 1]
    grown = step(kept, *small, bracket) > step(kept, *large, bracket)
    require_no_numbers([*order, *positive, grown], "a smaller β or Λ makes D larger")
    for rule in Rule:
        for L in range(2, LEVELS + 1):
            _require_polynomials(rule, L, step)
    method = f"induction over ℓ (z3); the calculator's polynomials for L ≤ {LEVELS} (sympy)"
    return Checked(Status.ALL_SIZES, method, "every L, every size, theorems A and B")


def _require_polynomials(rule: Rule, L: int, step: Step) -> None:
    n, x = [n_symbol(k) for k in range(1, L)], [x_symbol(k) for k in range(L)]
    linear = [linear_symbol(t) for t in range(rule.linear_count(L))]
    ladder = climb(rule, BETA, linear, M, n, x, lambda _level, draws: (draws, draws / 2), sp.Min)
    budget = (BETA, *linear)
    for level in range(L):
        where = f"{rule.value}, L = {L}, D_{level + 1}"
        terms = sp.Poly(sp.expand(ladder.D[level]), *budget, *n, *x, M).coeffs()
        require(all(coefficient > 0 for coefficient in terms), f"{where} has a negative term")
        if level and not (rule is Rule.A_FREE and level == 1):
            bits = linear[level + rule.more_layers]
            rest = sp.expand(ladder.D[level] - step(x[level], ladder.D[level - 1], bits, BETA, 0))
            require(not (sp.cancel(rest / BETA).free_symbols & set(budget)), f"{where} is not the step: {rest}")
    for demand in demands(rule, ladder, n, x):
        for side in (demand.right, demand.factor, demand.tries):
            letters = (sp.Integer(0) + side).free_symbols
            require(not (letters & set(budget)), f"{rule.value}, L = {L}: {demand.name} right")


STATEMENT = Statement(
    id="T.monotone",
    title="smaller β and Λ",
    latex=r"(E_\ell),(F)\ \text{at}\ (\beta,\Lambda)\ \Rightarrow\ (E_\ell),(F)\ \text{at}\ "
    r"(\beta',\Lambda'),\ \beta'\le\beta,\ \Lambda'\le\Lambda",
    english="A certificate speaks of its own sizes and of every smaller message size and state.",
    subject=one_level,
    check=check,
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
    return evaluate(Rule.A_FREE, Point(2, (18,), (1, 2)), beta, (0, linear)).certified
