"""`python -m tools.docs.figures`: the pictures of docs/figures/ again, each with its numbers beside it.

Most are drawn by a command of the project, which COMMANDS has; `budget` is drawn here.
"""

from __future__ import annotations

import csv
import io
import math
import sys
from pathlib import Path

from separation.bounds import Rule, evaluate
from separation.figures import Figure, new_figure, write_figure
from separation.files import write_whole
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
}
"""Each with --figure docs/figures/NAME.svg after it."""

QUERIES = range(2, 31)
TOLD, ASKED = "#b5442e", "#2b5d8a"


def budget_rows() -> list[tuple[int, int, float, bool]]:
    """(n_1, bits told, bits asked for, certified) at β = 8, Λ = 0, m = 2, x = (1, 2): the end of theorem A at L = 2."""
    from proofs_checks.statements.t_forty import STATEMENT
    from separation.bounds import Parameters

    claim = STATEMENT.subject
    rows = []
    for n in QUERIES:
        found = evaluate(Rule.A_FREE, Parameters(claim.m, (n,), claim.x), claim.beta, [claim.linear] * 2)
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
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("n_1", "told", "asked", "certified"))
    writer.writerows((n, told, f"{asked:.6f}", certified) for n, told, asked, certified in budget_rows())
    write_whole(folder / "budget.csv", text.getvalue())
    write_figure(budget_figure(), folder / "budget.svg")


def main() -> int:
    for name, command in COMMANDS.items():
        if run([*command, "--figure", f"{FOLDER}/{name}.svg"]) != 0:
            raise PageError(f"separation {' '.join(command)} does not hold")
    write_budget(ROOT / FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
