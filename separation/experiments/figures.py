"""Figures of the experiments, drawn from the CSV alone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median
from typing import Any

from separation.bounds import Word
from separation.experiments.distributions import TWO_SUM_DISTRIBUTIONS
from separation.experiments.proved import (
    STANDS_FOR_R,
    SparseShape,
    composition_ceiling,
    least_bits,
    sparse_ceiling,
    state_of_c3,
    summary_of_c7,
)
from separation.figures import Figure, new_figure

Row = dict[str, str]
COLOURS = BLUE, ORANGE, GREEN, *_ = ("#0b6e99", "#b5541c", "#3c7a3f", "#7a4b9a", "#8a6d00", "#a3264c", "#4f7cac")
BLACK, GREY = "#222222", "#888888"
LEARNED = 0.99
"""A run with at least this accuracy counts as one that learned the task."""


def grouped(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    """In the order in which the groups first come."""
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def settings_of(row: Row) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in row["settings"].split())


def solvable(row: Row) -> bool:
    """depth(word) ≥ L: there are weights that solve the task at every size."""
    return Word.parse(row["word"].translate(STANDS_FOR_R)).depth >= int(row["L"])


def shown(word: str) -> str:
    """R100F as R¹⁰⁰F.

    >>> shown("R100F"), shown("RRRF")
    ('R¹⁰⁰F', 'RRRF')
    """
    return re.sub(r"\d+", lambda found: found[0].translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")), word)


def _name(row: Row) -> str:
    """The word, and the variant if there is one."""
    return shown(row["word"]) + ("" if row["label"] == row["word"] else f", {row['label']}")


def sizes_of(row: Row) -> str:
    """m = 8, n = 2 2."""
    return f"m = {row['m']}" + (f", n = {row['n']}" if row["n"] else "")


def chance_of(row: Row) -> float:
    return 1 / (int(row["m"]) * math.prod(map(int, row["n"].split())))


def _accuracy_axis(panel: Any) -> None:
    panel.set_ylabel("accuracy on random inputs")
    panel.set_ylim(-0.03, 1.05)


def _dots(panel: Any, at: float, runs: Sequence[Row], colour: str, apart: float = 0.1, **style: Any) -> None:
    """Runs side by side around a place: the accuracy of each, and Wilson's interval as a bar."""
    for number, run in enumerate(runs):
        share, low, high = (float(run[name]) for name in ("accuracy", "low", "high"))
        place, error = at + apart * (number - (len(runs) - 1) / 2), [[max(0.0, share - low)], [max(0.0, high - share)]]
        label = style.pop("label", None)
        panel.errorbar(place, share, error, color=colour, label=label, **({"fmt": "o", "markersize": 4} | style))


def _legend_below(figure: Figure, axes: Sequence[Any]) -> None:
    """One legend for all panels, each name once."""
    found: dict[str, Any] = {}
    for panel in axes:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    columns = min(int(figure.get_figwidth() / 2.4), len(found))
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=columns, fontsize=8, frameon=False)


