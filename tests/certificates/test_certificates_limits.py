"""What is no certificate, however it is broken or blown up: one line, exit status 2, and soon."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from certificate_cases import certificate
from corpus_cases import MANIFEST, SLOW
from corpus_cases import text as file
from document_mutations import put

from separation.proving import kernel
from separation.verbs.command_line import run

GOOD = json.dumps(certificate("bound", "a"))


def changed(path: tuple[Any, ...], value: Any) -> bytes:
    return json.dumps(put(certificate("bound", "a"), path, value)).encode()


TEXTS: dict[str, bytes] = {  # what is too large, or of no text, for a file of the corpus
    "a null byte": GOOD.encode() + b"\x00",
    "100,000 lists": b"[" * 100_000,
    "100,000 closed lists": b"[" * 100_000 + b"]" * 100_000,
    "100,000 objects": b'{"a":' * 100_000 + b"0" + b"}" * 100_000,
    "50,000 lists inside": changed(("tool",), 0).replace(b'"tool": 0', b'"tool": ' + b"[" * 50_000 + b"]" * 50_000),
    "a million digits": changed(("claim", "beta"), 0).replace(b'"beta": 0', b'"beta": ' + b"9" * 1_000_000),
    "gzip": gzip.compress(GOOD.encode()),
    "UTF-32": GOOD.encode("utf-32"),
}
OF_THE_CORPUS = [e for e in MANIFEST if e["expect"] in ("malformed", "decline") and "binomials" not in e["file"]]


def line_of(path: Path | str, capsys: pytest.CaptureFixture[str]) -> str:
    """What `separation check` says: one line of errors, and nothing else."""
    assert run(["check", str(path)]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("separation: error: ")
    assert found.err.count("\n") == 1
    assert found.err.strip().isprintable()
    assert len(found.err) < 500
    return found.err


def test_no_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file.json"
    for text in (*TEXTS.values(), *(file(entry) for entry in OF_THE_CORPUS if entry["file"] not in SLOW)):
        path.write_bytes(text)
        said = line_of(path, capsys)
        assert "is not a certificate: " in said or "declined: " in said, text[:100]
        assert kernel.main(str(path)) == 2
        found = capsys.readouterr()
        assert found.out.startswith("declined: " if "declined: " in said else "malformed: ")
        assert found.out.count("\n") == 1
        assert found.err == ""


def test_the_good_one_is_accepted(tmp_path: Path) -> None:
    """The twin of all of the above; a link to it is as good."""
    path, link = tmp_path / "file.json", tmp_path / "link.json"
    path.write_text(GOOD)
    link.symlink_to(path)
    assert run(["check", str(path)]) == run(["check", str(link)]) == 0
    assert kernel.main(str(path)) == kernel.main(str(link)) == 0


def test_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop, dangling, pipe = tmp_path / "loop", tmp_path / "dangling", tmp_path / "pipe"
    loop.symlink_to(loop)
    dangling.symlink_to(tmp_path / "absent")
    os.mkfifo(pipe)
    device = tmp_path / "device"
    device.symlink_to("/dev/zero")
    for path in (tmp_path, tmp_path / "absent", loop, dangling, device, "/dev/null", "/dev/zero", tmp_path / "x" / "y"):
        line_of(path, capsys)
        assert kernel.main(str(path)) == 2
        assert capsys.readouterr().out.count("\n") == 1
    line_of(pipe, capsys)


def test_a_file_beyond_the_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file.json"
    with path.open("wb") as file:
        file.truncate(kernel.MAX_BYTES + 1)
    assert f"declined: at most {kernel.MAX_BYTES} bytes are read" in line_of(path, capsys)
    assert kernel.main(str(path)) == 2
    assert capsys.readouterr().out == f"declined: at most {kernel.MAX_BYTES} bytes are read\n"


@pytest.mark.parametrize("error", [MemoryError, RecursionError])
def test_what_the_interpreter_cannot_hold_is_declined(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An interpreter that gives up ends with 1, which would be a verdict."""

    def give_up(*_: object) -> None:
        raise error

    monkeypatch.setattr(kernel, "check_file", give_up)
    assert kernel.main(str(tmp_path)) == 2
    assert capsys.readouterr().out.startswith("declined: beyond what the interpreter can hold")
