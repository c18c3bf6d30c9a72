"""How the exponent grows: F_{2L+1} − 2 is φ^{2L} up to a constant, where the paper has 2^{4L+2}; shown symbolically."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from separation.bounds.schedules import fibonacci

Expression = Any

PHI = (1 + sp.sqrt(5)) / 2
PSI = (1 - sp.sqrt(5)) / 2


def binet(index: Expression) -> Expression:
    """F_k = (φ^k − ψ^k)/√5."""
    return (PHI**index - PSI**index) / sp.sqrt(5)


@dataclass(frozen=True)
class Asymptote:
    """exponent(L) = F_{2L+1} − 2: ``constant`` = lim exponent/φ^{2L}; ``ratio`` = lim exponent/2^{4L+2}.

    ``rate`` = φ²/16 is the factor by which each further table changes the quotient of the two exponents.
    """

    constant: Expression
    ratio: Expression
    rate: Expression

    def at(self, L: int) -> float:
        """constant·φ^{2L}, for the eye."""
        return float(self.constant * PHI ** (2 * L))


def golden_asymptote() -> Asymptote:
    """lim (F_{2L+1} − 2)/φ^{2L} = φ/√5 and lim (F_{2L+1} − 2)/2^{4L+2} = 0, by sympy.

    Binet's formula is checked by its recurrence, k ↦ φ^k and k ↦ ψ^k both solving F_{k+1} = F_k + F_{k-1}, and two
    values. Divided by φ^{2L} the exponent is a constant and two geometric sequences with ratios of modulus below 1.
    """
    for root in (PHI, PSI):
        _require(sp.simplify(root**2 - root - 1) == 0, "a root of x² = x + 1")
    _require(all(sp.simplify(binet(k) - fibonacci(k)) == 0 for k in (1, 2)), "the first two Fibonacci numbers")
    # With u = φ^{2L}, v = ψ^{2L}: (F_{2L+1} − 2)/u = φ/√5 − (ψ/√5)·(v/u) − 2/u, where v/u = (ψ²/φ²)^L, 1/u = (1/φ²)^L.
    u, v = sp.symbols("u v", positive=True)
    constant, parts = PHI / sp.sqrt(5), [(-PSI / sp.sqrt(5), PSI**2 / PHI**2), (sp.Integer(-2), 1 / PHI**2)]
    quotient = ((PHI * u - PSI * v) / sp.sqrt(5) - 2) / u
    _require(sp.simplify(quotient - constant - parts[0][0] * v / u - parts[1][0] / u) == 0, "the decomposition")
    for _, ratio in parts:
        _require(bool(sp.simplify(ratio) < 1) and bool(sp.simplify(ratio) > 0), "a geometric sequence that vanishes")
    rate = sp.nsimplify(sp.radsimp(sp.expand(PHI**2) / 16))
    _require(bool(rate < 1), "φ² < 16")
    return Asymptote(sp.radsimp(constant), sp.Integer(0), rate)


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ArithmeticError(f"sympy does not confirm {what}")
