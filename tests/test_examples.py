"""The programs in examples/ run, and say what they should."""

from __future__ import annotations

import contextlib
import csv
import io
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("remembered_searches")

EXAMPLES = Path(__file__).parents[1] / "examples"


def said_by(name: str, *arguments: str) -> str:
    """What the program prints, run as a program; its status must be 0."""
    out, program = io.StringIO(), str(EXAMPLES / name)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setattr(sys, "argv", [program, *arguments])
        try:
            runpy.run_path(program, run_name="__main__")
        except SystemExit as end:
            if end.code:
                raise
    return out.getvalue()


def test_own_construction_is_proved_broken_and_refuted() -> None:
    text = (EXAMPLES / "own_construction.py").read_text()
    assert len(text.splitlines()) <= 40
    right, wrong = said_by("own_construction.py").splitlines()
    assert right == "sharp: proved"
    assert wrong.startswith("dull: refuted - layer 1, head 0: at query it would find entry, but others weigh up to 16")


def test_own_task_is_a_program_with_weights_and_a_proof() -> None:
    *shown, sentence, prompt = said_by("own_task.py").splitlines()
    assert len((EXAMPLES / "own_task.py").read_text().splitlines()) <= 30
    assert any(line.strip().startswith("layer 2, head 0 finds: query.end") for line in shown)
    assert sentence == "proved for all inputs at these sizes"
    assert prompt.startswith("prompt (")


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
        rows = list(csv.DictReader((tmp_path / f"phase.{name}.csv").read_text().splitlines()))
        assert rows
        assert {row["contradicts"] for row in rows} == {"False"}
