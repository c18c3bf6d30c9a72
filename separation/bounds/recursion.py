"""The recursion of theorems A and B, written once for every kind of number."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from separation.bounds.condition import LOOSE, Condition, Conditions, Number, Order, largest


class Rule(enum.Enum):
    """Which form of Theorem A or B is applied."""

    A = "A"
    A_FREE = "A, Λ_0 = 0"
    B = "B"

    @property
    def theorem(self) -> str:
        return "B" if self is Rule.B else "A"

    @property
    def more_layers(self) -> int:
        """Theorem B is about one more full layer: levels are about layers 1..ℓ+1, and Λ_{ℓ+1} replaces Λ_ℓ."""
        return 1 if self is Rule.B else 0

    def state_count(self, L: int) -> int:
        """How many Λ_t there are: Λ_0..Λ_{L-1}, and Λ_L in Theorem B."""
        return L + self.more_layers


# (level, x_ℓ·n_{ℓ-1}·Θ_{ℓ-1}) ↦ (t_ℓ, Θ_ℓ)
Cover = Callable[[int, Number], tuple[Number, Number]]


@dataclass(frozen=True)
class Recursion:
    """N_0..N_{L-1}; t_0..t_{L-1} (t_0 is not used); Θ_0..Θ_{L-1}; D_1..D_L (at indices 0..L−1)."""

    N: list[Number]
    t: list[Number]
    theta: list[Number]
    D: list[Number]


def fibonacci(index: int) -> int:
    """F_1 = F_2 = 1, F_{k+1} = F_k + F_{k-1}."""
    a, b = 0, 1
    for _ in range(index):
        a, b = b, a + b
    return a


def half_cover(_level: int, product: int) -> tuple[int, int]:
    """t = product rounded down to even, at least 2; Θ = t/2."""
    theta = max(1, product >> 1)
    return 2 * theta, theta


def chosen_cover(reached: Sequence[Number]) -> Cover:
    """t = product, without rounding; Θ_1, Θ_2, … as given."""
    return lambda level, product: (product, reached[level - 1])


def run_recursion(
    rule: Rule,
    beta: Number,
    state_bits: Sequence[Number],
    m: Number,
    n: Sequence[Number],
    x: Sequence[Number],
    cover: Cover = half_cover,
    smaller: Callable[[Number, Number], Number] = min,
    pads: int = 0,
    cone: int = 0,
) -> Recursion:
    """D_{ℓ+1} = x_ℓ·D_ℓ + 1 + Λ_ℓ + β·bracket_ℓ for ℓ = 1..L−1, with D_1 = Λ_0 and

    bracket_ℓ = ℓ·x_ℓ·N_{ℓ-1} + (W+1)·x_0⋯x_{ℓ-1} + Σ_{i=1..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1};
    (t_ℓ, Θ_ℓ) from x_ℓ·n_{ℓ-1}·Θ_{ℓ-1} by ``cover``, with Θ_0 = x_0 and n_0 = 1.

    Theorem B: D_1 = β·W + Λ_1, Λ_{ℓ+1} for Λ_ℓ, ℓ+1 for the first ℓ of the bracket, and x_0·x_1 more in bracket_1.
    Theorem A with Λ_0 = 0: Θ_1 = min(x_0·x_1, m), and no 1 in D_2.
    With ``pads`` between z_0 and w, which are tokens of player 0, W+1+pads for W+1, and (1+pads)·x_0·x_1; the ``cone``
    are those that windows show to w in time, and hear with it in layer 1 of Theorem B (`theorem_pads`).

    Theorem B with one table has no x; all m entries count.

    where β and Λ_t are message sizes in bits, m and n_ℓ sizes of the task, x_ℓ the number of tables kept of player ℓ,
    t_ℓ a number of draws and Θ_ℓ how many values they reach.
    """
    more, x = rule.more_layers, x or [m]
    N = [m]
    for size in n:
        N.append(N[-1] * size)
    W = _product(n)
    D = [beta * (W + cone) + state_bits[1] if rule is Rule.B else state_bits[0]]
    t, theta = [x[0]], [x[0]]
    prefixes = (W + 1 + pads) * x[0]  # (W+1+pads)·x_0⋯x_{ℓ-1}
    tails: Number = 0  # Σ_{i=1..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1}
    for level in range(1, len(x)):
        kept, size = x[level], N[level - 1]
        free = rule is Rule.A_FREE and level == 1
        product = kept * theta[-1] if level == 1 else kept * n[level - 2] * theta[-1]
        draws, reached = (product, smaller(product, m)) if free else cover(level, product)
        reached = largest(reached, 1 + kept * D[-1], draws, size, LOOSE)
        t.append(draws)
        theta.append(reached)
        bracket = (level + more) * kept * size + prefixes + tails
        if rule is Rule.B and level == 1:
            bracket = bracket + (1 + pads) * x[0] * x[1]
        D.append(kept * D[-1] + (0 if free else 1) + state_bits[level + more] + beta * bracket)
        prefixes = prefixes * kept
        tails = (tails + size) * kept
    return Recursion(N, t, theta, D)


def _product(factors: Sequence[Number]) -> Number:
    result: Number = 1
    for factor in factors:
        result = result * factor
    return result


def conditions(
    rule: Rule, values: Recursion, n: Sequence[Number], x: Sequence[Number], chosen: bool = False
) -> Conditions:
    """x_0 ≤ m; 𝖾·t_ℓ < 2N_{ℓ-1} and (E_ℓ) for ℓ = 1..L−1 (from 2 on when Λ_0 = 0 is used); (F).

    (E_ℓ) says that t_ℓ draws from [N_{ℓ-1}] reach at most Θ_ℓ values with probability at most 2^{-1-x_ℓ·D_ℓ}: that
    probability is at most C(N,Θ)·(Θ/N)^t ≤ (𝖾N/Θ)^Θ·(Θ/N)^t. With Θ_ℓ = t_ℓ/2 it is the theorem's
    1 + x_ℓ·D_ℓ ≤ (t_ℓ/2)·log2(2N_{ℓ-1}/(𝖾·t_ℓ)). ``chosen``: Θ_ℓ is any integer up to t_ℓ, and the second condition,
    which is there to make the logarithm positive, is replaced by Θ_ℓ ≤ t_ℓ. Theorem B with one table has no x.
    """
    L, N, t, theta, D = len(values.N), values.N, values.t, values.theta, values.D
    if not x:
        return [Condition("F", "β + Λ_1 < m·log2 m", D[0], N[0], N[0])]
    found: Conditions = [Order("x_0", "x_0 ≤ m", x[0], N[0])]
    for level in range(2 if rule is Rule.A_FREE else 1, L):
        k, b = level, level - 1
        left = f"1 + x_{k}·D_{k} ≤ "
        if chosen:
            formula = left + f"(t_{k}−Θ_{k})·log2(N_{b}/Θ_{k}) − Θ_{k}·log2 𝖾"
            found.append(Order(f"C_{k}", f"Θ_{k} ≤ t_{k}", theta[k], t[k]))
        else:
            formula = left + f"(t_{k}/2)·log2(2·N_{b}/(𝖾·t_{k}))"
            found.append(Condition(f"C_{k}", f"𝖾·t_{k} < 2·N_{b}", 0, 1, N[b], theta[k], nats=1))
        bits, drawn = 1 + x[k] * D[b], ((N[b], theta[k]),)
        found.append(Condition(f"E_{k}", formula, bits, t[k], N[b], theta[k], loose_binomials=drawn, strict=False))
    last = f"D_{L} < n_{L - 1}·Θ_{L - 1}·log2 N_{L - 1}"
    reached = n[-1] * theta[-1] if L > 1 else theta[-1]
    found.append(Condition("F", last, D[-1], reached, N[-1]))
    return found
