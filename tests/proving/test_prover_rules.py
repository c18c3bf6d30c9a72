"""The rules one by one: each is compared with brute force over the symbols, and a false neighbour must fail."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separation.arithmetic import ExactMatrix
from separation.models import MLP, Declared, Segment, Stored
from separation.proving import (
    ONE,
    Forms,
    InvariantBuilder,
    ProofFailed,
    Symbol,
    after_mlp,
    bit,
    hidden_forms,
)
from separation.proving.attention import (
    score_bound,
    winner_value,
)
from separation.proving.embedding import table_forms
from separation.proving.forms import fresh_noise
from separation.proving.invariants import require_contained
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


CLIP = mlp([[2], [2], [1], [-1]], [1, -1, 0, 0], [[1, -1, -1, 1]])
"""x ← clip(x) + 1: relu(2x+1) − relu(2x−1), and x itself erased."""


def test_the_clip_is_settled_by_cases_on_its_bit() -> None:
    stream = forms([{A: 1, JUNK: Fraction(1, 4)}])
    after = after_mlp(CLIP, stream, hidden_forms(CLIP, stream))
    assert dict(after.terms(0)) == {ONE: 1, A: 1}
    stream = forms([{A: 1, JUNK: Fraction(3, 4)}])  # the error is too large
    after = after_mlp(CLIP, stream, hidden_forms(CLIP, stream))
    assert dict(after.terms(0)) != {ONE: 1, A: 1}


def test_junk_is_erased_exactly_and_its_clip_ranges_within_one() -> None:
    stream = forms([{JUNK: 1}])
    after = after_mlp(CLIP, stream, hidden_forms(CLIP, stream))
    assert JUNK not in dict(after.terms(0))
    assert after.ranges() == [(0, 2)]


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


small = st.integers(-3, 3)


@settings(max_examples=100)
@given(st.lists(st.tuples(small, small, small, small), min_size=1, max_size=4), st.lists(small, min_size=4, max_size=4))
def test_the_mlp_rule_contains_every_value(rows: list[tuple[int, int, int, int]], out: list[int]) -> None:
    """For every bit pattern and junk on a grid, the true value lies in the range of the derived form."""
    stream = forms([{A: 1}, {B: 1}, {JUNK: 1}])
    network = mlp(
        [list(row[:3]) for row in rows], [row[3] for row in rows], [out[: len(rows)], [0] * len(rows), [0] * len(rows)]
    )
    after = after_mlp(network, stream, hidden_forms(network, stream))
    low, high = after.ranges()[0]
    for a, b, tenth in product((1, -1), (1, -1), range(-4, 5)):
        junk = Fraction(tenth, 4)
        hidden = [row[0] * a + row[1] * b + row[2] * junk + row[3] for row in rows]
        true = a + sum(weight * max(Fraction(0), h) for weight, h in zip(out, hidden, strict=False))
        assert low <= true <= high
        known = {ONE: Fraction(1), A: Fraction(a), B: Fraction(b), JUNK: junk}
        if all(symbol in known for symbol, _ in after.terms(0)):
            assert sum(number * known[symbol] for symbol, number in after.terms(0)) == true


def test_containment_accepts_the_claim_and_names_what_is_off() -> None:
    claim = InvariantBuilder(2).code([0], "a", 1).junk([1], 1).build()
    require_contained(forms([{A: 1}, {JUNK: 1}]), claim)
    require_contained(forms([{A: 1}, {B: Fraction(1, 2), JUNK: Fraction(1, 2)}]), claim)
    with pytest.raises(ProofFailed, match="off the claim by") as off:
        require_contained(forms([{A: 1, ONE: 1}, {}]), claim)
    assert off.value.slot == 0
    with pytest.raises(ProofFailed, match=r"claimed within ±1") as wide:
        require_contained(forms([{A: 1}, {B: Fraction(1, 2), JUNK: 1}]), claim)
    assert wide.value.slot == 1


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


@settings(max_examples=40)
@given(st.lists(st.integers(-2, 2), min_size=6, max_size=6), st.lists(st.integers(-2, 2), min_size=6, max_size=6))
def test_the_score_bound_is_an_upper_bound(q: list[int], k: list[int]) -> None:
    query, key = (
        Forms((ONE, A, JUNK), ExactMatrix.from_rows([q[:3], q[3:]])),
        Forms((ONE, B, A), ExactMatrix.from_rows([k[:3], k[3:]])),
    )
    bound = score_bound(query, key)
    for a, b, other, half in product((1, -1), (1, -1), (1, -1), (-2, -1, 0, 1, 2)):
        first = [row[0] + row[1] * a + row[2] * Fraction(half, 2) for row in (q[:3], q[3:])]
        second = [row[0] + row[1] * b + row[2] * other for row in (k[:3], k[3:])]
        assert sum(x * y for x, y in zip(first, second, strict=True)) <= bound


TABLE = Declared((Segment(0, (3, 5), ExactMatrix.from_rows([[1, 2, 3, 4, 5, 6], [0, 0, 1, 0, -1, 2]])),))


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


def test_a_declared_code_that_the_run_does_not_use_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Declared.rows
    monkeypatch.setattr(Declared, "rows", lambda self, numbers: honest(self, numbers) + (numbers == 7)[:, None])
    with pytest.raises(ProofFailed, match="row 7"):
        table_forms(TABLE, 0, (Variable("digit", 3), Variable("index", 5)), "position")


def test_a_smaller_range_reads_the_first_rows_of_a_larger_one() -> None:
    code_of_eight = Declared((Segment(0, (8,), ExactMatrix.from_rows([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])),))
    narrow = table_forms(code_of_eight, 0, (Variable("value", 3),), "token")
    assert [narrow.row_text(row) for row in range(3)] == ["1·value.0", "1·value.1", "-1"]
