"""The matrix as a picture: tasks down, architectures across, a colour for each verdict and its reason in the cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from separation.matrix.cells import VERDICTS, Cell
from separation.matrix.rows import ROWS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"built": "#bfe3c6", "impossible": "#f4b8ae", "conditional": "#f7dfa6", "open": "#ececec"}
SHORT = {"each length": "each length", "every length": "every length", "each size": ""}


def draw_matrix(names: Sequence[str], rows: Sequence[tuple[str, Sequence[Cell]]]) -> Figure:
    """One row of cells for each task, in the order of the columns ``names``."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch, Rectangle

    figure = Figure(figsize=(3.4 + 1.35 * len(names), 1.2 + 0.48 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    for y, (_, cells) in enumerate(rows):
        for x, found in enumerate(cells):
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=COLOURS[found.verdict], edgecolor="white", linewidth=2))
            words = [found.by or "open", SHORT.get(found.scope or "", "")]
            text = "\n".join(word.replace("_", " ") for word in words if word)
            axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=6.5, color="#222222")
    axes.set(xlim=(0, len(names)), ylim=(len(rows), 0))
    axes.set_xticks([x + 0.5 for x in range(len(names))], names, rotation=25, ha="left", fontsize=8)
    axes.xaxis.tick_top()
    axes.set_yticks([y + 0.5 for y in range(len(rows))], [ROWS[name].title for name, _ in rows], fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    patches = [Patch(facecolor=COLOURS[verdict], label=verdict) for verdict in VERDICTS]
    axes.legend(handles=patches, loc="upper center", bbox_to_anchor=(0.5, -0.01), ncol=4, frameon=False, fontsize=8)
    return figure
