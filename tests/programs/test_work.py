"""Work is counted where it is done: what would take minutes is declined, and nothing ends in a traceback.

Each file is small; only its variables and states are many.
"""

from __future__ import annotations

import json
from typing import Any

import hand_written as by_hand
import pytest
from corpus_cases import CORPUS

from separation.proving import kernel, kernel_forms

BITS = 10
WIDE = 3 + BITS


def certificate(layers: list[dict[str, Any]], *definitions: dict[str, Any]) -> dict[str, Any]:
    """One token with a variable of 2^10 values, its bits in coordinates 3 to 12; the answer is always 1."""
    spelled = by_hand.table(WIDE, ([1 << BITS], {(0, 0): 1} | {(3 + i, 1 + i): 1 for i in range(BITS)}))
    tables = by_hand.table(WIDE, ([1], {})), spelled, by_hand.table(WIDE, ([2], {(0, 1): 1}))
    answer = by_hand.mapped("one", "y", 2, [], [1])
    one = by_hand.kind("one", 1, ("x", 1 << BITS))
    return by_hand.certificate([one], [*definitions, answer], ["one", "y"], tables, layers, [0], (16, 40, 8))


def mlp(units: int, by: int = 1) -> dict[str, Any]:
    """Units x + noise + by·h, which say nothing to the stream."""
    first = {(h, 3 + i): 1 << i for h in range(units) for i in range(BITS)} | {(h, 2): 1 for h in range(units)}
    shapes = {"W_1": (units, WIDE, first), "b_1": (units, 1, {(h, 0): by * h for h in range(units)})}
    shapes |= {"W_2": (WIDE, units, {}), "b_2": (WIDE, 1, {})}
    return {name: by_hand.matrix(*shape) for name, shape in shapes.items()}


def units_without_end() -> dict[str, Any]:
    """A head without a definition leaves noise; each of many units is asked in each of many cases."""
    head = by_hand.full(WIDE, {(0, 1): 1}, {(0, 1): 1}, {(0, 0): 1}, {(2, 0): 1})
    return certificate([by_hand.layer(head, mlps=(mlp(300, 7),))])


def states_without_keys() -> dict[str, Any]:
    """A state of no numbers, and 2^14 pairs of a state and an update."""
    document: dict[str, Any] = json.loads((CORPUS / "construction" / "program-state-without-keys.json").read_bytes())
    return document


@pytest.mark.parametrize(("made", "most"), [(units_without_end, 1 << 21), (states_without_keys, 1 << 19)])
def test_what_is_done_is_counted(made: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    document = made()
    assert kernel.check_certificate(document).ok
    monkeypatch.setattr(kernel, "MAX_WORK", most)
    with pytest.raises(kernel.Declined, match="more work"):
        kernel.check_certificate(document)


def test_a_form_of_too_many_terms_is_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no verdict: an interpreter that ends with a traceback would say that the certificate is rejected."""
    monkeypatch.setattr(kernel_forms, "MAX_TERMS", 4)
    with pytest.raises(kernel.Declined, match="too many terms"):
        kernel.check_certificate(units_without_end())


def test_what_a_certificate_takes_does_not_depend_on_those_before_it() -> None:
    document = units_without_end()
    taken = []
    for _ in range(2):
        kernel.check_certificate(document)
        taken.append(kernel.Work.units)
    assert taken[0] == taken[1]
