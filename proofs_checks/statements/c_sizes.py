"""C.sizes: layers, heads, width, precision and states of all constructions, exactly, and how they grow.

Layers, heads, width, precision and state bits of every construction are exact functions of the sizes; the formulas
equal what is measured on the built weights at every size tried, and their growth is the stated
one. `separation constructions` prints them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from constructions import build
from proofs_checks.kit.formulas import FORMULAS, Formula, Growth, letters_at, number
from proofs_checks.kit.measurements import Measured, measure, measure_weights
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

MAX_FEATURES = 1 << 12
"""C3 has a feature for each of the N_{L-1} entries of a table; above this number it is not built."""

PROVED_SIZES = (Sizes(2, ()), Sizes(3, (1, 3)))
BUILT_SIZES = (
    Sizes(255, (1,)),
    Sizes(8, (8,)),
    Sizes(3, (2, 1, 3, 2)),
    Sizes(1 << 20, (1 << 20,)),
    Sizes(999, (1000, 17, 129)),
)
SEARCH_SIZES = (
    TwoSumSizes(1, 3),
    TwoSumSizes(2, 5),
    TwoSumSizes(7, 9),
    TwoSumSizes(64, 4097),
    TwoSumSizes(1000, 10**6 + 1),
    TwoSumSizes(1 << 16, (1 << 32) + 1),
    TwoSumSizes(1 << 100, 3),
)
BLOCKS = ((1, 0), (2, 5), (4, 1), (9, 2), (3, 1 << 100))
"""(B, k)."""


@dataclass(frozen=True)
class Case:
    """Sizes to try; with a proof, which measures the states."""

    sizes: Sizes | TwoSumSizes
    proved: bool
    block: int = 1
    opened: int = 0


def cases(formula: Formula) -> Iterator[Case]:
    if formula.construction == "C6":
        yield from (Case(sizes, True) for sizes in SEARCH_SIZES)
    elif formula.construction == "C7":
        yield from (Case(sizes, True, *blocks) for sizes in SEARCH_SIZES for blocks in BLOCKS)
    else:
        yield from (Case(sizes, True) for sizes in PROVED_SIZES)
        yield from (Case(sizes, False) for sizes in BUILT_SIZES if can_be_built(formula.construction, sizes))


def can_be_built(construction: str, sizes: Sizes | TwoSumSizes) -> bool:
    """C3 spells out a feature for each entry of its tables."""
    return construction != "C3" or isinstance(sizes, TwoSumSizes) or sizes.N[-1] <= MAX_FEATURES


@cache
def _measured(construction: str, options: tuple[tuple[str, Any], ...], case: Case) -> tuple[str, Measured]:
    blocks = {"block": case.block, "opened": case.opened} if construction == "C7" else {}
    subject = build(construction, case.sizes, **dict(options), **blocks)
    return subject.model.word, measure(subject) if case.proved else measure_weights(subject.model)


def check(formulas: Sequence[Formula]) -> Checked:
    tried, limits = 0, 0
    for formula in formulas:
        for case in cases(formula):
            word, found = _measured(formula.construction, tuple(formula.options(case.sizes).items()), case)
            where = f"{formula.name} at {case.sizes}"
            require(word == formula.letters(case.sizes), f"{where}: the word is {word}")
            for quantity, built in found.items():
                said = formula.value(quantity, case.sizes, case.block, case.opened)
                require(built == said, f"{where}: {quantity} is {built}, the formula says {said}")
            tried += 1
    for formula in formulas:
        limits += check_growth(formula)
    return Checked(
        Status.EXHAUSTIVE,
        "built weights and proved states against the formulas; limits approached",
        f"{tried} cases, L up to 5; {limits} limits, at sizes of up to {FAR} bits",
    )


NEAR, FAR = 64, 2048
"""The bits of the sizes, or of L, at which a quantity is seen to come near its limit."""


def check_growth(formula: Formula) -> int:
    """Every quantity/scale comes near its limit; how many there are."""
    count = 0
    for growth in formula.growth:
        for tables in (3,) if formula.is_search or growth.with_tables else (1, 2, 4):
            constant = growth.constant if tables > 1 or growth.of_one is None else growth.of_one
            stated = float(number(constant, {"L": Fraction(tables), "B": Fraction(tables)}))
            near, far = (abs(ratio_at(formula, growth, tables, size) - stated) for size in (NEAR, FAR))
            where = f"{formula.name}: {growth.quantity} / {growth.scale}, L or B = {tables}"
            require(far < 0.02 and 8 * far <= near + 1e-9, f"{where} is off from {stated} by {near}, then {far}")
            count += 1
    return count


def ratio_at(formula: Formula, growth: Growth, tables: int, size: int) -> float:
    """quantity/scale with 2^size tables if it grows with L, else with numbers of ``size`` bits."""
    plain = Sizes(1 << size, (1 << size,) * (tables - 1))
    sizes = TwoSumSizes(1 << size, (1 << 2 * size) + 1) if formula.is_search else plain
    ratio = formula.ratio(growth, {"L": 1 << size} if growth.with_tables else letters_at(sizes, tables, 1))
    assert ratio is not None
    return ratio


def altered(name: str, alter: Callable[[Formula], Formula]) -> tuple[Formula, ...]:
    """All formulas, those whose name starts with ``name`` altered."""
    return tuple(alter(formula) if formula.name.startswith(name) else formula for formula in FORMULAS)


def changed(name: str, quantity: str, change: str) -> tuple[Formula, ...]:
    """With another formula for this quantity, in which {} is the true one."""

    def alter(own: Formula) -> Formula:
        return replace(own, quantities={**own.quantities, quantity: change.format(f"({own.quantities[quantity]})")})

    return altered(name, alter)


def with_constant(name: str, quantity: str, constant: str) -> tuple[Formula, ...]:
    """With another stated limit for this quantity."""

    def alter(own: Formula) -> Formula:
        stated = (replace(each, constant=constant) if each.quantity == quantity else each for each in own.growth)
        return replace(own, growth=tuple(stated))

    return altered(name, alter)


class Tried(NamedTuple):
    """A construction's variant, as its formula is named, and what it is built for."""

    formula: str
    case: Case


