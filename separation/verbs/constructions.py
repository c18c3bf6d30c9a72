"""`constructions`: what is built; every size as a formula, and as measured on the weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Unpack

from separation.progress import Progress, part_of, silent
from separation.tasks import task_to_document
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.budgets import require_ranges
from separation.verbs.options import Options, TableSizes
from separation.verbs.report import (
    MARKS,
    Markup,
    Parts,
    Report,
    Table,
    count,
    facts_table,
    lines,
    plain,
    styled,
    table_of,
    timed,
)
from separation.verbs.subjects import chosen_construction, chosen_search, chosen_sizes, require_affordable_table

if TYPE_CHECKING:
    from proofs_checks.kit.formulas import Formula, Growth

EXAMPLES = ("constructions --L 4",)
DEFAULT_BLOCK = 4
DEFAULT_OPENED = 1
MEASURED = ("layers", "heads", "width", "P", "p", "state_bits")
NAMES = {"p": "P = p", "state_bits": "state", "summary_bits": "summary"}
PLAIN = {"heads": "1", "state_bits": "0", "summary_bits": "0"}
"""Formulas that are not worth a line: one head, no state, no summaries."""
LONGEST_WORD = 6


@timed
def constructions_table(*, progress: Progress = silent, **given: Unpack[TableSizes]) -> ConstructionsReport:
    """Every construction with its formulas, built and measured at the given sizes; states are those of the proof."""
    from proofs_checks.kit.formulas import FORMULAS

    block, opened = given.get("block"), given.get("opened")
    block = DEFAULT_BLOCK if block is None else block
    opened = DEFAULT_OPENED if opened is None else opened
    require_ranges({"block": block, "opened": opened})
    sizes = chosen_sizes(given.get("L"), given.get("m"), given.get("n"), given.get("tokens"))
    search = chosen_search(given.get("length"), given.get("modulus"))
    require_affordable_table([formula.construction for formula in FORMULAS], sizes, search, given.get("force"))
    rows = []
    for number, formula in enumerate(FORMULAS):
        progress(number / len(FORMULAS), formula.name)
        part = part_of(progress, number, len(FORMULAS), f"{formula.name}: ")
        rows.append(_row(formula, search if formula.is_search else sizes, block, opened, part))
    return ConstructionsReport(tuple(rows), sizes, search, block, opened)


command = constructions_table


@dataclass(frozen=True)
class SizesRow:
    """A construction at given sizes: its formulas, and what was measured (None: too large to be built)."""

    formula: Formula
    task: Sizes | TwoSumSizes
    block: int
    opened: int
    word: str
    measured: dict[str, int | None] | None

    @property
    def id(self) -> str:
        return self.formula.construction

    @property
    def said(self) -> dict[str, int]:
        """What the formulas say at these sizes."""
        return {name: self.formula.value(name, self.task, self.block, self.opened) for name in self.formula.quantities}

    @property
    def ok(self) -> bool:
        return self.measured is None or self.measured == self.said

    def ratio(self, growth: Growth) -> float | None:
        """quantity / scale at these sizes."""
        from proofs_checks.kit.formulas import letters_at

        return self.formula.ratio(growth, letters_at(self.task, self.block, self.opened))

    def document(self) -> dict[str, Any]:
        formula = self.formula
        found: dict[str, int | None] = dict(self.measured or dict.fromkeys(self.said))
        precision = {name: found.pop(name) for name in ("P", "p")}
        facts = {
            "id": self.id,
            "word": self.word,
            "pattern": formula.word,
            "family": formula.family,
            "task": task_to_document(self.task)["task"],
            "does": formula.does,
            "ok": self.ok,
            "built": self.measured is not None,
            **found,
            "precision_bits": precision,
            "said": self.said,
            "formulas": dict(formula.quantities),
            "where": dict(formula.where),
            "growth": [self._growth(growth) for growth in formula.growth],
        }
        return plain(facts)  # type: ignore[no-any-return]

    def _growth(self, growth: Growth) -> dict[str, Any]:
        """quantity / scale → constant in the ``regime``; ``of_one``: the constant for L = 1, where it is another."""
        usual = "M = tokens^2 + 1 -> oo" if self.formula.is_search else "m = n_1 = ... = n_{L-1} -> oo"
        return {
            **{name: getattr(growth, name) for name in ("quantity", "scale", "constant", "of_one")},
            "regime": "L -> oo" if growth.with_tables else usual,
            "ratio": self.ratio(growth),
            "is_lower_bound": growth.is_bound,
        }


class ConstructionsReport(Report):
    """All rows at the same sizes; ok if every measured number is the one that its formula says."""

    rows: tuple[SizesRow, ...]
    sizes: Sizes
    search: TwoSumSizes
    block: int
    opened: int

    def facts(self) -> dict[str, Any]:
        from proofs_checks.kit.formulas import SLOTS

        return {
            "funccomp": {"L": self.sizes.L, **task_to_document(self.sizes), "tokens": self.sizes.length},
            "two_sum": {**task_to_document(self.search), "block": self.block, "opened": self.opened},
            "slots": SLOTS,
            "rows": self.rows,
        }

    def parts(self) -> Parts:
        """The sizes, the measured numbers, the formulas, what their letters mean, and one line."""
        sizes, search = self.sizes, self.search
        digits = f", n = ({', '.join(map(str, sizes.n))})" if sizes.n else ""
        yield f"FuncComp: L = {sizes.L}, m = {sizes.m}{digits}; {sizes.length:,} tokens"
        blocks = f"B = {count(self.block, 'token')} in a block, k = {self.opened} opened"
        yield f"2-Sum: n = {search.length:,} tokens, M = {search.modulus:,}; {blocks}\n"
        yield _measured_table(self)
        yield ""
        yield _formula_table(self)
        yield ""
        yield _legend(self)
        yield from _remarks(self)
        verdict = "every measured number equals" if self.ok else "a measured number differs from"
        yield f"{MARKS[self.ok]} {verdict} its formula ({self.seconds:.1f} s)"


def _row(formula: Formula, task: Sizes | TwoSumSizes, block: int, opened: int, progress: Progress) -> SizesRow:
    from proofs_checks.kit.measurements import measure
    from proofs_checks.statements.c_sizes import can_be_built

    if not can_be_built(formula.construction, task):
        return SizesRow(formula, task, block, opened, formula.letters(task), None)
    options: Options = {**formula.options(task), "force": True}  # type: ignore[typeddict-item]
    if formula.construction == "C7":
        options |= {"block": block, "opened": opened}
    subject = chosen_construction(formula.construction, None, options, task)
    return SizesRow(formula, task, block, opened, subject.model.word, measure(subject, progress))


def _measured_table(report: ConstructionsReport) -> Table:
    rows = []
    for row in report.rows:
        numbers = [_number(row, name) for name in MEASURED]
        if row.said["summary_bits"]:
            numbers[-1] = _number(row, "summary_bits") + " per block"
        named = (None if row.measured is None else row.ok, row.id, _word(row.word), row.formula.family or "")
        rows.append((*named, *numbers, row.formula.does))
    columns = ("", "id", "word", "R", "layers", "heads", "width", "P", "p", "state bits", "what it does")
    table = table_of(*columns, rows=rows)
    for column in table.columns[4:10]:
        column.justify = "right"
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
    return styled("red", f"{'?' if found is None else format(found, ',')}, not {said}")


def _formula_table(report: ConstructionsReport) -> Table:
    """One line for each formula; words and families that agree in it share the line."""
    rows = []
    for name, members in groupby((row.formula for row in report.rows), lambda formula: formula.construction):
        formulas = list(members)
        rows.append((name, "word", ", ".join(dict.fromkeys(formula.word for formula in formulas)), ""))
        for quantity in (each for each in formulas[0].quantities if each != "P"):
            alike: dict[tuple[str, Markup], list[str]] = {}
            for formula in formulas:
                said = formula.quantities[quantity], _growth(formula, quantity)
                alike.setdefault(said, []).append(formula.name.removeprefix(f"{name} "))
            for (text, growth), variants in alike.items():
                if text != PLAIN.get(quantity):
                    size = NAMES.get(quantity, quantity) + (f" ({', '.join(variants)})" if len(alike) > 1 else "")
                    rows.append(("", size, text, growth))
    return table_of("", "size", "formula", "grows as", rows=rows)


def _growth(formula: Formula, name: str) -> Markup:
    said = []
    for growth in formula.growth:
        if growth.quantity == name:
            constant = growth.constant if growth.constant.isdigit() else f"({growth.constant})"
            said.append("*".join(part for part in (constant, growth.scale) if part != "1"))
            if growth.of_one is not None:
                said.append(f"{growth.of_one}*{growth.scale} if L = 1")
    return lines(said)


def _legend(report: ConstructionsReport) -> Table:
    """What the names of slots and the letters stand for, each once."""
    from proofs_checks.kit.formulas import SLOTS

    slots = lines(f"{slot} = {coordinates}" for slot, coordinates in SLOTS.items())
    rows = {("formulas", "clog2(x) = ⌈log2 x⌉, half_ln(x) = ⌈(ln x)/2⌉, tokens of the prompt; else Python"): None}
    rows["FuncComp", "N[0] = m, N[l] = N[l-1]*n_l; growth as m = n_1 = … = n_{L-1} → ∞"] = None
    rows["", slots] = None
    rows["2-Sum", "growth as tokens → ∞ with M = tokens² + 1"] = None
    for row in report.rows:
        rows |= {("", f"{letter} = {meaning}"): None for letter, meaning in row.formula.where.items()}
    return facts_table(rows)


def _remarks(report: ConstructionsReport) -> Iterator[str]:
    for row in report.rows:
        if row.measured is None:
            yield f"{row.id} is too large to be built at these sizes: numbers in brackets come from the formulas"
        for growth in row.formula.growth:
            ratio = row.ratio(growth) if growth.is_bound else None
            if ratio is not None:
                bound = f"{growth.scale}, the least of this kind of model"
                yield f"{row.id}: a state of {count(row.said[growth.quantity], 'bit')} is {ratio:.3f} times {bound}"
