"""The rules one by one: each is compared with brute force over the symbols, and a false neighbour must fail."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from separation.arithmetic import ExactMatrix
from separation.models import MLP, Declared, Segment, Stored
from separation.proving import (
    ONE,
    Forms,
    ProofFailed,
    Symbol,
    after_mlp,
    bit,
    hidden_forms,
)
from separation.proving.attention import winner_value
from separation.proving.embedding import table_forms
from separation.proving.forms import fresh_noise
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Variable
from separation.tasks.suppositions import suppose

A, B = bit("a", 0), bit("b", 0)
JUNK = Symbol("junk", "noise", Fraction(-1), Fraction(1))


def forms(rows: list[dict[Symbol, int | Fraction]]) -> Forms:
    symbols = [ONE, A, B, JUNK]
    return Forms(symbols, ExactMatrix.from_rows([[row.get(symbol, 0) for symbol in symbols] for row in rows]))


def mlp(w_1: list[list[int]], b_1: list[int], w_2: list[list[int]]) -> MLP:
    def matrix(rows: list[list[int]]) -> ExactMatrix:
        return ExactMatrix(np.array(rows, dtype=np.int64))

    return MLP(matrix(w_1), matrix([[x] for x in b_1]), matrix(w_2), ExactMatrix.zeros(len(w_2), 1))


def test_coordinates_that_bend_alike_share_their_noise() -> None:
    """x_1 ← clip(x_0), x_2 ← 3 − 2·clip(x_0): one symbol; x_1 ← |x_0| and x_2 ← clip(x_0) are two."""
    stream = forms([{JUNK: 1}, {}, {}])
    alike = mlp([[2, 0, 0], [2, 0, 0]], [1, -1], [[0, 0], [1, -1], [-2, 2]])
    after = after_mlp(alike, stream, hidden_forms(alike, stream))
    (one,) = {symbol for row in (1, 2) for symbol, _ in after.terms(row) if symbol != ONE}
    assert [dict(after.terms(row))[one] for row in (1, 2)] == [1, -2]
    other = mlp([[2, 0, 0], [2, 0, 0], [-2, 0, 0]], [1, -1, 0], [[0, 0, 0], [1, -1, 0], [0, 0, 1]])
    after = after_mlp(other, stream, hidden_forms(other, stream))
    assert len({symbol for row in (1, 2) for symbol, _ in after.terms(row) if symbol != ONE}) == 2


def test_a_multiple_of_the_bent_form_is_taken_with_it() -> None:
    """t − relu(t) is in [−3, 0] for t = ν + 2μ. Of ν + μ one c·t is taken together with −relu(t): c = 1, which leaves
    −μ and a range of 5; or c = 1/2, which leaves ν/2 and t/2 − relu(t) in [−3/2, 0], a range of 5/2."""
    other = fresh_noise(Fraction(1))
    network = mlp([[1, 0]], [0], [[0], [-1]])
    for beside, size in ((2, 3), (1, Fraction(5, 2))):
        stream = Forms([ONE, JUNK, other], ExactMatrix.from_rows([[0, 1, 2], [0, 1, beside]]))
        low, high = after_mlp(network, stream, hidden_forms(network, stream)).ranges()[1]
        assert high - low == size


def test_what_the_winner_holds_is_told_in_the_readers_names() -> None:
    """The winner's index is i1 but for its last bit, which is 1 in place of i1's: that bit is not the reader's, nor is
    what the winner alone knows; each of these is fresh noise, and the same wherever it stands."""
    shape = Sizes(4, (2,)).shape()
    supposed = suppose(shape, shape.kind("table 2"), 1, 2)
    assert supposed is not None
    other, noise = bit("i2 at 0 mod 2", 0), [bit("index", 0), bit("nobody", 0), JUNK]
    own = [bit("index", 1), bit("digit", 0), bit("value", 0), bit("i0", 0), other, *noise]
    rows = [[0, *(int(place == row) for place in range(len(own)))] for row in range(len(own))]
    held = Forms([ONE, *own], ExactMatrix.from_rows([*rows, [0] + [1] * len(own)]))
    told = winner_value(held, shape, supposed.supposed_fact)
    found = [dict(told.terms(row)) for row in range(len(own) + 1)]
    names = (bit("i1", 1), bit("w1", 0), bit("i2 at 1 mod 2", 0), bit("i0", 0), other)
    assert found[:5] == [{symbol: 1} for symbol in names]
    fresh = [symbol for row in found[5:8] for symbol in row]
    assert len(set(fresh)) == 3
    assert all(symbol.role == "noise" and symbol.radius == 1 and symbol not in own for symbol in fresh)
    assert found[8] == dict.fromkeys([*names, *fresh], 1)


TABLE = Declared((Segment(0, (3, 5), ExactMatrix.from_rows([[1, 2, 3, 4, 5, 6], [0, 0, 1, 0, -1, 2]])),))


def test_a_declared_code_that_the_run_does_not_use_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Declared.rows
    monkeypatch.setattr(Declared, "rows", lambda self, numbers: honest(self, numbers) + (numbers == 7)[:, None])
    with pytest.raises(ProofFailed, match="row 7"):
        table_forms(TABLE, 0, (Variable("digit", 3), Variable("index", 5)), "position")


def test_stored_rows_are_interpolated_and_compared_with_their_code() -> None:
    variables = (Variable("digit", 3), Variable("index", 5))
    declared = table_forms(TABLE, 0, variables, "position")
    stored = table_forms(TABLE.stored(), 0, variables, "position")
    assert stored.symbols == declared.symbols
    assert stored.matrix == declared.matrix
    rows = TABLE.stored().matrix
    wrong = Stored(rows.with_entry(14, 1, rows.entry(14, 1) + 1))  # (digit 2, index 4) is not interpolated from
    with pytest.raises(ProofFailed, match="position row 14 is not the code") as failed:
        table_forms(wrong, 0, variables, "position")
    assert failed.value.slot == 1
    with pytest.raises(ProofFailed, match="no position code is declared"):
        table_forms(TABLE, 0, (Variable("digit", 5), Variable("index", 3)), "position")


def test_a_smaller_range_reads_the_first_rows_of_a_larger_one() -> None:
    code_of_eight = Declared((Segment(0, (8,), ExactMatrix.from_rows([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])),))
    narrow = table_forms(code_of_eight, 0, (Variable("value", 3),), "token")
    assert [narrow.row_text(row) for row in range(3)] == ["1·value.0", "1·value.1", "-1"]
