"""One interface, any number type: initial state, step, read-out, and the bits of the state."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from separation.recurrences import FAMILIES, REFERENCES, TWINS, Inputs, Recurrence, fractions, symbols

DOCUMENT = Path(__file__).parents[2] / "docs" / "recurrences.md"


every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))


def test_every_family_is_here_with_a_twin_and_a_reference() -> None:
    assert list(FAMILIES) == list(TWINS) == list(REFERENCES)
    for name, twin in TWINS.items():
        assert isinstance(twin, type(FAMILIES[name]))
        assert type(twin).__doc__.startswith("Broken: ")


@every_family
def test_number_types_agree(family: Recurrence) -> None:
    """Symbols with fractions put in are the fractions; fractions made floats are the floats, up to rounding."""
    sizes = {"d_k": 2, "d_v": 1, "d": 2, "w": 2, "n_h": 1}
    exact = fractions(family, 2, sizes, seed=3)
    found = family.run(exact)
    assert all(isinstance(number, (int, Fraction)) for number in found.flat)
    rounded = exact.replaced(
        **{name: np.array(array, dtype=float) for name, array in exact.arrays.items() if not isinstance(array, int)}
    )
    near = family.run(rounded)
    assert near.dtype == np.float64
    assert np.allclose(near, found.astype(float), rtol=1e-6)  # weights are floored at 2^-32 of themselves
    if family.id != "sliding-window":
        unknown = symbols(family, 2, sizes)
        general = family.run(unknown)
        values = dict(_pairs(unknown, exact))
        for one, other in zip(general.flat, found.flat, strict=True):
            assert sp.sympify(_expression(one)).subs(values) == sp.sympify(other)


def _pairs(unknown: Inputs, exact: Inputs) -> list[tuple[sp.Expr, sp.Rational]]:
    return [
        (_expression(symbol), sp.Rational(number.numerator, number.denominator))
        for name in unknown.arrays
        for symbol, number in zip(
            np.asarray(unknown[name], dtype=object).flat, np.asarray(exact[name], dtype=object).flat, strict=True
        )
    ]


def _expression(number: object) -> object:
    return number.as_expr() if hasattr(number, "as_expr") else number


@every_family
def test_the_document_says_what_the_code_says(family: Recurrence) -> None:
    row = next(
        line
        for line in DOCUMENT.read_text().splitlines()
        if line.startswith((f"| [{family.name}]", f"| {family.name} |"))
    )
    row = row.replace("\\|", "|")
    assert f"`{family.formula}`" in row
    assert f"`{family.parallel_formula}`" in row
    assert f"| {str(family.bits()).replace('*', '·')} |" in row
    assert f"arxiv.org/abs/{family.arxiv})" in row or not family.arxiv
    reference = REFERENCES[family.id]
    assert f"| {family.name} | `{reference.module}.{reference.function}` |" in DOCUMENT.read_text()
