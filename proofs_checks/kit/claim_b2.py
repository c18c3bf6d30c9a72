"""Theorem B2 in integers, on all inputs and on a family of them; charges may be left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Numbers(NamedTuple):
    """m, n_1; x_0, v, Θ; β, Λ_1 (R heads beside the first full layer) and λ_2 = Λ_2 − Λ_1; q on a family, else 0."""

    m: int
    n1: int
    x0: int
    v: int
    theta: int
    beta: int
    beside: int
    late: int
    answers: int = 0


Charges = Mapping[str, Callable[[Numbers], int]]
REACHED: Charges = {
    "layer 1, table 1 to w": lambda of: of.beta * of.n1,
    "the state behind table 1": lambda of: of.beside,
}
TOLD: Charges = {
    "the state behind table 2": lambda of: of.beside,
    "layer 1 into w": lambda of: of.beta * of.n1,
    "layer 1 into z_0": lambda of: of.beta * of.x0,
    "layer 1 into table 1": lambda of: of.beta * of.x0 * of.v,
    "layer 2 into w": lambda of: of.beta * of.n1 * of.x0,
    "late states into w": lambda of: of.theta * of.late,
}


@dataclass(frozen=True)
class Claim:
    """x_0·v ≤ m, (Θ−1)^x_0·2^reached < (x_0·v)^x_0 and 2^told < N^(n_1·Θ) exclude every solver."""

    reached: Charges = field(default_factory=lambda: REACHED)
    told: Charges = field(default_factory=lambda: TOLD)

    def reaches(self, of: Numbers) -> bool:
        heard = sum(charge(of) for charge in self.reached.values())
        return bool((of.theta - 1) ** of.x0 * 2**heard < (of.x0 * of.v) ** of.x0)

    def asks(self, of: Numbers) -> bool:
        told = sum(charge(of) for charge in self.told.values())
        return bool(2**told < (of.answers or of.m * of.n1) ** (of.n1 * of.theta))

    def forbids(self, of: Numbers) -> bool:
        return of.x0 * of.v <= of.m and self.reaches(of) and self.asks(of)
