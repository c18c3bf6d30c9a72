"""The Python API: the verbs by their names, lazily."""

from __future__ import annotations

import doctest
import importlib
from dataclasses import replace

import pytest

import separation
from proofs_checks.c1_proved import last_two_layers_swapped
from proofs_checks.s4_clip import STATEMENT


def test_all_names_exist() -> None:
    for name in separation.__all__:
        assert getattr(separation, name) is not None
    assert dir(separation) == separation.__all__
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        _ = separation.frobnicate


def test_the_docstring_example_runs() -> None:
    assert doctest.testmod(separation).failed == 0
    assert doctest.testmod(separation).attempted > 0


def test_verbs_return_reports() -> None:
    proved = separation.prove("C1", L=2, m=3, n=(2,))
    solved = separation.solve("C1", L=2, m=3, n=(2,), seed=5)
    assert proved.ok
    assert solved.ok
    assert proved.document()["ok"] is True
    assert solved.answer == solved.expected


def test_wrong_weights_turn_verify_red(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("separation.verbs.verify")
    monkeypatch.setattr(module, "SIZES", module.SIZES[3:4])
    monkeypatch.setattr(module, "statements", list)
    assert separation.verify().ok
    monkeypatch.setattr(module, "build", lambda _name, sizes: last_two_layers_swapped(sizes))
    report = separation.verify()
    assert not report.ok
    assert report.constructions[0].mismatches > 0
    assert "layer" in report.constructions[0].message


def test_a_failing_statement_turns_verify_red(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("separation.verbs.verify")
    monkeypatch.setattr(module, "SIZES", ())
    false = replace(STATEMENT, subject=next(iter(STATEMENT.twins.values())))
    monkeypatch.setattr(module, "statements", lambda: [false])
    report = separation.verify()
    assert not report.ok
    assert report.document()["statements"][0]["status"] == "failed"
