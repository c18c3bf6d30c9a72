"""R.window: attention over the last w tokens is a recurrence whose state is their keys and values.

Attention over the last w tokens is a recurrence: its state is their keys and values, w·(d_k + d_v) numbers for each
head, and nothing else passes from one token to the next. The other families are in [recurrences.md](recurrences.md).
"""

from __future__ import annotations

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.recurrences import (
    FAMILIES,
    TWINS,
    Recurrence,
    SlidingWindow,
    State,
    Token,
    check_exact,
    check_symbolic,
    fractions,
)

WINDOWS, TOKENS, SIZES = range(1, 6), 6, {"d_k": 2, "d_v": 3}


def check(family: Recurrence) -> Checked:
    """The scan is the banded attention, and all that crosses a boundary is a state of w·(d_k + d_v) numbers.

    With a symbol for each input number (T = 3, w = 2) both are the same expressions: for all inputs. On random
    fractions, for w = 1..5 and T = 6: equal fractions; and stopped at every token and resumed from the state alone, the
    scan continues with the same outputs.
    """
    outcome = check_symbolic(family)
    require(outcome.holds is True, f"the scan is not the banded attention: {outcome.scope}")
    for window in WINDOWS:
        sizes = SIZES | {"w": window}
        require(check_exact(family, TOKENS, sizes).holds is True, f"w = {window}: scan and attention differ")
        xs = fractions(family, TOKENS, sizes, seed=window)
        whole = family.run(xs)
        for boundary in range(1, TOKENS):
            _, state = family.run_from(family.initial(xs.sizes), xs.part(0, boundary))
            numbers = sum(part.size for part in state)
            require(numbers <= window * (SIZES["d_k"] + SIZES["d_v"]), f"w = {window}: a state of {numbers} numbers")
            rest, _ = family.run_from(state, xs.part(boundary, TOKENS))
            require(
                bool((rest == whole[boundary:]).all()),
                f"w = {window}: more than the state is carried past token {boundary}",
            )
    method = "the same expressions with a symbol for each number; also in fractions, stopped at every token"
    return Checked(Status.ALL_INPUTS, method, f"T = 3, w = 2; w up to {max(WINDOWS)} on random fractions")


class _KeepsTheFirst(SlidingWindow):
    """Broken: a full window drops its second token."""

    def step(self, state: State, x: Token) -> State:
        keys, values = super().step(state, {**x, "window": x["window"] + 1})
        if len(keys) <= x["window"]:
            return keys, values
        return np.delete(keys, 1, axis=0), np.delete(values, 1, axis=0)


STATEMENT = Statement(
    id="R.window",
    title="a sliding window is an R layer, at T = 3",
    latex=r"y_t=\frac{\sum_{t-w<j\le t}e(q_t,k_j)v_j}{\sum_{t-w<j\le t}e(q_t,k_j)},\quad"
    r"s=w\,(d_k+d_v)\,p\ \text{for each head}",
    english="Sliding-window attention with window w is a recurrent layer: its state is the last w keys and values.",
    subject=FAMILIES["sliding-window"],
    check=check,
    twins={
        "one token more": TWINS["sliding-window"],
        "the first key is kept": _KeepsTheFirst(),
    },
    hypotheses=(Hypothesis("the window has at least one token", lambda window: window >= 1, outside=0),),
    witness=2,
)
"""The witness: w."""
