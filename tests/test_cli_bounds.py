"""decide, bound and ceiling: budgets, long sizes, symbols, exponents, pictures; every short word is decided."""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from test_cli import run_cli

import separation
from constructions.words import depth
from separation.bounds import Budget, Word, decide, decision_certificate
from separation.bounds.ceilings import ceiling as smallest_ceiling

pytestmark = pytest.mark.usefixtures("remembered_searches")


# --- decide and bound: budgets, long sizes, symbols, and what is loaded ---


def answered(capfd: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, err = run_cli(capfd, *arguments, "--json")
    report = json.loads(out)
    assert all(line.startswith("separation: ") for line in err.splitlines())  # progress, if it takes long
    assert (code == 0) == report["ok"]
    return dict(report)


def test_accumulators_in_floating_point_are_all_that_is_heard(capfd: pytest.CaptureFixture[str]) -> None:
    question = ("bound", "--L", "2", "--heads", "2", "--dim", "3", "--lambda", "0")
    found = answered(capfd, *question, "--accumulate", "float32")
    same = answered(capfd, "bound", "--L", "2", "--beta", str(2 * (3 + 2) * 32), "--lambda", "0", "--proved-only")
    assert (found["ours"], found["accumulate"]) == (same["ours"], "float32")
    fewer = answered(capfd, "bound", "--L", "2", "--beta", str(2 * (3 + 2) * 32 - 1), "--lambda", "0", "--proved-only")
    assert found["ours"] != fewer["ours"]
    said = run_cli(capfd, *question, "--accumulate", "float32")[1]
    assert "from the first token to the last" in " ".join(said.split())
    assert "merge them are not covered" in " ".join(said.split())


def test_one_number_sets_every_lambda(capfd: pytest.CaptureFixture[str]) -> None:
    """Λ = (8, 8): R in front of F. With R in every block, charged in full to each, the prompt is longer."""
    asked = ("bound", "--L", "2", "--beta", "8")
    found = [
        answered(capfd, *asked, *more)
        for more in (("--lambda", "8"), ("--lambda", "8,8"), ("--lambda", "8", "--word", "RF"), ("--lambda", "0,8"))
    ]
    ours = [each["ours"] for each in found]
    assert [each["lambda"] for each in ours] == [[8, 8], [8, 8], [8, 8], [0, 8]]
    assert [each["tokens"] for each in ours] == [22, 22, 22, 23]
    assert found[0]["anywhere"]["tokens"] == 37


def test_long_sizes_are_powers_of_two(capfd: pytest.CaptureFixture[str]) -> None:
    shown = run_cli(capfd, "decide", "R(FR)3", "--L", "4", "--beta", "1000", "--lambda", "1000")[1]
    assert not any(len(word) > 27 and word.replace(",", "").isdigit() for word in shown.split())
    assert "a prompt of 2^" in shown


def test_symbols_and_latex(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_cli(capfd, "bound", "--L", "3", "--beta", "4", "--lambda", "4", "--latex")
    assert code == 0
    assert out.startswith(r"\begin{align*}")
    assert "x_{1} &= y^{3}" in out
    shown = run_cli(capfd, "bound", "--L", "2", "--beta", "4", "--lambda", "4", "--symbolic")[1].splitlines()
    assert {"N_1 = m*n_1", "D_1 = Lambda_0", "x_1 = y", "n_1 = y**2"} <= set(shown)
    assert any(line.startswith("(F)  ") for line in shown)


def test_a_bound_loads_no_construction() -> None:
    """Constructions and provers take a tenth of a second to load, and bounds answer within one."""
    program = (
        "import sys, separation; separation.decide('RF', L=2); separation.bound(L=2, beta=8, state_bits=0); "
        "print(*sorted(name for name in sys.modules if name.startswith(('constructions', 'separation.proving'))))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.split() == []


# --- ceiling: budgets, words that solve, pictures, agreement with the sparse bound ---


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
    stored = ("--m", "4", "--state-bits", "64", "--heads", "1", "--dim", "1", "--bits", "8")
    assert answered(capfd, "ceiling", "RR", *stored)["solvable"] is True, "C3: a state holds the table"
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


# --- exponents by L, their picture, and CPW's sizes ---


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


# --- every short word and every L: decided as the depth says, by a construction that is built, or certified ---


def agree(layers: tuple[str, ...], most: int) -> None:
    """Depth, decision, weights and theorem say the same up to one table beyond the depth.

    R heads beside F heads ([FR]) change no verdict: where it is solvable they idle, and the rest is built. That what is
    built is proved: statement C2.words.
    """
    word = "".join(f"[{layer}]" if layer == "FR" else layer for layer in layers)
    plain = "".join(layer[0] for layer in layers)
    for L in range(1, min(most, depth(plain) + 1) + 1):
        decision = separation.decide(word, L=L, beta=8, state_bits=8).decision
        assert decision.word.depth == depth(plain)
        assert decision.solvable is (depth(plain) >= L)
        if decision.solvable:
            assert separation.build(plain, separation.Sizes(2, (1,) * (L - 1))).model.word == plain
            assert decision.construction == ("C1" if plain.count("F") > L else "C2")
        else:
            assert decision.found is not None
            assert decision.found.certified
            with pytest.raises(separation.InputError, match="depth"):
                separation.build(plain, L)


@pytest.mark.parametrize(("length", "letters"), [(1, ("F", "R", "FR")), (2, ("F", "R", "FR")), (3, ("F", "R"))])
def test_short_words(length: int, letters: tuple[str, ...]) -> None:
    for layers in product(letters, repeat=length):
        agree(layers, 3)


def test_r_layers_without_bits_carry_nothing() -> None:
    """RFF with Λ = 0 is FF: what is certified of FF is certified of it, by a certificate that names FF."""
    with_r, without = (decide(Word.parse(word), 3, Budget(beta=8, total=0)) for word in ("RFF", "FF"))
    assert with_r.found == without.found
    assert (with_r.theorem, with_r.charged) == ("A3c", Word.parse("FF"))
    assert decision_certificate(with_r)["claim"] == decision_certificate(without)["claim"]
    assert decide(Word.parse("RFF"), 3, Budget(beta=8, total=1)).charged == Word.parse("RFF")
