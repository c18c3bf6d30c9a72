"""F_{2L+1} − 2 grows like (φ/√5)·φ^{2L}, where the paper has 2^{4L+2}: proved with sympy, and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from separation.bounds.papers import Exponents
from separation.bounds.recursion import fibonacci
from separation.figures import Figure, new_figure

Expression = Any

PHI = (1 + sp.sqrt(5)) / 2
PSI = (1 - sp.sqrt(5)) / 2

INCHES = (7.2, 4.6)
# A colour-blind safe palette; the dashed line is the limit that the line below it approaches.
CURVES = {
    "paper": ("#D55E00", "s", "hybrids, the paper: $2^{4L+2}$"),
    "cpw": ("#E69F00", "D", "full layers, CPW: $2^{4L}$"),
    "theorem_b": ("#0072B2", "^", "Theorem B: $F_{2L+2}-2$"),
    "theorem_a": ("#009E73", "o", "Theorem A: $F_{2L+1}-2$"),
}
SHARPER_CURVES = (
    ("sharper_a", "#1b7837", "D", "A2, A3c, A_L: $(L^2+L-4)/2$ from $L=4$"),
    ("sharper_b", "#762a83", "v", "B2c, B_L: $(L^2+3L-2)/2$ from $L=3$"),
    ("floor_a", "#888888", "_", "solvable below (A): $L-1$"),
)


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
        """constant·φ^{2L}, as a float for display."""
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


def exponents_figure(rows: Sequence[Exponents], asymptote: Asymptote) -> Figure:
    """log n / log(H·d·p) at which impossibility sets in, against L, on a logarithmic scale."""
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(*INCHES)
    axes = figure.add_subplot()
    levels = [row.L for row in rows]
    for name, (colour, marker, label) in CURVES.items():
        values = [float(row.exponents[name]) for row in rows]
        axes.semilogy(levels, values, color=colour, marker=marker, markersize=5, linewidth=1.6, label=label)
    for name, colour, marker, label in SHARPER_CURVES:
        heights = [float(row.sharper[name]) for row in rows]
        axes.semilogy(levels, heights, color=colour, marker=marker, markersize=5, linestyle=":", label=label)
    limit = [asymptote.at(level) for level in levels]
    label = r"asymptote of A: $\frac{\varphi}{\sqrt{5}}\,\varphi^{2L}$"
    axes.semilogy(levels, limit, color="black", linestyle="--", linewidth=1.1, label=label)
    axes.set_xlabel("number of tables $L$")
    axes.set_ylabel(r"exponent $e$: not solvable for some $n \approx (H\,d\,p)^e$")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title("How long a prompt the impossibility needs", fontsize=11)
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(frameon=False, fontsize=9)
    return figure
