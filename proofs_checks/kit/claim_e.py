"""The bits of theorem E, level by level and by name; charges may be left out."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

QUIET, LATE, FULL, DELAYED = "quiet", "late", "full", "delayed"


class Numbers(NamedTuple):
    """The kind (A: L−1 full layers, B: L and no R layer before the second), sizes, x_0..x_{L-1}, β and Λ."""

    kind: str
    payment: str
    m: int
    n: tuple[int, ...]
    x: tuple[int, ...]
    beta: int
    linear: tuple[int, ...]


BASE_STATE, BASE_HEARD, BOUNDARY, STATES = "the first state", "layer 1 into w", "the new boundary", "late states"
OWN, ASKING, STARTS, BELOW = "into the table itself", "last layer into w", "into z_0", "into the tables below"
NAMES = (BASE_STATE, BASE_HEARD, BOUNDARY, STATES, OWN, ASKING, STARTS, BELOW)


@dataclass(frozen=True)
class Told:
    """[D_1, …, D_L], D_{ℓ+1} = x_ℓ·D_ℓ + c_ℓ; the charges named in ``free`` are not paid."""

    free: frozenset[str] = frozenset()

    def __call__(self, of: Numbers) -> list[int]:
        bits = [sum(self._paid(base(of)))]
        for level in range(1, len(of.n) + 1):
            bits.append(of.x[level] * bits[-1] + sum(self._paid(costs(of, level))))
        return bits

    def _paid(self, charges: dict[str, int]) -> list[int]:
        return [bits for name, bits in charges.items() if name not in self.free]


def base(of: Numbers) -> dict[str, int]:
    """D_1 by name: Λ_0 (A), β·W + Λ_1 (B)."""
    if of.kind == "A":
        return {BASE_STATE: of.linear[0]}
    return {BASE_HEARD: of.beta * prod(of.n), BASE_STATE: of.linear[1]}


def costs(of: Numbers, level: int) -> dict[str, int]:
    """c_ℓ by name, each written out by kind and payment."""
    L, W, x, beta = len(of.n) + 1, prod(of.n), of.x, of.beta
    N = [of.m * prod(of.n[:below]) for below in range(L)]
    X = prod(x[:level])
    S = sum(prod(x[i:level]) * N[i - 1] for i in range(1, level))
    V = W if (of.kind, level, of.linear[0]) == ("A", 1, 0) else W * X
    pays = of.payment if level == L - 1 or of.payment == DELAYED else FULL
    skipped = 0 if of.kind == "A" else 1
    before, here = of.linear[level + skipped - 1], of.linear[level + skipped]
    layers = level + skipped - (pays != FULL)
    if pays == DELAYED:
        starts, late = (0 if level == 1 else x[0] if level == 2 else X), X * x[level]
    else:
        starts, late = X, x[level]
    if of.kind == "B" and level == 1:
        S = X * x[1]
    if pays == QUIET:
        starts, S = (X if of.kind == "B" and level == 1 else 0), 0
    return {
        BOUNDARY: here if pays == FULL else before,
        STATES: 0 if pays in (FULL, QUIET) else late * (here - before),
        OWN: beta * layers * x[level] * N[level - 1],
        ASKING: beta * V,
        STARTS: beta * starts,
        BELOW: beta * S,
    }
