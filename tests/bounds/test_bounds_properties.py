"""A certificate survives smaller β and Λ, and is not carried to other sizes."""

from __future__ import annotations

import functools

import pytest
from bounds_cases import budgets, quick
from hypothesis import given, settings
from hypothesis import strategies as st

from separation.bounds import (
    Budget,
    Evaluation,
    Word,
    bound,
    decide,
    evaluate,
)
from separation.tasks.funccomp import Sizes

pytestmark = pytest.mark.usefixtures("remembered_searches")


@functools.cache
def certified_point(theorem: str, beta: int, bits: int, L: int, cover: str) -> Evaluation:
    """The golden schedule (Θ = t/2), or what the search found with Θ chosen."""
    found = bound(L, Budget(beta=beta, total=bits), full_layers=L - (theorem == "A"), theorem=theorem)
    best = found.golden.evaluation if cover == "half" and found.golden is not None else found.shortest
    assert isinstance(best, Evaluation)
    return best


@quick
@given(budgets, st.sampled_from(["A", "B"]), st.sampled_from(["half", "chosen"]), st.data())
def test_smaller_messages_are_forbidden_too(
    budget: tuple[int, int, int], theorem: str, cover: str, data: st.DataObject
) -> None:
    found = certified_point(theorem, *budget, cover)
    beta = data.draw(st.integers(1, found.beta))
    state_bits = [data.draw(st.integers(0, int(bits))) for bits in found.state_bits]  # type: ignore[arg-type]
    assert evaluate(found.rule, found.parameters, beta, state_bits).certified


@settings(max_examples=20)
@given(st.integers(2, 200), st.integers(1, 200), st.integers(1, 12), st.integers(0, 6))
def test_a_decision_speaks_of_exactly_the_sizes_asked(m: int, n: int, beta: int, bits: int) -> None:
    sizes = Sizes(m, (n,))
    decision = decide(Word.parse("RF"), 2, Budget(beta=beta, total=bits), sizes)
    assert decision.solvable in (False, None)
    if decision.solvable is False:
        found = decision.found
        assert found is not None
        assert found.certified
        document = found.hard_sizes()
        assert (document["m"], document["n"]) == (m, [n])
        assert found.beta == beta
    else:
        assert decision.found is None
