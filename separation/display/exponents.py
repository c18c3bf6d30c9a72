"""Exponents by L, CPW's sizes and Theorem D, as tables that a person can read."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.verbs.exponents import ExponentsReport
from separation.verbs.sparse import SparseReport

MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]"}


def show_exponents(report: ExponentsReport, console: Console) -> None:
    """The exponents, how ours grows, then CPW's sizes."""
    facts = report.document()
    console.print("Not solvable for some n ≈ (H·d·p)^e, with exponent e:")
    table = _table("L", "paper 2^(4L+2)", "CPW 2^(4L)", "A: F(2L+1)−2", "B: F(2L+2)−2", "paper/A", "φ^(2L)·φ/√5")
    for row in facts["rows"]:
        numbers = (_number(row[name]) for name in ("paper", "cpw", "theorem_a", "theorem_b"))
        table.add_row(str(row["L"]), *numbers, f"{row['ratio']:.3g}", f"{row['asymptote']:,.1f}")
    console.print(table)
    rate = float(report.asymptote.rate)
    console.print(
        f"Proved in symbols: (F(2L+1)−2)/φ^(2L) → {report.asymptote.constant} = {float(report.asymptote.constant):.4f};"
        f" each table more changes A/paper by φ²/16 → {rate:.4f}.",
    )
    console.print("\nTheorems A and B at CPW's sizes, certified with up to 2^(6L²) linear layers around each full one:")
    sizes = _table("L", "H·d·p", "prompt, log2 n", "A", "B", "room, log2", "paper's layers", "A allows")
    for row in facts["cpw_sizes"]:
        marks = (MARKS[row["theorem_a"]], MARKS[row["theorem_b"]])
        layers = f"2^{row['paper_linear_layers_log2']}", f"2^{_number(row['most_linear_layers_log2'])}"
        room = f"{row['room_log2']:,.0f}"
        sizes.add_row(str(row["L"]), _power(row["product"]), f"{row['n_log2']:.4g}", *marks, room, *layers)
    console.print(sizes)
    if report.figure is not None:
        console.print(f"picture written to {escape(str(report.figure))}, its numbers to {escape(str(report.data))}")


def show_sparse(report: SparseReport, console: Console) -> None:
    """The layer, how many summaries it needs, and whether those given are too few."""
    facts = report.document()
    table = Table(show_header=False, show_edge=False, pad_edge=False, box=None)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("task", f"2-Sum modulo {facts['modulus']}")
    layer = f"blocks of {facts['block']} tokens, {facts['open']} of {facts['blocks']} opened"
    table.add_row("layer", f"one sparse layer: {layer}")
    table.add_row("theorem", "D")
    table.add_row(
        "a block needs", f"2^{facts['values_log2']:.2f} summaries, {facts['bits_needed']} bits; that many suffice"
    )
    if report.summary_bits is not None:
        verdict = "[red]too few[/red]" if report.ok else "[yellow]not forbidden[/yellow]"
        table.add_row(f"{report.summary_bits} bits", verdict)
    console.print(table)
    if report.out is not None:
        console.print(f"certificate written to {escape(str(report.out))}", soft_wrap=True)


def _table(*columns: str) -> Table:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _number(value: int | str) -> str:
    return f"{int(value):,}" if len(str(value)) <= 8 else f"{float(value):.3g}"


def _power(value: int | str) -> str:
    exact = int(value)
    return str(exact) if exact < 1000 or exact & (exact - 1) else f"2^{exact.bit_length() - 1}"
