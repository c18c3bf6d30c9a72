"""`constructions`: what is built; every size as a formula, and as measured on the weights."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Unpack

from separation.progress import Progress, silent
from separation.tasks import TaskSizes, task_to_document
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.options import Options, TableSizes
from separation.verbs.report import MARKS, Console, Report, Table, escape, escaped_lines, facts_table, plain, table_of
from separation.verbs.subjects import (
    chosen_construction,
    chosen_search,
    chosen_sizes,
    require_affordable_table,
    require_ranges,
)

if TYPE_CHECKING:
    from proofs_checks.kit.formulas import Expression, Formula, Growth

HELP = """
Example: separation constructions --L 4
"""
DEFAULT_BLOCK = 4
DEFAULT_OPENED = 1
MEASURED = ("layers", "heads", "width", "P", "p", "state_bits")
NAMES = {"p": "P = p", "state_bits": "state", "summary_bits": "summary"}
PLAIN = {"heads": "1", "state_bits": "0", "summary_bits": "0"}
"""Formulas that are not worth a line: one head, no state, no summaries."""
LONGEST_WORD = 6


def constructions_table(*, progress: Progress = silent, **given: Unpack[TableSizes]) -> ConstructionsReport:
    """Every construction with its formulas, built and measured at the given sizes; states are those of the proof."""
    from proofs_checks.kit.formulas import FORMULAS, SLOTS, readable

    start = time.perf_counter()
    block = DEFAULT_BLOCK if given.get("block") is None else given["block"]
    opened = DEFAULT_OPENED if given.get("opened") is None else given["opened"]
    assert block is not None
    assert opened is not None
    require_ranges({"block": block, "opened": opened})
    sizes = chosen_sizes(given.get("L"), given.get("m"), given.get("n"), given.get("tokens"))
    search = chosen_search(given.get("length"), given.get("modulus"))
    require_affordable_table([formula.construction for formula in FORMULAS], sizes, search, given.get("force"))
    rows = []
    for number, formula in enumerate(FORMULAS):
        progress(number / len(FORMULAS), formula.name)

        def part(done: float, what: str, number: int = number, name: str = formula.name) -> None:
            progress((number + done) / len(FORMULAS), f"{name}: {what}")

        rows.append(_row(formula, search if formula.is_search else sizes, block, opened, part))
    slots = tuple((readable(slot), _formula_text(coordinates)) for slot, coordinates in SLOTS.items())
    return ConstructionsReport(tuple(rows), slots, sizes, search, block, opened, time.perf_counter() - start)


command = constructions_table


@dataclass(frozen=True)
class FormulaText:
    """One expression: in plain characters and in LaTeX, both without the names of slots; and short, with them."""

    text: str
    latex: str
    short: str


@dataclass(frozen=True)
class GrowthText:
    """quantity / scale → constant in the ``regime``; ``ratio`` is quantity / scale at the sizes of the row.

    ``of_one``: the constant for L = 1, where it is another. ``is_lower_bound``: no such model has less than the scale.
    """

    quantity: str
    order: str
    scale: FormulaText
    constant: FormulaText
    of_one: str | None
    regime: str
    ratio: float | None
    is_lower_bound: bool


@dataclass(frozen=True)
class SizesRow:
    """A construction at given sizes: what the formulas say, and what was measured (None: too large to be built)."""

    id: str
    pattern: str
    word: str
    family: str | None
    task: TaskSizes
    does: str
    said: dict[str, int]
    measured: dict[str, int | None] | None
    formulas: dict[str, FormulaText]
    where: tuple[tuple[FormulaText, FormulaText], ...]
    growth: tuple[GrowthText, ...]

    @property
    def ok(self) -> bool:
        return self.measured is None or self.measured == self.said

    def document(self) -> dict[str, Any]:
        found: dict[str, int | None] = dict(self.measured or dict.fromkeys(self.said))
        precision = {name: found.pop(name) for name in ("P", "p")}
        facts = {
            "id": self.id,
            "word": self.word,
            "pattern": self.pattern,
            "family": self.family,
            "task": task_to_document(self.task)["task"],
            "does": self.does,
            "ok": self.ok,
            "built": self.measured is not None,
            **found,
            "precision_bits": precision,
            "said": self.said,
            "formulas": self.formulas,
            "where": {letter.text: meaning for letter, meaning in self.where},
            "growth": self.growth,
        }
        return {name: plain(value) for name, value in facts.items()}


@dataclass(frozen=True)
class ConstructionsReport(Report):
    """All rows at the same sizes; ok if every measured number is the one that its formula says."""

    rows: tuple[SizesRow, ...]
    slots: tuple[tuple[str, FormulaText], ...]
    sizes: Sizes
    search: TwoSumSizes
    block: int
    opened: int
    seconds: float

    @property
    def ok(self) -> bool:
        return all(row.ok for row in self.rows)

    def facts(self) -> dict[str, Any]:
        return {
            "funccomp": {"L": self.sizes.L, **task_to_document(self.sizes), "tokens": self.sizes.length},
            "two_sum": {**task_to_document(self.search), "block": self.block, "opened": self.opened},
            "slots": dict(self.slots),
            "rows": self.rows,
        }

    def show(self, console: Console) -> None:
        """The sizes, the measured numbers, the formulas, what their letters mean, and one line."""
        sizes, search = self.sizes, self.search
        digits = f", n = ({', '.join(map(str, sizes.n))})" if sizes.n else ""
        console.print(f"FuncComp: L = {sizes.L}, m = {sizes.m}{digits}; {sizes.length:,} tokens")
        blocks = f"B = {self.block} tokens in a block, k = {self.opened} opened"
        console.print(f"2-Sum: n = {search.length:,} tokens, M = {search.modulus:,}; {blocks}\n")
        console.print(_measured_table(self))
        console.print()
        console.print(_formula_table(self))
        console.print()
        console.print(_legend(self))
        for line in _remarks(self):
            console.print(escape(line))
        verdict = (
            "every measured number equals its formula" if self.ok else "a measured number differs from its formula"
        )
        console.print(f"{MARKS[self.ok]} {verdict} ({self.seconds:.1f} s)")


def _row(formula: Formula, task: Sizes | TwoSumSizes, block: int, opened: int, progress: Progress) -> SizesRow:
    from proofs_checks.kit.formulas import QUANTITIES
    from proofs_checks.kit.measurements import measure
    from proofs_checks.statements.c_sizes import can_be_built

    options: Options = {**formula.options(task)}  # type: ignore[typeddict-item]
    if formula.construction == "C7":
        options |= {"block": block, "opened": opened}
    word, measured = formula.letters(task), None
    if can_be_built(formula.construction, task):
        subject = chosen_construction(formula.construction, None, {**options, "force": True}, task)
        word, measured = subject.model.word, measure(subject, progress)
    return SizesRow(
        id=formula.construction,
        pattern=formula.word,
        word=word,
        family=formula.family,
        task=task,
        does=formula.does,
        said={name: formula.value(name, task, block, opened) for name in QUANTITIES},
        measured=measured,
        formulas={name: _formula_text(formula.quantities[name]) for name in QUANTITIES},
        where=tuple((_formula_text(letter), _formula_text(meaning)) for letter, meaning in formula.where.items()),
        growth=tuple(
            _growth_in_words(growth, formula.is_search, formula.ratio(growth, task, block, opened))
            for growth in formula.growth
        ),
    )


def _growth_in_words(growth: Growth, is_search: bool, ratio: float | None) -> GrowthText:
    from proofs_checks.kit.formulas import kappa, text

    regime = "M = n^2 + 1, n -> oo" if is_search else "m = n_1 = ... = n_{L-1} -> oo"
    return GrowthText(
        quantity=growth.quantity,
        order=growth.order,
        scale=_formula_text(growth.scale),
        constant=_formula_text(growth.constant),
        of_one=None if growth.of_one is None else text(growth.of_one),
        regime=regime if growth.grows == kappa else f"{text(growth.grows)} -> oo",
        ratio=ratio,
        is_lower_bound=growth.is_bound,
    )


def _formula_text(expression: Expression) -> FormulaText:
    from proofs_checks.kit.formulas import latex, readable, text, without_slots

    full = without_slots(expression)
    return FormulaText(text(full), latex(full), readable(expression))


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
                table.add_row("", size, escape(row.formulas[name].short), escaped_lines(_growth(row, name)))
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
