"""The formulas of the constructions: exact at every size, with limits that can be wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions import build
from proofs_checks import CheckFailed
from proofs_checks.kit import measurements
from proofs_checks.kit.formulas import FORMULAS, Formula, half_ln, letters_at, number
from proofs_checks.statements import c_sizes
from separation.tasks.funccomp import Sizes, Thoughts
from separation.tasks.two_sum import TwoSumSizes

BY_NAME = {formula.name: formula for formula in FORMULAS}
HOPS = [formula for formula in FORMULAS if not formula.is_search]

small_sizes = (
    st.integers(1, 4)
    .flatmap(
        lambda tables: st.builds(
            Sizes,
            m=st.integers(2, 9),
            n=st.lists(st.integers(1, 5), min_size=tables - 1, max_size=tables - 1).map(tuple),
        )
    )
    .filter(lambda sizes: sizes.N[-1] <= 512)
)
searches = st.builds(TwoSumSizes, st.integers(1, 10**6), st.integers(1, 10**9).map(lambda half: 2 * half + 1))


def assert_equal_to_the_formula(formula: Formula, sizes: Sizes | TwoSumSizes, **blocks: int) -> None:
    model = build(formula.construction, sizes, **formula.options(sizes), **blocks).model
    assert model.word == formula.letters(sizes)
    for quantity, built in measurements.measure_weights(model).items():
        assert built == formula.value(quantity, sizes, **blocks), quantity


@pytest.mark.parametrize("formula", HOPS, ids=lambda formula: formula.name)
@given(sizes=small_sizes)
@settings(max_examples=8)
def test_built_weights_have_the_sizes_of_the_formulas(formula: Formula, sizes: Sizes) -> None:
    assert_equal_to_the_formula(formula, sizes)


@given(sizes=searches)
@settings(max_examples=20)
def test_c6_has_the_sizes_of_its_formulas(sizes: TwoSumSizes) -> None:
    assert_equal_to_the_formula(BY_NAME["C6 F"], sizes)


@given(sizes=searches, block=st.integers(1, 7), opened=st.integers(0, 20))
@settings(max_examples=20)
def test_c7_has_the_sizes_of_its_formulas(sizes: TwoSumSizes, block: int, opened: int) -> None:
    assert_equal_to_the_formula(BY_NAME["C7 S"], sizes, block=block, opened=opened)


@pytest.mark.parametrize("formula", [f for f in HOPS if "R" in f.word], ids=lambda formula: formula.name)
@pytest.mark.parametrize("sizes", [Sizes(3, ()), Sizes(2, (3,))], ids=str)
def test_proved_states_have_the_sizes_of_the_formulas(formula: Formula, sizes: Sizes) -> None:
    subject = build(formula.construction, sizes, **formula.options(sizes))
    assert measurements.state_bits(subject) == formula.value("state_bits", sizes)


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


def test_limits_are_approached_and_wrong_ones_refused() -> None:
    formula = BY_NAME["C1 F^(L+1)"]
    assert c_sizes.check_growth(formula) == 6
    with pytest.raises(CheckFailed, match="is off from 6"):
        c_sizes.check_growth(replace(formula, growth=(replace(formula.growth[0], constant="6"),)))
