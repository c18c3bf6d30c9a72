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
    return _DRAWN[name](title, rows)


def grouped(rows: Sequence[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    """In the order in which the groups first come."""
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def _depth(title: str, rows: Sequence[Row]) -> Figure:
    """A panel for each L, a column for each word: a dot for each seed, its interval, the ceiling, solvable or not."""
    levels = grouped(rows, lambda row: row["L"])
    figure = new_figure(max(5.0, 0.62 * len(grouped(rows, lambda r: (r["L"], r["label"], r["word"]))) + 1.5), 3.8)
    counts = [len(grouped(group, lambda r: (r["label"], r["word"]))) for group in levels.values()]
    panels = figure.subplots(1, len(levels), sharey=True, squeeze=False, width_ratios=counts)[0]
    for panel, (level, group) in zip(panels, levels.items(), strict=True):
        columns = grouped(group, lambda row: (row["word"], row["label"]))
        for position, ((word, _label), runs) in enumerate(columns.items()):
            solvable = _depth_of(word) >= int(level)
            _dots(panel, position, runs, COLOURS[0] if solvable else COLOURS[1])
        panel.axhline(1 / _values(group[0]), color="#888888", linewidth=0.8, linestyle=":")
        panel.set_xticks(range(len(columns)), [_column(*each) for each in columns], rotation=45, ha="right")
        panel.set_title(
            f"L = {level}, m = {group[0]['m']}" + (f", n = {group[0]['n']}" if group[0]["n"] else ""), fontsize=9
        )
    panels[0].set_ylabel("accuracy on random inputs")
    panels[0].set_ylim(-0.03, 1.05)
    figure.suptitle(
        f"{title}\nblue: depth ≥ L, some weights solve it; orange: depth < L; bar: proved ceiling", fontsize=9
    )
    return figure


def _depth_of(word: str) -> int:
    from separation.experiments.executing import STANDS_FOR_R

    return Word.parse(word.translate(STANDS_FOR_R)).depth


def _column(word: str, label: str) -> str:
    return word if label == word else f"{word} {label}"


def _values(row: Row) -> int:
    return int(row["m"]) * math.prod(map(int, row["n"].split()))


def _dots(panel: Any, position: float, runs: Sequence[Row], colour: str) -> None:
    for offset, run in enumerate(runs):
        at = position + 0.1 * (offset - (len(runs) - 1) / 2)
        share, low, high = (float(run[name]) for name in ("accuracy", "low", "high"))
        panel.errorbar(at, share, [[share - low], [high - share]], fmt="o", markersize=4, color=colour, linewidth=1)
    if runs[0]["ceiling"]:
        panel.hlines(float(runs[0]["ceiling"]), position - 0.35, position + 0.35, color="#222222", linewidth=2)


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


def _sparse(title: str, rows: Sequence[Row]) -> Figure:
    """Accuracy against the bits of a summary, a colour for each way to compress and each k."""
    figure = new_figure(5.8, 3.8)
    panel = figure.subplots()
    groups = grouped(rows, lambda row: row["label"] if "," in row["label"] else "positional, k = 1")
    for colour, (label, group) in zip(COLOURS, groups.items(), strict=False):
        for number, row in enumerate(group):
            share, low, high = (float(row[name]) for name in ("accuracy", "low", "high"))
            panel.errorbar(
                int(row["lambda"]),
                share,
                [[share - low], [high - share]],
                fmt="o",
                markersize=4,
                color=colour,
                label=label if number == 0 else None,
            )
        ceilings = sorted((int(row["lambda"]), float(row["ceiling"])) for row in group if row["ceiling"])
        panel.plot([bits for bits, _ in ceilings], [share for _, share in ceilings], color=colour, linewidth=1)
    panel.set_xlabel("r: bits of a block's summary")
    panel.set_ylabel("accuracy, half of the prompts with a match")
    panel.set_ylim(0.45, 1.02)
    panel.legend(fontsize=8, frameon=False)
    panel.set_title(f"{title}\nline: ceiling of Theorem D' at the measured false alarms", fontsize=9)
    return figure


def _shift(title: str, rows: Sequence[Row]) -> Figure:
    """What was trained on against what was tested on: the mean accuracy over seeds."""
    groups = grouped(rows, lambda row: (row["word"], row["label"]))
    tests = [pair.split("=")[0] for pair in rows[0]["shifted"].split()]
    figure = new_figure(1.8 + 0.5 * len(tests), 1.8 + 0.35 * len(groups))
    panel = figure.subplots()
    shares = [[_mean(group, test) for test in tests] for group in groups.values()]
    panel.imshow(shares, vmin=0, vmax=1, cmap="viridis", aspect="auto")
    for line, values in enumerate(shares):
        for column, share in enumerate(values):
            panel.text(
                column, line, f"{share:.2f}", ha="center", va="center", fontsize=7, color="w" if share < 0.6 else "k"
            )
    panel.set_xticks(range(len(tests)), [test.replace("_", " ") for test in tests], rotation=45, ha="right", fontsize=8)
    panel.set_yticks(range(len(groups)), [_column(*each) for each in groups], fontsize=8)
    panel.set_title(title, fontsize=9)
    return figure


def _mean(group: Sequence[Row], test: str) -> float:
    found = [dict(pair.split("=") for pair in row["shifted"].split())[test] for row in group]
    return sum(map(float, found)) / len(found)


_DRAWN: dict[str, Callable[[str, Sequence[Row]], Figure]] = {
    "depth": draw_depth,
    "capacity": _capacity,
    "sparse": _sparse,
    "recurrence": _depth,
    "shift": _shift,
    "stock": draw_stock,
    "fool": draw_fooled,
}
