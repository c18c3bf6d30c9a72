"""`python -m tools.docs.figures`: the pictures of docs/figures/ again, each with its numbers beside it.

Most are drawn by a command of the project, which COMMANDS has; `task` and `budget` are drawn here.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

from matplotlib.patches import Rectangle

from proofs_checks import statement
from separation.bounds import Parameters, Rule, evaluate
from separation.figures import Figure, new_figure, write_figure
from separation.files import csv_text, write_whole
from separation.tasks import load_any_instance
from separation.tasks.funccomp import Instance
from separation.verbs.command_line import run
from tools.docs import PageError

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "docs/figures"
RUNNING = f"{FOLDER}/running.json"
COMMANDS = {
    "hops": ("solve", "C1", "--L", "3", "--m", "2", "--n", "2,2", "--seed", "7"),
    "attention": ("solve", "C1", "--instance", RUNNING),
    "players": ("simulate", "C1", "--instance", RUNNING, "--out", f"{FOLDER}/players.jsonl"),
    "exponents": ("bound", "--exponents"),
    "matrix": (
        "matrix",
        "F",
        "FF",
        "R:diagonal",
        "R:reflections",
        "R:product",
        "RF:diagonal",
        "RF:delta",
        "RF:product",
    ),
}
"""Each with --figure docs/figures/NAME.svg after it."""

QUERIES = range(2, 31)
TOLD, ASKED = "#b5442e", "#2b5d8a"


def task_figure() -> Figure:
    """The running example as a finger follows it, and below as a model reads it."""
    given = load_any_instance(ROOT / RUNNING)
    assert isinstance(given, Instance)
    (first, second), (digit,), m = given.tables, given.w, given.sizes.m
    found = first[given.z0]
    figure = new_figure(7.6, 3.3)
    axes = figure.add_subplot()
    axes.set(xlim=(-0.5, 11.2), ylim=(-2.3, 2.4))
    axes.axis("off")

    def cell(x: float, y: float, value: int, place: int | None = None, reached: bool = False) -> None:
        face, edge, width = ("#f6ddd7", TOLD, 1.6) if reached else ("white", "#8a8a8a", 0.9)
        axes.add_patch(Rectangle((x, y), 0.7, 0.7, lw=width, facecolor=face, edgecolor=edge))
        axes.text(x + 0.35, y + 0.31, str(value), ha="center", va="center", fontsize=12)
        if place is not None:
            axes.text(x + 0.06, y + 0.55, str(place), fontsize=6.5, color="#666666", va="center")

    def title(x: float, y: float, text: str, **style: Any) -> None:
        axes.text(x, y, text, ha="center", va="center", fontsize=9.5, **style)

    def arrow(start: tuple[float, float], end: tuple[float, float], bend: float) -> None:
        style = {"arrowstyle": "-|>", "color": TOLD, "lw": 1.5, "connectionstyle": f"arc3,rad={bend}"}
        axes.annotate("", end, start, arrowprops=style)

    cell(0, 0.5, given.z0, reached=True)
    title(0.35, 1.55, "start", weight="bold")
    for place, value in enumerate(first):
        cell(3 + 0.7 * place, 0.5, value, place, place == given.z0)
    title(3.7, 1.55, "table 1", weight="bold")
    for place, value in enumerate(second):
        row, column = divmod(place, m)
        cell(6.7 + 0.7 * column, 0.95 - 0.9 * row, value, column, (row, column) == (digit, found))
    for row in range(len(second) // m):
        asked = row == digit
        axes.text(
            8.3, 1.3 - 0.9 * row, f"question {row}", fontsize=9.5, va="center", color=TOLD if asked else "#666666"
        )
    title(7.4, 2.1, "table 2", weight="bold")
    arrow((0.75, 0.6), (3.3 + 0.7 * given.z0, 0.45), 0.3)
    title(2, -0.25, f"look up {given.z0}", color=TOLD)
    arrow((3.75 + 0.7 * given.z0, 0.85), (6.7 + 0.7 * found, 1.3 - 0.9 * digit), 0)
    title(5.6, 1.05, f"found {found}", color=TOLD)
    title(10.6, 1.3 - 0.9 * digit, f"answer {second[digit * m + found]}", weight="bold", color=TOLD)

    x = 1.6
    parts = (("table 2", second), ("table 1", first), ("start", (given.z0,)), ("question", given.w))
    axes.text(-0.1, -1.65, "as a model\nreads it:", fontsize=9.5, va="center")
    for name, values in parts:
        title(x + 0.35 * len(values), -1.05, name)
        for value in values:
            cell(x, -2.0, value)
            x += 0.7
        x += 0.6
    return figure


def budget_rows() -> list[tuple[int, int, float, bool]]:
    """(n_1, bits told, bits asked for, certified) at β = 8, Λ = 0, m = 2, x = (1, 2): the end of theorem A at L = 2."""
    claim = statement("T.forty").subject
    rows = []
    for n in QUERIES:
        found = evaluate(Rule.A_FREE, Parameters(claim.m, (n,), claim.x), claim.beta, [claim.state_bits] * 2)
        told = claim.beta * (claim.x[1] * claim.m + n + 1)
        rows.append((n, told, n * claim.m * math.log2(claim.m * n), found.certified))
    return rows


def budget_figure() -> Figure:
    """What the query can have heard of table 2 against what it can be asked for, as the number of queries grows."""
    rows = budget_rows()
    figure = new_figure(6.5, 3.8)
    axes = figure.add_subplot()
    queries = [n for n, *_ in rows]
    axes.plot(queries, [told for _, told, *_ in rows], c=TOLD, label="told: D_2 = β·(x_1·m + n_1 + 1)")
    axes.plot(queries, [asked for _, _, asked, _ in rows], c=ASKED, label="asked for: n_1·Θ_1·log2 N_1")
    first = next(n for n, *_, certified in rows if certified)
    axes.axvspan(first, queries[-1], color=ASKED, alpha=0.1, label=f"certified, from n_1 = {first} on")
    axes.set(xlabel="n_1, queries", ylabel="bits", title="One full layer, two tables: β = 8, m = 2")
    axes.legend(frameon=False)
    return figure


def write_budget(folder: Path) -> None:
    rows = ((n, told, f"{asked:.6f}", certified) for n, told, asked, certified in budget_rows())
    write_whole(folder / "budget.csv", csv_text(("n_1", "told", "asked", "certified"), rows))
    write_figure(budget_figure(), folder / "budget.svg")


def main() -> int:
    for name, command in COMMANDS.items():
        if run([*command, "--figure", f"{FOLDER}/{name}.svg"]) != 0:
            raise PageError(f"separation {' '.join(command)} does not hold")
    write_figure(task_figure(), ROOT / FOLDER / "task.svg")
    write_budget(ROOT / FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
