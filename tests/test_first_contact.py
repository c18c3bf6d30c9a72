"""What a stranger meets first: short help, ten lines of verify, right English, quiet runs, completion, pictures."""

from __future__ import annotations

import csv
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from proofs_checks import Status
from proofs_checks.kit.rows import StatementRow
from separation.proving.proof import Search
from separation.verbs.command_line import run
from separation.verbs.prove import _search_rows
from separation.verbs.solve import solve
from separation.verbs.verify import ConstructionRow, VerifyReport


def said(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(list(arguments)) == code
    return capfd.readouterr().out


def rows_of_every_status() -> VerifyReport:
    """96 statements of every status that verify can meet, and 25 proofs, as many as there are."""
    known = [status.value for status in Status if status is not Status.OPEN]
    statements = tuple(
        StatementRow(f"T.{index}", "a title that is a good deal longer than a line", known[index % len(known)], "m",
                     "every n", 99.9, True)
        for index in range(96)
    )  # fmt: skip
    proofs = tuple(
        ConstructionRow("C1", "FFFFFFFFF", 8, 19_173_962, True, Fraction(2), 99, 0, None, 123.4) for _ in range(25)
    )
    return VerifyReport(statements, proofs)


def shown(report: VerifyReport) -> list[str]:
    return str(report).splitlines()


@pytest.mark.parametrize("torch", [True, False])
def test_verify_is_ten_lines_of_eighty_columns(torch: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("separation.verbs.verify.is_installed", lambda _name: torch)
    report = rows_of_every_status()
    lines = shown(report)
    assert len(lines) == 10
    assert max(map(len, lines)) <= 80
    assert "25 of 25 proved for all inputs, up to 19,173,962 tokens" in lines[7]
    assert lines[-1].startswith("✓ everything holds (0 s; the slowest: C1")
    assert ("pip install 'separation[torch]'" in " ".join(lines)) is not torch, "markup takes no brackets away"
    assert len(shown(replace(report, every_row=True))) > 96
    broken = replace(report, statements=(replace(report.statements[0], ok=False, message="no"), *report.statements[1:]))
    failed = shown(broken)
    assert any(line.startswith("✗ something does not hold") for line in failed)
    assert "T.0, a title that is a good deal longer than a line: no" in " ".join(failed)


def test_help_has_a_short_form_and_names_completion(capfd: pytest.CaptureFixture[str]) -> None:
    assert said(capfd, "-h") == said(capfd, "--help")
    assert "--install-completion" in said(capfd, "-h")
    assert said(capfd, "prove", "-h") == said(capfd, "prove", "--help")
    assert "--quiet" in said(capfd, "prove", "-h")


def test_a_shell_completes_verbs(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("_SEPARATION_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "separation pro")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run([]) == 0
    assert capfd.readouterr().out.split() == ["proofs", "prove", "programs"]


def test_quiet_prints_nothing_and_the_exit_status_tells(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "c1.json")
    assert said(capfd, "prove", "C1", "--L", "1", "--out", out, "--quiet") == ""
    assert said(capfd, "check", out, "-q") == ""
    assert said(capfd, "check", out) != ""
    assert said(capfd, "decide", "RF", "--L", "1", "--quiet", "--json").startswith("{")
    assert run(["prove", "C1", "--L", "0", "--quiet"]) == 2
    assert capfd.readouterr().err.startswith("separation: error: L is 0")


def test_heads_that_are_alike_are_one_row(capfd: pytest.CaptureFixture[str]) -> None:
    table = said(capfd, "prove", "C7", "--length", "1024", "--block", "16")
    assert "h = 1 to 15" in table
    assert len(table.splitlines()) < 20
    alike = [Search(1, head, Fraction(1, 9), head) for head in range(4)]
    other = [*alike[:2], replace(alike[2], leak=Fraction(1, 8)), alike[3]]
    assert [row[1] for row in _search_rows(other)] == ["h = 0 to 1", "2", "3"]
    shifted = [*alike[:3], replace(alike[3], offset=0)]
    assert [row[1] for row in _search_rows(shifted)] == ["h = 0 to 2", "3"], "another token is not alike"


def test_generated_tokens_say_what_they_mean() -> None:
    for word, first in (("RF", "hop 1: i_1 = "), ("FR", "address 2: w_1 = "), ("F", "record 0: w_1 = ")):
        report = solve("C5", L=2, m=3, n=(2,), word=word)
        assert report.ok
        assert report.spelled[0].startswith(first)
        assert report.spelled[-1].endswith(f"{report.hops[-1]}")
        assert report.document()["spelled"] == list(report.spelled)
    assert solve("C1", L=1).spelled == ()


@pytest.mark.parametrize("name", ["C1", "C3", "C5", "C7"])
def test_a_picture_shows_where_the_run_looked(name: str, tmp_path: Path) -> None:
    sizes: dict[str, object] = {"length": 6, "modulus": 7} if name == "C7" else {"L": 2, "m": 2, "n": (2,)}
    made = solve(name, **sizes, figure=tmp_path / "a.svg")  # type: ignore[arg-type]
    if name == "C1":
        solve(name, **sizes, figure=tmp_path / "b.svg")  # type: ignore[arg-type]
        assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    found = {(row["layer"], row["head"], row["position"]): Fraction(row["share"]) for row in rows}
    for look in made.looks:
        assert found[str(look.layer), str(look.head), str(look.position)] == look.share
    for layer, head in {(row["layer"], row["head"]) for row in rows if row["thoughts"] == "0"}:
        whole = sum(Fraction(r["share"]) for r in rows if (r["thoughts"], r["layer"], r["head"]) == ("0", layer, head))
        assert whole <= 1 if name == "C7" else whole in (0, 1), "a sparse head also weighs summaries"
