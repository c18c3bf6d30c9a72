"""The largest accuracy that a model can have: a certified rational number, and the terms that it is a sum of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from separation.bounds.entropy import certified_share, share_inequalities
from separation.bounds.log_sums import Inequality


@dataclass(frozen=True)
class Term:
    """⟨q;κ⟩ ≤ ``share``; with q = 0 the term is 0."""

    q: Fraction
    kappa: Fraction
    share: Fraction

    @classmethod
    def of(cls, q: Fraction, kappa: Fraction) -> Term:
        return cls(q, kappa, Fraction(0) if q == 0 else certified_share(q, kappa))

    def inequalities(self) -> tuple[Inequality, ...]:
        """What proves the share; nothing is needed for a share of 1, or for q = 0."""
        if self.q == 0 or self.share >= 1:
            return ()
        return share_inequalities(self.q, self.kappa, self.share)


@dataclass(frozen=True)
class Ceiling:
    """accuracy ≤ ``value`` on uniformly random inputs, for every model of the shape, randomised ones too.

    where ``parameters`` are the numbers of the theorem's proof, ``terms`` its ⟨q;κ⟩, and ``rest`` what is added to
    them.
    """

    value: Fraction
    theorem: str
    parameters: tuple[tuple[str, str | int | Fraction], ...] = ()
    terms: tuple[Term, ...] = ()
    rest: Fraction = Fraction(0)

    @classmethod
    def from_terms(
        cls,
        theorem: str,
        parameters: tuple[tuple[str, str | int | Fraction], ...],
        terms: tuple[Term, ...],
        rest: Fraction = Fraction(0),
    ) -> Ceiling:
        """min(1, rest + Σ shares)."""
        return cls(min(Fraction(1), rest + sum(term.share for term in terms)), theorem, parameters, terms, rest)

    def inequalities(self) -> tuple[Inequality, ...]:
        return tuple(inequality for term in self.terms for inequality in term.inequalities())


NO_CEILING = Ceiling(Fraction(1), "none")
