"""Units that select (P6), in the prover: against all signs of the bits, and what each condition is for."""

from __future__ import annotations

from fractions import Fraction

from separation.arithmetic import ExactMatrix
from separation.models import MLP
from separation.proving import ONE, Forms, after_mlp, bit, hidden_forms
from separation.proving.relu import selection
from separation.tasks.funccomp import Sizes

SHAPE = Sizes(3, (1,)).shape()
ROWS = range(3)
SYMBOLS = [ONE, bit("i1", 0), bit("i1", 1), *(bit(f"i2 at {j} mod 4", 0) for j in ROWS), bit("w1", 0)]
STREAM = Forms(
    SYMBOLS, ExactMatrix.from_entries((len(SYMBOLS), len(SYMBOLS)), [(k, k, 1) for k in range(len(SYMBOLS))])
)
Changes = dict[tuple[int, int], int]


def selector(first: Changes | None = None, bias: int = -1, out: Changes | None = None) -> MLP:
    """Unit j is code(j)·i1 + row_j + bias; the sum of all is added to coordinate 0. Entries may be changed."""
    entries = {(j, 1 + k): 1 if j >> k & 1 else -1 for j in ROWS for k in range(2)} | {(j, 3 + j): 1 for j in ROWS}
    entries |= first or {}
    out = {(0, j): 1 for j in ROWS} | (out or {})
    width = len(SYMBOLS)
    return MLP(
        ExactMatrix.from_entries((3, width), [(*place, number) for place, number in entries.items()]),
        ExactMatrix.from_entries((3, 1), [(j, 0, bias) for j in ROWS]),
        ExactMatrix.from_entries((width, 3), [(*place, number) for place, number in out.items()]),
        ExactMatrix.zeros(width, 1),
    )


BROKEN = [
    ("a unit of the wrong code", selector({(0, 1): 1})),
    ("a bit of i1 left out", selector({(0, 1): 0}, bias=0)),
    ("another bit", selector({(0, 6): 1})),
    ("two rows in a unit", selector({(0, 4): 1})),
    ("no row in a unit", selector({(0, 3): 0})),
    ("units of other rows above 0", selector(bias=0)),
    ("units of the right row below 0", selector(bias=-2)),
    ("a row that counts twice", selector(out={(0, 1): 2})),
    ("a row that goes elsewhere", selector(out={(0, 1): 0, (1, 1): 1})),
    ("a row that goes nowhere", selector(out={(0, 1): 0})),
]


def test_nothing_is_selected_if_one_condition_fails() -> None:
    for what, mlp in BROKEN:
        assert selection(mlp, hidden_forms(mlp, STREAM), SHAPE)[1] == [], what
    after = after_mlp(selector(), STREAM, hidden_forms(selector(), STREAM))  # nor without a task
    assert bit("i2", 0) not in dict(after.terms(0))


def test_any_scale_and_any_weight_select() -> None:
    """c_k = 3, d = 2, A = 3: A − D = 1 ≥ 0 and A + D = 5 ≤ 6."""
    entries = {(j, 1 + k): 3 if j >> k & 1 else -3 for j in ROWS for k in range(2)} | {(j, 3 + j): 2 for j in ROWS}
    mlp = selector(entries, bias=-3, out={(0, j): -5 for j in ROWS})
    forms, units = selection(mlp, hidden_forms(mlp, STREAM), SHAPE)
    assert units == [0, 1, 2]
    assert dict(forms.terms(0)) == {ONE: Fraction(-15), bit("i2", 0): Fraction(-10)}
