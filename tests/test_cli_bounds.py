"""decide, bound and recurrences on the command line: keys, certificates, one line for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from test_cli import run_cli

pytestmark = pytest.mark.usefixtures("remembered_searches")

CONFIGS = Path(__file__).parent / "architectures" / "configs"


def answered(capfd: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
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


DECIDE_KEYS = {"word", "depth", "L", "solvable", "reason", "construction", "theorem", "hard_sizes"}


def test_decide_has_the_keys_and_names_construction_or_theorem(capfd: pytest.CaptureFixture[str]) -> None:
    can = answered(capfd, "decide", "RFF", "--L", "2")
    assert can.keys() >= DECIDE_KEYS
    assert (can["depth"], can["solvable"], can["construction"], can["hard_sizes"]) == (2, True, "C2", None)
    assert answered(capfd, "decide", "F3", "--L", "2")["construction"] == "C1"
    cannot = answered(capfd, "decide", "(RRF)2", "--L", "3", "--beta", "8", "--lambda", "8")
    assert (cannot["depth"], cannot["solvable"], cannot["theorem"]) == (2, False, "A3")
    sizes = cannot["hard_sizes"]
    assert isinstance(sizes, dict)
    assert sizes.keys() >= {"beta", "lambda", "m", "n", "tokens", "tokens_log2"}
    assert answered(capfd, "decide", "FF", "--L", "2", "--beta", "4", "--lambda", "0")["theorem"] == "B2c"
    assert answered(capfd, "decide", "RR", "--L", "1", "--beta", "4", "--lambda", "8")["theorem"] == "C"


def test_one_number_sets_every_lambda(capfd: pytest.CaptureFixture[str]) -> None:
    """Λ = (8, 8): R in front of F. With R in every block, charged in full to each, the prompt is longer."""
    asked = ("bound", "--L", "2", "--beta", "8")
    found = [
        answered(capfd, *asked, *more)
        for more in (("--lambda", "8"), ("--lambda", "8,8"), ("--lambda", "8", "--word", "RF"), ("--lambda", "0,8"))
    ]
    ours = [each["ours"] for each in found]
    assert [each["lambda"] for each in ours] == [[8, 8], [8, 8], [8, 8], [0, 8]]  # type: ignore[index]
    assert [each["tokens"] for each in ours] == [22, 22, 22, 23]  # type: ignore[index]
    assert found[0]["anywhere"]["tokens"] == 37  # type: ignore[index]


def test_long_sizes_are_powers_of_two(capfd: pytest.CaptureFixture[str]) -> None:
    shown = run_cli(capfd, "decide", "R(FR)3", "--L", "4", "--beta", "1000", "--lambda", "1000")[1]
    assert not any(len(word) > 27 and word.replace(",", "").isdigit() for word in shown.split())
    assert "a prompt of 2^" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["bound", "--L", "2", "--beta", "8", "--lambda", "4"],
        ["bound", "--L", "2", "--heads", "2", "--dim", "4", "--bits", "4"],
        ["bound", "--L", "2", "--beta", "4", "--lambda", "20", "--full-layers", "0"],
        ["decide", "RFR", "--L", "2", "--beta", "4", "--lambda", "4"],
        ["decide", "RFR", "--L", "1"],
    ],
)
def test_every_answer_can_be_written_and_checked(
    arguments: list[str], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "certificate.json"
    assert run_cli(capfd, *arguments, "--out", str(file))[0] == 0
    verdict = answered(capfd, "check", str(file))
    assert (verdict["ok"], verdict["kind"]) == (True, {"bound": "bound", "decide": "decision"}[arguments[0]])
    certificate = json.loads(file.read_text())
    if certificate["claim"].get("beta") is not None:
        certificate["claim"]["beta"] += 10**6
        file.write_text(json.dumps(certificate))
        assert run_cli(capfd, "check", str(file))[0] == 1


def test_symbols_and_latex(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_cli(capfd, "bound", "--L", "3", "--beta", "4", "--lambda", "4", "--latex")
    assert code == 0
    assert out.startswith(r"\begin{align*}")
    assert "x_{1} &= y^{3}" in out
    shown = run_cli(capfd, "bound", "--L", "2", "--beta", "4", "--lambda", "4", "--symbolic")[1].splitlines()
    assert {"N_1 = m*n_1", "D_1 = Lambda_0", "x_1 = y", "n_1 = y**2"} <= set(shown)
    assert any(line.startswith("(F)  ") for line in shown)


def test_a_config_is_read(capfd: pytest.CaptureFixture[str]) -> None:
    report = answered(capfd, "bound", "--config", str(min(CONFIGS.glob("*.json"))))
    assert report.keys() >= {"ours", "paper", "cpw", "word", "depth", "L"}
    assert report["L"] == report["depth"] + 1  # type: ignore[operator]


def test_a_bound_loads_no_construction() -> None:
    """Constructions and provers take a tenth of a second to load, and bounds answer within one."""
    program = (
        "import sys, separation; separation.decide('RF', L=2); separation.bound(L=2, beta=8, state_bits=0); "
        "print(*sorted(name for name in sys.modules if name.startswith(('constructions', 'separation.proving'))))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.split() == []
