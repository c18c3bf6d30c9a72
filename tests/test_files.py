from __future__ import annotations

import json
import math
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from separation import files
from separation.bounds import PowerProduct, length_to_document
from separation.files import (
    MAX_BYTES,
    InputError,
    json_text,
    parse_json,
    permissions,
    read_bytes,
    write_together,
    write_whole,
)


def refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    text = str(caught.value)
    assert text.isprintable(), "an error is one line without control characters"
    return text


def test_read_limits(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    assert read_bytes(path, limit=5) == b"12345"
    assert refusal(lambda: read_bytes(path, limit=4)) == f"{path} has 5 bytes; at most 4 are read"
    assert read_bytes(str(path)) == b"12345"


def test_the_limit_holds_without_reading(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(2**40)
    assert f"at most {MAX_BYTES} are read" in refusal(lambda: read_bytes(path))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_the_limit_holds_where_the_system_tells_no_size() -> None:
    path = Path("/proc/self/status")
    assert path.stat().st_size == 0
    assert refusal(lambda: read_bytes(path, limit=10)) == f"{path} has more than 10 bytes, which is all that is read"
    assert len(read_bytes(path)) > 10


def test_only_regular_files(tmp_path: Path) -> None:
    assert refusal(lambda: read_bytes(tmp_path)) == f"{tmp_path} is not a regular file"
    assert refusal(lambda: read_bytes("/dev/null")) == "/dev/null is not a regular file"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # A reader that opened the pipe would wait for ever.
    done: list[str] = []
    worker = threading.Thread(target=lambda: done.append(refusal(lambda: read_bytes(pipe))), daemon=True)
    worker.start()
    worker.join(5)
    assert done == [f"{pipe} is not a regular file"]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert (
        refusal(lambda: read_bytes(tmp_path / "none")) == f"cannot read {tmp_path / 'none'}: No such file or directory"
    )
    text = refusal(lambda: read_bytes(tmp_path / "two\nlines\x1b[31m"))
    assert text.endswith("two\\nlines\\x1b[31m: No such file or directory")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "x is not a JSON object or list"),
        (b"12", "x is not a JSON object or list"),
        (b"\xef\xbb\xbf{}", "x is not a JSON object or list"),
        (b"{", "x is not JSON: Expecting property name enclosed in double quotes"),
        (b"[1] []", "x is not JSON: Extra data"),
        (b"[" * 10**6, "x nests too deeply"),
        (b'{"a":' * 10**6, "x nests too deeply"),
        (b"[NaN]", "x: NaN is not a number"),
        (b'{"a": -Infinity}', "x: -Infinity is not a number"),
        (b'[{"b": {"a": 1, "c": 2, "\\u0061": 3}}]', "x: a key is given twice in one object"),
        (b'{"a": "\xff"}', "x is not UTF-8 text"),
        (b'{"a": "\xed\xa0\x80"}', "x is not UTF-8 text"),
        ('{"a": 1}'.encode("utf-16-le"), "x is not JSON: "),
        (b"[" + b"1" * 5000 + b"]", "x is not JSON: Exceeds the limit (4300 digits)"),
    ],
    ids=lambda value: repr(value)[:25],
)
def test_json_that_is_refused(data: bytes, text: str) -> None:
    found = refusal(lambda: parse_json(data, "x"))
    assert found.startswith(text)
    assert len(found) < 200


def test_errors_are_one_line_whatever_they_quote() -> None:
    assert str(InputError("a\nb\r\x1b[2J\u2028\udc80 é\\")) == "a\\nb\\r\\x1b[2J\\u2028\\udc80 é\\"
    assert str(InputError(str(InputError("a\nb")))) == "a\\nb"


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_the_umask_is_honoured(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "x", b"1")
        assert permissions(0o777) == 0o777 & ~mask
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o666 & ~mask


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "x.json", tmp_path / "link.json"
    link.symlink_to(target)
    write_whole(link, b"new")  # the link led nowhere yet
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    write_whole(link, b"newer")
    assert target.read_bytes() == b"newer"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["far", "link.json", "x.json"]
    link.unlink()
    link.symlink_to(link)
    assert refusal(lambda: write_whole(link, b"")).startswith(f"cannot write {link}: ")