def draw_depth(title: str, rows: Sequence[Row]) -> Figure:
    """A panel for each depth, accuracy against L: dots and their median for each word, a step where L exceeds it."""
    panels = dict(sorted(grouped(rows, lambda row: Word.parse(row["word"]).depth).items()))
    by_size = dict(sorted(grouped(rows, lambda row: int(row["L"])).items()))
    levels = list(by_size)
    left, right = levels[0] - 0.5, levels[-1] + 0.5
    figure = new_figure(1.2 + 2.7 * len(panels), 4.7)
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for panel, (depth, group) in zip(axes, panels.items(), strict=True):
        end = min(max(depth + 0.5, left), right)
        for start, stop, colour in ((left, end, BLUE), (end, right, ORANGE)):
            panel.axvspan(start, stop, color=colour, alpha=0.12, linewidth=0)
        if left < end < right:
            panel.axvline(end, color=BLACK, linewidth=1.5, linestyle="--")
        words = grouped(group, _name)
        for number, (word, runs) in enumerate(words.items()):
            colour, beside = (*COLOURS, BLACK)[number % 8], 0.7 * ((number + 0.5) / len(words) - 0.5)
            places: list[tuple[float, float]] = []
            for level, each in sorted(grouped(runs, lambda row: int(row["L"])).items()):
                shares = [float(row["accuracy"]) for row in each]
                missed = [share for share in shares if solvable(each[0]) and share < LEARNED]
                found = [share for share in shares if share not in missed]
                panel.plot([level + beside] * len(found), found, "o", color=colour, markersize=3.5)
                panel.plot([level + beside] * len(missed), missed, "x", color=colour, markersize=6)
                places.append((level + beside, median(shares)))
                if each[0]["ceiling"]:
                    cap = float(each[0]["ceiling"])
                    panel.hlines(cap, level + beside - 0.13, level + beside + 0.13, color=BLACK, linewidth=3)
                    panel.vlines(level + beside, places[-1][1], cap, color=BLACK, linewidth=0.6, linestyle=":")
            panel.plot(*zip(*places, strict=True), color=colour, linewidth=1.2, label=word)
        for level, each in by_size.items():
            panel.hlines(chance_of(each[0]), level - 0.5, level + 0.5, color=GREY, linewidth=0.8, linestyle=":")
        panel.set_xticks(levels, [f"L = {level}\n{sizes_of(each[0])}" for level, each in by_size.items()], fontsize=8)
        panel.set_xlim(left, right)
        panel.set_title(f"depth(word) = {depth}", fontsize=10)
        panel.legend(fontsize=8, frameon=False, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.13))
    _accuracy_axis(axes[0])
    figure.suptitle(
        f"{title}: a dot for each seed, a line through the medians\n"
        "blue: L ≤ depth, some weights solve it at every size (× a seed that did not learn it);"
        " orange: L > depth, at some sizes none do\nblack caps: proved ceilings; dotted: chance",
        fontsize=9,
    )
    return figure


def _labelled(title: str, rows: Sequence[Row]) -> Figure:
    """A column for each kind of model: a dot for each seed, in the colour of its depth; how many learned; ceilings."""
    columns = grouped(rows, lambda row: f"{shown(row['word'])}, L = {row['L']}\n{row['label']}")
    figure = new_figure(max(5.6, 0.8 * len(columns) + 1.2), 3.9)
    panel = figure.subplots()
    for place, runs in enumerate(columns.values()):
        colour = BLUE if solvable(runs[0]) else ORANGE
        _dots(panel, place, runs, colour)
        learned = sum(float(run["accuracy"]) >= LEARNED for run in runs)
        panel.text(place, 1.04, f"{learned}/{len(runs)}", ha="center", va="bottom", fontsize=8, color=colour)
        panel.hlines(chance_of(runs[0]), place - 0.4, place + 0.4, color=GREY, linewidth=1, linestyle=":")
        if runs[0]["ceiling"]:
            panel.hlines(float(runs[0]["ceiling"]), place - 0.4, place + 0.4, color=BLACK, linewidth=2)
    panel.set_xticks(range(len(columns)), list(columns), fontsize=7)
    panel.set_xlim(-0.6, len(columns) - 0.4)
    _accuracy_axis(panel)
    panel.set_ylim(-0.03, 1.14)
    below = f"blue: depth ≥ L; orange: depth < L; dotted: chance; above: seeds that reach {LEARNED}"
    panel.set_title(f"{title}\n{below}", fontsize=8)
    return figure


