"""`separation compare`: its options and its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Gathered, Json, ProvedOnly, gathers, lambda_numbers
from separation.cli.style import escape, number, say, shortened, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.compare import CompareReport

LONGEST_WORD = 24


@gathers("sizes", "m n", m="Sizes to compare at: m (default 64) ...", n="... and n_1,...,n_{L-1} (default 8 each).")
@gathers("budget", "beta linear heads dim bits score_bits state_bits")
def compare(
    *,
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Layers, e.g. RRRF FRRR (RF)2.")],
    levels: Annotated[
        int | None, typer.Option("--L", help="Number of tables (default: one more than the least depth).")
    ] = None,
    sizes: Gathered,
    budget: Gathered,
    kv_heads: Annotated[int | None, typer.Option("--kv-heads", help="Heads with keys and values (default H).")] = None,
    proved_only: ProvedOnly = False,
    as_json: Json = False,
) -> None:
    """Put words of layers side by side: depth, KV bytes a token, state bytes, and the largest accuracy at given sizes.

    Example: separation compare RRRF FRRR --L 2 --m 64 --n 8 --beta 8 --lambda 8

    Example: separation compare '(RRRF)2' R6F2 --heads 8 --dim 64 --bits 16 --state-bits 65536
    """
    from separation.verbs.compare import compare as verb

    budget["linear"] = lambda_numbers(budget["linear"])
    report = verb(words, L=levels, **sizes, **budget, kv_heads=kv_heads, proved_only=proved_only)
    finish(report, as_json, show_compare)


def show_compare(report: CompareReport, console: Console) -> None:
    """The words, then at which sizes and for which numbers the accuracies hold."""
    facts = report.document()
    table = table_of("word", "depth", "KV bytes/token", "state bytes", "accuracy at most", "by", right_from=1)
    for row in facts["rows"]:
        word = escape(shortened(row["word"], LONGEST_WORD))
        solved = row["construction"]
        share = "1 (solved)" if solved else accuracy(row["ceiling_float"])
        table.add_row(
            word,
            str(row["depth"]),
            number(row["kv_bytes_per_token"]),
            number(row["state_bytes"]),
            share,
            solved or row["theorem"] or "–",
        )
    console.print(table)
    for name, known in {row["theorem"]: row["known"] for row in facts["rows"] if row["theorem"]}.items():
        say(f"[dim]Theorem {name}: {known}[/dim]", console)
    n = ", ".join(map(str, report.sizes.n))
    where = f"L = {facts['L']}, m = {report.sizes.m}, n = ({n}): {report.sizes.length:,} tokens"
    budget = "β = Λ = 8" if report.budget.assumed else f"β = {facts['beta']:,}"
    examples = [text for text, some in ((where, report.example_sizes), (budget, report.budget.assumed)) if some]
    say(f"\nAt {where}, {budget}; a guess is right {float(chance_of(report)):.3g} of the time.", console)
    if examples:
        say(f"An example, as nothing else was given: {'; '.join(examples)}.", console)


def chance_of(report: CompareReport) -> float:
    from fractions import Fraction

    return float(Fraction(report.document()["chance"]))


def accuracy(value: float) -> str:
    """1 where nothing is certified, else the share in per cent."""
    return "1 (nothing certified)" if value >= 1 else f"{100 * value:.3g} %"
