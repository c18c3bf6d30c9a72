"""The proof book as a picture: an arrow from what is rested on to what rests on it, coloured by how it is known."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import networkx as nx

from proofs_checks import Status
from separation.figures import Figure, new_figure

if TYPE_CHECKING:
    from separation.verbs.proofs import ProofsReport

# Dark is strong; from a scale that is told apart in grey as well.
COLOURS = dict(zip(Status, ("#00204d", "#31446b", "#666970", "#958f78", "#cbba69", "#e6d58c", "#ffffff"), strict=True))
FAILED = "#d1495b"
REACH = 0.29
"""From the middle of a box to its side, in columns."""


def book_figure(report: ProofsReport) -> Figure:
    """Columns by how many claims lie below; definitions on the left, dotted lines to what speaks of them."""
    from matplotlib.lines import Line2D

    graph, statuses = report.graph, {row.statement.id: row.status for row in report.rows}
    columns = [sorted(column, key=list(graph).index) for column in nx.topological_generations(graph)]
    figure = new_figure(2.6 * len(columns), 0.62 * max(map(len, columns)) + 1.0)
    axes = figure.add_subplot()
    places = {
        node: (column, (len(nodes) - 1) / 2 - row)
        for column, nodes in enumerate(columns)
        for row, node in enumerate(nodes)
    }
    # What follows from other arrows is left out; an arrow leaves a box on the right and ends on the left of another.
    for start, end in nx.transitive_reduction(graph).edges:
        style = "-" if graph.edges[start, end]["kind"] == "claim" else ":"
        (left, lower), (right, upper) = places[start], places[end]
        arrow = {"arrowstyle": "-|>", "connectionstyle": "arc3,rad=0.04", "color": "#9aa5b1", "lw": 0.9, "ls": style}
        axes.annotate("", (right - REACH, upper), (left + REACH, lower), arrowprops={**arrow, "shrinkA": 0})
    for node, place in places.items():
        status = statuses[node]
        colour = FAILED if status is None else COLOURS[status]
        ink = "white" if status is None or status.rank < 4 else "black"
        box = {"boxstyle": "round,pad=0.35", "fc": colour, "ec": "#31446b", "lw": 0.6}
        text = f"{node}\n{fill(graph.nodes[node]['title'], 30)}"
        axes.annotate(text, place, ha="center", va="center", fontsize=7, color=ink, bbox=box)
    used = [status for status in Status if status in statuses.values()]
    dots = [Line2D([], [], ls="", marker="s", ms=9, mfc=COLOURS[s], mec="#31446b", label=s.value) for s in used]
    lines = [
        Line2D([], [], color="#9aa5b1", label="rests on"),
        Line2D([], [], color="#9aa5b1", ls=":", label="speaks of"),
    ]
    axes.legend(handles=[*dots, *lines], loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=3, frameon=False)
    tallest = max(map(len, columns)) / 2
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(-tallest, tallest)
    axes.axis("off")
    return figure