def draw_exact(title: str, rows: Sequence[Row]) -> Figure:
    """Wrong answers among all inputs there are, a dot for each model; filled if its test showed no error."""
    asked = [row for row in rows if row["inputs"]]
    columns = grouped(asked, lambda row: f"{_name(row)}\n{sizes_of(row)}\n{int(row['inputs']):,} inputs")
    figure = new_figure(max(5.6, 0.95 * len(columns) + 1.2), 3.8)
    panel = figure.subplots()
    for place, runs in enumerate(columns.values()):
        for number, run in enumerate(runs):
            face = BLUE if run["correct"] == run["tested"] else "none"
            at = place + 0.1 * (number - (len(runs) - 1) / 2)
            panel.plot(at, int(run["wrong"]), "o", markersize=5, color=BLUE, markerfacecolor=face)
    panel.set_yscale("symlog", linthresh=1)
    panel.set_ylim(-0.3, max([10, *(3 * int(row["wrong"]) for row in asked)]))
    panel.set_xticks(range(len(columns)), list(columns), fontsize=7)
    panel.set_xlim(-0.6, len(columns) - 0.4)
    panel.set_ylabel("wrong answers among all inputs")
    panel.set_title(f"{title}\nevery input asked; filled: no error on the random inputs of the test", fontsize=8)
    return figure


def _capacity(title: str, rows: Sequence[Row]) -> Figure:
    """Accuracy against Λ/(m·log2 m), the proved ceiling as a line, and C3, which meets accuracy 1."""
    figure = new_figure(5.6, 3.8)
    panel = figure.subplots()
    m = int(rows[0]["m"])
    table = m * math.log2(m)
    states = range(1, max(int(row["lambda"]) for row in rows) + 1)
    proved = [float(composition_ceiling("R", m, (), 0, (bits,)).value) for bits in states]
    panel.plot([bits / table for bits in states], proved, color=BLACK, label="proved ceiling")
    for number, (bits, runs) in enumerate(grouped(rows, lambda row: int(row["lambda"])).items()):
        _dots(panel, bits / table, runs, BLUE, 0.0, label=None if number else "trained, a dot for each seed")
    panel.plot([state_of_c3(m) / table], [1], "s", color=GREEN, label="C3, built: table and z₀")
    panel.axhline(1 / m, color=GREY, linewidth=0.8, linestyle=":", label="chance")
    panel.set_xscale("log", base=2)
    panel.xaxis.set_major_formatter(lambda share, _: f"{share:g}" if share >= 1 else f"1/{round(1 / share)}")
    panel.set_xlabel("Λ / (m·log₂ m): bits of state for each bit of the table")
    _accuracy_axis(panel)
    panel.legend(fontsize=8, frameon=False)
    panel.set_title(f"{title} (m = {m})", fontsize=9)
    return figure


def _sparse(title: str, rows: Sequence[Row]) -> Figure:
    """Accuracy against r/(B·log2 M): a panel for each k with its ceiling, and Theorem D's and C7's r as lines."""
    blind = [row for row in rows if _shape(row).compressor == "none"]
    full = [row for row in rows if _shape(row).opened == _shape(row).blocks]
    closed = [row for row in rows if row not in full and row not in blind]
    panels = grouped(sorted(closed, key=lambda row: _shape(row).opened), lambda row: _shape(row).opened)
    names = list(dict.fromkeys(_shape(row).compressor for row in closed))
    count = len(panels) + bool(blind)
    figure = new_figure(max(6.6, 1.2 + 2.8 * count), 4.2)
    axes = figure.subplots(1, count, sharey=True, squeeze=False)[0]
    for panel, (opened, group) in zip(axes, panels.items(), strict=False):
        _proved(panel, group[0], max(int(row["lambda"]) for row in closed))
        if full:
            share = fmean(float(row["accuracy"]) for row in full)
            panel.axhline(share, color=BLUE, linewidth=1, label="all blocks opened, trained (mean)")
        for place, (way, runs) in enumerate(grouped(group, lambda row: _shape(row).compressor).items()):
            colour, label = COLOURS[names.index(way) % len(COLOURS)], way
            for bits, each in grouped(runs, lambda row: int(row["lambda"])).items():
                beside = 1.04**place * bits / _block_bits(group[0])  # no colour hides another
                _dots(panel, beside, each, colour, 0.0, label=label)
                label = None
        panel.set_xscale("log", base=2)
        panel.xaxis.set_major_formatter("{x:g}")
        panel.set_title(f"k = {opened} of {_shape(group[0]).blocks} blocks opened", fontsize=9)
        panel.set_xlabel("r / (B·log2 M)")
    if blind:
        _without_summaries(axes[-1], blind)
    axes[0].set_ylabel("accuracy (chance 0.5)")
    axes[0].set_ylim(0.47, 1.02)
    _legend_below(figure, axes)
    figure.suptitle(f"{title} (M = {rows[0]['m']}, B = {_shape(rows[0]).block}; a dot for each seed)", fontsize=9)
    return figure


