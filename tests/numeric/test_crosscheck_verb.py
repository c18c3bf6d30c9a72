"""`crosscheck` on the command line and from Python: keys, model files, sizes beyond a type, one line for bad input."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")

from rich.console import Console

import separation
from separation import packages
from separation.numeric import devices
from separation.verbs.command_line import run
from separation.verbs.crosscheck import CertifiedRow, count_text, largest_certified

DOCS = Path(__file__).parents[2] / "docs" / "numeric.md"
KEYS = {"ok", "device", "dtype", "instances", "mismatches", "max_error", "bound", "ratio", "certified_tokens"}


def test_the_document_has_its_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["crosscheck", "C1", "--L", "2", "--dtype", "float32", "--instances", "4", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) >= KEYS
    assert document["ok"] is True
    assert document["dtype"] == "float32"
    assert document["instances"] > 4, "the adversarial families come on top"
    assert document["mismatches"] == 0
    assert 0 < document["max_error"] <= document["bound"]
    assert document["certified_tokens"] == document["tokens"]


def test_a_model_file_that_proves(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    separation.prove("C2", L=2, m=3, n=(2,), write_model=file)
    report = separation.crosscheck(model=file, dtype="float16", instances=3)
    assert report.ok
    assert report.construction.name == "mine.safetensors"


def test_beyond_a_type_the_longest_certified_prompt_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    report = separation.crosscheck("C4", L=2, dtype="bfloat16", path="full", instances=1)
    assert not report.ok
    assert report.result.bound is None
    assert report.certified_tokens is None
    report.show(Console(width=200))
    out = capsys.readouterr().out
    assert f"not certified in bfloat16: {report.result.reason}" in out
    assert "no certified size was found" in out
    replace(report, certified_tokens=4370).show(Console(width=200))
    assert "certified up to 4,370 tokens" in capsys.readouterr().out


def test_largest_certified_is_certified_and_the_next_power_is_not() -> None:
    found = largest_certified("C6", "float16", "full", 1 << 14)
    assert found is not None
    assert 4 <= found < 1 << 14
    assert largest_certified("C6", "float16", "full", found) == found
    assert largest_certified("C6", "float16", "rows", 1 << 14) == 1 << 14
    assert largest_certified("C4", "bfloat16", "full", 1 << 8, L=2) is None


def test_a_device_without_float64_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.modules["separation.numeric.crosscheck"], "has_float64", lambda _device: False)
    assert run(["crosscheck", "C1", "--L", "1", "--dtype", "float64"]) == 2
    assert "this device has no float64; float32, bfloat16 and float16 run on it" in capsys.readouterr().err
    assert separation.crosscheck("C1", L=1, dtype="float32", instances=2, device="cpu").ok


def test_without_torch_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(packages, "find_spec", lambda _name: None)
    assert run(["crosscheck", "C1", "--L", "1"]) == 2
    assert "float runs need torch: pip install 'separation[torch]'" in capsys.readouterr().err


def test_auto_takes_the_first_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "available_devices", lambda: ["cuda", "cpu"])
    assert devices.chosen_device("auto") == "cuda"
    assert devices.chosen_device("cpu") == "cpu"
    monkeypatch.setattr(devices, "available_devices", lambda: ["mps", "cpu"])
    assert devices.chosen_device("auto") == "mps"


def test_counts_are_written_for_people() -> None:
    row = CertifiedRow(
        "C1", "", "rows", 1 << 40, {"float64": 1 << 40, "float32": 86, "float16": None, "bfloat16": 1 << 30}
    )
    assert row.cells() == ("C1", "rows", "≥ 2^40", "86", "none", "2^30")
    assert count_text(4370, 1 << 40) == "4,370"


def test_the_table_of_the_docs_says_what_a_few_rows_give() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for name, variant in (("C6", {}), ("C7", {"block": 4})):
        found = largest_certified(name, "bfloat16", "rows", **variant)
        assert found is not None
        row = next(line for line in text.splitlines() if line.startswith(f"| {name}") and "| rows |" in line)
        assert row.split("|")[6].strip() == count_text(found, 1 << 40)
