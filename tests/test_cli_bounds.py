"""decide and bound on the command line: budgets, long sizes, symbols, and what is loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from test_cli import run_cli

pytestmark = pytest.mark.usefixtures("remembered_searches")


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