def _without_summaries(panel: Any, rows: Sequence[Row]) -> None:
    """Layers whose summaries say nothing: a column for each number of them, the ceiling as a cap."""
    columns, shape = grouped(rows, lambda row: row["label"]), _shape(rows[0])
    for place, runs in enumerate(columns.values()):
        _dots(panel, place, runs, BLUE)
        if runs[0]["ceiling"]:
            panel.hlines(float(runs[0]["ceiling"]), place - 0.3, place + 0.3, color=BLACK, linewidth=1.5)
    panel.axhline(0.5, color=GREY, linewidth=0.8, linestyle=":")
    panel.set_xticks(range(len(columns)), [label.replace(", ", ",\n") for label in columns], fontsize=8)
    panel.set_xlim(-0.6, len(columns) - 0.4)
    panel.set_title(f"r = 0, k = {shape.opened} of {shape.blocks} blocks opened", fontsize=9)


def _proved(panel: Any, row: Row, largest: int) -> None:
    """Lines that no training moves: the ceiling, the least r of Theorem D, the r of C7."""
    modulus, shape, unit = int(row["m"]), _shape(row), _block_bits(row)
    sizes = (modulus, shape.block, shape.opened, shape.blocks)
    ceilings = [float(sparse_ceiling(bits, *sizes)) for bits in range(1, largest + 1)]
    places = [bits / unit for bits in range(1, largest + 1)]
    panel.plot(places, ceilings, color=BLACK, linewidth=1.5, label="ceiling (Theorem D')")
    needed = least_bits(*sizes) / unit
    panel.axvline(needed, color=BLACK, linestyle="--", linewidth=1, label="Theorem D: least r without any error")
    built = summary_of_c7(modulus, shape.block) / unit
    panel.axvline(built, color=GREEN, linestyle="-.", linewidth=1, label="r of C7, built")
    panel.axhline(0.5, color=GREY, linewidth=0.8, linestyle=":", label="chance")


def _block_bits(row: Row) -> float:
    """B·log2 M."""
    return _shape(row).block * math.log2(int(row["m"]))


def _shape(row: Row) -> SparseShape:
    return SparseShape.chosen(settings_of(row))


WORDS = {"F": "F", "R": "R, gates in (0, 1)", "N": "R", "NF": "RF", "FN": "FR"}
"""Of `tracking`; N is R with eigenvalues in (−1, 1), as the recurrent layers that are built have them."""


def _tracking(title: str, rows: Sequence[Row]) -> Figure:
    """Tasks down, words across, in each cell the mean accuracy at every length; a frame: built and proved."""
    from separation.experiments.tracking import built_as

    groups = grouped(rows, lambda row: row["task"])
    times = list(shifted_means(rows))
    figure = new_figure(1.6 + 0.4 * len(times) * len(WORDS), 1.4 + 0.6 * len(groups))
    panel = figure.subplots()
    shares = []
    for runs in groups.values():
        means = [shifted_means([run for run in runs if run["word"] == word]) for word in WORDS]
        shares.append([found.get(time, math.nan) for found in means for time in times])
    panel.imshow(shares, vmin=0, vmax=1, cmap="viridis", aspect="auto")
    for down, (task, line) in enumerate(zip(groups, shares, strict=True)):
        _numbers(panel, down, line)
        for number in (number for number, word in enumerate(WORDS) if built_as(word, task)):
            across = [len(times) * number - 0.45, len(times) * (number + 1) - 0.55]
            panel.fill_between(across, down - 0.43, down + 0.43, facecolor="none", edgecolor=ORANGE, linewidth=2.5)
    names = [f"{time}\n" + name * (at == 1) for name in WORDS.values() for at, time in enumerate(times)]
    panel.set_xticks(range(len(names)), names, fontsize=8)
    tasks = [f"{task.replace('_', ' ')}\n(length {runs[0]['m']})" for task, runs in groups.items()]
    panel.set_yticks(range(len(tasks)), tasks, fontsize=8)
    below = "mean over seeds at the last token; framed: weights of such a word are built, and proved for all inputs"
    figure.suptitle(f"{title}\n{below}", fontsize=9)
    return figure


