"""The proof book as a picture: an arrow from what is rested on to what rests on it, coloured by how it is known."""

from __future__ import annotations

from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from proofs_checks import Status
from proofs_checks.book import claims
from separation.figures import Figure, new_figure
from separation.verbs.book_layout import GAP, Layout, layered

if TYPE_CHECKING:
    from separation.verbs.proofs import BookRow, ProofsReport

# Dark is strong; from a scale that is told apart in grey as well.
COLOURS = dict(zip(Status, ("#00204d", "#31446b", "#666970", "#958f78", "#cbba69", "#f1e6b2", "#ffffff"), strict=True))
FAILED = "#d1495b"
EDGE, FRAME = "#7d8896", "#31446b"
BOX, BETWEEN, MARGIN, LINE = 2.15, 0.85, 0.3, 0.135
"""Inches: the width of a box, from a box to the next column, around the picture, and the height of a line of text."""
LETTERS = 30
"""So many letters of a title fit in a line of a box."""
POINTS = 7.5


def book_figure(report: ProofsReport) -> Figure:
    """Columns from left to right: what a statement rests on stands left of it; what stands alone is below."""
    rows = {row.statement.id: row for row in report.rows}
    linked = claims(report.graph, reduced=True)
    lines = {id: _lines(row) for id, row in rows.items()}
    sizes = {id: LINE * len(text) + 0.14 for id, text in lines.items()}
    layout = layered(linked, {id: sizes[id] for id in linked})
    alone = [id for id in rows if id not in linked]
    across = max(4, len(layout.columns))
    places = _places(layout)
    top = max([places[id][1] + sizes[id] / 2 for id in linked], default=0.0)
    low = min([places[id][1] - sizes[id] / 2 for id in linked], default=0.0)
    places |= _grid(alone, across, low - 0.75, sizes)
    bottom = min([low, *(places[id][1] - sizes[id] / 2 for id in alone)])
    width = across * (BOX + BETWEEN) - BETWEEN + 2 * MARGIN
    legend = 0.85
    axes = _axes(width, top + MARGIN, bottom - MARGIN - legend)
    if alone:
        axes.text(0, low - 0.42, "On their own: they rest on no other statement, and none rests on them.", fontsize=9)
    for route in layout.routes:
        _draw_route(axes, [(places[node], isinstance(node, tuple)) for node in route])
    for id, row in rows.items():
        _draw_box(axes, places[id], sizes[id], lines[id], row.status)
    _draw_legend(axes, [row.status for row in report.rows], bottom - 0.5, width - 2 * MARGIN)
    return axes.figure


def _lines(row: BookRow) -> list[str]:
    """The id, the title, the definitions that it speaks of."""
    own = row.statement
    spoken = [f"speaks of {', '.join(own.speaks_of)}"] if own.speaks_of else []
    return [own.id, *wrap(own.title, LETTERS), *(line for text in spoken for line in wrap(text, LETTERS))]


def _places(layout: Layout) -> dict[Any, tuple[float, float]]:
    """The middle of each box and lane; the first of a column is the highest."""
    return {
        node: (BOX / 2 + column * (BOX + BETWEEN), -layout.heights[node])
        for column, nodes in enumerate(layout.columns)
        for node in nodes
    }


def _grid(ids: list[str], across: int, top: float, sizes: dict[str, float]) -> dict[Any, tuple[float, float]]:
    """Row after row below ``top``."""
    places: dict[Any, tuple[float, float]] = {}
    for start in range(0, len(ids), across):
        row = ids[start : start + across]
        tallest = max(sizes[id] for id in row)
        for column, id in enumerate(row):
            places[id] = (BOX / 2 + column * (BOX + BETWEEN), top - sizes[id] / 2)
        top -= tallest + GAP
    return places


def _axes(width: float, top: float, bottom: float) -> Any:
    """Axes in inches that fill the whole figure."""
    figure = new_figure(width, top - bottom)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(-MARGIN, width - MARGIN)
    axes.set_ylim(bottom, top)
    axes.axis("off")
    return axes


def _draw_route(axes: Any, stops: list[tuple[tuple[float, float], bool]]) -> None:
    """From the right side of a box, straight through its lanes, to the left side of another."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    points: list[tuple[float, float]] = []
    codes: list[Any] = []
    for ((left, lower), lane), ((right, upper), _) in pairwise(stops):
        start, end = left + BOX / 2, right - BOX / 2
        middle = (start + end) / 2
        points.append((start, lower))
        codes.append(Path.LINETO if lane else Path.MOVETO)
        points += [(middle, lower), (middle, upper), (end, upper)]
        codes += [Path.CURVE4] * 3
    style: dict[str, Any] = {
        "arrowstyle": "-|>",
        "mutation_scale": 9,
        "lw": 0.9,
        "color": EDGE,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    axes.add_patch(FancyArrowPatch(path=Path(points, codes), fill=False, **style))


def _draw_box(axes: Any, place: tuple[float, float], size: float, lines: list[str], status: Status | None) -> None:
    from matplotlib.patches import FancyBboxPatch

    (x, y), ink = place, "white" if status is None or status.rank < 3 else "black"
    look: dict[str, Any] = {
        "boxstyle": "round,pad=0,rounding_size=0.06",
        "fc": _colour(status),
        "ec": "#31446b",
        "lw": 0.7,
    }
    axes.add_patch(FancyBboxPatch((x - BOX / 2, y - size / 2), BOX, size, zorder=2, **look))
    for number, line in enumerate(lines):
        height = y + ((len(lines) - 1) / 2 - number) * LINE
        weight, slant = ("bold" if number == 0 else "normal"), ("italic" if line.startswith("speaks of") else "normal")
        style = {"fontsize": POINTS, "color": ink, "fontweight": weight, "fontstyle": slant}
        axes.text(x, height, line, ha="center", va="center", zorder=3, **style)


def _draw_legend(axes: Any, statuses: list[Status | None], y: float, width: float) -> None:
    """The statuses that occur, strongest first, and what an arrow says."""
    from matplotlib.patches import Rectangle

    used: list[Status | None] = [status for status in Status if status in statuses]
    used += [None] if None in statuses else []
    labels = ["failed" if status is None else status.value for status in used]
    step = width / (len(used) + 1)
    for number, (status, label) in enumerate(zip(used, labels, strict=True)):
        box = Rectangle((number * step, y - 0.07), 0.22, 0.14, fc=_colour(status), ec=FRAME, lw=0.7)
        axes.add_patch(box)
        axes.text(number * step + 0.3, y, label, va="center", fontsize=9)
    _draw_route(axes, [((len(used) * step - BOX / 2, y), False), ((len(used) * step + 0.5 + BOX / 2, y), False)])
    axes.text(len(used) * step + 0.6, y, "holds up what it points to", va="center", fontsize=9)


def _colour(status: Status | None) -> str:
    return FAILED if status is None else COLOURS[status]
