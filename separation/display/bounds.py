"""Decisions and bounds as tables that a person can read."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.bounds import ConfigBound
from separation.verbs.bound import BoundReport
from separation.verbs.decide import DecideReport

_VERDICTS = {
    True: "[green]solvable[/green]",
    False: "[red]not solvable[/red]",
    None: "[yellow]not decided[/yellow]",
}
_THOUGHTS = {
    "C5": "with one, a single full layer is enough: C5 solves it at all sizes",
    None: "does not help: Theorem C holds with one of any length",
}
SHOWN_DIGITS = 40
MANY_RUNS, MANY_NUMBERS = 60, 12


def show_decide(report: DecideReport, console: Console) -> None:
    """The verdict, why, and the sizes at which it is certified."""
    facts = report.document()
    table = _facts()
    table.add_row("word", escape(_short(facts["word"])))
    table.add_row("depth", str(facts["depth"]))
    table.add_row("L", str(facts["L"]))
    table.add_row("verdict", _VERDICTS[facts["solvable"]])
    table.add_row("why", escape(facts["reason"]))
    if facts["construction"]:
        table.add_row("construction", facts["construction"])
    if facts["theorem"]:
        table.add_row("theorem", facts["theorem"])
    if not facts["solvable"]:
        table.add_row("chain of thought", _THOUGHTS[facts["chain_of_thought"]["construction"]])
    _add_sizes(table, facts["hard_sizes"])
    console.print(table)
    _certificate(report.out, console)
    if facts["solvable"] is None:
        console.print("nothing is certified: what is not decided has no certificate")


def show_bound(report: BoundReport, console: Console) -> None:
    """Ours with its sizes and schedule, then the papers'."""
    facts = report.document()
    table = _facts()
    if isinstance(report.found, ConfigBound):
        table.add_row(
            "model", f"{escape(facts['model_type'])}: {escape(_short(facts['word']))}, depth {facts['depth']}"
        )
        table.add_row("precision", f"{facts['heads']} heads of {facts['dim']}, p = {facts['bits']} bits")
    table.add_row("L", str(report.L))
    table.add_row("theorem", facts["ours"]["theorem"])
    _add_sizes(table, facts["ours"])
    console.print(table)
    lengths = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in ("prompt length that is certified or asked for", "log2 n"):
        lengths.add_column(column)
    golden = facts.get("golden")
    if golden:
        lengths.add_column("shorter than golden by")
    lengths.add_row("ours, certified", _log2(facts["ours"]["n_log2"]), *_gain(golden))
    if facts["sharper"]:
        chosen = _log2(facts["sharper"]["n_log2"])
        lengths.add_row("ours, certified, with chosen covers", chosen, *_gain(facts["sharper"]))
    if golden:
        lengths.add_row(f"golden schedule, y = {_number(golden['y'])} = {golden['c']:.4g}·β", _log2(golden["n_log2"]))
    lengths.add_row("the paper's regime, H·d·p ≤ n^(2^(-4L-2))", _log2(facts["paper"]["n_log2"]))
    lengths.add_row("CPW's regime, H·d·p ≤ n^(2^(-4L))", _log2(facts["cpw"]["n_log2"]))
    console.print(lengths)
    if isinstance(report.found, ConfigBound) and report.found.far_beyond:
        console.print("This is far beyond any real prompt: at real lengths nothing is certified for this model.")
    if facts["symbolic"]:
        _symbols(facts["symbolic"], console)
    _certificate(report.out, console)


def _symbols(symbolic: dict[str, Any], console: Console) -> None:
    """What the theorem computes, what it asks for, and the golden schedule."""
    lines = [f"{name} = {value}" for name, value in symbolic["quantities"].items()]
    lines += [f"({name})  {relation}" for name, relation in symbolic["inequalities"].items()]
    lines += ["golden schedule with y = c·β, and y when the last table has n entries:"]
    lines += [f"{name} = {value}" for name, value in symbolic["golden"].items()]
    console.print()
    for line in lines:
        console.print(escape(line), soft_wrap=True)


def _add_sizes(table: Table, sizes: dict[str, Any] | None) -> None:
    if sizes is None:
        return
    assumed = " (an example: none were given)" if sizes.get("assumed") else ""
    if sizes["beta"] is not None:
        table.add_row("β", f"{_number(sizes['beta'])} bits{assumed}")
    logarithms = sizes.get("sizes_log2", {})
    table.add_row("Λ", f"{_listed(sizes['lambda'])} bits")
    table.add_row("certified at m", _listed([sizes["m"]], [logarithms.get("m")]))
    for name in ("n", "x"):
        if sizes.get(name):
            table.add_row(name, _listed(sizes[name], logarithms.get(name)))
    tokens = f"{_number(sizes['tokens'])} = " if sizes["tokens"] is not None else ""
    table.add_row("prompt", f"{tokens}2^{_log2(sizes['n_log2'])} tokens")


def _listed(values: list[Any], logarithms: list[float | None] | None = None) -> str:
    """Numbers, those too long to write as powers of 2; equal ones are counted, of many the first and last are shown."""
    known = logarithms or [None] * len(values)
    texts = [_number(v) if v is not None else f"2^{_log2(known[k])}" for k, v in enumerate(values)]
    if len(texts) > 2 and len(set(texts)) == 1:
        return f"{texts[0]} ({len(texts)} times)"
    if len(texts) > MANY_NUMBERS:
        texts = [*texts[:2], f"… {len(texts) - 4} more …", *texts[-2:]]
    return ", ".join(texts)


def _gain(found: dict[str, Any] | None) -> list[str]:
    return [] if found is None or found["gain_log2"] is None else [f"2^{found['gain_log2']:,.2f}"]


def _number(value: Any) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    return text if len(text) <= SHOWN_DIGITS else f"{text[:12]}… ({len(text)} digits)"


def _log2(value: float | None) -> str:
    return "–" if value is None else f"{value:,.2f}" if value < 1e6 else f"{value:.4g}"


def _short(text: str) -> str:
    return text if len(text) <= MANY_RUNS else f"{text[:MANY_RUNS]}…"


def _facts() -> Table:
    table = Table(show_header=False, show_edge=False, pad_edge=False, box=None)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _certificate(out: Any, console: Console) -> None:
    if out is not None:
        console.print(f"certificate written to {escape(str(out))}", soft_wrap=True)
