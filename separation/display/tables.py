"""Reports as tables that a person can read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.display.weights import show_text
from separation.numeric import CrossCheck, torch_is_installed
from separation.verbs import CheckReport, ProveReport, ShowReport, SolveReport, VerifyReport

_MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]"}


def show_prove(report: ProveReport, console: Console) -> None:
    """The claim, then one line for each look-up of the answer's token, then what failed."""
    facts = report.document()
    sizes = report.construction.sizes
    table = _facts_table()
    table.add_row("construction", escape(str(facts["construction"])))
    table.add_row("task", f"FuncComp, L = {sizes.L}, m = {sizes.m}, n = ({', '.join(map(str, sizes.n))})")
    table.add_row("prompt", f"{sizes.length:,} tokens")
    table.add_row("model", f"{facts['layers']} layers, {facts['heads']} head(s), width {facts['width']}")
    numbers = "integer weights" if facts["integral"] else "rational weights"
    table.add_row("numbers", f"{numbers}, P = {facts['precision_bits']['P']}, p = {facts['precision_bits']['p']}")
    table.add_row("inputs covered", _power_of_two(facts["inputs_covered_log2"]))
    if report.ok:
        table.add_row("margin of the logit", str(report.margin))
        table.add_row("path", f"{facts['path']}; other keys weigh at most {float(report.proof.leak):.3g} × the match")
    table.add_row("time", f"{report.seconds:.2f} s")
    console.print(table)
    answer_kind = sizes.shape().answer_kind.name
    steps = [step for step in report.proof.look_ups if step.kind == answer_kind]
    if steps:
        looks = _table("layer", "the last token reads", "at", "other keys / match")
        for step in steps:
            at = ", ".join(step.match.fact.address) or "its only token"
            looks.add_row(str(step.layer), step.match.fact.kind, at, f"≤ {float(step.match.leak):.3g}")
        console.print(looks)
    for failure in report.proof.failures[:10]:
        console.print(f"{_MARKS[False]} {escape(str(failure))}", soft_wrap=True)
    if len(report.proof.failures) > 10:
        console.print(f"… and {len(report.proof.failures) - 10} more")
    verdict = "proved for all inputs at these sizes" if report.ok else "not proved"
    console.print(f"{_MARKS[report.ok]} {verdict}")
    if report.out is not None:
        console.print(f"certificate written to {escape(str(report.out))}", soft_wrap=True)


def show_solve(report: SolveReport, console: Console) -> None:
    """Each layer: where the last token looked and what it found, beside the oracle's hop."""
    sizes = report.construction.sizes
    console.print(f"{escape(report.construction.name)} on a prompt of {sizes.length:,} tokens (L = {sizes.L})")
    table = _table("layer", "looked at", "position", "share of the weights", "found", "hop of the oracle")
    for number, look in enumerate(report.looks):
        hop = f"i_{number} = {report.hops[number]}" if number < len(report.hops) else ""
        share = f"{float(look.share):.4f}"
        table.add_row(str(look.layer), look.token, str(look.position), share, str(look.token_id), hop)
    console.print(table)
    console.print(f"{_MARKS[report.ok]} answer {report.answer}, expected {report.expected}")


def show_weights(report: ShowReport, console: Console) -> None:
    show_text(report, console)


def show_check(report: CheckReport, console: Console) -> None:
    table = _facts_table()
    table.add_row("kind", escape(report.kind))
    for key, value in report.claim.items():
        table.add_row(key, escape(_short(value)))
    console.print(table)
    verdict = "the kernel accepts the certificate" if report.ok else f"the kernel rejects it: {report.message}"
    console.print(f"{_MARKS[report.ok]} {escape(verdict)}", soft_wrap=True)


def show_verify(report: VerifyReport, console: Console) -> None:
    """Statements, then constructions, then one line."""
    table = _table("", "id", "statement", "status", "scope", "s")
    for row in report.statements:
        text = row.status if row.ok else f"[red]{escape(row.message)}[/red]"
        table.add_row(_MARKS[row.ok], row.id, escape(row.title), text, row.scope, f"{row.seconds:.1f}")
    console.print(table)
    proofs = _table("", "id", "L", "tokens", "for all inputs", "margin", "kernel", "exact runs", "float64 error", "s")
    for proof in report.constructions:
        runs = f"{proof.runs - proof.mismatches}/{proof.runs}" if proof.runs else "–"
        proofs.add_row(
            _MARKS[proof.ok],
            proof.id,
            str(proof.L),
            f"{proof.n:,}",
            "proved" if proof.proved else f"[red]{escape(proof.message)}[/red]",
            "–" if proof.margin is None else str(proof.margin),
            "accepts" if proof.certified else "–",
            runs,
            "–" if proof.numeric is None else _float_error(proof.numeric),
            f"{proof.seconds:.1f}",
        )
    console.print(proofs)
    if not torch_is_installed():
        console.print(escape("float64 runs left out: torch is not installed (pip install -e '.[torch]')"))
    verdict = "everything holds" if report.ok else "something does not hold"
    console.print(f"{_MARKS[report.ok]} {verdict} ({report.seconds:.1f} s)")


def _float_error(numeric: CrossCheck) -> str:
    bound = "no bound" if numeric.bound is None else f"≤ {numeric.bound:.1g}"
    return f"{numeric.max_error:.1g} {bound}" if numeric.ok else f"[red]{numeric.max_error:.1g}, {bound}[/red]"


def _table(*columns: str) -> Table:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _facts_table() -> Table:
    table = Table(show_header=False, show_edge=False, pad_edge=False, box=None)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _power_of_two(log2: float | int | str) -> str:
    return f"2^{log2:,.1f} (every table, query and start)" if isinstance(log2, float) else f"2^{log2}"


def _short(value: Any) -> str:
    text = str(value) if not isinstance(value, Fraction) else f"{float(value):g}"
    return text if len(text) <= 100 else text[:97] + "…"
