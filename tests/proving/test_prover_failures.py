"""What the prover says about constructions and single changes of them is what failure_cases.py recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest
from failure_cases import RECORD, model, said
from recording import put

CASES: dict[str, dict[str, Any]] = json.loads(RECORD.read_text())
AT_ONCE = 5  # changes in one test
PARTS = [(name, first) for name, case in CASES.items() for first in range(0, len(case["changes"]), AT_ONCE)]


@pytest.mark.parametrize("path", ["closed", "both"])
@pytest.mark.parametrize("name", CASES)
def test_what_holds_is_proved(name: str, path: str) -> None:
    assert said(model(name), path) == CASES[name]["said"][path]
    assert CASES[name]["said"][path][0] == "proved"


@pytest.mark.parametrize(("name", "first"), PARTS)
def test_changes(name: str, first: int) -> None:
    for path, value, *expected in CASES[name]["changes"][first : first + AT_ONCE]:
        assert said(put(model(name), tuple(path), value)) == expected, (path, value)


def test_every_rule_and_every_verdict_is_there() -> None:
    texts = [change[3] for case in CASES.values() for change in case["changes"] if change[2] == "refuted"]
    for rule in ("P1", "P3", "P7", "P8", "P10"):
        assert any(f"({rule})" in text for text in texts), rule
    for name, case in CASES.items():
        assert {change[2] for change in case["changes"]} >= {"refuted", "unreadable"}, name
