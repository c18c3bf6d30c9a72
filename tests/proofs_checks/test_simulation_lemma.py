"""The simulation lemma: each twin falls at the step that it breaks, by a counterexample, and whole runs see it too."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import z3

from proofs_checks import CheckFailed, all_statements
from proofs_checks.kit.book import capped, claims_below, dependency_graph
from proofs_checks.kit.players import Exchange, require_runs
from proofs_checks.kit.solvers import require_implied
from proofs_checks.kit.statement import Status
from proofs_checks.statements.m2 import STATEMENT, by_a_fixed_shift, by_the_largest_score
from separation.arithmetic import attention_weights

REASONS = {
    "sums in float16": "with one token more two groups do not add up",
    "the largest score as the shift": "with one token more two groups do not add up",
    "a shift that depends on the prompt": "a soft message depends on third players",
    "every sender adds 1 to the total": "two groups without tokens do not add up",
    "totals are clipped": "one group and the whole do not give the other",
    "values count twice": "one token adds more than 2^P·2^p to a numerator",
    "weights count twice in totals": "one token adds more than 2^P to a total",
    "a sender is dropped": "with one sender more the wires do not hold the sum",
    "rounded for each sender": "with one sender more the wires do not hold the sum",
    "later tokens are heard": "a token attends to tokens that are neither earlier players' nor its own",
    "the state before the last token": "the state handed on is not that after the last token",
    "every token starts a new scan": "with one token more a scan differs",
    "a convolution that is not a state": "a stream depends on other players' tokens",
}
SEEN_IN_RUNS = (
    "every sender adds 1 to the total",
    "totals are clipped",
    "values count twice",
    "weights count twice in totals",
    "a sender is dropped",
    "rounded for each sender",
    "the state before the last token",
    "every token starts a new scan",
    "a convolution that is not a state",
)
"""The others have sums of another kind, or differ in what the runs in symbols do not vary."""


def test_every_twin_has_its_reason() -> None:
    assert set(REASONS) == set(STATEMENT.twins)


@pytest.mark.parametrize("name", REASONS)
def test_a_twin_falls_at_its_step_by_a_counterexample(name: str) -> None:
    with pytest.raises(CheckFailed) as reason:
        STATEMENT.check(STATEMENT.twins[name])
    step, _, numbers = str(reason.value).partition(": ")
    assert step == REASONS[name]
    assert numbers.startswith("[")


@pytest.mark.parametrize("name", SEEN_IN_RUNS)
def test_whole_runs_see_it_too(name: str) -> None:
    """The steps by hand put the queries together rightly: what breaks a query changes a stream of some run."""
    with pytest.raises(CheckFailed, match=r"cut at .*, layer [12]: \["):
        require_runs(STATEMENT.twins[name])


def test_whole_runs_are_the_forward_pass() -> None:
    require_runs(Exchange())


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
