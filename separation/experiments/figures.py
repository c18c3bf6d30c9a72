"""Figures of the experiments, drawn from the CSV alone; `comparison_figures` has those that compare."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from separation.bounds import Word
from separation.bounds.ceilings import ceiling
from separation.experiments.fooled import asks_every_input
from separation.figures import Figure, new_figure
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

Row = dict[str, str]
COLOURS = BLUE, ORANGE, GREEN, *_ = ("#0b6e99", "#b5541c", "#3c7a3f", "#7a4b9a", "#8a6d00", "#a3264c")
BLACK, GREY = "#222222", "#888888"
LINES = ("#0b6e99", "#3c7a3f", "#7a4b9a", "#8a6d00", "#a3264c", "#555555")
LEARNED = 0.99
"""A run with at least this accuracy counts as a success in the numbers above the columns."""
COLUMN_INCHES = 0.62


def grouped(rows: Sequence[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    """In the order in which the groups first come."""
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def interval_dot(panel: Any, at: float, row: Row, colour: str, **style: Any) -> None:
    """The accuracy of a run, and Wilson's interval as a bar."""
    share, low, high = (float(row[name]) for name in ("accuracy", "low", "high"))
    error = [[max(0.0, share - low)], [max(0.0, high - share)]]
    panel.errorbar(at, share, error, color=colour, **({"fmt": "o", "markersize": 4} | style))


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
        label = None if number else "trained, a dot for each seed"
        interval_dot(panel, int(row["lambda"]) / table, row, BLUE, label=label)
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


def draw_depth(title: str, rows: Sequence[Row]) -> Figure:
    """Two panels a row: each L and size with a column for each word, then the warm starts, if there are any."""
    cold = [row for row in rows if noise_of(row) is None]
    sizes = grouped(cold, lambda row: (int(row["L"]), row["n"], row["m"]))
    warm = [row for row in rows if noise_of(row) is not None]
    panels = [("trained", group, len(_by_word(group))) for _, group in sorted(sizes.items())]
    panels += [("warm", warm, 5)] if warm else []
    lines = [panels[first : first + 2] for first in range(0, len(panels), 2)]
    width = max(5.5, max(sum(columns for _, _, columns in line) for line in lines) * COLUMN_INCHES + 1.0)
    figure = new_figure(width, 1.0 + 3.1 * len(lines))
    for place, line in zip(figure.add_gridspec(len(lines), 1), lines, strict=True):
        parts = place.subgridspec(1, len(line), width_ratios=[columns for _, _, columns in line])
        for part, (kind, group, _) in zip(parts, line, strict=True):
            panel = figure.add_subplot(part)
            panel.set_ylim(-0.03, 1.14)
            panel.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
            (_trained if kind == "trained" else _warm)(panel, group)
        figure.axes[-len(line)].set_ylabel("accuracy on random inputs")
    _legend(figure, title)
    return figure


def noise_of(row: Row) -> float | None:
    """The noise on the built weights that a run started from; None if it started from scratch."""
    found = re.fullmatch(r"built \+ ([\d.]+)", row["label"])
    return None if found is None else float(found[1])


