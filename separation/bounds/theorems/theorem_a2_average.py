"""Theorem A2 on average: how often one full layer and any R layers compose two random tables rightly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from separation.bounds.entropy import excess_factor, union_share
from separation.bounds.theorem import checked_sizes, checked_state_bits
from separation.bounds.theorems.ceiling import Ceiling, Term
from separation.files import InputError
from separation.tasks.checks import require_integer


def theorem_a2_average(m: int, n1: int, tau: Fraction, beta: int, state_bits: Sequence[int]) -> Ceiling:
    """accuracy ≤ c_τ·Λ_0/m + ⟨1/N; (Λ_1−Λ_0)/n_1 + τ·β·n_1/N + τ·Λ_0/N⟩, N = m·n_1, τ > 1; with Λ_0 = 0 also τ = 1.

    n_1, never n_1+1: with z_0 fixed, the block-1 state into w (λ_1 bits for each copy of table 1) stands in place
    of the
    state into z_0's token and of what that token hears, exactly as in the worst case.
    """
    checked_sizes(m, (n1,), 2)
    require_integer("beta", beta, 0)
    early, both = checked_state_bits(state_bits, 2)
    if tau < 1 or (tau == 1 and early > 0):
        raise InputError(f"tau is {tau}; more than 1 is needed (1 itself only when Lambda_0 is 0)")
    N = m * n1
    kappa = Fraction(both - early, n1) + tau * Fraction(beta * n1 + early, N)
    rest = excess_factor(tau) * Fraction(early, m) if early else Fraction(0)
    return Ceiling.from_terms("A2 average", (("tau", tau),), (Term.of(Fraction(1, N), kappa),), rest)


def theorem_a2_union(m: int, n1: int, beta: int, state_bits: Sequence[int]) -> Ceiling:
    """Λ_0 = 0: accuracy ≤ (1/N)·Σ_{a=1..N} min(1, 2^I·Pr[Bin(N, 1/N) ≥ a]), I = m·Λ_1 + β·n_1.

    With z_0 and z_1 + a mod m for all a in place of copies: every entry of table 2 is asked once.
    """
    checked_sizes(m, (n1,), 2)
    require_integer("beta", beta, 0)
    early, both = checked_state_bits(state_bits, 2)
    if early:
        raise InputError("the union bound of Theorem A2 is about words without an R layer in front: Lambda_0 is 0")
    bits = m * both + beta * n1
    return Ceiling(union_share(m * n1, bits), "A2 union", (("bits", bits),))
