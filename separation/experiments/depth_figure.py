"""The figure of the depth experiment: a panel for each L and size, and the way back to the built weights."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from separation.bounds import Word
from separation.figures import Figure, new_figure

Row = dict[str, str]
BLUE, ORANGE, BLACK, GREY = "#0b6e99", "#b5541c", "#222222", "#888888"
LINES = ("#0b6e99", "#3c7a3f", "#7a4b9a", "#8a6d00", "#a3264c", "#555555")
LEARNED = 0.99
"""A run with at least this accuracy counts as a success in the numbers above the columns."""
COLUMN_INCHES = 0.62


def draw_depth(title: str, rows: Sequence[Row]) -> Figure:
    """Two panels a row: each L and size with a column for each word, then the warm starts, if there are any."""
    sizes: dict[tuple[int, str, str], list[Row]] = {}
    for row in rows:
        if noise_of(row) is None:
            sizes.setdefault((int(row["L"]), row["n"], row["m"]), []).append(row)
    warm = [row for row in rows if noise_of(row) is not None]
    panels = [("trained", group, len(_columns(group))) for _, group in sorted(sizes.items())]
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


def _columns(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """By word; shallow words first, and those of one depth in the order of the table."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["word"], []).append(row)
    return dict(sorted(found.items(), key=lambda item: Word.parse(item[0]).depth))


def _trained(panel: Any, rows: Sequence[Row]) -> None:
    """A dot for each seed; above it how many seeds learned the task; the ceiling as a bar."""
    L = int(rows[0]["L"])
    columns = _columns(rows)
    for position, (word, runs) in enumerate(columns.items()):
        colour = BLUE if Word.parse(word).depth >= L else ORANGE
        for number, run in enumerate(runs):
            at = position + 0.11 * (number - (len(runs) - 1) / 2)
            share, low, high = (float(run[name]) for name in ("accuracy", "low", "high"))
            panel.errorbar(at, share, [[share - low], [high - share]], fmt="o", markersize=3.5, color=colour, lw=1)
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
    starts: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        starts.setdefault((row["word"], row["L"]), []).append(row)
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
