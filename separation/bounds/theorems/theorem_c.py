"""Theorem C: the states of R layers alone must hold all bits of the last table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Message
from separation.bounds.inequality import Inequality, check_condition, least_table
from separation.bounds.parameters import task_document
from separation.bounds.powers import exact_json, log2_float
from separation.bounds.recursion import Condition
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes


@dataclass(frozen=True)
class RecurrentOnly:
    """Λ < N_{L-1}·log2 N_{L-1}: if it holds, no word in R alone with Λ state bits solves FuncComp at these sizes.

    Any number of tokens of a chain of thought does not help: all that is known of table L passes one boundary.
    """

    sizes: Sizes
    linear: int
    inequality: Inequality

    @property
    def certified(self) -> bool:
        return self.inequality.holds is True

    @property
    def theorem(self) -> str:
        return "C"

    @property
    def beta(self) -> None:
        """No full layer, so nothing is said of β."""
        return None

    def tokens_log2(self) -> float:
        return log2_float(self.sizes.length)

    def hard_sizes(self) -> dict[str, Any]:
        return {
            "beta": None,
            "lambda": [number_to_json(self.linear)],
            "m": number_to_json(self.sizes.m),
            "n": [number_to_json(size) for size in self.sizes.n],
            "x": [],
            "tokens": number_to_json(self.sizes.length),
            "n_log2": self.tokens_log2(),
        }

    def certificate_claim(self, message: Message | None) -> dict[str, Any]:  # noqa: ARG002 (there is no full layer)
        return {
            "theorem": self.theorem,
            "task": task_document(self.sizes.m, self.sizes.n),
            "tokens": exact_json(self.sizes.length),
            "beta": None,
            "lambda": [exact_json(self.linear)],
            "message": None,
        }

    def certificate_choice(self) -> None:
        return None


def theorem_c(sizes: Sizes, linear: int) -> RecurrentOnly:
    """With tables z_1..z_{L-1} the identity, (z_0, w) can ask for every entry of z_L, so N^N ≤ 2^Λ, N = N_{L-1}.

    >>> [theorem_c(Sizes(4, (2,)), bits).certified for bits in (23, 24)]  # 8·log2 8 = 24
    [True, False]
    """
    require_integer("lambda", linear, 0)
    last = sizes.N[-1]
    L = sizes.L
    condition = Condition("G", "count", f"Λ < N_{L - 1}·log2 N_{L - 1}", linear, last, last)
    return RecurrentOnly(sizes, linear, check_condition(condition))


def shortest_for_recurrent_only(L: int, linear: int) -> RecurrentOnly:
    """The shortest prompt with N_{L-1}·log2 N_{L-1} > Λ.

    With L = 1 it is the least m. With L ≥ 2 all tables but the last have two entries: m = a instead of 2 makes each of
    the L−1 tables longer by a−2 ≥ 1, and the last, a multiple of a, at most 1 shorter than the least even number.
    """
    require_integer("L", L, 1)
    least = least_table(linear)
    if L == 1:
        return theorem_c(Sizes(least, ()), linear)
    return theorem_c(Sizes(2, (1,) * (L - 2) + (-(-least // 2),)), linear)
