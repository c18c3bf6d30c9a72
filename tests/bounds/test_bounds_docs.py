"""The numbers of docs/bounds.md are computed again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from separation.bounds import Rule, exponents, least_golden, optimise
from separation.bounds.asymptote import golden_asymptote
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


def test_the_exponents() -> None:
    pattern = r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \|$"
    rows = re.findall(pattern, TEXT, re.MULTILINE)
    assert len(rows) == 4
    limit = golden_asymptote()
    for L, paper, cpw, a, b, ratio, growth in rows:
        row = exponents(int(L))
        assert (row.paper, row.cpw, row.theorem_a, row.theorem_b) == (int(paper), int(cpw), int(a), int(b))
        assert f"{row.ratio:.1f}" == ratio
        assert f"{limit.at(int(L)):.2f}" == growth


def test_the_gains() -> None:
    """2^39.95, 2^41.61, 2^43.55 and 2^38.68, at L = 3 and β = 8."""
    found: list[str] = []
    for linear, cover, rule in (
        ([8, 8, 8], "half", Rule.A),
        ([8, 8, 8], "chosen", Rule.A),
        ([0, 8, 8], "half", Rule.A),
        ([0, 8, 8], "half", Rule.A_FREE),
    ):
        golden = least_golden(rule, 3, 8, linear).evaluation.point.tokens_log2()
        found.append(f"2^{golden - optimise('A', 3, 8, linear, cover=cover).point.tokens_log2():.2f}")
    assert all(gain in TEXT for gain in found), found


def test_limits_and_families() -> None:
    assert f"Beyond {EXACT_BITS:,} bits" in TEXT
    assert f"Beyond {MAX_SEARCHED} tables" in TEXT
    assert f"at most {EFFORTS['quick'].exhausted:,} tokens" in TEXT
    assert f"exact up to {BITS:,} bits" in TEXT
    assert f"to {DIGITS} binary digits" in TEXT
    assert set(re.findall(r"`([a-z0-9_]+)`", TEXT)) >= set(FAMILIES) - {
        *("gemma", "olmo", "olmo2", "phi3", "mixtral", "qwen3", "qwen3_moe", "minimax_text_01")
    }
