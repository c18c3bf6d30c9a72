"""Recurrence, parallel form and chunks are one function, whatever the sizes; and no broken twin is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separation.recurrences import (
    FAMILIES,
    TWINS,
    Inputs,
    Outcome,
    Recurrence,
    check_chunked,
    check_exact,
    check_float,
    check_symbolic,
    check_third_party,
    fractions,
)
from separation.recurrences.recurrence import State

SIZES = {"d_k": 3, "d_v": 2, "d": 4, "w": 3, "n_h": 2}
SHORT: dict[str, Any] = {"tokens": 48, "sizes": {"d_k": 8, "d_v": 4, "d": 8, "w": 9, "n_h": 2}}

every_name = pytest.mark.parametrize("name", FAMILIES)
# Others divide queries by √d_k: only powers of 4 can be taken back without a rounding.
some_sizes = st.fixed_dictionaries(
    {"d_k": st.sampled_from([1, 3, 4]), "d_v": st.integers(1, 6), "d": st.integers(1, 6), "w": st.integers(1, 7)}
    | {"n_h": st.integers(1, 3)}
)


def assert_far_outside(outcome: Outcome) -> None:
    assert outcome.holds is False
    assert outcome.error is not None
    assert outcome.bound is not None
    assert outcome.error > 1e5 * outcome.bound


@every_name
def test_equal_for_all_inputs_at_small_sizes(name: str) -> None:
    for tokens in (1, 2, 3):
        assert check_symbolic(FAMILIES[name], tokens=tokens).holds
    assert check_symbolic(TWINS[name]).holds is False


@every_name
@settings(deadline=None, max_examples=6, derandomize=True)
@given(tokens=st.integers(1, 9), sizes=some_sizes, seed=st.integers(0, 10**6), chunk=st.integers(1, 10))
def test_equal_at_any_sizes(name: str, tokens: int, sizes: dict[str, int], seed: int, chunk: int) -> None:
    """On fractions, in floating point and in chunks, and against others' code where that can be."""
    family = FAMILIES[name]
    assert check_exact(family, tokens, sizes, seed).holds
    assert check_float(family, tokens, sizes, seed).holds
    assert check_chunked(family, tokens, sizes, seed, chunk=chunk).holds
    if sizes["d_k"] != 3:
        assert check_third_party(family, tokens, sizes, seed).holds is not False
    xs = fractions(family, tokens, sizes, seed)
    assert (family.chunked(xs, chunk) == family.run(xs)).all()
    # The state after a chunk is that of the recurrence.
    half = tokens // 2
    before = family.run_from(family.initial(xs.sizes), xs.part(0, half))[1] if half else family.initial(xs.sizes)
    outputs, after = family.chunk(before, xs.part(half, tokens))
    wanted, state = family.run_from(before, xs.part(half, tokens))
    assert (outputs == wanted).all()
    for found, right in zip(after, state, strict=True):
        assert found.shape == right.shape
        assert (found == right).all()


@every_name
def test_no_twin_is_within_the_bound(name: str) -> None:
    assert check_exact(TWINS[name], seed=1).holds is False
    assert_far_outside(check_float(TWINS[name], tokens=48))
    assert_far_outside(check_chunked(TWINS[name], **SHORT, chunk=7))
    right = check_chunked(FAMILIES[name], **SHORT, chunk=7)
    assert right.holds, right
    assert "chunks of 7" in right.scope
    assert right.error is not None
    assert right.bound is not None
    assert 0 < right.error <= right.bound < 1e-9


def forgetful(family: Recurrence) -> Recurrence:
    """Broken: every chunk starts from the initial state."""

    class Forgetful(type(family)):  # type: ignore[misc]
        def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:  # noqa: ARG002
            return super().chunk(self.initial(xs.sizes), xs)

    return Forgetful()


def stale(family: Recurrence) -> Recurrence:
    """Broken: the state that is handed on is the one before the chunk's last token."""

    class Stale(type(family)):  # type: ignore[misc]
        def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
            outputs, after = super().chunk(state, xs)
            kept = super().chunk(state, xs.part(0, xs.tokens - 1))[1] if xs.tokens > 1 else after
            return outputs, kept

    return Stale()


@every_name
@pytest.mark.parametrize("twin", [forgetful, stale])
def test_a_chunk_that_forgets_is_rejected(name: str, twin: Any) -> None:
    broken = twin(FAMILIES[name])
    assert (broken.parallel(fractions(broken, 5, SIZES, 0)) == FAMILIES[name].run(fractions(broken, 5, SIZES, 0))).all()
    assert check_exact(broken).holds is False
    assert check_chunked(broken, **SHORT, chunk=7).holds is False
    assert check_symbolic(broken).holds is False


def test_one_sweep_less_is_not_enough() -> None:
    class TooFew(type(FAMILIES["rnn"])):  # type: ignore[misc]
        def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
            before, driven = state[0], xs["x"] @ xs["U"].T + xs["b"]
            hidden = np.zeros((xs.tokens, len(before)), dtype=object)
            for _ in range(xs.tokens - 1):
                hidden = np.maximum(np.concatenate([before[None], hidden[:-1]]) @ xs["W"].T + driven, 0)
            return hidden, (hidden[-1],)

    assert check_exact(FAMILIES["rnn"]).holds
    assert check_exact(TooFew()).holds is False


@pytest.mark.slow
@every_name
def test_real_sizes(name: str) -> None:
    for seed in (1, 2):
        assert check_chunked(FAMILIES[name], seed=seed).holds
        assert check_float(FAMILIES[name], seed=seed).holds
