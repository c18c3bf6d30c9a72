"""`separation constructions`: its options, and two tables: the measured numbers, then the formulas that they equal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from separation.cli.finish import finish
from separation.cli.options import Gathered, Json, gathers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, facts_table, table_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from separation.verbs.constructions import ConstructionsReport, SizesRow

MEASURED = ("layers", "heads", "width", "P", "p", "state_bits")
NAMES = {"p": "P = p", "state_bits": "state", "summary_bits": "summary"}
PLAIN = {"heads": "1", "state_bits": "0", "summary_bits": "0"}
"""Formulas that are not worth a line: one head, no state, no summaries."""

LONGEST_WORD = 6


@gathers("sizes", "L m n tokens length modulus block opened force")
def constructions(*, sizes: Gathered, as_json: Json = False) -> None:
    """List all constructions: layers, heads, width, precision and state bits, measured and as formulas.

    Example: separation constructions --L 4
    """
    from separation.verbs.constructions import constructions_table as verb

    with progress_bar() as progress:
        report = verb(**sizes, progress=progress)
    finish(report, as_json, show_constructions)


def show_constructions(report: ConstructionsReport, console: Console) -> None:
    """The sizes, the measured numbers, the formulas, what their letters mean, and one line."""
    sizes, search = report.sizes, report.search
    digits = f", n = ({', '.join(map(str, sizes.n))})" if sizes.n else ""
    console.print(f"FuncComp: L = {sizes.L}, m = {sizes.m}{digits}; {sizes.length:,} tokens")
    blocks = f"B = {report.block} tokens in a block, k = {report.opened} opened"
    console.print(f"2-Sum: n = {search.length:,} tokens, M = {search.modulus:,}; {blocks}\n")
    console.print(_measured_table(report))
    console.print()
    console.print(_formula_table(report))
    console.print()
    console.print(_legend(report))
    for line in _remarks(report):
        console.print(escape(line))
    verdict = "every measured number equals its formula" if report.ok else "a measured number differs from its formula"
    console.print(f"{MARKS[report.ok]} {verdict} ({report.seconds:.1f} s)")


def _measured_table(report: ConstructionsReport) -> Table:
    table = table_of("", "id", "word", "R", "layers", "heads", "width", "P", "p", "state bits", "what it does")
    for column in table.columns[4:10]:
        column.justify = "right"
    for row in report.rows:
        numbers = [_number(row, name) for name in MEASURED]
        if row.said["summary_bits"]:
            numbers[-1] = f"{_number(row, 'summary_bits')} per block"
        mark = "–" if row.measured is None else MARKS[row.ok]
        table.add_row(mark, row.id, escape(_word(row.word)), row.family or "", *numbers, escape(row.does))
    return table


def _word(word: str) -> str:
    """Runs of a letter as powers where the word is long: FRF^7."""
    if len(word) <= LONGEST_WORD:
        return word
    runs = ((letter, len(list(run))) for letter, run in groupby(word))
    return "".join(letter if count == 1 else f"{letter}^{count}" for letter, count in runs)


def _number(row: SizesRow, name: str) -> str:
    """What was measured; with what the formula says if that differs; if not built, what it says in brackets."""
    said = f"{row.said[name]:,}"
    if row.measured is None:
        return f"({said})"
    found = row.measured[name]
    if found == row.said[name]:
        return said
    return f"[red]{'?' if found is None else format(found, ',')}, not {said}[/red]"


def _formula_table(report: ConstructionsReport) -> Table:
    """One line for each formula; words and families that agree in all of them share the lines."""
    table = table_of("", "size", "formula", "grows as")
    for words, families in _groups(report):
        table.add_row(families[0].id, "word", escape(", ".join(words)), "")
        for name in families[0].formulas:
            unlike = _unlike(families, name)
            for row in unlike:
                size = NAMES.get(name, name) + (f" ({row.family})" if len(unlike) > 1 else "")
                table.add_row("", size, escape(row.formulas[name].short), escape(_growth(row, name)))
    return table


def _groups(report: ConstructionsReport) -> list[tuple[list[str], list[SizesRow]]]:
    """(words, rows of the first of them): the words of a construction that have the same formulas."""
    groups: list[tuple[list[str], list[SizesRow]]] = []
    for (construction, word), members in groupby(report.rows, lambda row: (row.id, row.pattern)):
        rows = list(members)
        words, last = groups[-1] if groups else ([], [])
        is_same = [(row.id, row.formulas) for row in last] == [(construction, row.formulas) for row in rows]
        if is_same:
            words.append(word)
        else:
            groups.append(([word], rows))
    return groups


def _unlike(families: list[SizesRow], name: str) -> list[SizesRow]:
    """One row for each formula of this quantity that is worth a line; P is p."""
    rows = {row.formulas[name].text: row for row in reversed(families)}
    return [row for text, row in reversed(rows.items()) if name != "P" and text != PLAIN.get(name)]


def _growth(row: SizesRow, name: str) -> str:
    lines = []
    for growth in row.growth:
        if growth.quantity == name:
            constant = growth.constant.short
            factor = {"1": ""}.get(constant, f"{constant}·" if constant.isdigit() else f"({constant})·")
            lines.append(f"{factor}{growth.scale.short}")
            if growth.of_one is not None:
                lines.append(f"{growth.of_one}·{growth.scale.short} if L = 1")
    return "\n".join(lines)


def _legend(report: ConstructionsReport) -> Table:
    """What the names of slots and the letters stand for, each once."""
    table = facts_table()
    table.add_row("FuncComp", "N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ; growth as m = n_1 = … = n_{L-1} → ∞")
    table.add_row(
        "", "\n".join(f"{name} = {formula.short}" for name, formula in report.slots) + " (max n_ℓ = 1 if L = 1)"
    )
    seen: set[str] = set()
    for row in report.rows:
        if row.id == "C6":
            table.add_row("2-Sum", "growth as n → ∞ with M = n² + 1")
        for letter, meaning in row.where:
            line = f"{letter.short} = {meaning.short}"
            if line not in seen:
                table.add_row("", escape(line))
                seen.add(line)
    return table


def _remarks(report: ConstructionsReport) -> Iterator[str]:
    for row in report.rows:
        if row.measured is None:
            yield f"{row.id} is too large to be built at these sizes: numbers in brackets come from the formulas"
        for growth in row.growth:
            if growth.is_lower_bound and growth.ratio is not None:
                bound = f"{growth.scale.short}, which no model of this kind can go below"
                yield f"{row.id}: a state of {row.said[growth.quantity]:,} bits is {growth.ratio:.3f} times {bound}"
