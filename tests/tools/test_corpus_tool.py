"""python -m tools.corpus: the corpus as it stands is right, every kind of fault is named, and nothing false gets in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tools.corpus import FOLDER, faults, main, manifest, manifest_text

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: one kernel is missing")
CHOSEN = ("bound/a.json", "bound/a-beta-over.json", "bound/declined-powers.json", "text/byte-order-mark.json")
FALSE = "false: β is one more than the last that holds"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small corpus, with one file of each expectation."""
    for file in CHOSEN:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(FOLDER / file, tmp_path / file)
    entries = [entry for entry in manifest(FOLDER) if entry["file"] in CHOSEN]
    assert {entry["expect"] for entry in entries} == {"accept", "reject", "malformed", "decline"}
    (tmp_path / "manifest.json").write_bytes(manifest_text(entries))
    return tmp_path


def adding(folder: Path, source: Path, **options: str) -> int:
    words = [word for key, value in options.items() for word in (f"--{key.replace('_', '-')}", value)]
    return main(["--folder", str(folder), "add", str(source), *words])


@pytest.mark.parametrize("asked", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_corpus_is_right(asked: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its manifest and its files; that both kernels agree with each is also asked in tests/certificates."""
    if not asked:
        monkeypatch.setattr("tools.corpus.disagreements", lambda _entries, _paths: [])
    assert main(["--check"]) == 0
    assert capsys.readouterr().out == f"{len(manifest(FOLDER))} files, both kernels agree with each\n"


def test_changed_files_are_found_out(folder: Path) -> None:
    """A file of another, one too many, one missing."""
    assert faults(folder) == []
    shutil.copy(folder / "bound/a-beta-over.json", folder / "bound/a.json")
    (folder / "bound/more.json").write_text("{}")
    (folder / "text/byte-order-mark.json").unlink()
    assert faults(folder) == [
        "bound/more.json: not in the manifest",
        "text/byte-order-mark.json: no such file",
        "bound/a.json: accept is expected, the kernel in Python says reject",
        "bound/a.json: accept is expected, the kernel in JavaScript says reject",
    ]


@pytest.mark.parametrize(
    ("file", "change", "fault"),
    [
        ("bound/a.json", {"expect": "good"}, "an unknown kind or expectation"),
        ("bound/a.json", {"otherwise": "reject"}, "needs the keys"),
        ("bound/a.json", {"why": ""}, "why and made_by say something"),
        ("bound/a-beta-over.json", {"why": "wrong"}, "starts with one of"),
        ("bound/declined-powers.json", {"otherwise": "decline"}, "an unknown otherwise"),
        ("bound/a.json", {"file": "bound/../a.json"}, "a file is called KIND/NAME.json"),
        ("bound/a.json", {"file": "text/a.json"}, "a file is called KIND/NAME.json"),
    ],
)
def test_a_wrong_entry_is_named(folder: Path, file: str, change: dict[str, Any], fault: str) -> None:
    entries = [entry | (change if entry["file"] == file else {}) for entry in manifest(folder)]
    (folder / "manifest.json").write_text(json.dumps(entries))
    (found,) = faults(folder)
    assert fault in found


def test_an_unsorted_manifest_or_an_entry_twice_is_named(folder: Path) -> None:
    entries = manifest(folder)
    (folder / "manifest.json").write_text(json.dumps([*reversed(entries), entries[0]]))
    assert [fault.split(": ")[1] for fault in faults(folder)] == [
        "not sorted by kind and name, one line for each entry",
        "is in the manifest twice",
    ]


def test_a_file_is_added_where_it_belongs(folder: Path) -> None:
    source = FOLDER / "bound/b.json"
    assert adding(folder, source, name="an-other", kind="bound", expect="accept", why="Theorem B") == 0
    assert (folder / "bound/an-other.json").read_bytes() == source.read_bytes()
    assert [entry["file"] for entry in manifest(folder)] == [
        *sorted([*CHOSEN[:3], "bound/an-other.json"]),
        "text/byte-order-mark.json",
    ]
    assert faults(folder) == []


REFUSED = {
    "expected to be false": ({"expect": "reject", "why": FALSE}, "the kernel in Python says accept"),
    "no reason": ({"expect": "reject"}, "starts with one of"),
    "no otherwise": ({"expect": "decline"}, "needs the keys"),
    "a name that is taken": ({"name": "a"}, "there is a file of this name already"),
    "a path as its name": ({"name": "../b"}, "a file is called KIND/NAME.json"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_changes_nothing(folder: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    change, reason = REFUSED[case]
    before = {path: path.read_bytes() for path in folder.glob("**/*.json")}
    assert adding(folder, FOLDER / "bound/b.json", **{"kind": "bound", "expect": "accept", "why": "B"} | change) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tools.corpus: error: ")
    assert reason in line
    assert {path: path.read_bytes() for path in folder.glob("**/*.json")} == before


def test_the_same_bytes_are_not_added_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert adding(folder, FOLDER / "bound/a.json", name="again", kind="bound", expect="accept", why="A") == 1
    assert "the same bytes as a.json" in capsys.readouterr().err


def test_bad_usage() -> None:
    for words in ([], ["--check", "add", "a.json", "--kind", "bound", "--expect", "accept", "--why", "A"]):
        with pytest.raises(SystemExit, match="2"):
            main(words)
