"""Seconds and samples are kept: on a clock that moves only when work is done."""

from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.typing import NDArray

from separation.fooling import Budget, find_pair
from separation.fooling.sparse import SparseShape, find_sparse_pair
from separation.tasks.funccomp import Sizes

PRICE = 0.001
"""Seconds of the clock below for the state of one prompt, or the summary of one block."""


class Work:
    """A clock that only work moves, and a model and a map that do it."""

    def __init__(self) -> None:
        self.now = 0.0

    def state(self, prefixes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The whole table: no two are alike."""
        self.now += PRICE * len(prefixes)
        return prefixes

    def forward(self, prompts: NDArray[np.int64]) -> NDArray[np.int64]:
        return prompts[:, 0]

    def summaries(self, place: int, sequences: NDArray[np.int64]) -> NDArray[np.int64]:
        assert place >= 0
        self.now += PRICE * len(sequences)
        return sequences


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    work = Work()
    monkeypatch.setattr(time, "monotonic", lambda: work.now)
    return work


@pytest.mark.parametrize("seconds", [10.0, 60.0])
def test_seconds_are_kept_within_five_percent(work: Work, seconds: float) -> None:
    found = find_pair(work, Sizes(11, ()), budget=Budget(seconds))
    assert not found.found
    assert seconds <= work.now <= 1.05 * seconds
    assert found.seconds <= 1.05 * seconds


@pytest.mark.parametrize("seconds", [5.0, 60.0])
def test_seconds_are_kept_for_maps(work: Work, seconds: float) -> None:
    found = find_sparse_pair(work, SparseShape(101, 3, 8, 1), budget=Budget(seconds))
    assert not found.search.found
    assert work.now <= 1.05 * seconds
    assert found.right is None


def test_samples_are_kept(work: Work) -> None:
    found = find_pair(work, Sizes(11, ()), budget=Budget(samples=3000))
    assert found.samples <= 3000
    sparse = find_sparse_pair(work, SparseShape(101, 3, 8, 1), budget=Budget(samples=3000))
    assert sparse.search.samples <= 3000
