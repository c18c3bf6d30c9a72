"""`separation prove`: its options and its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import SIZES, Certificate, Gathered, Json, ModelFile, Name, gathers
from separation.cli.progress import progress_bar
from separation.cli.solve import instance_lines, show_run
from separation.cli.style import MARKS, escape, facts_table, say, say_written, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.proving import Proof
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
    table.add_row("task", report.construction.task.title)
    table.add_row("prompt", f"{prompt_tokens(report.construction.sizes):,} tokens")
    layers = f"{facts['layers']} layer(s) {escape(facts['word'])}"
    table.add_row("model", f"{layers}, {facts['heads']} head(s), width {facts['width']}")
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
        for found in report.proof.searches[:MAX_ROWS]:
            where = "all tokens up to its own"
            if found.offset is not None:
                where = f"summaries (token {found.offset} of each block), opened blocks, its own block"
            looks.add_row(str(found.layer), str(found.head), where, f"≤ {float(found.leak):.3g}")
        console.print(looks)
    hidden = max(0, len(steps) - MAX_ROWS) + max(0, len(report.proof.searches) - MAX_ROWS)
    if hidden:
        console.print(f"… and {hidden} more (--json lists all)")


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
    return f"{entries:,} entries in {len(proof.states)} head(s), {bits}"
