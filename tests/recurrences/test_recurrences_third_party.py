"""The recurrences are what others compute: same inputs, within the bound; and no broken twin is."""

from __future__ import annotations

import importlib.metadata
import logging
import warnings
from dataclasses import replace

import pytest

from separation.recurrences import FAMILIES, REFERENCES, TWINS, check_third_party, missing_package
from separation.recurrences.third_party import quietly

every_name = pytest.mark.parametrize("name", list(FAMILIES))


def _require(name: str) -> None:
    missing = missing_package(REFERENCES[name])
    if missing is not None:
        pytest.skip(f"{missing} is not installed: pip install 'separation[third-party]'")


@every_name
def test_equal_to_an_implementation_of_others_and_no_twin_is(name: str) -> None:
    _require(name)
    outcome, twin = check_third_party(FAMILIES[name]), check_third_party(TWINS[name])
    assert outcome.holds, outcome
    assert twin.holds is False
    assert 0 < outcome.error <= outcome.bound < twin.error


def test_who_is_not_installed_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(package: str) -> str:
        raise importlib.metadata.PackageNotFoundError(package)

    monkeypatch.setattr(importlib.metadata, "version", nowhere)
    for family in FAMILIES.values():
        outcome = check_third_party(family)
        assert (outcome.holds, outcome.scope) == (None, "torch not installed")


@pytest.mark.parametrize("change", [{"module": "fla.ops.nowhere"}, {"module": "os.path"}, {"function": "nobody"}])
def test_a_function_that_is_gone_is_said_to_be(change: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    _require("gla")
    monkeypatch.setitem(REFERENCES, "gla", replace(REFERENCES["gla"], **change))
    outcome = check_third_party(FAMILIES["gla"])
    assert outcome.holds is None
    assert "flash-linear-attention" in outcome.scope
    assert "does not have it" in outcome.scope


def test_a_failure_of_the_call_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    _require("gla")

    def broken(_function: object, _xs: object) -> None:
        raise AttributeError("inside")

    monkeypatch.setitem(REFERENCES, "gla", replace(REFERENCES["gla"], call=broken))
    with pytest.raises(AttributeError, match="inside"):
        check_third_party(FAMILIES["gla"])


def test_warnings_of_others_are_silent_and_ours_are_not() -> None:
    before = logging.root.manager.disable
    with quietly():
        warnings.warn("not heard", stacklevel=1)
    assert logging.root.manager.disable == before
    with pytest.warns(UserWarning, match="heard"):
        warnings.warn("heard", stacklevel=1)
