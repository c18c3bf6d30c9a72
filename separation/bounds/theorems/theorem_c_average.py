"""Theorem C': how often R layers alone, with any chain of thought, are right; and one full layer with one table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from separation.bounds.entropy import union_share
from separation.bounds.theorem import checked_sizes, table_sizes
from separation.bounds.theorems.ceiling import Ceiling, Term
from separation.tasks.checks import require_integer


def theorem_c_union(m: int, n: Sequence[int], bits: int) -> Ceiling:
    """accuracy ≤ (1/N)·Σ_{a=1..N} min(1, 2^Λ·Pr[Bin(N, 1/N) ≥ a]), N = N_{L-1}, Λ = ``bits``.

    For one full layer and one table (L = 1) Λ stands for β + Λ_1.
    """
    checked_sizes(m, n, 1)
    require_integer("bits", bits, 0)
    return Ceiling(union_share(table_sizes(m, n)[-1], bits), "C' union", (("bits", bits),))


def theorem_c_average(m: int, n: Sequence[int], bits: int) -> Ceiling:
    """accuracy ≤ ⟨1/N; Λ/N⟩, N = N_{L-1}: a little weaker than the sum, and computed at any size."""
    checked_sizes(m, n, 1)
    require_integer("bits", bits, 0)
    N = table_sizes(m, n)[-1]
    return Ceiling.from_terms("C' average", (("bits", bits),), (Term.of(Fraction(1, N), Fraction(bits, N)),))
