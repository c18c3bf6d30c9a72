"""Theorem A2: one full layer and any R layers do not compose two tables; and how often, on average."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from separation.bounds.condition import Condition, Conditions, Number
from separation.bounds.entropy import excess_factor, union_share
from separation.bounds.theorem import Impossibility, Theorem, checked_sizes, checked_state_bits, one_table_more
from separation.bounds.theorems.ceiling import Ceiling, Term
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer


class TheoremA2(Theorem):
    """(Θ−1)^m·2^Λ_0 < m^m and 2^(Λ_0 + Θ·(Λ_1−Λ_0) + β·n_1) < N^(n_1·Θ), N = m·n_1.

    where Λ_1 counts blocks 0 and 1 and R heads beside F. Some z_0 reaches Θ values i of table 1 behind one common
    state; about table 2 the answer token hears β bits for each w, and the late states λ_1 bits for each i; n_1·Θ
    entries of table 2 are asked. `one_full_layer` has the shortest prompt of all.
    """

    name = "A2"
    shape = "one full layer and any R layers"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_more(word, L, 1, 1)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("Theta",)

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        (n1,), (theta,), (early, both) = n, chosen, state_bits
        received = early + theta * (both - early) + beta * n1
        return [
            Condition("reached", "Λ_0 < m·log2(m/(Θ−1))", early, m, m, theta - 1),
            Condition("asked", "Λ_0 + Θ·(Λ_1−Λ_0) + β·n_1 < n_1·Θ·log2 N_1", received, n1 * theta, m * n1),
        ]


def theorem_a2(m: int, n: Sequence[int], theta: int, beta: int, state_bits: Sequence[int]) -> Impossibility:
    """The theorem at integers; only n_1 is used, further tables are the identity."""
    return TheoremA2().at(m, n, (theta,), beta, checked_state_bits(state_bits, 2), 2)


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


def theorem_a2_nested(m: int, n1: int, beta: int, state_bits: Sequence[int]) -> Ceiling:
    """accuracy ≤ ⟨⟨1/N; (Λ_1−Λ_0)/n_1 + (Λ_0 + β·n_1)/N⟩; Λ_0/m⟩, N = m·n_1.

    Within one class of z_1, of which there are 2^Λ_0, the inner share of the entries of table 2 is found. At Λ_0 = 0 it
    is that of `theorem_a2_average` with τ = 1.
    """
    checked_sizes(m, (n1,), 2)
    require_integer("beta", beta, 0)
    early, both = checked_state_bits(state_bits, 2)
    inner = Term.of(Fraction(1, m * n1), Fraction(both - early, n1) + Fraction(early + beta * n1, m * n1))
    outer = Term.of(inner.share, Fraction(early, m)) if early else inner
    parameters = (("inner", inner.share),) if early else ()
    return Ceiling(outer.share, "A2 nested", parameters, (inner, outer) if early else (inner,))


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
