"""compare: words side by side, with the depth, the bytes and the ceilings that follow from what was given."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from test_cli_bounds import answered

from separation.bounds.ceilings import ceiling
from separation.bounds.theorems.ceiling import chance
from separation.bounds.word import Word


def rows(capfd: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, Any]]:
    return {row["word"]: row for row in answered(capfd, "compare", *arguments)["rows"]}


def test_ceilings_are_those_of_the_theorems(capfd: pytest.CaptureFixture[str]) -> None:
    at = ("--L", "2", "--m", "64", "--n", "8", "--beta", "8", "--lambda", "8")
    found = rows(capfd, "R3F", "FR3", "F", "RFF", *at)
    for name in ("R3F", "FR3", "F"):
        word = Word.parse(name)
        linear = 0 if word.recurrent == 0 else 8
        assert Fraction(found[name]["ceiling"]) == ceiling(word, 64, [8], 8, linear).value < 1
        assert Fraction(found[name]["ceiling"]) >= chance(64, [8])
        assert found[name]["construction"] is None
        assert found[name]["theorem"].startswith("A2")
    assert (found["RF2"]["ceiling"], found["RF2"]["construction"], found["RF2"]["theorem"]) == ("1", "C2", None)


def test_bytes_follow_from_heads_and_states(capfd: pytest.CaptureFixture[str]) -> None:
    shape = ("--heads", "8", "--dim", "64", "--bits", "16", "--state-bits", "65536")
    found = rows(capfd, "RRRF", "FF", *shape)
    assert found["R3F"]["kv_bytes_per_token"] == 2 * 8 * 64 * 2
    assert found["F2"]["kv_bytes_per_token"] == 2 * (2 * 8 * 64 * 2)
    assert (found["R3F"]["state_bytes"], found["F2"]["state_bytes"]) == (3 * 65536 // 8, 0)
    assert rows(capfd, "RRRF", *shape, "--kv-heads", "2")["R3F"]["kv_bytes_per_token"] == 2 * 2 * 64 * 2
    assert rows(capfd, "RRRF")["R3F"]["kv_bytes_per_token"] is None
