"""The pieces of the formulas of the constructions; statement C.sizes compares them with built weights and proofs."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.kit.formulas import FORMULAS, half_ln, letters_at, number
from separation.tasks.funccomp import Sizes, Thoughts
from separation.tasks.two_sum import TwoSumSizes

BY_NAME = {formula.name: formula for formula in FORMULAS}


@given(size=st.integers(1, 2**70))
def test_half_a_logarithm_is_exact(size: int) -> None:
    half = half_ln(size)
    assert sp.exp(2 * half) >= size
    assert half == 0 or sp.exp(2 * (half - 1)) < size


def test_letters_are_those_of_every_task() -> None:
    sizes = Sizes(3, (2, 5))
    assert number("L + sum(N[l]*n[l - 1] for l in (1, 2)) + tokens", letters_at(sizes)) == 3 + 12 + 150 + 41
    assert letters_at(Thoughts(Sizes(3, ()), "hops"))["n"] == ()
    assert number("ceil(tokens/B) + k", letters_at(TwoSumSizes(7, 9), block=2, opened=5)) == 9
    halved = replace(BY_NAME["C1 F^(L+1)"], quantities={"layers": "Fraction/2"})
    with pytest.raises(NameError):
        halved.value("layers", sizes)
    searched = replace(BY_NAME["C7 S"], quantities={"heads": "k/B"})
    with pytest.raises(ValueError, match="not an integer"):
        searched.value("heads", TwoSumSizes(7, 9), block=2, opened=5)
