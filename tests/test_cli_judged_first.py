"""Options are judged before any work is done and before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from separation.files import InputError
from separation.verbs.command_line import run
from separation.verbs.options import numbers, two_shares

REFUSED = {
    "symbols of one table": ("bound --L 1 --beta 8 --lambda 8 --latex --out o1.json", "symbols are there for"),
    "symbols of R alone": ("bound --L 2 --full-layers 0 --beta 8 --lambda 8 --symbolic --out o1.json", "symbols are"),
    "n": ("prove C1 --L 2 --n=--5", "--n is '--5'; a list of integers"),
    "n of dashes": ("solve C1 --L 2 --n=-", "--n is '-'"),
    "cut": ("simulate --word RF --cut=--5", "--cut is '--5'; a list of integers"),
    "lambda": ("bound --L 2 --beta 8 --lambda=--5", "--lambda is '--5'"),
    "errors": ("bound --sparse --block 4 --open 1 --blocks 4 --errors 0.1,0.1,0.1", "two shares"),
    "device": ("crosscheck C1 --device zz --tokens 1000000", "device is 'zz'; known are"),
    "dtype": ("crosscheck C1 --dtype zz --tokens 1000000", "zz"),
    "path": ("crosscheck C1 --path zz --tokens 1000000", "zz"),
    "twice the same file": ("prove C1 --L 1 --out a.json --write-model a.json", "two outputs have the same name"),
    "twice the same picture": ("simulate C1 --L 1 --out a.svg --figure ./a.svg", "two outputs have the same name"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_at_once_with_nothing_written(
    name: str, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("separation.models.run", _never)
    monkeypatch.setattr("constructions.build", _never if "device" in name else __import__("constructions").build)
    line, part = REFUSED[name]
    code = run(line.split())
    captured = capfd.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.startswith("separation: error: ")
    assert captured.err.count("\n") == 1
    assert part in captured.err
    assert list(tmp_path.iterdir()) == []


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
