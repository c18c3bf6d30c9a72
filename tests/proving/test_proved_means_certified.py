"""The word "proved" is said only if the kernel accepts the certificate of that very claim, whoever says it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from broken_models import cold

import separation
from constructions.c1 import build
from proofs_checks import statement
from proofs_checks.kit.statement import CheckFailed
from separation.files import InputError
from separation.proving import certificates, certified_proof, save_construction
from separation.proving.kernel import Verdict
from separation.tasks.funccomp import Sizes
from separation.verbs import crosscheck as certified_verb
from separation.verbs import verify as verify_verb
from separation.verbs.command_line import run

C1 = ("prove", "C1", "--L", "2", "--m", "3", "--n", "2")


@pytest.fixture
def enumerated(tmp_path: Path) -> Path:
    """A model that the closed form, and so the kernel, cannot follow: eight codes would leak too much, five do not."""
    file = tmp_path / "enumerated.json"
    save_construction(file, cold(build(Sizes(5, ()), temperature=1), Fraction(31, 24)))
    return file


@pytest.fixture
def no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that rejects everything."""
    rejected = Verdict(False, "construction", {}, "P0: not today")
    monkeypatch.setattr(certificates, "check_certificate", lambda _document: rejected)


def answer(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = run([*arguments, "--json"])
    return code, json.loads(capfd.readouterr().out)


def test_what_the_kernel_accepts_is_proved(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for path in ("closed", "general", "both"):
        code, said = answer(capfd, *C1, "--path", path)
        assert (code, said["ok"], said["certified"], said["verdict"], said["reason"]) == (0, True, True, "proved", None)
        assert said["inputs_covered_log2"] > 0
    out = tmp_path / "certificate.json"  # what is checked is what is written
    found = separation.prove("C1", L=2, m=3, n=(2,), out=out)
    assert (found.ok, found.certified, found.verdict) == (True, True, "proved")
    assert json.loads(out.read_text())["model"] == certified_proof(build(Sizes(3, (2,)))).certificate["model"]  # type: ignore[index]


def test_what_holds_by_enumeration_alone_is_not_called_proved(
    enumerated: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    general, out = ("prove", "--model", str(enumerated), "--path", "general"), tmp_path / "certificate.json"
    code, said = answer(capfd, *general)
    assert (code, said["ok"], said["certified"], said["inputs_covered_log2"]) == (0, True, False, None)
    assert said["verdict"] == "holds by enumeration"
    assert said["reason"].startswith("layer 2, kind w, slot mlp[0]: P8")
    assert run([*general]) == 0
    text = capfd.readouterr().out
    assert "✓ holds by enumeration, not certified: layer 2, kind w" in text
    assert "proved" not in text
    assert "inputs covered" not in text
    code, said = answer(capfd, *general, "--out", str(out))  # a certificate that is wanted and does not exist
    assert (code, said["ok"], said["verdict"], said["certificate"]) == (1, False, "holds by enumeration", None)
    assert not out.exists()
    assert answer(capfd, "prove", "--model", str(enumerated))[0] == 1  # the closed form does not hold


@pytest.mark.usefixtures("no_kernel")
def test_a_proof_that_the_kernel_rejects_is_not_called_proved(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "certificate.json"
    arguments = (*C1, "--seconds", "0.1", "--out", str(out))
    code, said = answer(capfd, *arguments)
    assert (code, said["ok"], said["certified"], said["verdict"]) == (1, False, False, "not proved")
    assert run([*arguments]) == 1
    text = capfd.readouterr().out
    assert "✗ not proved: the prover accepts, but the kernel does not: P0: not today" in text
    assert "inputs covered" not in text
    assert not out.exists()


def test_a_proof_beyond_the_kernels_limits_is_not_called_proved(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("separation.proving.kernel.MAX_WORK", 100)
    code, said = answer(capfd, *C1, "--seconds", "0.2")
    assert (code, said["verdict"]) == (1, "not proved")
    assert said["reason"].startswith("declined: the check takes more work")


@pytest.mark.usefixtures("no_kernel")
def test_nobody_else_says_proved_without_the_kernel() -> None:
    row = verify_verb._prove_construction(build(Sizes(3, (2,))), full=False)
    assert (row.proved, row.ok, row.message) == (False, False, "P0: not today")
    for name in ("c1", "c3", "c6"):
        with pytest.raises(CheckFailed, match="P0: not today"):
            statement(name).check(statement(name).subject)
    certified_verb._built.cache_clear()
    with pytest.raises(InputError, match=r"C1 is not proved at .* tokens: P0: not today"):
        certified_verb.largest_certified("C1", "float64", most=200, L=2)
