"""ceiling on the command line: budgets, words that solve, pictures, agreement with the sparse bound."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest
from test_cli import run_cli
from test_cli_bounds import answered

from separation.bounds import Word
from separation.bounds.ceilings import ceiling as smallest_ceiling

pytestmark = pytest.mark.usefixtures("remembered_searches")

ASKED = ["ceiling", "RF", "--L", "2", "--m", "64", "--n", "8", "--beta", "8", "--lambda", "8"]


def test_one_number_of_state_bits_counts_in_every_block_with_r(capfd: pytest.CaptureFixture[str]) -> None:
    """8 bits may all be late: the ceiling must not be that of Λ = (8, 8), which says λ_1 = 0."""
    one, by_block, early = (
        answered(capfd, "ceiling", "RFR", "--m", "64", "--n", "8", "--beta", "8", "--lambda", bits)
        for bits in ("8", "8,16", "8,8")
    )
    assert one["lambda"] == [8, 16]
    assert one["ceiling"] == by_block["ceiling"]
    assert one["ceiling_float"] > early["ceiling_float"]
    late = smallest_ceiling(Word.parse("FR"), 64, (8,), 8, (0, 8))
    assert float(late.value) <= one["ceiling_float"]


def test_a_word_that_solves_it_has_no_ceiling(capfd: pytest.CaptureFixture[str]) -> None:
    report = answered(capfd, "ceiling", "RFF", "--m", "64", "--n", "8", "--beta", "8", "--lambda", "8")
    assert (report["ceiling"], report["theorem"], report["solvable"], report["certified"]) == ("1", None, True, True)
    unknown = answered(capfd, "ceiling", "RF", "--m", "2", "--n", "2", "--beta", "99", "--lambda", "99")
    assert (unknown["ceiling"], unknown["solvable"], unknown["certified"]) == ("1", None, False)


@pytest.mark.parametrize("against", ["length", "lambda", "beta"])
def test_the_picture(against: str, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The curve falls with the length and rises with what the model may send; its numbers are those of the file."""
    picture = tmp_path / "c.svg"
    report = answered(capfd, *ASKED, "--figure", str(picture), "--against", against)
    assert picture.read_bytes().startswith(b"<?xml")
    with (tmp_path / "c.csv").open() as file:
        rows = list(csv.DictReader(file))
    values = [float(row["ceiling"]) for row in rows]
    assert [each["ceiling"] for each in report["curve"]] == pytest.approx(values, rel=1e-6)
    assert values == sorted(values, reverse=against == "length")
    assert min(values) < 0.2
    assert all(float(row["chance"]) < float(row["ceiling"]) for row in rows)


def test_the_sparse_bound_and_the_sparse_ceiling_agree(capfd: pytest.CaptureFixture[str]) -> None:
    """One bit less than what 5 % errors need finds fewer than 95 % of the matches, a little more may find them.

    The two round differently: the bound takes ⌈r·20/64⌉ for 1 − δ = 19/20, so it may be 64/20 bits below the ceiling.
    """
    layer = ["--block", "64", "--open", "1", "--blocks", "32"]
    bits = int(str(answered(capfd, "bound", "--sparse", "--errors", "0.05,1/20", *layer)["bits_needed"]))
    for given, enough in ((bits - 1, False), (bits + 4, True)):
        found = answered(capfd, "ceiling", "--sparse", *layer, "--summary-bits", str(given), "--false-alarms", "0.05")
        assert (Fraction(str(found["ceiling"])) >= Fraction(19, 20)) == enough
        code = run_cli(capfd, "bound", "--sparse", "--errors", "0.05,0.05", *layer, "--summary-bits", str(given))[0]
        assert code == (1 if enough else 0)
