"""Coq's inequalities, read from its files, against the calculator's: what is left to check where Coq has the proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb, log2
from random import Random
from typing import Any, NamedTuple

from proofs_checks.kit.coq.reading import Compared, CoqText
from proofs_checks.kit.statement import Checked, Status, require
from separation.bounds import Evaluation, Inequality, Rule

IN_COQ = CoqText()
"""The subject of such a statement; its twins are `altered` texts."""


def arguments(text: CoqText, theorem: str, predicate: str, count: int, **values: Any) -> list[int]:
    """Those that a theorem of Coq gives to a predicate among its hypotheses."""
    found: list[int] = []

    def called(*given: int) -> Any:
        found[:] = given
        return len(given) == count or (lambda value: called(*given, value))

    text.compared(theorem, **{predicate: lambda value: called(value)}, **values)
    return found


def altered(old: str, new: str) -> CoqText:
    """A false neighbour: Coq's inequality with one part changed."""
    return CoqText(((old, new),))


class Said(NamedTuple):
    """An inequality as the calculator has it: its sides, or their logarithms, and its verdict (None: not compared)."""

    left: int | Fraction
    right: int | Fraction
    holds: bool | None


Case = tuple[str, Sequence[Compared], Sequence[Said]]
"""What is compared, Coq's inequalities at some integers, and the calculator's at the same."""


@dataclass(frozen=True)
class Comparison:
    """``theorem`` of Coq: at seeded integers its inequalities have the calculator's sides and verdicts, one by one."""

    theorem: str
    case: Callable[[CoqText, Random], Case]
    scope: str
    cases: int = 200

    def __call__(self, text: CoqText) -> Checked:
        rng, verdicts = Random(1), set()
        for _ in range(self.cases):
            verdicts |= require_same(*self.case(text, rng))
        require(len(verdicts) == 2, "all inequalities of the seeded cases have one verdict")
        method = f"{self.theorem} in Coq; its inequalities, read from the Coq files, against the calculator's"
        return Checked(Status.TESTED, method, f"{self.cases} seeded cases, {self.scope}")


def require_same(where: str, coq: Sequence[Compared], calculator: Sequence[Said]) -> set[bool]:
    """The verdicts, if sides and verdicts are the same. Where an order such as Θ ≤ N is broken, the calculator leaves
    out what makes no sense behind it; then both say no, and nothing else is compared."""
    if len(calculator) < len(coq) and not all(said.holds for said in calculator):
        require(not all(found.holds for found in coq), f"{where}: Coq has no broken order")
        return {False}
    require(len(coq) == len(calculator), f"{where}: Coq has {len(coq)} inequalities, the calculator {len(calculator)}")
    for place, (found, said) in enumerate(zip(coq, calculator, strict=True), start=1):
        same = is_same(found.left, said.left) and is_same(found.right, said.right)
        same = same or same_quotient(found, said)
        require(same, f"{where}: inequality {place} has other sides in Coq")
        require(said.holds in (None, found.holds), f"{where}: inequality {place} is {found.holds} in Coq")
    return {said.holds for said in calculator if said.holds is not None}


def is_same(number: int, side: int | Fraction) -> bool:
    """The number or its logarithm: a bound from above or below that differs in no digit of a float.

    >>> is_same(8, 3), is_same(8, 8), is_same(9, 3)
    (True, True, False)
    """
    if number == side:
        return True
    return number > 0 and abs(log2(number) - float(side)) <= 1e-12 * max(1.0, float(side))


def same_quotient(found: Compared, said: Said) -> bool:
    """log2(right/left) is the same: the calculator shows the bits alone on the left, and divides by other factors."""
    if found.left <= 0 or found.right <= 0:
        return False
    left, right = log2(found.left), log2(found.right)
    return abs((right - left) - float(said.right - said.left)) <= 1e-12 * max(1.0, left, right)


def levels(evaluation: Evaluation, first: int = 1) -> list[Said]:
    """Of levels ``first``, …, L−1 and of the end what Coq asks, from the calculator's N, Θ, D; see Definitions.v, 5.

    (E_ℓ) has the binomial in Coq where the calculator bounds it by 𝖾 (`E_of_the_docs`): so its verdict is not compared.
    """
    values, n, x = evaluation.recursion, evaluation.parameters.n, evaluation.parameters.x
    asked = [values.theta[0], *(size * reached for size, reached in zip(n, values.theta[1:], strict=True))]
    verdicts = {found.name: found.holds for found in evaluation.inequalities}
    found = []
    for level in range(first, len(x)):
        N, kept, theta, D = values.N[level - 1], x[level], values.theta[level], values.D[level - 1]
        draws = kept * asked[level - 1]
        rare = 2 ** (1 + kept * D) * comb(N, theta - 1) * (theta - 1) ** draws
        if verdicts.get(f"E_{level}") and verdicts.get(f"C_{level}") and theta <= draws:
            require(rare <= N**draws, f"{evaluation.parameters}: E_{level} holds with 𝖾, but not in Coq")
        found += [Said(theta, N, None), Said(rare, N**draws, None)]
    return [*found, Said(2 ** values.D[-1], values.N[-1] ** asked[-1], verdicts["F"])]


def drawn_schedule(rng: Random, rule: Rule) -> tuple[int, tuple[int, ...], tuple[int, ...], int, tuple[int, ...]]:
    """m, n, x, β and Λ for theorems A and B with two to four tables."""
    L = rng.choice((2, 2, 3, 4))
    m = rng.choice((2, 3, 5, 300 if L == 2 else 12))
    n = tuple(rng.choice((1, 2, 3, 40 if L == 2 else 5)) for _ in range(L - 1))
    x = (rng.randint(1, min(m, 3)), *(rng.randint(1, 3) for _ in range(L - 1)))
    states = [rng.choice((0, 0, 1, 3)) for _ in range(rule.state_count(L))]
    states[0] = states[0] if rule is Rule.A else 0
    return m, n, x, rng.choice((1, 2)), tuple(sum(states[: block + 1]) for block in range(len(states)))


def by_name(inequalities: Sequence[Inequality], *names: str) -> list[Said]:
    """The calculator's inequalities in this order; all of them, in theirs, if none is named."""
    known = {found.name: Said(found.left, found.right, found.holds) for found in inequalities}
    return [known[name] for name in names] if names else list(known.values())


def said_of_cubes(found: Sequence[Inequality], queries: int) -> list[Said]:
    """B2c and A3c: without groups there is one for each query. Where an order is broken or no value survives, the
    calculator leaves out the last inequality; then the first of those that are broken stands for all."""
    names = {each.name for each in found}
    if "asked" not in names:
        return [Said(each.left, each.right, each.holds) for each in found if not each.holds][:1]
    order = by_name(found, "groups") if "groups" in names else [Said(queries, queries, True)]
    return [*by_name(found, "entries", "values"), *order, *by_name(found, "asked")]


def drawn_states(
    rng: Random, blocks: int, choices: Sequence[int] = (0, 0, 1, 2)
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """λ_0, λ_1, … and Λ_0, Λ_1, …"""
    states = tuple(rng.choice(choices) for _ in range(blocks))
    return states, tuple(accumulate(states))
