"""The programs in examples/ run, and say what they should."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def said_by(name: str, *arguments: str) -> str:
    run = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_own_construction_is_proved_broken_and_refuted() -> None:
    text = (EXAMPLES / "own_construction.py").read_text()
    assert len(text.splitlines()) <= 40
    right, wrong = said_by("own_construction.py").splitlines()
    assert right == "right codes: proved"
    assert wrong.startswith("keys negated once more: refuted by Instance(")


def test_own_task_is_described_proved_and_one_layer_too_few_refuted() -> None:
    inputs, two, kernel, one = said_by("own_task.py").splitlines()
    assert inputs == "5,643,509,760 inputs of 7 tokens"
    assert two == "two layers: proved"
    assert kernel.startswith("the kernel: These weights answer every input of the look-ups with 6 tokens pairs")
    assert one.startswith("one layer: refuted by [")


def test_a_config_is_audited() -> None:
    gpt2, _, jamba, _ = said_by("audit_a_config.py").splitlines()
    assert gpt2 == "GPT-2, F12: 11 hops at every size, 12 by no weights"
    assert jamba.startswith("Jamba-v0.1, R4FR7FR7FR7FR3: 4 hops")


@pytest.mark.skipif(find_spec("separation.testing") is None, reason="the stress kit, separation.testing, is not here")
@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
def test_a_torch_module_is_stressed() -> None:
    sharp, mean, failure = said_by("own_torch_model.py").splitlines()
    assert sharp == "sharp: ok True, accuracy 1.00"
    assert mean.startswith("attends to the mean: ok False")
    assert " expected " in failure


@pytest.mark.slow
@pytest.mark.skipif(find_spec("tracr") is None, reason="Tracr is not installed: pip install -e '.[peer]'")
def test_a_model_compiled_by_tracr_is_refuted() -> None:
    random, trap, issue = said_by("tracr_model.py").splitlines()
    assert random == "random: 3 of 3 right"
    assert trap.startswith("chain trap: 0 of 2 right; says 0 where ")
    assert issue == "issue 25: compiled [2, 3, 0, 1], meant [2, 3, None, None], its validator says []"


@pytest.mark.parametrize(("kind", "tables"), [((), ("words", "states")), (("--sparse",), ("sparse",))])
def test_phase_diagrams_contradict_no_theorem(kind: tuple[str, ...], tables: tuple[str, ...], tmp_path: Path) -> None:
    figure = tmp_path / "phase.png"
    assert "rows, 0 contradict a theorem" in said_by("phase_diagram.py", str(figure), "--quick", *kind)
    assert figure.read_bytes().startswith(b"\x89PNG")
    for name in tables:
        header, *rows = (tmp_path / f"phase.{name}.csv").read_text().splitlines()
        assert header.split(",")[-1] == "contradicts"
        assert rows
        assert all(row.endswith(",False") for row in rows)