def _numbers(panel: Any, line: int, shares: Sequence[float]) -> None:
    """Written into the cells of a line; 1 is all of them and nothing else."""
    for column, share in enumerate(shares):
        said = "" if math.isnan(share) else "1" if share == 1 else f"{min(share, 0.99):.2f}"
        panel.text(column, line, said, ha="center", va="center", fontsize=7, color="w" if share < 0.6 else "k")


def _shift(title: str, rows: Sequence[Row]) -> Figure:
    """A heat map for each task: trained on (down) against tested on (across), the mean accuracy over seeds."""
    maps = {
        task: grouped(group, lambda row: row["label"]) for task, group in grouped(rows, lambda row: row["task"]).items()
    }
    figure = new_figure(9.4, 1.3 + sum(1.75 + 0.3 * len(groups) for groups in maps.values()))
    axes = figure.subplots(len(maps), 1, squeeze=False, height_ratios=[2 + len(groups) for groups in maps.values()])
    for (panel,), (task, groups) in zip(axes, maps.items(), strict=True):
        shares = {own: shifted_means(group) for own, group in groups.items()}
        tests = list(next(iter(shares.values())))
        tests.sort(key=[*groups, *TWO_SUM_DISTRIBUTIONS, *tests].index)
        numbers = [[means[test] for test in tests] for means in shares.values()]
        panel.imshow(numbers, vmin=0, vmax=1, cmap="viridis", aspect="auto")
        for line, means in enumerate(shares.values()):
            _numbers(panel, line, [means[test] for test in tests])
        panel.axvline(sum(test in TWO_SUM_DISTRIBUTIONS for test in tests) - 0.5, color="w", linewidth=2)
        names = [test.replace("_", " ") for test in tests]
        panel.set_xticks(range(len(tests)), names, rotation=35, ha="right", fontsize=7)
        panel.set_yticks(range(len(groups)), list(groups), fontsize=8)
        panel.set_ylabel("trained on", fontsize=8)
        word = next(iter(groups.values()))[0]["word"]
        name = "2-Sum, one full layer" if task == "two_sum" else f"FuncComp, L = 1, word {word}"
        panel.set_title(f"{name}, {min(len(group) for group in groups.values())} seeds", fontsize=9)
    figure.suptitle(f"{title}\ntested on: distributions, and right of the white line the families", fontsize=9)
    return figure


def shifted_means(runs: Sequence[Row]) -> dict[str, float]:
    """The accuracy on every kind of input that was asked, the mean over runs."""
    found: dict[str, float] = {}
    for run in runs:
        for pair in run["shifted"].split():
            name, share = pair.split("=")
            found[name] = found.get(name, 0.0) + float(share) / len(runs)
    return found


def draw(name: str, title: str, rows: Sequence[Row]) -> Figure:
    return _DRAWN[name](title, rows)


_DRAWN: dict[str, Callable[[str, Sequence[Row]], Figure]] = {
    "depth": draw_depth,
    "ablation": _labelled,
    "capacity": _capacity,
    "stock": _labelled,
    "exact": draw_exact,
    "sparse": _sparse,
    "recurrence": _labelled,
    "tracking": _tracking,
    "shift": _shift,
}
