"""Theorems A and B at given integers, which their proofs choose: every inequality with both sides, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from separation.bounds.budget import Message
from separation.bounds.condition import verdict, verdict_in_balls
from separation.bounds.powers import (
    BALL_BITS,
    EXACT_BITS,
    PowerProduct,
    Size,
    bits_at_most,
    exact_json,
    log2_float,
    precision_for,
    simplest,
    size_ball,
    size_to_json,
)
from separation.bounds.recursion import Recursion, Rule, chosen_cover, conditions, half_cover, run_recursion
from separation.bounds.theorem import Impossibility, Prompt
from separation.files import InputError
from separation.tasks.checks import require_integer

if TYPE_CHECKING:
    from flint import arb


@dataclass(frozen=True)
class Parameters(Prompt):
    """The sizes m, n_1..n_{L-1} of the task, and x_0..x_{L-1} (Theorem B with L = 1 has no x).

    ``reached`` is Θ_1..Θ_{L-1} if they are chosen as well, and None if Θ_ℓ = t_ℓ/2. (Where Λ_0 = 0 is used, Θ_1 is
    min(x_0·x_1, m) in any case, whatever is written here.)
    """

    m: Size
    n: tuple[Size, ...]
    x: tuple[Size, ...]
    reached: tuple[Size, ...] | None = None

    def __post_init__(self) -> None:
        _require_size("m", self.m, 2)
        for name, sizes, first in (("n", self.n, 1), ("x", self.x, 0), ("Θ", self.reached or (), 1)):
            for level, size in enumerate(sizes, start=first):
                _require_size(f"{name}_{level}", size, 1)
        if self.reached is not None and len(self.reached) != len(self.n):
            raise InputError(f"L = {self.L} needs {len(self.n)} values of Θ, got {len(self.reached)}")

    @property
    def all_sizes(self) -> list[Size]:
        return [self.m, *self.n, *self.x, *(self.reached or ())]

    @property
    def is_exact(self) -> bool:
        """All numbers together are short enough to be handled as integers."""
        return sum(bits_at_most(size) for size in self.all_sizes) <= EXACT_BITS

    def as_integers(self) -> Parameters:
        """The same parameters in integers, when they are exact; otherwise themselves."""
        if not self.is_exact:
            return self
        reached = None if self.reached is None else tuple(map(simplest, self.reached))
        return Parameters(simplest(self.m), tuple(map(simplest, self.n)), tuple(map(simplest, self.x)), reached)

    def document(self) -> dict[str, Any]:
        """m, n, x, and Θ if chosen; a size of more than 4,000 digits is null; log2 of all sizes."""
        lists = {"n": self.n, "x": self.x} | ({} if self.reached is None else {"reached": self.reached})
        return {
            "m": size_to_json(self.m),
            **{name: [size_to_json(size) for size in sizes] for name, sizes in lists.items()},
            "sizes_log2": {
                "m": log2_float(self.m),
                **{name: [log2_float(size) for size in sizes] for name, sizes in lists.items()},
            },
        }


def _require_size(field: str, size: Size, least: int) -> None:
    """Products of powers are at least 1; one that is short is looked at as an integer."""
    size = simplest(size)
    if not hasattr(size, "factors"):
        require_integer(field, size, least)


@dataclass(frozen=True, kw_only=True)
class Evaluation(Impossibility):
    """Theorem A or B: N, t, Θ and D in ``recursion``; sizes may be too long to be written (`powers`).

    If certified, no model of the rule's shape with message size at most β and state bits at most Λ_t solves FuncComp at
    exactly the sizes (m, n) of the parameters. Nothing is said of other sizes.
    """

    rule: Rule
    parameters: Parameters
    recursion: Recursion

    def hard_sizes(self) -> dict[str, Any]:
        """{beta, lambda, m, n, x, reached if chosen, sizes_log2, tokens, tokens_log2}."""
        facts = super().hard_sizes()
        beta, state_bits, tokens, log2 = (facts[name] for name in ("beta", "lambda", "tokens", "tokens_log2"))
        sizes = self.parameters.document()
        return {"beta": beta, "lambda": state_bits, **sizes, "tokens": tokens, "tokens_log2": log2}

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


def evaluate(rule: Rule, parameters: Parameters, beta: int, state_bits: Sequence[Size]) -> Evaluation:
    """All inequalities of a rule, in integers where all numbers are short enough, else in balls."""
    state_bits = checked_budget(rule, parameters.L, beta, state_bits)
    if rule is Rule.B and parameters.L == 1:
        if parameters.x:
            raise InputError("Theorem B with L = 1 has no x")
    elif len(parameters.x) != parameters.L:
        raise InputError(f"L = {parameters.L} needs {parameters.L} values of x, got {len(parameters.x)}")
    parameters = parameters.as_integers()
    m, n, x, reached = parameters.m, parameters.n, parameters.x, parameters.reached
    if parameters.is_exact and all(isinstance(bits, int) for bits in state_bits):
        cover = half_cover if reached is None else chosen_cover(reached)
        recursion = run_recursion(rule, beta, state_bits, m, n, x, cover)
        verdicts = [verdict(condition) for condition in conditions(rule, recursion, n, x, reached is not None)]
    else:
        from flint import arb, ctx

        with ctx.workprec(precision_for([*parameters.all_sizes, *state_bits])):
            n_balls, x_balls = _balls(n), _balls(x)
            cover = half_cover_ball if reached is None else chosen_cover(_balls(reached))
            recursion = run_recursion(
                rule, arb(beta), _balls(state_bits), size_ball(m), n_balls, x_balls, cover, smaller_ball
            )
            asked = conditions(rule, recursion, n_balls, x_balls, reached is not None)
            verdicts = [verdict_in_balls(condition) for condition in asked]
    chosen = [(f"x_{k}", kept) for k, kept in enumerate(x)]
    chosen += [(f"Theta_{k}", values) for k, values in enumerate(reached or (), start=1)]
    proof = (beta, state_bits, tuple(chosen), tuple(verdicts), parameters.L)
    return Evaluation(rule.theorem, m, n, *proof, rule=rule, parameters=parameters, recursion=recursion)


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
    from flint import arb

    if product < 1 << BALL_BITS:  # known exactly; beyond, Arb refuses to make an integer of it
        whole = product.unique_fmpz()
        assert whole is not None
        theta = arb(half_cover(_level, int(whole))[1])
    else:
        theta = ((product - 1) / 2).union(product / 2)
    return 2 * theta, theta


def smaller_ball(a: arb, b: arb) -> arb:
    return a.min(b)
