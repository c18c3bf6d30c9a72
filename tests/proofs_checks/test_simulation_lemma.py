"""The simulation lemma: what its queries suppose, the floats of its twins, and what rests on it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import z3

from proofs_checks import CheckFailed, all_statements
from proofs_checks.kit.book import capped, claims_below, dependency_graph
from proofs_checks.kit.solvers import require_implied
from proofs_checks.kit.statement import Status
from proofs_checks.statements.m2 import by_a_fixed_shift, by_the_largest_score
from separation.arithmetic import attention_weights


def test_a_query_that_supposes_what_cannot_be_proves_nothing() -> None:
    n = z3.Int("n")
    require_implied([n > 1], n > 0, "positive")
    with pytest.raises(CheckFailed, match="positive: nothing satisfies what is supposed"):
        require_implied([n > 1, n < 1], n > 0, "positive")
    with pytest.raises(CheckFailed, match=r"positive: \[n = 0\]"):
        require_implied([n >= 0, n < 2], n > 0, "positive")


def test_float16_does_what_z3_says_of_it() -> None:
    first, second, weight = np.float16(2048), np.float16(1), np.float16(1)
    assert first + (second + weight) == 2050
    assert (first + second) + weight == 2048


def test_parts_with_their_own_largest_score_do_not_add_up() -> None:
    """Of the scores 0 | 2: with a fixed shift the totals of both parts add up, with the largest of each they do not."""
    parts, whole = ([0], [2]), [0, 2]
    assert sum(sum(by_a_fixed_shift(part)) for part in parts) == sum(by_a_fixed_shift(whole))
    assert sum(sum(by_the_largest_score(part)) for part in parts) == 512
    assert sum(by_the_largest_score(whole)) == 256 + int(attention_weights(np.array([-2]), 1, Fraction(0), 8)[0])


def test_the_theorems_rest_on_the_lemma_and_not_on_its_run() -> None:
    graph = dependency_graph(all_statements())
    for theorem in ("T.A", "T.B", "T.depth"):
        below = claims_below(graph, theorem)
        assert {"M1", "M2"} <= below
        assert "M2.run" not in below
    # If the lemma were only tested, so would be all that is said of models.
    statuses = capped(graph, {node: Status.TESTED if node == "M2" else Status.BY_MACHINE for node in graph})
    assert {node for node, status in statuses.items() if status is Status.TESTED} >= {"M2", "T.A", "T.B", "T.depth"}
