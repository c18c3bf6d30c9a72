"""All constructions on the command line: proved, solved, shown, certified; bad options are one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_cli import PROVE_KEYS, run_cli

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
def test_prove_and_check(variant: str, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    code, out, err = run_cli(capfd, "prove", *VARIANTS[variant], "--json", "--out", str(file))
    report = json.loads(out)
    assert (code, err, report["ok"]) == (0, "", True)
    assert report.keys() >= (PROVE_KEYS if "length" not in report else PROVE_KEYS - {"m", "n"})
    assert report["layers"] == len(report["word"])
    code, out, _ = run_cli(capfd, "check", str(file), "--json")
    verdict = json.loads(out)
    assert (code, verdict["ok"]) == (0, True)
    assert verdict["claim"]["word"] == report["word"]
    assert verdict["claim"]["state_bits"] == report["state_bits"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_solve_and_show(variant: str, capfd: pytest.CaptureFixture[str]) -> None:
    for seed in ("0", "1"):
        code, out, _ = run_cli(capfd, "solve", *VARIANTS[variant], "--seed", seed, "--json")
        report = json.loads(out)
        assert (code, report["ok"]) == (0, True)
        assert report["answer"] == report["expected"]
        assert report["outputs"] == report["expected_outputs"]
    assert run_cli(capfd, "solve", *VARIANTS[variant])[0] == 0
    code, out, _ = run_cli(capfd, "show", *VARIANTS[variant])
    assert code == 0
    assert "W_V" in out
    assert run_cli(capfd, "show", *VARIANTS[variant], "--latex")[0] == 0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("suffix", ["json", "safetensors"])
def test_a_model_file_is_proved_as_its_construction(
    variant: str, suffix: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / f"model.{suffix}"
    first = json.loads(run_cli(capfd, "prove", *VARIANTS[variant], "--json", "--write-model", str(file))[1])
    code, out, _ = run_cli(capfd, "prove", "--model", str(file), "--json")
    again = json.loads(out)
    assert (code, again["ok"]) == (0, True)
    assert again["construction"] == file.name
    same = set(first) - {"construction", "seconds"}
    assert {key: first[key] for key in same} == {key: again[key] for key in same}
    assert run_cli(capfd, "solve", "--model", str(file))[0] == 0


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


BAD = {
    "word too shallow": (["prove", "RRF", "--L", "2"], "the word 'RRF' has depth 1"),
    "word with no F": (["prove", "RR", "--L", "1"], "depth 0"),
    "letters": (["prove", "FXR"], "unknown construction 'FXR'"),
    "word of C1": (["prove", "C1", "--word", "RF"], "C1 has no option word"),
    "family of C1": (["solve", "C1", "--family", "delta"], "C1 has no option family"),
    "word of C2": (["prove", "C2", "--L", "2", "--word", "FFR"], "RFF or FRF"),
    "family of C2": (["prove", "C2", "--family", "mamba"], "linear"),
    "word of C5": (["prove", "C5", "--word", "RR"], "RF, FR, F"),
    "L of C6": (["prove", "C6", "--L", "3"], "C6 has no --L"),
    "tokens of C7": (["prove", "C7", "--tokens", "30"], "C7 has no --tokens"),
    "length of C1": (["prove", "C1", "--length", "30"], "C1 has no --length"),
    "even modulus": (["prove", "C6", "--modulus", "8"], "odd"),
    "small modulus": (["prove", "C6", "--modulus", "1"], "modulus is 1"),
    "no length": (["prove", "C6", "--length", "0"], "length is 0"),
    "no block": (["prove", "C7", "--block", "0"], "block is 0"),
    "huge block": (["prove", "C7", "--block", "100000"], "block is 100000"),
    "open": (["prove", "C7", "--open", "-1"], "opened is -1"),
    "block of C6": (["prove", "C6", "--block", "3"], "C6 has no option block"),
    "C3 too large": (["prove", "C3", "--L", "8", "--tokens", "1048576"], "C3"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_options_are_one_line_and_exit_2(case: str, capfd: pytest.CaptureFixture[str]) -> None:
    arguments, message = BAD[case]
    code, out, err = run_cli(capfd, *arguments)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("separation: error: ")
    assert message in err
