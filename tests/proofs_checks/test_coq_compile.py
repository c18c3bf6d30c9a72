"""What coqc says: of tiny files, quickly; of all proofs, from scratch, behind the slow marker."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from coqchk import coqchk, unexplained
from rich.console import Console

from proofs_checks.kit.coq import compiling as coq_compile
from proofs_checks.kit.coq.compiling import CoqRefused, assumptions, compile_files, coqc
from proofs_checks.kit.coq.files import FinalTheorem, sources
from separation.files import InputError
from separation.verbs.command_line import run
from separation.verbs.proofs import CoqReport, CoqRow

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason=f"no coqc; {coq_compile.INSTALL}")


def compiled(room: Path, text: str) -> list[str]:
    (room / "Tiny.v").write_text(text)
    coqc(room, "Tiny.v")
    return assumptions(room, "Tiny", ["claim"])["claim"]


@needs_coq
def test_a_proof_assumes_nothing(tmp_path: Path) -> None:
    assert compiled(tmp_path, "Theorem claim : forall n : nat, n = n. Proof. reflexivity. Qed.\n") == []


@needs_coq
@pytest.mark.parametrize(
    ("text", "assumed"),
    [
        ("Axiom gap : False. Theorem claim : 0 = 1. Proof. destruct gap. Qed.", "gap"),
        ("Theorem claim : 0 = 1. Proof. Admitted.", "claim"),
        ("Hypothesis gap : False. Theorem claim : 0 = 1. Proof. destruct gap. Qed.", "gap"),
        (
            "Unset Guard Checking. Fixpoint gap (n : nat) : False := gap n.\n"
            "Theorem claim : 0 = 1. Proof. destruct (gap 0). Qed.",
            "gap",
        ),
    ],
    ids=["axiom", "admitted", "hypothesis", "guard"],
)
def test_what_a_theorem_assumes_is_named(tmp_path: Path, text: str, assumed: str) -> None:
    assert any(f"Tiny.{assumed}" in each for each in compiled(tmp_path, text + "\n"))


@needs_coq
def test_a_false_proof_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(CoqRefused, match=r"Tiny\.v: .*line 1"):
        compiled(tmp_path, "Theorem claim : 0 = 1. Proof. reflexivity. Qed.\n")


@needs_coq
def test_a_file_waits_for_what_it_imports(tmp_path: Path) -> None:
    seconds = compile_files(tmp_path, ["Binary.v", "Definitions.v"])
    assert set(seconds) == {"Definitions.v", "Binary.v"}


@pytest.mark.parametrize("command", [["proofs", "--coq"], ["check", "bound.json", "--coq"]])
def test_without_coqc_one_line_says_how_to_install_it(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(coq_compile.shutil, "which", lambda _: None)
    assert run(command) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"separation: error: coqc is not installed; {coq_compile.INSTALL}\n"


def test_without_mathcomp_one_line_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "coqc"
    said = "Cannot find a physical path bound to logical path all_ssreflect with prefix mathcomp"
    fake.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(InputError, match="mathcomp's ssreflect is not installed"):
        coqc(tmp_path, "X.v")


def test_the_table_names_what_is_assumed_and_fits_80_columns() -> None:
    closed = CoqRow(FinalTheorem("T_A", "theoremA", "TheoremA.v"), (), 1.5)
    gap = CoqRow(FinalTheorem("T_golden_A", "goldenA", "GoldenSchedule.v"), ("gap",), 20.0)
    missing = CoqRow(FinalTheorem("T_B", "theoremB", "TheoremB.v"), None, None)
    report = CoqReport((closed, gap, missing), "8.16.1", 10, {}, ("A.v: Admitted",))
    assert not report.ok
    assert [row["ok"] for row in report.document()["rows"]] == [True, False, False]
    out = io.StringIO()
    report.show(Console(file=out, width=80))
    said = out.getvalue()
    assert max(map(len, said.splitlines())) <= 80
    for words in ("closed", "assumes gap", "not compiled", "A.v: Admitted", "1 of 3 theorems closed"):
        assert words in " ".join(said.split())


@needs_coq
@pytest.mark.slow
def test_every_final_theorem_is_closed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["proofs", "--coq", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert report["problems"] == []
    assert all(row["closed"] and row["assumptions"] == [] for row in report["rows"])
    assert set(report["files"]) == set(sources())


@needs_coq
@pytest.mark.slow
def test_a_proof_that_breaks_is_an_exit_of_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from proofs_checks.kit.coq import files as coq_files

    broken = tmp_path / "coq"
    shutil.copytree(coq_files.FOLDER, broken, ignore=shutil.ignore_patterns("*.vo*", "*.glob", ".*"))
    text = (broken / "Definitions.v").read_text().replace("(th <= N) && ", "")  # (E_ℓ) without its guard
    (broken / "Definitions.v").write_text(text)
    for function in (coq_files.sources, coq_files.final_theorems, coq_files.file_names):
        monkeypatch.setattr(function, "__defaults__", (broken,))
    assert run(["proofs", "--coq", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert "TheoremA.v" in report["problems"][0]
    assert not any(row["closed"] for row in report["rows"])


@needs_coq
@pytest.mark.slow
def test_a_second_checker_accepts_every_file(tmp_path: Path) -> None:
    compile_files(tmp_path, sources())
    said = coqchk(tmp_path, *(name.removesuffix(".v") for name in sources()))
    assert unexplained(said) == []


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Axiom free : False.", "separation.Twin.free"),
        ("Unset Guard Checking. Fixpoint loop (n : nat) {struct n} : False := loop n.", "separation.Twin.loop"),
    ],
)
def test_a_second_checker_finds_what_a_twin_assumes(tmp_path: Path, text: str, found: str) -> None:
    (tmp_path / "Twin.v").write_text(text)
    coqc(tmp_path, "Twin.v")
    assert any(found in each for each in unexplained(coqchk(tmp_path, "Twin")))
