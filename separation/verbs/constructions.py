"""`constructions`: what is built; every size as a formula, and as measured on the weights."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from separation.arithmetic import number_to_json
from separation.progress import Progress, silent
from separation.tasks import TaskSizes, task_to_document
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.cost import require_affordable_table
from separation.verbs.options import Options, chosen_construction, chosen_search, chosen_sizes, require_ranges

if TYPE_CHECKING:
    from proofs_checks.kit.formulas import Expression, Formula, Growth

DEFAULT_BLOCK = 4
DEFAULT_OPENED = 1


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
        said = {name: number_to_json(number) for name, number in self.said.items()}
        found = {name: self._measured(name) for name in self.said}
        precision = {name: found.pop(name) for name in ("P", "p")}
        return {
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
            "said": said,
            "formulas": {name: vars(formula) for name, formula in self.formulas.items()},
            "where": {letter.text: vars(meaning) for letter, meaning in self.where},
            "growth": [
                {**vars(growth), "scale": vars(growth.scale), "constant": vars(growth.constant)}
                for growth in self.growth
            ],
        }

    def _measured(self, name: str) -> int | str | float | None:
        number = None if self.measured is None else self.measured[name]
        return None if number is None else number_to_json(number)


@dataclass(frozen=True)
class ConstructionsReport:
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

    def document(self) -> dict[str, Any]:
        blocks = {"block": self.block, "opened": number_to_json(self.opened)}
        return {
            "ok": self.ok,
            "funccomp": {
                "L": self.sizes.L,
                **task_to_document(self.sizes),
                "tokens": number_to_json(self.sizes.length),
            },
            "two_sum": {**task_to_document(self.search), **blocks},
            "slots": {name: vars(formula) for name, formula in self.slots},
            "rows": [row.document() for row in self.rows],
            "seconds": self.seconds,
        }


def constructions_table(
    L: int | None = None,
    m: int | None = None,
    n: Sequence[int] | None = None,
    tokens: int | None = None,
    length: int | None = None,
    modulus: int | None = None,
    block: int | None = None,
    opened: int | None = None,
    force: bool | None = None,
    progress: Progress | None = None,
) -> ConstructionsReport:
    """Every construction with its formulas, built and measured at the given sizes; states are those of the proof."""
    from proofs_checks.kit.formulas import FORMULAS, SLOTS, readable

    start = time.perf_counter()
    block = DEFAULT_BLOCK if block is None else block
    opened = DEFAULT_OPENED if opened is None else opened
    require_ranges({"block": block, "opened": opened})
    sizes, search = chosen_sizes(L, m, n, tokens), chosen_search(length, modulus)
    require_affordable_table([formula.construction for formula in FORMULAS], sizes, search, force)
    report = progress or silent
    rows = []
    for number, formula in enumerate(FORMULAS):
        report(number / len(FORMULAS), formula.name)

        def part(done: float, what: str, number: int = number, name: str = formula.name) -> None:
            report((number + done) / len(FORMULAS), f"{name}: {what}")

        rows.append(_row(formula, search if formula.is_search else sizes, block, opened, part))
    slots = tuple((readable(slot), _written(coordinates)) for slot, coordinates in SLOTS.items())
    return ConstructionsReport(tuple(rows), slots, sizes, search, block, opened, time.perf_counter() - start)


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
        formulas={name: _written(formula.quantities[name]) for name in QUANTITIES},
        where=tuple((_written(letter), _written(meaning)) for letter, meaning in formula.where.items()),
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
        scale=_written(growth.scale),
        constant=_written(growth.constant),
        of_one=None if growth.of_one is None else text(growth.of_one),
        regime=regime if growth.grows == kappa else f"{text(growth.grows)} -> oo",
        ratio=ratio,
        is_lower_bound=growth.is_bound,
    )


def _written(expression: Expression) -> FormulaText:
    from proofs_checks.kit.formulas import latex, readable, text, without_slots

    full = without_slots(expression)
    return FormulaText(text(full), latex(full), readable(expression))
