"""Figures of single models: layers of others next to each other, and how many pairs fool a trained model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separation.bounds import Word
from separation.experiments.fooled import asks_every_input
from separation.figures import Figure, new_figure
from separation.tasks.funccomp import Sizes

Row = dict[str, str]
BLUE, ORANGE, GREEN = "#0b6e99", "#b5541c", "#3c7a3f"
SPREAD = 0.1


def draw_stock(title: str, rows: Sequence[Row]) -> Figure:
    """A column for each model and word: a dot for each seed with its interval, in the colour of its depth."""
    columns = _columns(rows, ("label", "word"))
    figure = new_figure(max(5.6, 0.75 * len(columns) + 1.2), 3.8)
    panel = figure.subplots()
    for place, ((_, word), runs) in enumerate(columns.items()):
        solvable = Word.parse(word).depth >= int(runs[0]["L"])
        for at, run in _spread(place, runs):
            share, low, high = (float(run[name]) for name in ("accuracy", "low", "high"))
            error = [[share - low], [high - share]]
            panel.errorbar(at, share, error, fmt="o", markersize=4, color=BLUE if solvable else ORANGE)
    panel.axhline(1 / int(rows[0]["m"]), color="#888888", linewidth=0.8, linestyle=":")
    panel.set_xticks(range(len(columns)), [f"{word}\n{label}" for label, word in columns], fontsize=7)
    panel.set_xlim(-0.6, len(columns) - 0.4)
    panel.set_ylabel("accuracy on random inputs")
    panel.set_ylim(-0.03, 1.05)
    panel.set_title(
        f"{title} (m = {rows[0]['m']})\nblue: depth ≥ 1, some weights solve it; orange: depth 0; dotted: chance",
        fontsize=8,
    )
    return figure


def draw_fooled(title: str, rows: Sequence[Row]) -> Figure:
    """Pairs found, a dot for each model that was handed over; green where every input was asked."""
    handed = [row for row in rows if row["pairs"]]
    columns = _columns(handed, ("word", "label", "m", "n"))
    figure = new_figure(max(5.6, 0.75 * len(columns) + 1.2), 3.6)
    panel = figure.subplots()
    for place, ((_, _, m, n), runs) in enumerate(columns.items()):
        every = asks_every_input(Sizes(int(m), tuple(map(int, n.split()))))
        for at, run in _spread(place, runs):
            panel.plot(at, int(run["pairs"]), "o", markersize=5, color=GREEN if every else BLUE)
    panel.set_yscale("symlog", linthresh=1)
    panel.set_ylim(-0.3, max(10, *(3 * int(row["pairs"]) for row in handed)) if handed else 10)
    names = [f"{word if word == label else f'{word}, {label}'}\nm = {m}" for word, label, m, _ in columns]
    panel.set_xticks(range(len(columns)), names, fontsize=7)
    panel.set_xlim(-0.6, len(columns) - 0.4)
    panel.set_ylabel("pairs of inputs found")
    kept = f"{len(handed)} of {len(rows)} runs were right on all random inputs"
    panel.set_title(f"{title}\n{kept}; green: every input was asked; blue: some", fontsize=8)
    return figure


def _columns(rows: Sequence[Row], names: Sequence[str]) -> dict[tuple[str, ...], list[Row]]:
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def _spread(place: int, runs: Sequence[Any]) -> list[tuple[float, Any]]:
    return [(place + SPREAD * (number - (len(runs) - 1) / 2), run) for number, run in enumerate(runs)]
