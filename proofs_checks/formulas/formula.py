"""What a formula is: the sizes of one construction as expressions, and what is claimed of their growth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from constructions import SEARCHES
from proofs_checks.formulas.evaluating import EXACT, evaluate, letters_at, number_at
from proofs_checks.formulas.letters import SLOTS, Expression, kappa, log2, replaced
from proofs_checks.formulas.limits import limit
from separation.tasks.catalogue import Task
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes

QUANTITIES = ("layers", "heads", "width", "P", "p", "state_bits", "summary_bits")

WORDS: Mapping[str, Callable[[int], str]] = {
    "F^(L+1)": lambda tables: "F" * (tables + 1),
    "RF^L": lambda tables: "R" + "F" * tables,
    "FRF^(L-1)": lambda tables: "FR" + "F" * (tables - 1),
    "R^(L+1)": lambda tables: "R" * (tables + 1),
    "F^(1+⌈log2(L+1)⌉)": lambda tables: "F" * (1 + bit_count(tables + 1)),
}


@dataclass(frozen=True)
class Growth:
    """quantity / scale → constant as ``grows`` → ∞; FuncComp: for L ≥ 2, and ``of_one`` (if not None) for L = 1.

    ``is_bound``: no model of this kind has less than the scale.
    """

    quantity: str
    order: str
    scale: Expression
    constant: Expression
    of_one: Expression | None = None
    grows: Expression = kappa
    is_bound: bool = False


@dataclass(frozen=True)
class Formula:
    """The sizes of one construction, in the sizes of the task, in SLOTS and in the letters of ``where``.

    ``where`` says what these stand for, those that use others first.
    """

    construction: str
    word: str
    does: str
    quantities: Mapping[str, Expression]
    growth: tuple[Growth, ...]
    family: str | None = None
    where: Mapping[Expression, Expression] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return " ".join(part for part in (self.construction, self.word, self.family) if part)

    @property
    def is_search(self) -> bool:
        """2-Sum, not FuncComp."""
        return self.construction in SEARCHES

    def letters(self, sizes: Task) -> str:
        """The word at given sizes, e.g. RFF for RF^L."""
        if self.word not in WORDS or isinstance(sizes, TwoSumSizes):
            return self.word
        return WORDS[self.word](sizes.L)

    def options(self, sizes: Task) -> dict[str, Any]:
        """What `build` is told to make this variant; options that are None it leaves out."""
        variant = {"word": self.letters(sizes), "family": self.family}
        return variant if self.construction in ("C2", "C5") else {}

    def in_sizes(self, expression: Expression) -> Expression:
        """The expression without slots and letters of ``where``."""
        return replaced(expression, (*self.where.items(), *SLOTS.items()))

    def value(self, quantity: str, sizes: Task, block: int = 1, opened: int = 0) -> int:
        """The quantity at given sizes."""
        return evaluate(self.in_sizes(self.quantities[quantity]), sizes, block, opened)

    def ratio(self, growth: Growth, sizes: Task, block: int = 1, opened: int = 0) -> float | None:
        """quantity/scale at given sizes, as a float; None where the scale is 0."""
        known = {**EXACT, log2: lambda x: Fraction(math.log2(int(x)))}
        scale = number_at(self.in_sizes(growth.scale), *letters_at(sizes, block, opened), known)
        return float(self.value(growth.quantity, sizes, block, opened) / scale) if scale else None

    def limit(self, growth: Growth, one_table: bool = False) -> Expression:
        """lim quantity/scale; see `limit`."""
        quantity, scale = (self.in_sizes(e) for e in (self.quantities[growth.quantity], growth.scale))
        return limit(quantity, scale, growth.grows, one_table)
