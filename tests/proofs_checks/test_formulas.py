"""The formulas of the constructions: exact at every size, printed as they are meant, with limits that can be wrong."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from math import ceil, log2, prod
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions import build
from proofs_checks import CheckFailed
from proofs_checks.kit import expressions, measurements
from proofs_checks.kit.expressions import L, N, clog2, half_ln, n_at
from proofs_checks.kit.formulas import FORMULAS, Formula, evaluate, latex, readable, text
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
    for quantity, number in measurements.measure_weights(model).items():
        assert number == formula.value(quantity, sizes, **blocks), quantity


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


def test_a_state_that_is_not_proved_has_no_bits() -> None:
    subject = build("C2", 1)
    assert measurements.state_bits(replace(subject, stages=[*subject.stages[:-1], subject.stages[0]])) is None


@given(size=st.integers(1, 2**70))
def test_logarithms_are_exact(size: int) -> None:
    bits = int(clog2(sp.Integer(size)))
    assert 2**bits >= size
    assert bits == 0 or 2 ** (bits - 1) < size
    half = int(half_ln(sp.Integer(size)))
    assert sp.exp(2 * half) >= size
    assert half == 0 or sp.exp(2 * (half - 1)) < size


@pytest.mark.parametrize("power", [3, 49, 53, 64, 1000])
def test_logarithms_are_exact_beside_powers_of_two(power: int) -> None:
    assert [int(clog2(sp.Integer(2**power + step))) for step in (-1, 0, 1)] == [power, power, power + 1]


def test_logarithms_of_letters_stay_as_they_are() -> None:
    assert clog2(L).func is clog2
    assert half_ln(L).func is half_ln


def test_evaluate_knows_the_sizes_of_every_task() -> None:
    sizes = Sizes(3, (2, 5))
    assert (
        evaluate(L + sp.Sum(N[expressions.ell] * n_at[expressions.ell], (expressions.ell, 1, L - 1)), sizes)
        == 3 + 12 + 150
    )
    assert evaluate(expressions.largest, Thoughts(Sizes(3, ()), "hops")) == 1
    assert (
        evaluate(sp.ceiling(expressions.n / expressions.B) + expressions.k, TwoSumSizes(7, 9), block=2, opened=5) == 9
    )
    with pytest.raises(ValueError, match="not an integer"):
        evaluate(L / 2, sizes)


def plain_value(expression: str, sizes: Sizes) -> Any:
    """A formula's text, read by Python: an evaluation that shares no code with `evaluate`."""
    source = expression.replace("max n_l", "biggest").replace("N_{max(0,L-2)}", "N(max(0, L-2))")
    source = source.replace("N_{L-1}", "N(L-1)").replace("N_l", "N(l)").replace("n_l", "n(l)")
    while "sum(" in source:
        start = source.index("sum(")
        middle, end = source.index(", l=", start), source.index("..L-1)", start)
        first = source[middle + 4 : end]
        inner = source[start + 4 : middle]
        source = f"{source[:start]}total(lambda l: {inner}, {first}){source[end + 6 :]}"
    known = {
        "L": sizes.L,
        "m": sizes.m,
        "biggest": max(sizes.n, default=1),
        "N": lambda level: sizes.m * prod(sizes.n[:level]),
        "n": lambda level: sizes.n[level - 1],
        "total": lambda term, first: sum(term(level) for level in range(first, sizes.L)),
        "ceil": ceil,
        "log2": log2,
        "max": max,
        "min": min,
    }
    return eval(source, known)


@given(sizes=small_sizes)
@settings(max_examples=20)
def test_the_text_of_a_formula_says_what_it_evaluates_to(sizes: Sizes) -> None:
    for formula in HOPS:
        for quantity, expression in formula.quantities.items():
            said = text(formula.in_sizes(expression))
            assert plain_value(said, sizes) == formula.value(quantity, sizes), said


def test_formulas_are_printed_in_three_scripts() -> None:
    state = BY_NAME["C3 R^(L+1)"].quantities["state_bits"]
    assert text(state) == "ceil(log2(m)) + sum(N_l*ceil(log2(N_l)), l=0..L-1)"
    assert readable(state) == "⌈log2 m⌉ + Σ_{ℓ=0..L-1} N_ℓ·⌈log2 N_ℓ⌉"
    assert r"\lceil\log_2 {N}_{\ell}\rceil" in latex(state)
    assert r"\lceil\log_2(L + 1)\rceil" in latex(BY_NAME["C4 F^(1+⌈log2(L+1)⌉)"].quantities["layers"])
    tau = BY_NAME["C7 S"].where[expressions.tau]
    assert text(tau) == "ceil(ln(max(2, (K - 1)*(4*b - 1)))/2)"
    assert r"\max_\ell n_\ell" in latex(expressions.SLOTS[expressions.digit])


def test_every_growth_has_a_limit_that_is_a_number_or_depends_on_the_fixed_sizes_alone() -> None:
    for formula in FORMULAS:
        for growth in formula.growth:
            assert growth.constant.free_symbols <= {L, expressions.B}
            assert growth.constant.subs({L: 3, expressions.B: 4}).is_positive


def test_limits_are_approached_and_wrong_ones_refused() -> None:
    formula = BY_NAME["C1 F^(L+1)"]
    width = formula.growth[0]
    assert c_sizes.check_growth(formula) == 6
    with pytest.raises(CheckFailed, match="is off from 6"):
        c_sizes.check_growth(replace(formula, growth=(replace(width, constant=sp.Integer(6)),)))


def test_a_limit_agrees_with_a_large_size() -> None:
    sizes = Sizes(2**3000, (2**3000,) * 3)
    for formula in HOPS:
        for growth in formula.growth:
            if growth.grows == expressions.kappa:
                ratio = formula.ratio(growth, sizes)
                assert ratio == pytest.approx(float(growth.constant.subs(L, 4)), abs=0.02), growth


def test_the_command_line_starts_without_sympy() -> None:
    program = "import sys, separation.verbs.constructions; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
