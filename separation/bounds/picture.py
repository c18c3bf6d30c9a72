"""The picture of the exponents: how long a prompt must be, as a power of the message size, by the number of tables."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from separation.bounds.papers import Exponents

if TYPE_CHECKING:
    from separation.bounds.asymptote import Asymptote

INCHES, DOTS = (7.2, 4.6), 160
# A colour-blind safe palette; the dashed line is the limit that the line below it approaches.
CURVES = {
    "paper": ("#D55E00", "s", "hybrids, the paper: $2^{4L+2}$"),
    "cpw": ("#E69F00", "D", "full layers, CPW: $2^{4L}$"),
    "theorem_b": ("#0072B2", "^", "Theorem B: $F_{2L+2}-2$"),
    "theorem_a": ("#009E73", "o", "Theorem A: $F_{2L+1}-2$"),
}


def exponents_picture(rows: Sequence[Exponents], asymptote: Asymptote, form: str) -> bytes:
    """log n / log(H·d·p) at which impossibility sets in, against L, on a logarithmic scale, as PNG, SVG or PDF."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=INCHES, layout="constrained")
    FigureCanvasAgg(figure)
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
    written = io.BytesIO()
    # No date and fixed names inside, so that the same numbers make the same file.
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form, {})
    with matplotlib.rc_context({"svg.hashsalt": "separation"}):
        figure.savefig(written, format=form, dpi=DOTS, metadata=metadata)
    return written.getvalue()
