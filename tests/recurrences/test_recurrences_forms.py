"""Recurrence and parallel form are one function: symbolically, exactly, in floating point; and no broken twin is."""

from __future__ import annotations

import pytest

from separation.recurrences import FAMILIES, TWINS, check_exact, check_float, check_symbolic

SHORT = 48
OTHER_SIZES = [{"d_k": 64, "d_v": 16, "d": 16, "w": 200, "n_h": 1}, {"d_k": 16, "d_v": 64, "d": 64, "w": 1, "n_h": 3}]


@pytest.mark.parametrize("name", FAMILIES)
def test_equal_for_all_inputs_at_small_sizes(name: str) -> None:
    assert check_symbolic(FAMILIES[name]).holds
    assert check_symbolic(TWINS[name]).holds is False


@pytest.mark.parametrize("name", FAMILIES)
def test_equal_on_fractions(name: str) -> None:
    assert check_exact(FAMILIES[name], seed=1).holds
    assert check_exact(TWINS[name], seed=1).holds is False


@pytest.mark.parametrize("name", FAMILIES)
def test_no_twin_is_within_the_bound(name: str) -> None:
    outcome = check_float(TWINS[name], tokens=SHORT)
    assert outcome.holds is False
    assert outcome.error is not None
    assert outcome.bound is not None
    assert outcome.error > 1e5 * outcome.bound


@pytest.mark.parametrize("sizes", OTHER_SIZES, ids=["wide keys", "wide values"])
@pytest.mark.parametrize("name", FAMILIES)
def test_equal_in_floating_point_at_other_sizes(name: str, sizes: dict[str, int]) -> None:
    assert check_float(FAMILIES[name], tokens=SHORT, sizes=sizes, seed=7).holds


@pytest.mark.parametrize("tokens", [1, 2])
@pytest.mark.parametrize("name", FAMILIES)
def test_shortest_sequences(name: str, tokens: int) -> None:
    family = FAMILIES[name]
    assert check_symbolic(family, tokens=tokens).holds
    assert check_exact(family, tokens=tokens).holds
    assert check_float(family, tokens=tokens).holds
