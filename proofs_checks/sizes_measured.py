"""C.sizes: layers, heads, width, precision and states of all constructions, exactly, and how they grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from flint import fmpz_mat

from constructions import build
from proofs_checks.formulas import FORMULAS, Expression, Formula, text
from proofs_checks.formulas.letters import L, b, clog2, kappa, m, n, tag, value
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import integer_matmul
from separation.models import Model, SparseHead
from separation.proving import Construction, prove
from separation.proving.proof import Progress
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

MAX_FEATURES = 1 << 12
"""C3 has a feature for each of the N_{L-1} entries of a table; with more of them it is not built."""

PROVED_SIZES = (Sizes(2, ()), Sizes(5, (1,)), Sizes(3, (1, 3)))
BUILT_SIZES = (
    Sizes(255, (1,)),
    Sizes(8, (8,)),
    Sizes(4, (4, 4)),
    Sizes(2, (3, 1, 2)),
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

Measured = dict[str, int | None]


@dataclass(frozen=True)
class Case:
    """Sizes to try; with a proof, which measures the states."""

    sizes: Sizes | TwoSumSizes
    proved: bool
    block: int = 1
    opened: int = 0


def measure(subject: Construction, progress: Progress | None = None) -> Measured:
    """All quantities of the built weights; states as the proof finds them."""
    return {**measure_weights(subject.model), "state_bits": state_bits(subject, progress)}


def measure_weights(model: Model) -> Measured:
    """All that needs no proof."""
    return {
        "layers": len(model.layers),
        "heads": model.heads,
        "width": model.width,
        "P": model.precision.score_bits,
        "p": model.precision.bits,
        "summary_bits": summary_bits(model),
    }


def state_bits(subject: Construction, progress: Progress | None = None) -> int | None:
    """The bits of all recurrent states together; None if the proof does not hold."""
    if "R" not in subject.model.word:
        return 0
    proof = prove(subject.model, subject.stages, subject.shape, progress=progress)
    return proof.state_bits if proof.ok else None


def summary_bits(model: Model) -> int:
    """How many ±1 bits of a block all its summaries together depend on: the rank of that linear map of its tokens."""
    heads = [head for layer in model.layers for head in layer.heads if isinstance(head, SparseHead)]
    maps = [(c.numerators, w.numerators) for h in heads for c, w in ((h.c_k, h.w_k), (h.c_v, h.w_v))]
    read = sorted({int(column) for _, reader in maps for column in np.flatnonzero(reader.any(axis=0))})
    rows: set[tuple[int, ...]] = set()
    for compressor, reader in maps:
        of_token = compressor.reshape(-1, reader.shape[0])
        of_block = integer_matmul(of_token, reader[:, read]).reshape(compressor.shape[0], -1)
        rows.update(map(tuple, of_block.tolist()))
    return int(fmpz_mat([list(row) for row in rows]).rank()) if rows else 0


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
            place = f"{formula.name} at {case.sizes}"
            require(word == formula.letters(case.sizes), f"{place}: the word is {word}")
            for quantity, number in found.items():
                said = formula.value(quantity, case.sizes, case.block, case.opened)
                require(number == said, f"{place}: {quantity} is {number}, the formula says {said}")
            tried += 1
    for formula in formulas:
        limits += check_growth(formula)
    return Checked(
        Status.EXHAUSTIVE,
        "built weights and proved states against the formulas; limits by sympy",
        f"{tried} cases, L up to 5; {limits} limits, of FuncComp for every L",
    )


def check_growth(formula: Formula) -> int:
    """Every quantity/scale has the limit that is stated; how many limits these are."""
    count = 0
    for growth in formula.growth:
        stated = {False: growth.constant}
        if not formula.is_search and growth.grows == kappa:
            stated[True] = growth.constant.subs(L, 1) if growth.of_one is None else growth.of_one
        for one_table, constant in stated.items():
            found = formula.limit(growth, one_table)
            place = f"{formula.name}: {growth.quantity} / {text(growth.scale)}{' for L = 1' if one_table else ''}"
            require(sp.simplify(found - constant) == 0, f"{place} tends to {found}, not to {constant}")
            count += 1
    return count


def changed(name: str, quantity: str, change: Callable[[Expression], Expression]) -> tuple[Formula, ...]:
    """All formulas, with another one for this quantity where the name begins so."""
    return tuple(
        replace(formula, quantities={**formula.quantities, quantity: change(formula.quantities[quantity])})
        if formula.name.startswith(name)
        else formula
        for formula in FORMULAS
    )


def with_constant(name: str, quantity: str, constant: Expression) -> tuple[Formula, ...]:
    """All formulas, with another stated limit where the name begins so."""
    return tuple(
        replace(
            formula,
            growth=tuple(
                replace(growth, constant=constant) if growth.quantity == quantity else growth
                for growth in formula.growth
            ),
        )
        if formula.name.startswith(name)
        else formula
        for formula in FORMULAS
    )


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
    title="sizes of all constructions",
    latex=r"\text{layers, heads, width, }P, p\text{ and state bits of C1 to C7 equal their formulas};\quad"
    r"d_{\mathrm{C1}}/\log_2 n\to 5-\tfrac1L,\ \ \Lambda_{\mathrm{C3}}/(N_{L-1}\log_2 N_{L-1})\to 1,\ \ "
    r"d_{\mathrm{C7}}/(B\log_2 M)\to 1+\tfrac2B",
    english="What is built has exactly the sizes that its formulas say. Width and precision are O(log n), but for the "
    "B parts of C7; the state of C3 is asymptotically the least that recurrent layers alone can do with.",
    subject=FORMULAS,
    check=check,
    twins={
        "one coordinate more": changed("C1", "width", lambda width: width + 1),
        "a pointer for each layer": changed("C1", "width", lambda width: width + L * value),
        "tag of log2(L+1) bits": changed("C4", "width", lambda width: width.subs(tag, clog2(L + 1))),
        "two bits for an entry of a table": changed("C3", "state_bits", lambda bits: 2 * bits),
        "a state without its normaliser": changed("C2 RF^L linear", "state_bits", lambda bits: bits - 1),
        "a state for z_0 alone": changed("C5 FR", "state_bits", lambda _: clog2(m)),
        "always two recurrent heads": changed("C5 RF", "heads", lambda _: sp.Integer(2)),
        "one doubling less": changed("C4", "layers", lambda _: 1 + clog2(L)),
        "p of the prompt alone": changed("C5", "p", lambda _: sp.Max(8, clog2(n))),
        "p without the whole bits": changed("C6", "p", lambda _: sp.Max(8, clog2(n), clog2(4 * b))),
        "keys and values summarised apart": changed("C7", "summary_bits", lambda bits: 2 * bits),
        "width 5·log2 n": with_constant("C1", "width", sp.Integer(5)),
        "half the least state": with_constant("C3", "state_bits", sp.Rational(1, 2)),
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
