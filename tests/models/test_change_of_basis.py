"""The same function in other coordinates of the stream, for every type of head."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from random_models import batch, fractions_of
from run_cases import CASES, MIXED, SEEDS, case, identity

from separation.arithmetic import ExactMatrix, PrecisionOverflow
from separation.models import change_basis, run


def rational_basis(width: int, seed: int) -> ExactMatrix:
    """Invertible: a lower times an upper triangular matrix, with rational entries and no zero on the diagonals."""
    rng = np.random.default_rng(seed)

    def number() -> Fraction:
        return Fraction(int(rng.integers(-3, 4)), int(rng.integers(1, 5)))

    lower = [[number() if j < i else Fraction(i == j) for j in range(width)] for i in range(width)]
    upper = [[number() if j > i else Fraction(3 * (i == j), 2 + i) for j in range(width)] for i in range(width)]
    return ExactMatrix.from_rows(lower) @ ExactMatrix.from_rows(upper)


@pytest.mark.parametrize(("kind", "seed"), CASES[::2])
def test_a_change_of_basis_changes_no_answer(kind: str, seed: int) -> None:
    model, prompts, wanted = case(kind, seed)
    for basis in (rational_basis(model.width, seed), ExactMatrix.from_rows(unimodular(model.width))):
        moved = change_basis(model, basis)
        assert moved.positions != model.positions or basis == identity(model.width)
        for all_rows in (False, True):
            found = run(moved, batch(prompts), all_rows=all_rows)
            assert fractions_of(found) == wanted
            assert found.answers.tolist() == [row.index(max(row)) for row in wanted]


def unimodular(width: int) -> list[list[int]]:
    return [[1 if i == j else (2 if j == i + 1 else 0) for j in range(width)] for i in range(width)]


def test_a_wrong_inverse_changes_answers() -> None:
    changed = 0
    for seed in SEEDS[:10]:
        model, prompts, wanted = case(MIXED, seed)
        basis = rational_basis(model.width, seed)
        moved = change_basis(model, basis, inverse=identity(model.width))
        try:
            changed += fractions_of(run(moved, batch(prompts))) != wanted
        except (PrecisionOverflow, AssertionError):
            changed += 1
    assert changed >= 5
