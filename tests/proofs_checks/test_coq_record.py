"""A status "proved in Coq" is read from a record of the Coq files as they are; nothing else gives it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from proofs_checks import Status, all_statements
from proofs_checks.kit import rows
from proofs_checks.kit.coq.files import FOLDER
from proofs_checks.kit.coq.record import NAME, asked_of, closed_theorems, digest, proved_in_coq, stored_record
from proofs_checks.kit.coq.statements import IN_COQ
from separation.verbs import proofs as proofs_verb
from separation.verbs.command_line import run
from separation.verbs.proofs import proofs

IN_THEOREM_C = ("T_C (Theorems.v)", "T_C_thought (Theorems.v)", "identities_answer (TheoremC.v)")
SAME = {link.id for link in IN_COQ if link.same}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the Coq files with their record, to be changed."""
    copy = tmp_path / "coq"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("*.vo*", "*.glob", ".*"))
    return copy


def changed(folder: Path, part: str, value: object) -> None:
    record = json.loads((folder / NAME).read_text()) | {part: value}
    (folder / NAME).write_text(json.dumps(record))


def test_the_record_is_of_the_files_at_hand_and_has_every_theorem() -> None:
    assert stored_record()["digest"] == digest()
    assert closed_theorems() == set(asked_of())


def test_only_the_same_statements_are_proved_in_coq(folder: Path) -> None:
    ids = {own.id for own in all_statements()}
    assert {id for id in ids if proved_in_coq(id, folder)} == SAME
    assert proved_in_coq("T.C", folder) == IN_THEOREM_C
    assert not SAME & {"C1", "C2", "C2.words", "R.families"}  # part, or other words


@pytest.mark.parametrize("name", ["Definitions.v", "_CoqProject"])
def test_a_changed_file_takes_the_status_away(folder: Path, name: str) -> None:
    with (folder / name).open("a") as file:
        file.write("\n")
    assert not any(proved_in_coq(id, folder) for id in SAME)


def test_a_record_of_something_else_or_one_that_cannot_be_read_is_not_believed(folder: Path) -> None:
    whole = (folder / NAME).read_text()
    wrong = ({"digest": "0" * 64}, {"digest": None}, {"assumptions": []}, {"assumptions": {}})
    for text in (*(json.dumps(json.loads(whole) | part) for part in wrong), "", "[]", "{", "\xff"):
        (folder / NAME).write_text(text, encoding="latin-1")
        assert not any(proved_in_coq(id, folder) for id in SAME), text[-80:]


def test_a_theorem_that_assumes_something_takes_its_statements_alone_away(folder: Path) -> None:
    record = json.loads((folder / NAME).read_text())
    changed(folder, "assumptions", record["assumptions"] | {"T_C_thought": ["gap"]})
    assert {id for id in SAME if proved_in_coq(id, folder)} == SAME - {"T.C"}


def test_the_book_shows_the_theorem_and_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["proofs", "T.C", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["status"] == Status.COQ.value
    assert row["in_coq"] == list(IN_THEOREM_C)
    assert row["established"] == Status.TESTED.value
    assert run(["proofs", "T.C"]) == 0
    assert "T_C_thought (Theorems.v)" in capsys.readouterr().out


def test_without_a_record_the_status_is_that_of_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "proved_in_coq", lambda _: ())
    (row,) = proofs("T.C").rows
    assert row.status is Status.TESTED
    assert row.checked.in_coq == ()


def coq_that_says(monkeypatch: pytest.MonkeyPatch, assumed: dict[str, list[str]]) -> None:
    """In place of coqc: every file compiles, and every theorem assumes nothing but what is ``assumed``."""
    monkeypatch.setattr(proofs_verb, "coq_version", lambda: "8.16.1")
    monkeypatch.setattr(proofs_verb, "compile_files", lambda *_: {})
    monkeypatch.setattr(
        proofs_verb, "assumptions", lambda _room, _module, names: {n: assumed.get(n, []) for n in names}
    )


def test_a_record_that_is_not_what_coq_says_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    coq_that_says(monkeypatch, {})
    assert proofs_verb.proofs_coq().ok
    record = stored_record()
    for wrong in ({"assumptions": {}}, {"more": 1}):
        monkeypatch.setattr(proofs_verb, "stored_record", lambda wrong=wrong: record | wrong)
        report = proofs_verb.proofs_coq()
        assert not report.ok
        assert "record.json is not what Coq says" in report.problems[0]


def test_a_theorem_that_coq_finds_open_is_a_failure_and_a_new_record(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    coq_that_says(monkeypatch, {"T_pad": ["gap"]})
    assert "record.json is not what Coq says" in proofs_verb.proofs_coq().problems[0]
    checkout = folder.parent / "checkout"
    (checkout / "proofs_checks").mkdir(parents=True)
    folder.rename(checkout / "proofs_checks" / "coq")
    report = proofs_verb.proofs_coq(record=checkout)
    assert not report.ok
    assert report.problems == ()
    written = stored_record(checkout / "proofs_checks" / "coq")
    assert written["assumptions"]["T_pad"] == ["gap"]
    assert written["digest"] == digest()


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("coqc") is None:
        pytest.skip("no coqc")
    assert run(["proofs", "--coq", "--record", str(tmp_path)]) == 2
    assert "is not a checkout of the project" in capsys.readouterr().err
