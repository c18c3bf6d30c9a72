"""The table of what is built: measured numbers beside formulas, as JSON and as text."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from separation.verbs.constructions import ConstructionsReport, constructions_table

SMALL = {"L": 2, "m": 3, "n": [2], "length": 5, "modulus": 7, "block": 2, "opened": 1}


TOLD: list[tuple[float, str]] = []


@pytest.fixture(scope="module")
def report() -> ConstructionsReport:
    return constructions_table(**SMALL, progress=lambda done, what: TOLD.append((done, what)))


def shown(report: ConstructionsReport, width: int = 100) -> str:
    stream = StringIO()
    report.show(Console(file=stream, width=width))
    return stream.getvalue()


def test_a_wrong_number_is_shown_and_is_not_ok(report: ConstructionsReport) -> None:
    row = report.rows[0]
    wrong = replace(row, measured={**(row.measured or {}), "width": 1, "state_bits": None})
    changed = replace(report, rows=(wrong, *report.rows[1:]))
    assert not changed.ok
    assert changed.document()["rows"][0]["ok"] is False
    assert changed.document()["rows"][0]["state_bits"] is None
    text = shown(changed, width=140)
    assert "1, not 16" in text
    assert "?, not 0" in text
    assert "✗ a measured number differs" in text


def test_what_is_too_large_to_be_built_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from proofs_checks.statements import c_sizes

    monkeypatch.setattr(c_sizes, "MAX_FEATURES", 1)
    report = constructions_table(L=1, m=2, length=1)
    (row,) = (row for row in report.rows if row.id == "C3")
    assert row.measured is None
    assert row.ok
    document = row.document()
    assert (document["built"], document["width"], document["precision_bits"]["p"]) == (False, None, None)
    text = shown(report)
    assert "C3 is too large to be built" in text
    assert f"({row.said['width']})" in text


def test_progress_goes_from_nothing_to_all(report: ConstructionsReport) -> None:
    assert report.ok
    assert TOLD[0] == (0.0, "C1 F^(L+1)")
    assert all(0 <= done <= 1 for done, _ in TOLD)
    assert [done for done, _ in TOLD] == sorted(done for done, _ in TOLD)
