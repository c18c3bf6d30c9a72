"""The numbers of docs/bounds.md are computed again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from separation.bounds import least_golden, optimise
from separation.bounds.families import FAMILIES
from separation.bounds.optimise import EFFORTS, MAX_SEARCHED
from separation.bounds.powers import EXACT_BITS
from separation.bounds.schedules import rule_for
from separation.proving.checker import BITS, DIGITS

TEXT = (Path(__file__).parent.parent.parent / "docs" / "bounds.md").read_text()
ROWS = re.findall(r"^\| ([AB]) \| (\d) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", TEXT, re.MULTILINE)


def test_the_table_is_there() -> None:
    assert len(ROWS) == 6


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "".join(row[:2]))
def test_the_table(row: tuple[str, ...]) -> None:
    theorem, L = row[0], int(row[1])
    linear = [8] * L if theorem == "A" else [0, 0, *([8] * (L - 1))]
    golden = least_golden(rule_for(theorem, linear), L, 8, linear)
    found = [golden.evaluation, *(optimise(theorem, L, 8, linear, cover=cover) for cover in ("half", "chosen"))]
    assert golden.y == int(row[2])
    for text, evaluation in zip(row[3:], found, strict=True):
        assert evaluation.point.tokens_log2() == pytest.approx(float(text), abs=0.011)


def test_limits_and_families() -> None:
    assert f"Beyond {EXACT_BITS:,} bits" in TEXT
    assert f"Beyond {MAX_SEARCHED} tables" in TEXT
    assert f"at most {EFFORTS['quick'].exhausted:,} tokens" in TEXT
    assert f"exact up to {BITS:,} bits" in TEXT
    assert f"to {DIGITS} binary digits" in TEXT
    assert set(re.findall(r"`([a-z0-9_]+)`", TEXT)) >= set(FAMILIES) - {
        *("gemma", "olmo", "olmo2", "phi3", "mixtral", "qwen3", "qwen3_moe", "minimax_text_01")
    }
