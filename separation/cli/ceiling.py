"""`separation ceiling`: its options and its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.decide import LONGEST_WORD, listed_numbers
from separation.cli.finish import finish
from separation.cli.options import Certificate, Gathered, Json, ProvedOnly, gathers, lambda_numbers, refuse, share
from separation.cli.progress import progress_bar
from separation.cli.style import escape, facts_table, say, say_written, shortened
from separation.files import InputError
from separation.verbs.options import flags

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.ceiling import CeilingReport, SparseCeilingReport


@gathers("sizes", "m n", m="Size of table 1, m >= 2.")
@gathers("budget", "beta linear heads dim bits score_bits state_bits thoughts")
@gathers(
    "sparse_layer",
    "block opened blocks summary_bits",
    block="Theorem D': tokens in a block.",
    opened="Theorem D': blocks opened, over all heads.",
    blocks="Theorem D': complete blocks before the query.",
    summary_bits="Theorem D': bits of a block's summary.",
)
def ceiling(
    *,
    word: Annotated[str | None, typer.Argument(metavar="WORD", help="Layers, e.g. RF, FRF, (RRF)4, [FR]F.")] = None,
    levels: Annotated[int | None, typer.Option("--L", help="Number of tables (default: one more than --n).")] = None,
    sizes: Gathered,
    budget: Gathered,
    figure: Annotated[Path | None, typer.Option(help="Draw the ceiling (.png, .svg, .pdf); numbers in a .csv.")] = None,
    against: Annotated[str, typer.Option(help="What the curve is drawn against: length, lambda or beta.")] = "length",
    sparse: Annotated[bool, typer.Option("--sparse", help="Instead: Theorem D', 2-Sum with one sparse layer.")] = False,
    sparse_layer: Gathered,
    false_alarms: Annotated[
        str | None, typer.Option("--false-alarms", help="Theorem D': share of wrong answers without a match.")
    ] = None,
    proved_only: ProvedOnly = False,
    out: Certificate = None,
    as_json: Json = False,
) -> None:
    """Bound the accuracy that any model of a word of layers can have on random inputs, at exactly these sizes.

    Example: separation ceiling RF --L 2 --m 64 --n 8 --beta 8 --lambda 8

    Example: separation ceiling RF --m 64 --n 8 --beta 8 --lambda 8 --figure ceiling.png --against lambda

    Example: separation ceiling --sparse --block 64 --open 1 --blocks 32 --summary-bits 16
    """
    from separation.verbs.ceiling import ceiling as verb
    from separation.verbs.ceiling import ceiling_sparse

    if sparse:
        refuse("--sparse", {"word": word, "L": levels, **sizes, **budget, "figure": figure, "proved_only": proved_only})
        for name, value in sparse_layer.items():
            if value is None:
                raise InputError(f"{flags([name])} is missing")
        alarms = share(false_alarms or "0", "--false-alarms")
        finish(ceiling_sparse(**sparse_layer, false_alarms=alarms, out=out), as_json, show_sparse_ceiling)
    refuse("a ceiling without --sparse", {**sparse_layer, "false_alarms": false_alarms})
    if word is None:
        raise InputError("no word given: which layers, e.g. RF")
    if sizes["m"] is None:
        raise InputError("--m is missing: a ceiling is that of exactly m and n_1, …, n_{L-1}")
    budget["linear"] = lambda_numbers(budget["linear"])
    with progress_bar() as progress:
        report = verb(
            word,
            L=levels,
            m=sizes["m"],
            n=sizes["n"] or (),
            **budget,
            figure=figure,
            against=against,
            proved_only=proved_only,
            out=out,
            progress=progress,
        )
    finish(report, as_json, show_ceiling)


def percent(value: float) -> str:
    """Digits enough to be different from 0 and from 100."""
    return f"{100 * value:.4g} %"


def show_ceiling(report: CeilingReport, console: Console) -> None:
    """A sentence, then the numbers it rests on."""
    facts = report.document()
    word = escape(shortened(facts["word"], LONGEST_WORD))
    chance = percent(facts["chance_float"])
    if report.solvable:
        say(f"{word} solves L = {facts['L']} at all sizes: its accuracy can be 100 %.", console)
    elif report.found.value < 1:
        text = (
            f"No {word} is right on more than {percent(facts['ceiling_float'])} of random inputs; chance is {chance}."
        )
        say(text, console)
    else:
        known = "proved in Coq" if report.proved_only else "known"
        say(f"Nothing is certified at these sizes: the accuracy of {word} may be 100 %, as far as is {known}.", console)
    table = facts_table()
    table.add_row("sizes", f"L = {facts['L']}, m = {listed_numbers([facts['m']])}, n = {listed_numbers(facts['n'])}")
    table.add_row("prompt", f"{listed_numbers([facts['tokens']])} tokens")
    if facts["beta"] is not None:
        table.add_row("β", f"{listed_numbers([facts['beta']])} bits")
    table.add_row("Λ", f"{listed_numbers(facts['lambda'])} bits")
    if facts["theorem"]:
        table.add_row("theorem", f"{facts['theorem']}; {facts['known']}")
        table.add_row("by", ", ".join(f"{name} = {shortened(v, 40)}" for name, v in facts["parameters"].items()))
        table.add_row("ceiling", f"{facts['ceiling_float']:.6g} = {shortened(facts['ceiling'], 60)}")
    console.print(table)
    say_written("certificate", report.out, console)
    if report.figure is not None:
        say_written("picture", report.figure, console)
        say_written("its numbers", report.figure.with_suffix(".csv"), console)


def show_sparse_ceiling(report: SparseCeilingReport, console: Console) -> None:
    facts = report.document()
    found, chance = percent(facts["ceiling_float"]), percent(facts["chance_float"])
    say(f"One such sparse layer finds at most {found} of the matches; chance is {chance}.", console)
    table = facts_table()
    layer = f"blocks of {facts['block']} tokens, {facts['open']} of {facts['blocks']} opened"
    table.add_row("layer", f"{layer}, {facts['summary_bits']} summary bits a block")
    table.add_row("false alarms", facts["false_alarms"])
    table.add_row("theorem", f"D', {facts['known']}")
    console.print(table)
    say_written("certificate", report.out, console)