def test_files_that_belong_together(tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "a.png"
    write_together({first: "1", second: b"2"})
    assert (first.read_bytes(), second.read_bytes()) == (b"1", b"2")
    same = refusal(lambda: write_together({first: "3", tmp_path / "." / "a.csv": "4", str(first): "5"}))
    assert same == "two outputs have the same name, a.csv"
    assert "no such folder" in refusal(lambda: write_together({first: "3", tmp_path / "none" / "b": "4"}))
    assert first.read_bytes() == b"1"


@pytest.mark.parametrize("step", ["write", "give_name"])
def test_if_the_second_cannot_be_written_the_first_does_not_appear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    real, calls = getattr(files._Staged, step), []

    def second_fails(self: Any, *arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(self, *arguments)

    monkeypatch.setattr(files._Staged, step, second_fails)
    text = refusal(lambda: write_together({tmp_path / "a": "1", tmp_path / "b": "2"}))
    assert text == f"cannot write {tmp_path / 'b'}: No space left on device"
    assert not list(tmp_path.iterdir())


KILLED = """
import os, sys, signal
from separation import files
class Half:
    def __init__(self, handle, mode):
        self.file = real(handle, mode)
    def __enter__(self):
        return self
    def __exit__(self, *_):
        self.file.close()
    def write(self, data):
        self.file.write(data[:2])
        self.file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
real, os.fdopen = os.fdopen, Half
files.write_together({sys.argv[1]: b"new content", sys.argv[2]: b"more"})
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are Linux's")
def test_sigkill_inside_a_write_leaves_nothing(tmp_path: Path) -> None:
    """The hook stands in the writer: two bytes are written when the process is killed."""
    old = tmp_path / "a"
    old.write_bytes(b"old")
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        pytest.skip("this file system has no files without a name")
    done = subprocess.run([sys.executable, "-c", KILLED, str(old), str(tmp_path / "b")], capture_output=True)
    assert done.returncode == -signal.SIGKILL
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]


def left_intact(path: Path, write: Callable[[], object]) -> bool:
    """Whether a write that fails leaves the old content and nothing else in the folder."""
    path.write_bytes(b"old")
    with pytest.raises((OSError, InputError, KeyboardInterrupt)):
        write()
    return path.read_bytes() == b"old" and list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("step", ["fdopen", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failing_write_leaves_the_old_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    real = os.fdopen

    class Failing:
        """A file whose write stops half-way."""

        def __init__(self, handle: int, mode: str) -> None:
            self.file = real(handle, mode)

        def __enter__(self) -> Failing:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def write(self, data: bytes) -> None:
            self.file.write(data[:2])
            raise error

    def fail(*_: object) -> None:
        raise error

    path = tmp_path / "x"
    with monkeypatch.context() as patch:
        patch.setattr(os, step, Failing if step == "fdopen" else fail)
        assert left_intact(path, lambda: write_whole(path, b"new content"))
    if isinstance(error, OSError):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, Failing if step == "fdopen" else fail)
            assert refusal(lambda: write_whole(path, b"new")) == f"cannot write {path}: No space left on device"
    write_whole(path, b"new content")
    assert path.read_bytes() == b"new content"


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_json_has_no_infinities(value: float) -> None:
    assert json.loads(json_text({"a": [1.5, value], "b": {"c": (value, "NaN")}})) == {
        "a": [1.5, None],
        "b": {"c": [None, "NaN"]},
    }
    assert "Infinity" in json.dumps(math.inf)  # the twin


def test_a_length_beyond_all_floats_is_null_with_its_logarithm() -> None:
    assert length_to_document(PowerProduct(((64, 1 << 2000),))) == {
        "tokens_log2": None,
        "tokens_log2_log2": pytest.approx(2000 + math.log2(6)),
    }
    assert length_to_document(1 << 20) == {"tokens_log2": 20.0}


def test_nothing_but_one_function_writes_json_for_others() -> None:
    """`allow_nan=False` everywhere: no module of the program calls json.dumps for a document of its own."""
    root = Path(__file__).parents[1] / "separation"
    callers = {path.relative_to(root).as_posix() for path in root.rglob("*.py") if "json.dump" in path.read_text()}
    strings_only = {"proving/kernel.py", "verbs/book_figure.py", "weights/contents.py"}
    measured = {"bench/measuring.py"}
    assert callers - strings_only - measured == {"files.py"}
