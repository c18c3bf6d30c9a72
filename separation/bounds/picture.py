"""The picture of the exponents: how long a prompt must be, as a power of the message size, by the number of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from separation.bounds.papers import Exponents
from separation.figures import Figure, new_figure

if TYPE_CHECKING:
    from separation.bounds.asymptote import Asymptote

INCHES = (7.2, 4.6)
# A colour-blind safe palette; the dashed line is the limit that the line below it approaches.
CURVES = {
    "paper": ("#D55E00", "s", "hybrids, the paper: $2^{4L+2}$"),
    "cpw": ("#E69F00", "D", "full layers, CPW: $2^{4L}$"),
    "theorem_b": ("#0072B2", "^", "Theorem B: $F_{2L+2}-2$"),
    "theorem_a": ("#009E73", "o", "Theorem A: $F_{2L+1}-2$"),
}


def exponents_figure(rows: Sequence[Exponents], asymptote: Asymptote) -> Figure:
    """log n / log(H·d·p) at which impossibility sets in, against L, on a logarithmic scale."""
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(*INCHES)
    axes = figure.add_subplot()
    levels = [row.L for row in rows]
    for name, (colour, marker, label) in CURVES.items():
        values = [float(row.exponents[name]) for row in rows]
        axes.semilogy(levels, values, color=colour, marker=marker, markersize=5, linewidth=1.6, label=label)
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
