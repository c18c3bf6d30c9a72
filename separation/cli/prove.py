"""`separation prove`: its options and its table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import SIZES, Certificate, Gathered, Json, ModelFile, Name, gathers
from separation.cli.progress import progress_bar
from separation.cli.solve import instance_lines, show_run
from separation.cli.style import MARKS, count, escape, facts_table, say, say_written, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.proving import Proof
    from separation.proving.search import Search
    from separation.verbs.prove import ProveReport

MAX_ROWS = 40


@gathers("sizes", f"{SIZES} bits score_bits")
def prove(
    *,
    name: Name = None,
    sizes: Gathered,
    model: ModelFile = None,
    path: Annotated[str, typer.Option(help="How look-ups are proved: closed, general or both.")] = "closed",
    out: Certificate = None,
    write_model: Annotated[
        Path | None, typer.Option(help="Write weights and invariants here, in the form that --model reads.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="After a failed proof: seconds to search for an input with a wrong answer.", min=0)
    ] = 3.0,
    as_json: Json = False,
) -> None:
    """Prove a construction, or a model file, for all inputs at given sizes; or refute it with an input.

    Example: separation prove C1 --L 8 --tokens 1048576

    Example: separation prove --model model.json --out certificate.json
    """
    from separation.verbs.prove import prove as verb

    with progress_bar() as progress:
        files: Gathered = {"model": model, "out": out, "write_model": write_model}
        report = verb(name, **files, path=path, seconds=seconds, **sizes, progress=progress)
    finish(report, as_json, show_prove)


def show_prove(report: ProveReport, console: Console) -> None:
    """The claim, then one line for each look-up of the answer's token, then what failed."""
    from separation.tasks.catalogue import prompt_tokens

    facts = report.document()
    table = facts_table()
    table.add_row("construction", escape(facts["construction"]))
    table.add_row("task", escape(report.construction.task.title))
    table.add_row("prompt", f"{prompt_tokens(report.construction.sizes):,} tokens")
    layers = f"{count(facts['layers'], 'layer')} {escape(facts['word'])}"
    table.add_row("model", f"{layers}, {count(facts['heads'], 'head')}, width {facts['width']}")
    weights = "integer weights" if facts["integral"] else "rational weights"
    table.add_row("numbers", f"{weights}, P = {facts['precision_bits']['P']}, p = {facts['precision_bits']['p']}")
    if report.proof.states:
        table.add_row("recurrent states", _states_text(report.proof))
    if report.found.inferred:
        table.add_row("invariants", "inferred: none were stated (separation infer shows them)")
    if report.certified:
        log2 = facts["inputs_covered_log2"]
        table.add_row("inputs covered", f"2^{log2:,.1f} (every input)" if isinstance(log2, float) else f"2^{log2}")
    if report.proof.ok:
        table.add_row("margin of the logit", str(report.margin))
        table.add_row("path", f"{facts['path']}; other keys weigh at most {float(report.proof.leak):.3g} × the match")
    table.add_row("time", f"{report.seconds:.2f} s")
    console.print(table)
    _show_look_ups(report, console)
    _show_failure(report, console)
    if report.proof.ok:
        console.print(f"{MARKS[report.ok]} {escape(report.sentence)}", soft_wrap=True)
    say_written("certificate", report.out, console)


def _show_look_ups(report: ProveReport, console: Console) -> None:
    """What the answering tokens read, layer by layer; for 2-Sum, what the heads search."""
    readers = {emission.reader for emission in report.construction.shape.emissions}
    steps = [step for step in report.proof.look_ups if step.kind in readers]
    if steps:
        looks = table_of("layer", "token", "reads", "at", "other keys / match")
        for step in steps[:MAX_ROWS]:
            at = ", ".join(step.match.fact.address) or "its only token"
            leak = "0 (exact)" if step.match.path == "exact" else f"≤ {float(step.match.leak):.3g}"
            looks.add_row(str(step.layer), step.kind, step.match.fact.kind, at, leak)
        console.print(looks)
    if report.proof.searches:
        looks = table_of("layer", "head", "searches for M − x in", "other keys / match")
        for row in _search_rows(report.proof.searches)[:MAX_ROWS]:
            looks.add_row(*row)
        console.print(looks)
    hidden = max(0, len(steps) - MAX_ROWS) + max(0, len(_search_rows(report.proof.searches)) - MAX_ROWS)
    if hidden:
        console.print(f"… and {hidden} more (--json lists all)")


def _search_rows(searches: Sequence[Search]) -> list[tuple[str, ...]]:
    """Heads that are alike, but for the token by which they know a block, stand in one row."""
    rows: list[tuple[str, ...]] = []
    for (layer, leak, by_head, summarised), alike in groupby(searches, key=_likeness):
        heads = [found.head for found in alike]
        where = "all tokens up to its own"
        if summarised:
            first, last = heads[0] + by_head, heads[-1] + by_head
            which = f"token {first}" if first == last else "token h" if not by_head else f"tokens {first} to {last}"
            where = f"summaries ({which} of each block), opened blocks, its own block"
        which = str(heads[0]) if len(heads) == 1 else f"h = {heads[0]} to {heads[-1]}"
        rows.append((str(layer), which, where, f"≤ {float(leak):.3g}"))
    return rows


def _likeness(found: Search) -> tuple[int, Fraction, int, bool]:
    """Layer, leak, by how much the token of its summaries is ahead of the head's number, whether it has summaries."""
    if found.offset is None:
        return found.layer, found.leak, 0, False
    return found.layer, found.leak, found.offset - found.head, True


def _show_failure(report: ProveReport, console: Console) -> None:
    """The first cause, how many more obligations fail, and the wrong answer or where none was found."""
    from separation.proving import Refutation

    causes = report.proof.causes(report.construction.shape)
    for failure in causes[:1]:
        say(f"{MARKS[False]} {escape(failure)}", console)
    if len(causes) > 1:
        more = "1 more obligation fails" if len(causes) == 2 else f"{len(causes) - 1} more obligations fail"
        console.print(f"  {more} after this; --json lists them")
    if report.verdict in ("proved", "holds by enumeration"):
        return
    words = (report.refutation or Refutation(message="no time was given")).words
    say(f"{MARKS[False]} {escape(words)}", console)
    if report.wrong_run is not None:
        for line in instance_lines(report.wrong_run.instance):
            console.print(f"  {escape(line)}", soft_wrap=True)
        show_run(report.wrong_run, console)


def _states_text(proof: Proof) -> str:
    entries = sum(state.entries for state in proof.states)
    bits = "not on a grid" if proof.state_bits is None else f"{proof.state_bits:,} bits"
    return f"{entries:,} entries in {count(len(proof.states), 'head')}, {bits}"
