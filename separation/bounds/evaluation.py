"""Theorems A and B at given integers: every inequality with both sides, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx

from separation.arithmetic import number_to_json
from separation.bounds.budget import Message
from separation.bounds.condition import verdict, verdict_in_balls
from separation.bounds.log_sums import Inequality
from separation.bounds.parameters import Parameters
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
from separation.bounds.theorem import Impossibility
from separation.files import InputError
from separation.tasks.checks import require_integer


@dataclass(frozen=True)
class Evaluation(Impossibility):
    """Theorem A or B: N, t, Θ and D in ``recursion``; sizes may be too long to be written (`powers`).

    If certified, no model of the rule's shape with message size at most β and state bits at most Λ_t solves FuncComp at
    exactly the sizes (m, n) of the parameters. Nothing is said of other sizes.
    """

    rule: Rule
    parameters: Parameters
    recursion: Recursion

    def tokens(self) -> int | None:
        return self.parameters.tokens()

    def tokens_log2(self) -> float:
        return self.parameters.tokens_log2()

    def tokens_bits(self) -> int:
        """⌈log2⌉ of the length of the prompt, or one more when it is known only to lie in a ball."""
        tokens = self.tokens()
        if tokens is not None:
            return (tokens - 1).bit_length()
        mantissa, exponent = (int(part) for part in self.parameters.tokens_ball().upper().man_exp())
        return mantissa.bit_length() + exponent

    def hard_sizes(self) -> dict[str, Any]:
        """{beta, lambda, m, n, x, reached if chosen, sizes_log2, tokens, tokens_log2}."""
        tokens = self.tokens()
        return {
            "beta": None if self.beta is None else number_to_json(self.beta),
            "lambda": [size_to_json(bits) for bits in self.state_bits],
            **self.parameters.document(),
            "tokens": None if tokens is None else number_to_json(tokens),
            "tokens_log2": self.tokens_log2(),
        }

    def certificate_claim(self, message: Message | None) -> dict[str, Any]:
        """It is about all tables: there is no number of them in the claim."""
        return {name: value for name, value in super().certificate_claim(message).items() if name != "tables"}

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


def evaluation_of(
    rule: Rule,
    parameters: Parameters,
    beta: int,
    state_bits: tuple[Size, ...],
    recursion: Recursion,
    inequalities: Iterable[Inequality],
) -> Evaluation:
    """The outcome with these verdicts."""
    chosen = [(f"x_{k}", kept) for k, kept in enumerate(parameters.x)]
    chosen += [(f"Theta_{k}", values) for k, values in enumerate(parameters.reached or (), start=1)]
    sizes, L = (parameters.m, parameters.n), parameters.L
    verdicts = tuple(inequalities)
    return Evaluation(rule.theorem, *sizes, beta, state_bits, tuple(chosen), verdicts, L, rule, parameters, recursion)


def evaluate(rule: Rule, parameters: Parameters, beta: int, state_bits: Sequence[Size]) -> Evaluation:
    """All inequalities of a rule, in integers where all numbers are short enough, else in balls."""
    state_bits = checked_budget(rule, parameters.L, beta, state_bits)
    if len(parameters.x) != parameters.L:
        raise InputError(f"L = {parameters.L} needs {parameters.L} values of x, got {len(parameters.x)}")
    parameters = parameters.as_integers()
    m, n, x, reached = parameters.m, parameters.n, parameters.x, parameters.reached
    chosen = reached is not None
    if parameters.is_exact and all(isinstance(bits, int) for bits in state_bits):
        cover = half_cover if reached is None else chosen_cover(reached)
        recursion = run_recursion(rule, beta, state_bits, m, n, x, cover)
        verdicts = [verdict(condition) for condition in conditions(rule, recursion, n, x, chosen)]
        return evaluation_of(rule, parameters, beta, state_bits, recursion, verdicts)
    with ctx.workprec(precision_for([*parameters.all_sizes, *state_bits])):
        n_balls, x_balls = _balls(n), _balls(x)
        cover = half_cover_ball if reached is None else chosen_cover(_balls(reached))
        recursion = run_recursion(
            rule, arb(beta), _balls(state_bits), size_ball(m), n_balls, x_balls, cover, smaller_ball
        )
        asked = conditions(rule, recursion, n_balls, x_balls, chosen)
        verdicts = [verdict_in_balls(condition) for condition in asked]
    return evaluation_of(rule, parameters, beta, state_bits, recursion, verdicts)


def checked_budget(rule: Rule, L: int, beta: int, state_bits: Sequence[Size]) -> tuple[Size, ...]:
    """β ≥ 1 and the Λ_t of the rule, or an error that names the field."""
    require_integer("beta", beta, 1)
    count = rule.state_count(L)
    if len(state_bits) != count:
        raise InputError(f"Theorem {rule.theorem} with L = {L} needs Λ_0..Λ_{count - 1}, got {len(state_bits)} values")
    state_bits = tuple(map(simplest, state_bits))
    for t, bits in enumerate(state_bits):
        if not isinstance(bits, PowerProduct):
            require_integer(f"Λ_{t}", bits, 0)
    if rule is not Rule.A and state_bits[0] != 0:
        raise InputError(f"this form of Theorem {rule.theorem} needs Λ_0 = 0, no R layer before the first full one")
    return state_bits


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