def _by_word(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """By word; shallow words first, and those of one depth in the order of the table."""
    found = grouped(rows, lambda row: row["word"])
    return dict(sorted(found.items(), key=lambda item: Word.parse(item[0]).depth))


def _trained(panel: Any, rows: Sequence[Row]) -> None:
    """A dot for each seed; above it how many seeds learned the task; the ceiling as a bar."""
    L = int(rows[0]["L"])
    columns = _by_word(rows)
    for position, (word, runs) in enumerate(columns.items()):
        colour = BLUE if Word.parse(word).depth >= L else ORANGE
        for at, run in _spread(position, runs, 0.11):
            interval_dot(panel, at, run, colour, markersize=3.5, lw=1)
        learned = sum(float(run["accuracy"]) >= LEARNED for run in runs)
        panel.text(position, 1.06, f"{learned}/{len(runs)}", ha="center", va="bottom", fontsize=8, color=colour)
        if runs[0]["ceiling"]:
            panel.hlines(float(runs[0]["ceiling"]), position - 0.4, position + 0.4, color=BLACK, linewidth=2)
    panel.axhline(1 / _answers(rows[0]), color=GREY, linewidth=0.8, linestyle=":")
    panel.set_xlim(-0.6, len(columns) - 0.4)
    panel.set_xticks(range(len(columns)), [f"{shown(word)}\n{Word.parse(word).depth}" for word in columns], fontsize=8)
    sizes = [f"m = {rows[0]['m']}", *(f"n{'₁₂₃₄'[k]} = {size}" for k, size in enumerate(rows[0]["n"].split()))]
    panel.set_title(f"L = {L} ({', '.join(sizes)}), {rows[0]['steps']} steps", fontsize=9)
    panel.set_xlabel("word, and below it depth(word)", fontsize=8)


def _warm(panel: Any, rows: Sequence[Row]) -> None:
    """Accuracy after training from the built weights with noise: all seeds, and a line through their mean."""
    starts = grouped(rows, lambda row: (row["word"], row["L"]))
    for number, ((word, L), runs) in enumerate(starts.items()):
        colour, beside = LINES[number % len(LINES)], 1.06 ** (number - (len(starts) - 1) / 2)
        shares: dict[float, list[float]] = {}
        for run in runs:
            shares.setdefault((noise_of(run) or 0.0) * beside, []).append(float(run["accuracy"]))
        noises = sorted(shares)
        panel.plot(noises, [sum(shares[x]) / len(shares[x]) for x in noises], color=colour, linewidth=1)
        points = [(x, share) for x in noises for share in shares[x]]
        mark = "os^vD*"[number % 6]
        panel.plot(*zip(*points, strict=True), mark, markersize=3.5, color=colour, label=f"{shown(word)}, L = {L}")
    panel.set_xscale("log")
    ticks = sorted({noise_of(row) or 0.0 for row in rows})
    panel.set_xticks(ticks, [f"{x:g}" for x in ticks], fontsize=8)
    panel.minorticks_off()
    panel.legend(fontsize=8, frameon=False, loc="center right")
    panel.set_title(f"from the built weights, {rows[0]['steps']} steps", fontsize=9)
    panel.set_xlabel("noise: share of the size of the built weights", fontsize=8)


def shown(word: str) -> str:
    """R100F as R¹⁰⁰F.

    >>> shown("R100F"), shown("RRRF")
    ('R¹⁰⁰F', 'RRRF')
    """
    return re.sub(r"\d+", lambda found: found[0].translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")), word)


def _answers(row: Row) -> int:
    return int(row["m"]) * math.prod(map(int, row["n"].split()))


def _legend(figure: Figure, title: str) -> None:
    from matplotlib.lines import Line2D

    entries = [
        Line2D([], [], marker="o", linestyle="", color=BLUE, label="depth ≥ L: some weights solve it"),
        Line2D([], [], marker="o", linestyle="", color=ORANGE, label="depth < L: none do at large sizes"),
        Line2D([], [], linewidth=2, color=BLACK, label="proved ceiling of that model"),
        Line2D([], [], linewidth=0.8, linestyle=":", color=GREY, label="chance"),
    ]
    figure.suptitle(f"{title}: each dot a seed, above it how many seeds reach {LEARNED}", fontsize=10)
    figure.legend(handles=entries, loc="outside lower center", ncols=4, fontsize=8, frameon=False)


def draw_stock(title: str, rows: Sequence[Row]) -> Figure:
    """A column for each model and word: a dot for each seed with its interval, in the colour of its depth."""
    columns = grouped(rows, lambda row: (row["label"], row["word"]))
    figure = new_figure(max(5.6, 0.75 * len(columns) + 1.2), 3.8)
    panel = figure.subplots()
    for place, ((_, word), runs) in enumerate(columns.items()):
        solvable = Word.parse(word).depth >= int(runs[0]["L"])
        for at, run in _spread(place, runs):
            interval_dot(panel, at, run, BLUE if solvable else ORANGE)
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
    columns = grouped(handed, lambda row: (row["word"], row["label"], row["m"], row["n"]))
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


def _spread(place: int, runs: Sequence[Row], apart: float = 0.1) -> list[tuple[float, Row]]:
    """Runs side by side around a place."""
    return [(place + apart * (number - (len(runs) - 1) / 2), run) for number, run in enumerate(runs)]


def draw(name: str, title: str, rows: Sequence[Row]) -> Figure:
    from separation.experiments.comparison_figures import COMPARISONS

    return (_DRAWN | COMPARISONS)[name](title, rows)


_DRAWN: dict[str, Callable[[str, Sequence[Row]], Figure]] = {
    "depth": draw_depth,
    "capacity": _capacity,
    "stock": draw_stock,
    "fool": draw_fooled,
}
