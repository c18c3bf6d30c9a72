"""Sums over tokens: short integer relations, and states of 512 bits and more."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from pair_cases import delta_model

from separation.bounds import theorem_c
from separation.fooling import Budget, ExactSubject, find_pair, random_recurrent_model
from separation.fooling.birthday import TableSource
from separation.fooling.recurrent import related_tables, short_relations
from separation.tasks.funccomp import Sizes


@settings(deadline=None, max_examples=3, derandomize=True)
@given(st.integers(0, 10**6))
def test_a_state_of_512_bits_is_fooled(seed: int) -> None:
    made = random_recurrent_model(1, Sizes(81, ()), 512, seed)
    assert sum(made.state_bits) > 440
    assert theorem_c(made.sizes, 512).certified
    found = find_pair(made.model, made.sizes, seed=seed)
    assert found.method == "linear algebra"
    assert found.pair is not None
    assert found.pair.holds


def test_relations_are_relations() -> None:
    random = np.random.default_rng(1)
    columns = random.integers(-3, 4, size=(24, 3))
    found = list(short_relations(columns))
    assert found
    for relation in found:
        assert set(relation.tolist()) <= {-1, 0, 1}
        assert relation.any()
        assert not (relation @ columns).any()


def test_where_there_is_no_short_relation_none_is_found() -> None:
    """Powers of 3: Σ c_j 3^j = 0 with c_j in {−1, 0, 1} has no solution but 0; with c_j = ±3 it has."""
    columns = np.array([[3**place] for place in range(20)])
    assert not list(short_relations(columns))


def test_what_is_no_sum_is_left_to_birthdays() -> None:
    """The check that states are sums can fail: then nothing is reduced, after one pair of values."""
    sizes = Sizes(6, ())
    ends = []
    for seed in range(6):
        clock = Budget(samples=60).start()
        found = list(related_tables(ExactSubject(delta_model(sizes, seed)), TableSource.of(sizes, seed, 10), clock))
        ends.append((bool(found), clock.samples))
    assert (False, 7) in ends
