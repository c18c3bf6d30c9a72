"""The largest accuracy that a model can have: a certified rational number, and the terms that it is a sum of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.entropy import certified_share, share_inequalities
from separation.bounds.known import how_known
from separation.bounds.log_sums import Inequality
from separation.bounds.theorem import Prompt, prompt_tokens, table_sizes
from separation.bounds.word import Word


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


def chance(m: int, n: Sequence[int]) -> Fraction:
    """1/N_{L-1}: the accuracy of a guess, which every ceiling is at least."""
    return Fraction(1, table_sizes(m, n)[-1])


@dataclass(frozen=True)
class AccuracyBound(Prompt):
    """At these sizes no model of the word is right more often than ``ceiling.value``; certified if that is < 1.

    where the bits of each block are at most λ_t = Λ_t − Λ_{t-1} of ``state_bits``.
    """

    word: Word
    m: int
    n: tuple[int, ...]
    message_bits: int
    state_bits: tuple[int, ...]
    ceiling: Ceiling

    @property
    def theorem(self) -> str:
        return self.ceiling.theorem

    @property
    def certified(self) -> bool:
        return self.ceiling.value < 1

    @property
    def beta(self) -> int | None:
        return self.message_bits if self.word.full else None

    def hard_sizes(self) -> dict[str, Any]:
        """{beta, lambda, m, n, x, parameters, ceiling, tokens, tokens_log2}."""
        found = self.ceiling
        return {
            "beta": None if self.beta is None else number_to_json(self.beta),
            "lambda": [number_to_json(bits) for bits in self.state_bits],
            "m": number_to_json(self.m),
            "n": [number_to_json(size) for size in self.n],
            "x": [number_to_json(int(value)) for name, value in found.parameters if name.startswith("x_")],
            "parameters": {name: _text(value) for name, value in found.parameters},
            "ceiling": str(found.value),
            "ceiling_float": float(found.value),
            "tokens": number_to_json(prompt_tokens(self.m, self.n)),
            "tokens_log2": self.tokens_log2(),
        }

    def document(self) -> dict[str, Any]:
        """{ceiling, ceiling_float, chance, theorem, known, beta, m, n, tokens}."""
        return {
            "ceiling": str(self.ceiling.value),
            "ceiling_float": float(self.ceiling.value),
            "chance": str(chance(self.m, self.n)),
            "theorem": self.theorem,
            "known": how_known(self.theorem),
            "beta": self.message_bits,
            "m": self.m,
            "n": list(self.n),
            "tokens": self.tokens(),
        }


def _text(value: object) -> str | None:
    """A number as text; null where it has more digits than JSON gets."""
    written = number_to_json(value) if isinstance(value, int | Fraction) else value
    return None if written is None else str(written)
