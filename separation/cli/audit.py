"""`separation audit`: its options, and the report for one model or several side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Json, ProvedOnly
from separation.cli.progress import progress_bar
from separation.cli.style import escape, number, plain_table, say, say_written, shortened, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.audit import AuditReport
    from separation.verbs.audit_facts import Audit

LONGEST_WORD = 60
SHORT_WORD = 20


def audit(
    *,
    configs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="CONFIG...", help="config.json files, or names of shipped ones such as jamba_v0_1."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Audit all configs that ship with the package.")] = False,
    levels: Annotated[int | None, typer.Option("--L", help="Also rows for every number of hops up to L.")] = None,
    sort: Annotated[str | None, typer.Option("--sort", help="Several: by depth, state, kv or name.")] = None,
    score_bits: Annotated[int | None, typer.Option("--score-bits", help="P, bits of an attention weight.")] = None,
    proved_only: ProvedOnly = False,
    figure: Annotated[Path | None, typer.Option("--figure", help="Draw the models (.png, .svg, .pdf).")] = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write one HTML page that needs no network.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write a Markdown page.")] = None,
    as_json: Json = False,
) -> None:
    """Say what a model can compose in one pass, what is certified beyond that, and what would help.

    Example: separation audit config.json --report audit.html

    Example: separation audit jamba_v0_1 lfm2_1_2b gpt2 --sort depth

    Example: separation audit --all --out docs/hybrids.md
    """
    from separation.verbs.audit import audit as verb

    with progress_bar() as progress:
        found = verb(
            [str(config) for config in configs or ()],
            shipped=every,
            L=levels,
            sort=sort,
            score_bits=score_bits,
            proved_only=proved_only,
            figure=figure,
            report=report,
            out=out,
            progress=progress,
        )
    finish(found, as_json, show_audit)


def show_audit(report: AuditReport, console: Console) -> None:
    """One model in full; several side by side, then a sentence each."""
    from separation.verbs.audit_words import sentence

    if len(report.audits) == 1:
        _show_one(report.audits[0], console)
    else:
        _show_several(report.audits, console)
        for audit in report.audits:
            say(f"\n{escape(sentence(audit))}", console)
    for what, path in (("figure", report.figure), ("page", report.page), ("page", report.out)):
        say_written(what, path, console)


def _show_one(audit: Audit, console: Console) -> None:
    from separation.verbs import audit_words as words
    from separation.verbs.audit_facts import LENGTHS

    say(escape(words.sentence(audit)), console)
    say(f"[dim]{escape(shortened(str(audit.word), LONGEST_WORD))}[/dim]\n", console)
    table = table_of("hops", "at all sizes", *(f"at {words.length_text(length)}" for length in LENGTHS))
    for level in audit.levels:
        table.add_row(words.levels_text(level), words.solved_text(level), *words.ceiling_cells(level, nothing="1"))
    console.print(table)
    legend = (
        "at 4k, 32k, …: no weights are more accurate than this on the hardest sizes found of at most that many tokens"
    )
    say(f"[dim]{legend}; 1: nothing certified[/dim]", console)
    say(words.chain_of_thought(audit), console)
    say(f"[dim]{words.known_text(audit)}[/dim]", console)
    if audit.cut:
        console.print("\nCut behind its first full layers:")
        cut_table = plain_table("full", "word", "depth", "what is certified")
        for cut in audit.cut:
            word = escape(shortened(str(cut.word), SHORT_WORD))
            cut_table.add_row(str(cut.full), word, str(cut.word.depth), words.cut_text(cut))
        console.print(cut_table)
    console.print("\nWhat its states carry:")
    if audit.blocks:
        states = plain_table("block", "R layers", "state bits", "table that each state holds (C3)")
        for row in words.block_rows(audit.blocks):
            states.add_row(*row)
        console.print(states)
    for line in words.needs_text(audit):
        say(line, console)
    console.print("\nWhat would help:")
    for line in words.buys_text(audit):
        say(line, console)
    say(
        f"[dim]KV cache {number(audit.kv_bytes)} bytes a token, states {-(-audit.state_bits // 8):,} bytes[/dim]",
        console,
    )
    for level in audit.levels:
        if level.shortest is not None:
            shown = words.prompt_text(level.shortest)
            say(f"[dim]{level.first} hops, shortest certified prompt: {shown}[/dim]", console)


def _show_several(audits: tuple[Audit, ...], console: Console) -> None:
    from separation.verbs.audit_words import bytes_text, near

    table = table_of("model", "full", "depth", "KV a token", "states", "cut: fails at", right_from=2)
    for audit in audits:
        full = f"{audit.word.full} of {len(audit.reading.layers)}"
        sizes = bytes_text(audit.kv_bytes), bytes_text(-(-audit.state_bits // 8))
        shortest = audit.cut[0].level.shortest if audit.cut else None
        alone = "–" if shortest is None else f"{shortest.tokens:,}" if near(shortest) else "far beyond"
        table.add_row(escape(audit.name), full, str(audit.word.depth), *sizes, alone)
    console.print(table)
    cut = "tokens of the shortest prompt at which the model cut behind its first full layer is certified to fail"
    say(f"[dim]cut: {cut}[/dim]", console)
