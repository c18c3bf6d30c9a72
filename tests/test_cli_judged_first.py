"""Options are judged before any work is done; lists are read strictly."""

from __future__ import annotations

import pytest

from separation.files import InputError
from separation.verbs.command_line import run
from separation.verbs.options import numbers, two_shares


@pytest.mark.parametrize("option", ["--device", "--dtype", "--path"])
def test_refused_before_anything_is_built(
    option: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("constructions.build", _never)
    assert run(["crosscheck", "C1", option, "zz", "--tokens", "1000000"]) == 2
    assert "zz" in capfd.readouterr().err


def _never(*_: object, **__: object) -> None:
    raise AssertionError("work was done before the options were judged")


@pytest.mark.parametrize("text", ["--5", "-", "5-", "1,--2", "٣", "1_000", "+1", "0x1", "1" * 4001])
def test_lists_of_integers_are_read_strictly(text: str) -> None:
    with pytest.raises(InputError, match="a list of integers like 8,8 is needed"):
        numbers(text, "--n")


def test_lists_that_are_read() -> None:
    assert numbers(" 8, -3,", "--n") == [8, -3]
    assert numbers("", "--n") == []
    assert [float(part) for part in two_shares("0.5,1/4", "--errors")] == [0.5, 0.25]
