"""All constructions on the command line: proved, solved, shown, certified; bad options are one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_cli import run_cli

VARIANTS = {
    "C1": ["C1", "--L", "2"],
    "C2": ["C2", "--L", "2"],
    "C2 F first": ["C2", "--L", "2", "--word", "FRF"],
    "C2 delta": ["C2", "--L", "2", "--word", "RFF", "--family", "delta"],
    "a word": ["RFRF", "--L", "2"],
    "C3": ["C3", "--L", "2"],
    "C4": ["C4", "--L", "3"],
    "C5": ["C5", "--L", "2"],
    "C5 FR": ["C5", "--L", "3", "--word", "FR", "--family", "delta"],
    "C5 F": ["C5", "--L", "1", "--word", "F"],
    "C6": ["C6", "--length", "12"],
    "C6 modulus": ["C6", "--length", "9", "--modulus", "7"],
    "C7": ["C7", "--length", "10", "--modulus", "11"],
    "C7 blocks": ["C7", "--length", "10", "--block", "3", "--open", "2"],
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_verb_takes_every_variant(variant: str, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Proved and its certificate checked; proved again from the model file; solved, from both; shown, as LaTeX too."""
    named = VARIANTS[variant]
    suffix = ("json", "safetensors")[[*VARIANTS].index(variant) % 2]
    certificate, file = tmp_path / "certificate.json", tmp_path / f"model.{suffix}"
    code, out, err = run_cli(capfd, "prove", *named, "--json", "--out", str(certificate), "--write-model", str(file))
    report = json.loads(out)
    assert (code, err, report["ok"]) == (0, "", True)
    assert report["layers"] == len(report["word"])
    code, out, _ = run_cli(capfd, "check", str(certificate), "--json")
    verdict = json.loads(out)
    assert (code, verdict["ok"]) == (0, True)
    assert [verdict["claim"][key] for key in ("word", "state_bits")] == [report["word"], report["state_bits"]]
    code, out, _ = run_cli(capfd, "prove", "--model", str(file), "--json")
    again = json.loads(out)
    assert (code, again["construction"]) == (0, file.name)
    differ = {"construction", "seconds", "certificate", "model_file"}
    assert {key: report[key] for key in report.keys() - differ} == {key: again[key] for key in again.keys() - differ}
    for asked in ((*named, "--seed", "1"), ("--model", str(file))):
        code, out, _ = run_cli(capfd, "solve", *asked, "--json")
        solved = json.loads(out)
        assert (code, solved["answer"], solved["outputs"]) == (0, solved["expected"], solved["expected_outputs"])
    code, out, _ = run_cli(capfd, "show", *named)
    assert code == 0
    assert "W_V" in out
    assert run_cli(capfd, "show", *named, "--latex")[0] == 0


def test_the_default_modulus_is_the_next_odd_number_above_the_square(capfd: pytest.CaptureFixture[str]) -> None:
    for length, modulus in ((8, 65), (9, 83)):
        report = json.loads(run_cli(capfd, "prove", "C6", "--length", str(length), "--json")[1])
        assert (report["length"], report["modulus"]) == (length, modulus)


def test_solve_reads_a_two_sum_instance(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps({"task": "two_sum", "modulus": 7, "x": [3, 1, 4, 6, 2]}))
    for name in ("C6", "C7"):
        report = json.loads(run_cli(capfd, "solve", name, "--instance", str(file), "--json")[1])
        assert report["outputs"] == [0, 0, 1, 1, 0]
        assert report["ok"]
    code, _, err = run_cli(capfd, "solve", "C1", "--instance", str(file))
    assert code == 2
    assert "C1 is built for Sizes" in err


def test_every_input_is_run_and_one_wrong_answer_is_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`prove --exhaustive --out`, and `prove --out` of what is wrong: `check` accepts both files."""
    good, weights, bad = (str(tmp_path / name) for name in ("all.json", "model.json", "wrong.json"))
    code, out, _ = run_cli(capfd, "prove", "induction", "--sizes", "n=3,V=2", "--exhaustive", "--out", good)
    assert (code, "24 of 24 answers are right" in out) == (0, True)
    run_cli(capfd, "prove", "C1", "--L", "1", "--m", "2", "--write-model", weights)
    document = json.loads(Path(weights).read_text())
    document["layers"] = document["layers"][:1]
    del document["invariants"]
    Path(weights).write_text(json.dumps(document))
    code, out, _ = run_cli(capfd, "prove", "--model", weights, "--out", bad)
    assert (code, "certificate of the wrong answer" in out) == (1, True)
    code, out, _ = run_cli(capfd, "prove", "--model", weights, "--exhaustive")
    assert (code, "4 of 8 answers are right" in out) == (1, True)
    for file, said in ((good, "every input is answered correctly"), (bad, "wrongly")):
        code, out, _ = run_cli(capfd, "check", file)
        assert (code, said in out) == (0, True)
