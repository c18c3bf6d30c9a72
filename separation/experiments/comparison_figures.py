"""Figures that compare: sizes of summaries, carriers of state, inputs trained on with inputs tested on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from separation.experiments.distributions import TWO_SUM_DISTRIBUTIONS
from separation.experiments.figures import COLOURS, Row, grouped, interval_dot
from separation.experiments.sparse_lines import SparseShape, least_bits, sparse_ceiling, summary_of_c7
from separation.figures import Figure, new_figure
from separation.tasks.shape import bit_count

CARRIERS = {"R": "R: gated delta rule", "W": "W: attention in a window", "M": "M: attention over a summary"}
PLACES = {
    "XF": "XF: carrier, then full attention",
    "FX": "FX: full, then carrier",
    "XX": "XX: two carriers, no full layer",
    "": "other words",
}
DODGE = 1.04
"""Points of the second, third, … colour of a panel stand this factor further right, so that none hides another."""


def settings_of(row: Row) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in row["settings"].split())


def _sparse(title: str, rows: Sequence[Row]) -> Figure:
    """Accuracy against r/(B·log2 M): a panel for each k with its ceiling, and Theorem D's and C7's r as lines."""
    full = [row for row in rows if _opened(row) == _sizes(row)[2]]
    rows = [row for row in rows if row not in full]
    panels = grouped(sorted(rows, key=_opened), _opened)
    names = list(dict.fromkeys(_way(row) for row in rows))
    figure = new_figure(max(6.6, 1.2 + 3.1 * len(panels)), 4.2)
    axes = figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]
    for panel, (opened, group) in zip(axes, panels.items(), strict=True):
        _proved(panel, group[0], opened, max(int(row["lambda"]) for row in rows))
        for plain, runs in grouped(full, lambda row: _shape(row).plain).items():
            label = f"full attention, {'plain' if plain else 'gated'} MLP, trained (mean)"
            share = sum(float(row["accuracy"]) for row in runs) / len(runs)
            panel.axhline(share, color=COLOURS[0], linewidth=1, linestyle="--" if plain else "-", label=label)
        for place, (way, runs) in enumerate(grouped(group, _way).items()):
            number, shift = names.index(way), DODGE**place
            points = [(shift * int(row["lambda"]) / _values(row), row) for row in runs]
            _points(panel, points, COLOURS[number % len(COLOURS)], way, marker="s" if "C7" in way else "o")
        panel.set_xscale("log", base=2)
        panel.xaxis.set_major_formatter("{x:g}")
        panel.set_title(f"k = {opened} of {_sizes(group[0])[2]} blocks opened", fontsize=9)
        panel.set_xlabel("r / (B·log2 M)")
    axes[0].set_ylabel("accuracy (chance 0.5)")
    axes[0].set_ylim(0.47, 1.02)
    _legend_below(figure, axes)
    modulus, block, _ = _sizes(rows[0])
    figure.suptitle(f"{title} (M = {modulus}, B = {block}; a dot for each seed)", fontsize=9)
    return figure


def _proved(panel: Any, row: Row, opened: int, largest: int) -> None:
    """Lines that no training moves: the ceiling, the least r of Theorem D, the r of C7."""
    modulus, block, blocks = _sizes(row)
    ceilings = [float(sparse_ceiling(bits, modulus, block, opened, blocks)) for bits in range(1, largest + 1)]
    places = [bits / _values(row) for bits in range(1, largest + 1)]
    panel.plot(places, ceilings, color="#222222", linewidth=1.5, label="ceiling (Theorem D')")
    needed = least_bits(modulus, block, opened, blocks) / _values(row)
    panel.axvline(needed, color="#222222", linestyle="--", linewidth=1, label="Theorem D: least r without any error")
    built = summary_of_c7(modulus, block) / _values(row)
    panel.axvline(built, color=COLOURS[2], linestyle="-.", linewidth=1, label="r of C7, built")
    panel.axhline(0.5, color="#888888", linewidth=0.8, linestyle=":", label="chance")


def _values(row: Row) -> float:
    """B·log2 M: the bits of a block."""
    modulus, block, _ = _sizes(row)
    return block * math.log2(modulus)


def _shape(row: Row) -> SparseShape:
    return SparseShape.chosen(settings_of(row))


def _opened(row: Row) -> int:
    return _shape(row).opened


def _way(row: Row) -> str:
    """How a summary was come by: its compressor, or the built one."""
    settings, shape = settings_of(row), _shape(row)
    if "noise" in settings:
        return f"C7 with noise {settings['noise']}, trained on"
    return shape.compressor + ("" if shape.bits == 1 else f", {shape.bits} bits a number")


def _sizes(row: Row) -> tuple[int, int, int]:
    """M, B and g."""
    return int(row["m"]), _shape(row).block, _shape(row).blocks


def _points(panel: Any, points: Sequence[tuple[float, Row]], colour: str, label: str, marker: str = "o") -> None:
    for number, (at, row) in enumerate(points):
        interval_dot(panel, at, row, colour, fmt=marker, linewidth=1, label=label if number == 0 else None)


def _legend_below(figure: Figure, axes: Sequence[Any]) -> None:
    """One legend for all panels, each name once."""
    found: dict[str, Any] = {}
    for panel in axes:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    columns = min(int(figure.get_figwidth() / 2.4), len(found))
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=columns, fontsize=8, frameon=False)


def _recurrence(title: str, rows: Sequence[Row]) -> Figure:
    """A panel for each place that a carrier of state has in the word; its bits across, a colour for each carrier."""
    groups = grouped(rows, lambda row: _place(row["word"]))
    places = sorted(groups, key=list(PLACES).index)
    widths = [1 + len({_carried(row) for row in groups[place]}) for place in places]
    figure = new_figure(max(5.0, 1.0 + 0.95 * sum(widths)), 4.0)
    axes = figure.subplots(1, len(places), sharey=True, squeeze=False, width_ratios=widths)[0]
    for panel, place in zip(axes, places, strict=True):
        sizes = sorted({_carried(row) for row in groups[place]})
        for number, (letter, name) in enumerate(CARRIERS.items()):
            runs = [row for row in groups[place] if letter in row["word"]]
            _points(panel, [_beside(row, sizes, number) for row in runs], COLOURS[number], name)
            means = grouped(sorted(runs, key=_carried), _carried)
            panel.plot(
                [sizes.index(bits) + 0.16 * (number - 1) for bits in means],
                [sum(float(row["accuracy"]) for row in group) / len(group) for group in means.values()],
                color=COLOURS[number],
                linewidth=0.8,
                alpha=0.6,
            )
        panel.axhline(1 / int(rows[0]["m"]), color="#888888", linewidth=0.8, linestyle=":", label="chance")
        labels = [f"{bits} bits" + _span(groups[place], bits) for bits in sizes]
        panel.set_xticks(range(len(sizes)), labels, fontsize=8)
        panel.set_xlim(-0.5, len(sizes) - 0.5)
        panel.set_title(PLACES[place], fontsize=9)
        panel.set_xlabel("state of one carrier")
    axes[0].set_ylabel("accuracy on random inputs")
    axes[0].set_ylim(-0.03, 1.05)
    _legend_below(figure, axes)
    m = int(rows[0]["m"])
    figure.suptitle(
        f"{title}\nL = 1, a table of m = {m} entries, {m * bit_count(m)} bits; a dot for each seed", fontsize=9
    )
    return figure


def _place(word: str) -> str:
    """Where carriers stand: WF as XF; "" where the figure has no panel of its own."""
    place = "".join("F" if letter == "F" else "X" for letter in word)
    return place if place in PLACES else ""


def _carried(row: Row) -> int:
    """The bits of one carrier layer; all of a word are alike."""
    return int(row["lambda"] or 0) // max(1, sum(letter != "F" for letter in row["word"]))


def _beside(row: Row, sizes: Sequence[int], number: int) -> tuple[float, Row]:
    return sizes.index(_carried(row)) + 0.16 * (number - 1) + 0.04 * (int(row["seed"]) - 1), row


def _span(rows: Sequence[Row], bits: int) -> str:
    """How many tokens a window of that size sees."""
    windows = [settings_of(row).get("window", "2") for row in rows if "W" in row["word"] and _carried(row) == bits]
    return f"\n(window of {windows[0]})" if windows else ""


def _shift(title: str, rows: Sequence[Row]) -> Figure:
    """A heat map for each task: trained on (down) against tested on (across), the mean accuracy over seeds."""
    tasks = grouped(rows, lambda row: (row["task"], row["word"]))
    maps = {
        key: grouped(group, lambda row: settings_of(row).get("train_on", "uniform")) for key, group in tasks.items()
    }
    figure = new_figure(9.4, 1.3 + sum(1.75 + 0.3 * len(groups) for groups in maps.values()))
    axes = figure.subplots(len(maps), 1, squeeze=False, height_ratios=[2 + len(groups) for groups in maps.values()])
    for (panel,), ((task, word), groups) in zip(axes, maps.items(), strict=True):
        tests = [pair.split("=")[0] for pair in next(iter(groups.values()))[0]["shifted"].split()]
        order = [*groups, *TWO_SUM_DISTRIBUTIONS, *tests]
        tests.sort(key=order.index)
        shares = [[_mean(group, test) for test in tests] for group in groups.values()]
        panel.imshow(shares, vmin=0, vmax=1, cmap="viridis", aspect="auto")
        for line, values in enumerate(shares):
            for column, share in enumerate(values):
                colour = "w" if share < 0.6 else "k"
                panel.text(column, line, _share(share), ha="center", va="center", fontsize=7, color=colour)
        distributions = sum(test in TWO_SUM_DISTRIBUTIONS for test in tests)
        panel.axvline(distributions - 0.5, color="w", linewidth=2)
        names = [test.replace("_", " ") for test in tests]
        panel.set_xticks(range(len(tests)), names, rotation=35, ha="right", fontsize=7)
        panel.set_yticks(range(len(groups)), list(groups), fontsize=8)
        panel.set_ylabel("trained on", fontsize=8)
        seeds = min(len(group) for group in groups.values())
        many = f"mean of {seeds} seeds" if seeds > 1 else "one seed"
        panel.set_title(f"{_task(task, word)}, {many}", fontsize=9)
    figure.suptitle(f"{title}\ntested on: distributions, and right of the white line the families", fontsize=9)
    return figure


def _task(task: str, word: str) -> str:
    return "2-Sum, one full layer" if task == "two_sum" else f"FuncComp, L = 1, word {word}"


def _share(share: float) -> str:
    """Two digits, where 1.00 is all of them and nothing else."""
    return "1" if share == 1 else f"{min(share, 0.99):.2f}"


def _mean(group: Sequence[Row], test: str) -> float:
    found = [dict(pair.split("=") for pair in row["shifted"].split())[test] for row in group]
    return sum(map(float, found)) / len(found)


COMPARISONS: dict[str, Callable[[str, Sequence[Row]], Figure]] = {
    "sparse": _sparse,
    "recurrence": _recurrence,
    "shift": _shift,
}
