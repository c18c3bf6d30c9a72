"""`crosscheck` on the command line and from Python: keys, model files, sizes beyond a type, one line for bad input."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed")

from rich.console import Console

import separation
from separation.verbs.command_line import run
from separation.verbs.crosscheck import count_text, largest_certified

DOCS = Path(__file__).parents[2] / "docs" / "numeric.md"
CONFIG = Path(__file__).parents[1] / "protocol" / "stock_configs" / "llama.json"


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
    assert 4 <= found < 1 << 14
    assert largest_certified("C6", "float16", "full", found) == found
    assert largest_certified("C6", "float16", "rows", 1 << 14) == 1 << 14
    assert largest_certified("C4", "bfloat16", "full", 1 << 8, L=2) is None


def test_a_device_without_float64_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.modules["separation.numeric.crosscheck"], "has_float64", lambda _device: False)
    assert run(["crosscheck", "C1", "--L", "1", "--dtype", "float64"]) == 2
    assert "this device has no float64; float32, bfloat16 and float16 run on it" in capsys.readouterr().err
    assert separation.crosscheck("C1", L=1, dtype="float32", instances=2, device="cpu").ok


def test_the_table_of_the_docs_says_what_a_few_rows_give() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for name, variant in (("C6", {}), ("C7", {"block": 4})):
        found = largest_certified(name, "bfloat16", "rows", **variant)
        row = next(line for line in text.splitlines() if line.startswith(f"| {name}") and "| rows |" in line)
        assert row.split("|")[6].strip() == count_text(found, 1 << 40)


MISSING = [
    ("torch", "crosscheck C1 --L 1", "float runs need torch", "torch"),
    ("tokenizers", "export C1 --L 1 --to gpt2 model", "export needs tokenizers", "stock"),
    ("onnxruntime", "export C1 --L 1 --to gpt2 --onnx x.onnx", "ONNX needs onnxruntime", "onnx"),
    ("transformers", f"simulate --config {CONFIG}", "stock models need transformers", "stock"),
    ("transformers", "experiment stock --quick --out runs", "stock models need transformers", "stock"),
]


@pytest.mark.parametrize(("package", "command", "said", "extra"), MISSING)
def test_a_missing_package_is_named_in_one_line(
    package: str, command: str, said: str, extra: str, monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)  # what makes an import fail
    assert run(command.split()) == 2
    assert capsys.readouterr().err == f"separation: error: {said}: pip install 'separation[{extra}]'\n"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
