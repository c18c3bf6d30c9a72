"""A pair, or what was tried, as a table that a person can read."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.verbs.fool import FoolReport
from separation.verbs.fool_phase import PhaseReport

SHOWN_ENTRIES = 64
SHOWN_NUMBERS = 12


def show_fool(report: FoolReport, console: Console) -> None:
    """Whom it was to fool; both inputs side by side; what both look like; what is right and what is said."""
    facts = report.document()
    subject = ", ".join(f"{name.replace('_', ' ')} {_short(value)}" for name, value in facts["subject"].items())
    console.print(escape(subject), soft_wrap=True)
    if report.search.pair is not None:
        _show_pair(facts, console)
    tried = facts["tried"]
    mark = "[green]✓[/green]" if report.ok else "[red]✗[/red]"
    console.print(f"{mark} {escape(tried['note'])}", soft_wrap=True)
    console.print(f"tried: {tried['method']}, {tried['samples']:,} inputs, {tried['seconds']:.2f} s")
    _show_levels(facts, console)
    if tried["closest"]:
        closest = tried["closest"]
        console.print(f"closest: states that agree in {closest['equal_entries']} of {closest['entries']} numbers")
    if report.out is not None:
        what = "certificate" if report.certified else "pair, without a certificate," if report.ok else "what was tried"
        console.print(f"{what} written to {escape(str(report.out))}", soft_wrap=True)


def show_phase(report: PhaseReport, console: Console) -> None:
    """What was searched, what was found, and where it is written."""
    facts = report.document()
    rows = facts["rows"]
    found = sum(row["pairs"] if "pairs" in row else row["found"] for row in rows)
    models = sum(row.get("models", 1) for row in rows)
    mark = "[green]✓[/green]" if report.ok else "[red]✗[/red]"
    console.print(f"{models} models and maps searched, {found} have a pair, {facts['seconds']:.1f} s")
    if not report.complete:
        console.print("the time was up: what is missing was not searched")
    if report.broken:
        console.print(f"{mark} {len(report.broken)} rows contradict a theorem", soft_wrap=True)
    else:
        console.print(f"{mark} no row contradicts what is proved", soft_wrap=True)
    for path in (facts["figure"], *facts["data"]):
        console.print(f"written to {escape(path)}", soft_wrap=True)


def _show_pair(facts: dict[str, Any], console: Console) -> None:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in ("", "input a", "input b"):
        table.add_column(column, overflow="fold")
    for name, left, right in _rows(facts["a"], facts["b"]):
        table.add_row(name, left, right)
    table.add_row("right", str(facts["expected_a"]), str(facts["expected_b"]))
    table.add_row("the model says", _short(facts["output_a"]), _short(facts["output_b"]))
    for message in facts["transcript"] or []:
        where = f"layer {message['layer']}, head {message['head']}" if message["layer"] else "state"
        text = escape(_short(message["numbers"]))
        table.add_row(where, text, text if facts["transcripts_equal"] else "another")
    console.print(table)
    if facts.get("unopened") is not None:
        console.print(f"block {facts['unopened']}, where they differ, is not opened", soft_wrap=True)


def _show_levels(facts: dict[str, Any], console: Console) -> None:
    """The theorem's sets, level by level, beside what it guarantees; and whether other weights could be right."""
    if facts.get("trial"):
        trial = facts["trial"]
        console.print(f"last trial: {trial['tables']:,} tables z_L, {trial['distinct']:,} different transcripts")
    if facts.get("solvable"):
        console.print(f"this word can solve the task, with other weights: {facts['construction']}", soft_wrap=True)
    if facts.get("theorem") and not facts["levels_complete"]:
        console.print(f"the decomposition of Theorem {facts['theorem']} ended before level {len(facts['levels']) + 1}")
    if not facts.get("levels"):
        return
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in ("level", "inputs", "look the same", "density", "guaranteed", "cover", "guaranteed"):
        table.add_column(column, justify="right")
    for level in facts["levels"]:
        density, promised = f"2^{level['density_log2']:.1f}", f"2^{level['guaranteed_log2']}"
        inputs = f"{level['inputs']:,}{' sampled' if level['sampled'] else ''}"
        row = (str(level["level"]), inputs, f"{level['kept']:,}", density, promised)
        table.add_row(*row, str(level["cover"]), str(level["guaranteed"]))
    console.print(f"decomposition of Theorem {facts['theorem']}:")
    console.print(table)


def _rows(a: dict[str, Any], b: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Tables in the order of the prompt; entries that differ in bold."""
    if a["task"] == "two_sum":
        return [("x", *_beside(a["x"], b["x"]))]
    count = len(a["tables"])
    rows = [(f"z_{ell}", *_beside(a["tables"][ell - 1], b["tables"][ell - 1])) for ell in range(count, 0, -1)]
    return [*rows, ("z_0", str(a["z0"]), str(b["z0"])), ("w", _short(a["w"]), _short(b["w"]))]


def _beside(left: list[int], right: list[int]) -> tuple[str, str]:
    """Both lists; of long ones only the places where they differ."""
    places = range(len(left))
    if len(left) > SHOWN_ENTRIES:
        places_shown = [place for place in places if left[place] != right[place]][:SHOWN_ENTRIES]
        texts = [", ".join(f"[bold]{place}↦{row[place]}[/bold]" for place in places_shown) for row in (left, right)]
        return f"{texts[0] or 'the same'}", f"{texts[1] or 'the same'}"
    marked = [
        " ".join(f"[bold]{row[place]}[/bold]" if left[place] != right[place] else str(row[place]) for place in places)
        for row in (left, right)
    ]
    return marked[0], marked[1]


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name} = {part}" for name, part in value.items())
    if not isinstance(value, list):
        return str(value)
    text = ", ".join(str(part)[:24] for part in value[:SHOWN_NUMBERS])
    return f"({text}{', …' if len(value) > SHOWN_NUMBERS else ''})"