def is_tried(tried: Tried) -> bool:
    return any(tried.case in cases(formula) for formula in FORMULAS if formula.name == tried.formula)


def has_few_features(tried: Tried) -> bool:
    return can_be_built(tried.formula.split()[0], tried.case.sizes)


STATEMENT = Statement(
    id="C.sizes",
    title="sizes of the constructions, measured",
    latex=r"\text{layers, heads, width, }P, p\text{ and state bits of C1 to C7 equal their formulas};\quad"
    r"d_{\mathrm{C1}}/\log_2 n\to 5-\tfrac1L,\ \ \Lambda_{\mathrm{C3}}/(N_{L-1}\log_2 N_{L-1})\to 1,\ \ "
    r"d_{\mathrm{C7}}/(B\log_2 M)\to 1+\tfrac2B",
    english="Built weights have exactly the sizes that the formulas give. Width and precision are O(log n), except "
    "for the parts of C7 that occur B times; the state of C3 is asymptotically the least possible for recurrent layers "
    "alone.",
    subject=FORMULAS,
    check=check,
    twins={
        "one coordinate more": changed("C1", "width", "{} + 1"),
        "a pointer for each layer": changed("C1", "width", "{} + L*value"),
        "tag of log2(L+1) bits": changed("C4", "width", "{} - 3*tag + 3*clog2(L + 1)"),
        "two bits for an entry of a table": changed("C3", "state_bits", "2*{}"),
        "a state without its normaliser": changed("C2 RF^L linear", "state_bits", "{} - 1"),
        "a state for z_0 alone": changed("C5 FR", "state_bits", "clog2(m)"),
        "always two recurrent heads": changed("C5 RF", "heads", "2"),
        "one doubling less": changed("C4", "layers", "1 + clog2(L)"),
        "p of the prompt alone": changed("C5", "p", "max(8, clog2(tokens))"),
        "p without the whole bits": changed("C6", "p", "max(8, clog2(tokens), clog2(4*b))"),
        "keys and values summarised apart": changed("C7", "summary_bits", "2*{}"),
        "width 5·log2 n": with_constant("C1", "width", "5"),
        "half the least state": with_constant("C3", "state_bits", "1/2"),
    },
    rests_on=("C1", "C2", "C3", "C4", "C5", "C6", "C7"),
    hypotheses=(
        Hypothesis("the sizes are among those built", is_tried, Tried("C3 R^(L+1)", Case(Sizes(2, (2,)), proved=True))),
        Hypothesis(
            f"C3 has at most {MAX_FEATURES} features",
            has_few_features,
            Tried("C3 R^(L+1)", Case(Sizes(MAX_FEATURES + 1, ()), proved=False)),
        ),
    ),
    witness=Tried("C3 R^(L+1)", Case(Sizes(3, (1, 3)), proved=True)),
)
