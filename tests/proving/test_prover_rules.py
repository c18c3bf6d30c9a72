"""Rules one by one, where whole proofs would not tell: what bends alike, what a winner's token says, stored rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from construction_changes import proof_of, with_matrix, with_stored_tables

from constructions import build
from separation.models import Stored
from separation.progress import silent
from separation.proving.kernel import Form, Forms, Matrix, Noise, Weights, span
from separation.proving.prover import Prover
from separation.tasks.funccomp import Sizes

SUBJECT = build("C1", Sizes(4, (2,)))
RULES = Prover(SUBJECT, "closed", silent, integral=False)
JUNK = Noise(1)


def mlp(w_1: list[list[int]], b_1: list[int], w_2: list[list[int]]) -> Weights:
    parts = {"W_1": w_1, "b_1": [[x] for x in b_1], "W_2": w_2, "b_2": [[0] for _ in w_2]}
    return {
        name: Matrix(len(rows), [(r, c, rows[r][c]) for r, c in np.argwhere(rows).tolist()])
        for name, rows in parts.items()
    }


def noise_in(form: Form) -> dict[Noise, Fraction | int]:
    return {symbol: c for symbol, c in form.items() if isinstance(symbol, Noise)}


def test_coordinates_that_bend_alike_share_their_noise() -> None:
    """x_1 ← clip(x_0), x_2 ← 3 − 2·clip(x_0): one symbol; x_1 ← |x_0| and x_2 ← clip(x_0) are two."""
    stream: Forms = [{JUNK: 1}, {}, {}]
    after = RULES.relu(mlp([[2, 0, 0], [2, 0, 0]], [1, -1], [[0, 0], [1, -1], [-2, 2]]), stream)
    (one,) = {symbol for form in after[1:] for symbol in noise_in(form)}
    assert [form[one] for form in after[1:]] == [1, -2]
    other = mlp([[2, 0, 0], [2, 0, 0], [-2, 0, 0]], [1, -1, 0], [[0, 0, 0], [1, -1, 0], [0, 0, 1]])
    assert len({symbol for form in RULES.relu(other, stream)[1:] for symbol in noise_in(form)}) == 2


def test_a_multiple_of_the_bent_form_is_taken_with_it() -> None:
    """t − relu(t) is in [−3, 0] for t = ν + 2μ. Of ν + μ one c·t is taken together with −relu(t): c = 1, which leaves
    −μ and a range of 5; or c = 1/2, which leaves ν/2 and t/2 − relu(t) in [−3/2, 0], a range of 5/2."""
    other = Noise(1)
    for beside, size in ((2, 3), (1, Fraction(5, 2))):
        stream: Forms = [{JUNK: 1, other: 2}, {JUNK: 1, other: beside}]
        low, high = span(RULES.relu(mlp([[1, 0]], [0], [[0], [-1]]), stream)[1])
        assert high - low == size


def test_what_the_winner_holds_is_told_in_the_readers_names() -> None:
    """The winner's index is i1 but for its last bit, which is 1 in place of i1's: that bit is not the reader's, nor is
    what the winner alone knows; each of these is fresh noise, and the same wherever it stands."""
    table, reader = (next(p for p, kind in enumerate(RULES.kinds) if kind.name == name) for name in ("table 2", "w"))
    (fact,) = RULES.facts(reader, table)
    supposed = RULES.suppose(table, fact, {"index.0": {"1": 1}})
    assert supposed is not None
    own = ["index.1", "digit.0", "value.0", "i0.0", "i2 at 0 mod 2.0", "index.0", "nobody.0", JUNK]
    told = RULES.renamed([*({s: 1} for s in own), dict.fromkeys(own, 1)], supposed)
    names = ["i1.1", "w1.0", "i2 at 1 mod 2.0", "i0.0", "i2 at 0 mod 2.0"]
    assert told[:5] == [{name: 1} for name in names]
    fresh = [symbol for form in told[5:8] for symbol in noise_in(form)]
    assert len(set(fresh)) == 3
    assert all(symbol.radius == 1 and symbol is not JUNK for symbol in fresh)
    assert told[8] == dict.fromkeys([*names, *fresh], 1)


def test_the_stored_row_that_is_not_the_code_of_its_number_is_named() -> None:
    stored = with_stored_tables(SUBJECT)
    assert proof_of(stored).ok
    assert isinstance(stored.model.positions, Stored)
    rows = stored.model.positions.matrix
    table, column = SUBJECT.shape.kind("table 2"), SUBJECT.model.stream["index"][0]
    last = table.stop - 1  # no row from which others are interpolated
    wrong = with_matrix(stored, ("positions",), rows.with_entry(last, column, rows.entry(last, column) + 1))
    found = proof_of(wrong).failures[0]
    assert (found.rule, found.slot, found.kind) == ("P1", "index[0]", "table 2")
    assert f"positions row {last} is not the code" in found.message
    assert found.details["holds"] == str(rows.entry(last, column) + 1)
