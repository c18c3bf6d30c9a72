"""Exponents by L, their picture, and CPW's sizes: as reports, as files, on the command line."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest
from test_cli import run_cli

import separation

pytestmark = pytest.mark.usefixtures("remembered_searches")


def test_the_rows() -> None:
    report = separation.exponents_table(L=5, products=(8,)).document()
    fibonacci = [0, 1]
    while len(fibonacci) < 14:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    for row in report["rows"]:
        L = row["L"]
        expected = 2 ** (4 * L + 2), 16**L, fibonacci[2 * L + 1] - 2, fibonacci[2 * L + 2] - 2
        assert (row["paper"], row["cpw"], row["theorem_a"], row["theorem_b"]) == expected
        assert row["ratio"] == pytest.approx(expected[0] / expected[2])
        golden = (1 + math.sqrt(5)) / 2
        assert row["asymptote"] == pytest.approx(golden ** (2 * L + 1) / math.sqrt(5))
    assert [row["L"] for row in report["rows"]] == [2, 3, 4, 5]
    assert report["limits"]["rate"]["value"] == pytest.approx(0.16363, abs=1e-5)


def test_it_is_said_of_which_word_the_exponent_at_three_tables_is() -> None:
    """At L = 3 the exponent of FF is 2, that of RFF is 4: from β = 2^14 to 2^18, up to logarithms."""
    assert "about FF without R in front; with it, RFF, the 4 of A_L stands for it" in str(
        separation.exponents_table(L=3, products=(1,))
    )
    for word, exponent in (("FF", 2), ("RFF", 4)):
        few, many = (separation.decide(word, L=3, beta=1 << k, state_bits=word.count("R")) for k in (14, 18))
        grown = [each.document()["hard_sizes"]["tokens_log2"] for each in (few, many)]
        assert exponent - 0.5 < (grown[1] - grown[0]) / 4 < exponent


def test_the_picture_and_its_numbers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    figure, data = tmp_path / "exponents.png", tmp_path / "exponents.csv"
    code, out, _ = run_cli(capfd, "bound", "--L", "3", "--figure", str(figure), "--json")
    report = json.loads(out)
    assert (code, report["figure"], report["data"]) == (0, str(figure), str(data))
    assert figure.read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(data.read_text().splitlines()))
    assert [(row["L"], row["paper"], row["theorem_a"]) for row in rows] == [("2", "1024", "3"), ("3", "16384", "11")]
    assert sorted(tmp_path.iterdir()) == [data, figure]
