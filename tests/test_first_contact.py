"""What a newcomer meets: short help, ten lines of verify, single values, names, right English, quiet runs, pictures."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from test_cli import run_cli

import separation
from proofs_checks import Status
from proofs_checks.kit.rows import StatementRow
from separation.architectures import inverse, read_config, shipped_config
from separation.bounds import Budget, shortest_prompt
from separation.proving.proof import Search
from separation.verbs import verify
from separation.verbs.command_line import run
from separation.verbs.prove import _search_rows
from separation.verbs.solve import solve
from separation.verbs.verify import ConstructionRow, VerifyReport

pytestmark = pytest.mark.usefixtures("remembered_searches")


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


def test_one_value_is_as_good_as_a_list() -> None:
    assert separation.prove("C1", L=2, m=2, n=2).ok
    assert separation.decide("F", L=2, m=2, n=18, beta=8, state_bits=0).decision.solvable is False
    assert separation.ceiling("RF", m=64, n=8, beta=8, state_bits=8).found.value < 1
    assert separation.compare("RF", n=8).rows[0]["word"] == "RF"
    assert [audit.name for audit in separation.audit("gpt2").audits] == ["GPT-2"]


def test_one_budget_is_as_good_as_its_numbers() -> None:
    budget = Budget.of(beta=8, state_bits=8)
    for verb, asked in (
        (separation.bound, {"L": 2, "word": "RF"}),
        (lambda **given: separation.decide("RF", **given), {"L": 2}),
        (lambda **given: separation.ceiling("RF", **given), {"m": 64, "n": 8}),
        (lambda **given: separation.compare("RF", **given), {"L": 2}),
    ):
        one, several = verb(**asked, budget=budget).document(), verb(**asked, beta=8, state_bits=8).document()
        assert {**one, "seconds": 0} == {**several, "seconds": 0}
    with pytest.raises(separation.InputError, match="a budget has all of its numbers: leave out --beta"):
        separation.decide("RF", L=2, budget=budget, beta=8)


def test_tokens_say_why_the_prompt_is_longer(capfd: pytest.CaptureFixture[str]) -> None:
    text = " ".join(run_cli(capfd, "prove", "C1", "--L", "2", "--tokens", "100")[1].split())
    assert "the smallest equal powers of two that reach --tokens 100" in text
    assert "powers of two" not in run_cli(capfd, "prove", "C1", "--L", "2", "--m", "2", "--n", "2")[1]


def test_a_statement_is_shown_before_it_is_checked(capfd: pytest.CaptureFixture[str]) -> None:
    shown = run_cli(capfd, "proofs", "D1", "--no-check")[1]
    whole = run_cli(capfd, "proofs", "D1")[1]
    assert whole.startswith(shown)
    assert "it holds" in whole
    assert "it holds" not in shown
    document = json.loads(run_cli(capfd, "proofs", "D1", "--no-check", "--json")[1])
    assert document["checked"] is False
    assert str(separation.proofs("D1")).startswith(shown)


def test_shipped_names_are_configs(capfd: pytest.CaptureFixture[str]) -> None:
    path = str(shipped_config("gpt2").path)
    by_name, by_file = (json.loads(run_cli(capfd, "bound", "--config", name, "--json")[1]) for name in ("gpt2", path))
    assert {**by_name, "seconds": 0} == {**by_file, "seconds": 0}
    rows = separation.compare(["gpt2", "RF"], L=2).rows
    assert [(row["name"], row["config"], row["depth"]) for row in rows] == [("gpt2", True, 11), ("RF", False, 1)]
    assert "parameters; at most" in run_cli(capfd, "simulate", "--config", "gpt2")[2]


def test_the_inverse_question(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said to be certified is, and what is a step larger is not; of the first full layer, which is quick."""
    monkeypatch.setattr(inverse, "FIRST_FULL", (1,))
    monkeypatch.setattr(inverse, "MOST_FULL", 0)
    reading = read_config("lfm2_1_2b")
    alone, first = inverse.needed(reading, 32_768)
    assert (alone.name, first.name) == ("R alone", "first 1 full")
    cut = reading.first_full_layers(1)
    assert cut is not None
    assert first.own == (max(cut.state_bits), 32, 64)

    def tokens(share: Fraction) -> int | None:
        by_block = tuple(int(bits * share) for bits in cut.state_bits)
        return shortest_prompt(cut.word, 2, Budget(message=cut.message, by_block=by_block)).tokens()

    assert first.state_bits is not None
    share = Fraction(first.state_bits, first.own[0])
    near, beyond = tokens(share), tokens(share * Fraction(12, 10))
    assert near is not None
    assert beyond is not None
    assert near <= 32_768 < beyond
    assert first.factor is not None
    assert first.factor > 1
    text = " ".join(run_cli(capfd, "ceiling", "--config", "lfm2_1_2b", "--tokens", "32768")[1].split())
    assert "times too large" in text
    assert "█" in text
    (gpt2,) = inverse.needed(read_config("gpt2"), 32_768)
    assert (gpt2.factor, gpt2.heads) == (1.0, 12)
    assert gpt2.ceiling is not None


def test_the_first_result_comes_before_the_book_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def no_book() -> None:
        assert told[-1].startswith("✓ statement D1")
        raise InterruptedError

    monkeypatch.setattr(verify, "all_statements", no_book)
    with pytest.raises(InterruptedError):
        verify.verify(progress=lambda _done, what: told.append(what))
