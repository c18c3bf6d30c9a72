"""Theorems A and B at given integers: every inequality with both sides, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx

from separation.arithmetic import number_to_json
from separation.bounds.budget import Message
from separation.bounds.inequality import Inequality, check_condition, check_condition_in_balls
from separation.bounds.parameters import Parameters, task_document
from separation.bounds.powers import (
    BALL_BITS,
    PowerProduct,
    Size,
    exact_json,
    precision_for,
    simplest,
    size_ball,
    size_to_json,
)
from separation.bounds.recursion import Recursion, Rule, chosen_cover, conditions, half_cover, run_recursion
from separation.files import InputError
from separation.tasks.checks import require_integer


@dataclass(frozen=True)
class Evaluation:
    """N, t, Θ and D in ``recursion``; ``certified`` means that all inequalities hold.

    If certified, no model of the rule's shape with message size at most β and linear bits at most Λ_t solves FuncComp
    at exactly the sizes (m, n) of the parameters. Nothing is said of other sizes.
    """

    rule: Rule
    beta: int
    linear: tuple[Size, ...]
    parameters: Parameters
    recursion: Recursion
    inequalities: tuple[Inequality, ...]

    @property
    def certified(self) -> bool:
        return all(inequality.holds is True for inequality in self.inequalities)

    @property
    def theorem(self) -> str:
        return self.rule.theorem

    def tokens_log2(self) -> float:
        """log2 of the length of the prompt; a float for display."""
        return self.parameters.tokens_log2()

    def hard_sizes(self) -> dict[str, Any]:
        """{beta, lambda, m, n, x, reached if chosen, sizes_log2, tokens, n_log2}."""
        tokens = self.parameters.tokens()
        return {
            "beta": number_to_json(self.beta),
            "lambda": [size_to_json(bits) for bits in self.linear],
            **self.parameters.document(),
            "tokens": None if tokens is None else number_to_json(tokens),
            "n_log2": self.tokens_log2(),
        }

    def certificate_claim(self, message: Message | None) -> dict[str, Any]:
        """{theorem, task, tokens, beta, lambda, message}: what is impossible, for which models."""
        tokens = self.parameters.tokens()
        return {
            "theorem": self.theorem,
            "task": task_document(self.parameters.m, self.parameters.n),
            "tokens": None if tokens is None else size_to_json(tokens),
            "beta": exact_json(self.beta),
            "lambda": [exact_json(bits) for bits in self.linear],
            "message": None if message is None else message.document(),
        }

    def certificate_choice(self) -> dict[str, Any] | None:
        """x, Θ if chosen, and whether Λ_0 = 0 is used; None for Theorem B with one table, which has no x."""
        if not self.parameters.x:
            return None
        reached = self.parameters.reached
        return {
            "x": [exact_json(kept) for kept in self.parameters.x],
            "reached": None if reached is None else [exact_json(values) for values in reached],
            "free_start": self.rule is Rule.A_FREE,
        }


def evaluate(rule: Rule, parameters: Parameters, beta: int, linear: Sequence[Size]) -> Evaluation:
    """All inequalities of a rule, in integers where all numbers are short enough, else in balls."""
    linear = checked_budget(rule, parameters.L, beta, linear)
    if len(parameters.x) != parameters.L:
        raise InputError(f"L = {parameters.L} needs {parameters.L} values of x, got {len(parameters.x)}")
    parameters = parameters.as_integers()
    m, n, x, reached = parameters.m, parameters.n, parameters.x, parameters.reached
    chosen = reached is not None
    if parameters.is_exact and all(isinstance(bits, int) for bits in linear):
        cover = half_cover if reached is None else chosen_cover(reached)
        recursion = run_recursion(rule, beta, linear, m, n, x, cover)
        verdicts = tuple(check_condition(condition) for condition in conditions(rule, recursion, n, x, chosen))
        return Evaluation(rule, beta, linear, parameters, recursion, verdicts)
    with ctx.workprec(precision_for([*parameters.all_sizes, *linear])):
        n_balls, x_balls = _balls(n), _balls(x)
        cover = half_cover_ball if reached is None else chosen_cover(_balls(reached))
        recursion = run_recursion(rule, arb(beta), _balls(linear), size_ball(m), n_balls, x_balls, cover, smaller_ball)
        asked = conditions(rule, recursion, n_balls, x_balls, chosen)
        verdicts = tuple(check_condition_in_balls(condition) for condition in asked)
    return Evaluation(rule, beta, linear, parameters, recursion, verdicts)


def checked_budget(rule: Rule, L: int, beta: int, linear: Sequence[Size]) -> tuple[Size, ...]:
    """β ≥ 1 and the Λ_t that the rule speaks of, or an error that names the field."""
    require_integer("beta", beta, 1)
    count = rule.linear_count(L)
    if len(linear) != count:
        raise InputError(f"Theorem {rule.theorem} with L = {L} needs Λ_0..Λ_{count - 1}, got {len(linear)} values")
    linear = tuple(map(simplest, linear))
    for t, bits in enumerate(linear):
        if not isinstance(bits, PowerProduct):
            require_integer(f"Λ_{t}", bits, 0)
    if rule is not Rule.A and linear[0] != 0:
        raise InputError(f"this form of Theorem {rule.theorem} needs Λ_0 = 0, no R layer before the first full one")
    return linear


def _balls(sizes: Sequence[Size]) -> list[arb]:
    return [size_ball(size) for size in sizes]


def half_cover_ball(_level: int, product: arb) -> tuple[arb, arb]:
    """Balls around t = product rounded down to even (at least 2), and t/2, where product is an integer."""
    if product < 1 << BALL_BITS:  # known exactly; beyond, Arb refuses to make an integer of it
        whole = product.unique_fmpz()
        assert whole is not None
        theta = arb(half_cover(_level, int(whole))[1])
    else:
        theta = ((product - 1) / 2).union(product / 2)
    return 2 * theta, theta


def smaller_ball(a: arb, b: arb) -> arb:
    return a.min(b)
