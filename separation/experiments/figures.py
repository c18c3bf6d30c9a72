"""Figures of the experiments, drawn from the CSV alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from separation.bounds import Word
from separation.bounds.search.ceilings import ceiling
from separation.experiments.depth_figure import draw_depth
from separation.experiments.model_figures import draw_fooled, draw_stock
from separation.figures import Figure, new_figure
from separation.tasks.shape import bit_count

Row = dict[str, str]
COLOURS = ("#0b6e99", "#b5541c", "#3c7a3f", "#7a4b9a", "#8a6d00", "#a3264c")


def draw(name: str, title: str, rows: Sequence[Row]) -> Figure:
    from separation.experiments.comparison_figures import COMPARISONS

    return (_DRAWN | COMPARISONS)[name](title, rows)


def grouped(rows: Sequence[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    """In the order in which the groups first come."""
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def _capacity(title: str, rows: Sequence[Row]) -> Figure:
    """Accuracy against Λ/(m·log2 m), the proved ceiling as a line, and C3, which meets accuracy 1."""
    figure = new_figure(5.6, 3.8)
    panel = figure.subplots()
    m = int(rows[0]["m"])
    table = m * math.log2(m)
    states = range(1, max(int(row["lambda"]) for row in rows) + 1)
    proved = [float(ceiling(Word.parse("R"), m, (), 0, bits).value) for bits in states]
    panel.plot([bits / table for bits in states], proved, color="#222222", label="proved ceiling")
    for number, row in enumerate(rows):
        share, low, high = (float(row[name]) for name in ("accuracy", "low", "high"))
        panel.errorbar(
            int(row["lambda"]) / table,
            share,
            [[share - low], [high - share]],
            fmt="o",
            markersize=4,
            color=COLOURS[0],
            label=None if number else "trained, a dot for each seed",
        )
    panel.plot(
        [state_of_c3(m) / table], [1], marker="s", linestyle="", color=COLOURS[2], label="C3, built: table and z₀"
    )
    panel.axhline(1 / m, color="#888888", linewidth=0.8, linestyle=":", label="chance")
    panel.set_xscale("log", base=2)
    panel.xaxis.set_major_formatter(lambda share, _: f"{share:g}" if share >= 1 else f"1/{round(1 / share)}")
    panel.set_xlabel("Λ / (m·log₂ m): bits of state for each bit of the table")
    panel.set_ylabel("accuracy on random inputs")
    panel.set_ylim(-0.03, 1.05)
    panel.legend(fontsize=8, frameon=False)
    panel.set_title(f"{title} (m = {m})", fontsize=9)
    return figure


def state_of_c3(m: int) -> int:
    """(m + 1)·⌈log2 m⌉: the state bits of C3 for one table, which holds the table and z_0."""
    return (m + 1) * bit_count(m)


_DRAWN: dict[str, Callable[[str, Sequence[Row]], Figure]] = {
    "depth": draw_depth,
    "capacity": _capacity,
    "stock": draw_stock,
    "fool": draw_fooled,
}
