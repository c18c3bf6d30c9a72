"""What the kernel says about small certificates and single changes of them is what verdict_cases.py recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest
from recording import put
from verdict_cases import RECORD, RECORDED_BY, said

CASES: dict[str, dict[str, Any]] = json.loads(RECORD.read_text()) if RECORD.exists() else {}
AT_ONCE = 10  # changes in one test
PARTS = [(name, first) for name, case in CASES.items() for first in range(0, len(case["changes"]), AT_ONCE)]


def test_there_is_a_record() -> None:
    assert CASES, f"run  {RECORDED_BY}"


@pytest.mark.parametrize("name", CASES)
def test_what_holds_is_accepted(name: str) -> None:
    assert said(CASES[name]["document"]) == CASES[name]["said"]
    assert CASES[name]["said"][0] == "accepted"


@pytest.mark.parametrize(("name", "first"), PARTS)
def test_changes(name: str, first: int) -> None:
    document = CASES[name]["document"]
    for path, value, *expected in CASES[name]["changes"][first : first + AT_ONCE]:
        assert said(put(document, tuple(path), value)) == expected, (path, value)


def test_every_kind_and_every_verdict_is_there() -> None:
    assert {case["document"]["kind"] for case in CASES.values()} == {"construction", "bound", "decision", "pair"}
    for name, case in CASES.items():
        assert {change[2] for change in case["changes"]} >= {"rejected", "malformed"}, name
