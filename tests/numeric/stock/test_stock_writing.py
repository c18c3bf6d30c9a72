"""A folder appears whole or not at all: stopped, refused by the system, or in the way of somebody's files."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="transformers is not installed")

import safetensors
import safetensors.torch

from separation.files import InputError
from separation.numeric.stock_folder import MANIFEST, SCHEMA, publish, require_replaceable, staged
from separation.verbs.command_line import run

ARGUMENTS = ["export", "C1", "--L", "1", "--m", "2", "--to", "gpt2"]


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """What an earlier export left."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / MANIFEST).write_text(f'{{"schema": "{SCHEMA}"}}')
    return folder


def _write_until(number: int, path: Path) -> None:
    with staged(path) as folder:
        (folder / "part").write_text("half")
        os.kill(os.getpid(), number)


@pytest.fixture
def heeded() -> Iterator[None]:
    """Signals do what they usually do: `nohup` and a shell's background jobs start a process that ignores some."""
    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    before = [signal.signal(number, signal.SIG_DFL) for number in numbers]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    number = getattr(signal, name)
    before = signal.getsignal(number)
    with pytest.raises((SystemExit, KeyboardInterrupt)) as stopped:
        _write_until(number, tmp_path / "model")
    assert stopped.type is KeyboardInterrupt or stopped.value.code == 128 + number
    assert not list(tmp_path.iterdir())
    assert signal.getsignal(number) is before


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    """What `nohup` starts goes on when its terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        _write_until(signal.SIGHUP, tmp_path / "model")
    finally:
        signal.signal(signal.SIGHUP, before)
    assert not list(tmp_path.iterdir())  # it was not published


def test_stopped_between_two_renames_the_earlier_export_is_back(earlier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def stopped(self: Path, target: Path) -> Path:
        if self.name == ".new":
            raise KeyboardInterrupt
        return rename(self, target)

    new = earlier.parent / ".new"
    new.mkdir()
    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(KeyboardInterrupt):
        publish(new, earlier)
    assert (earlier / MANIFEST).exists()
    assert {path.name for path in earlier.parent.iterdir()} == {".new", "model"}


def test_files_of_somebody_else_are_never_removed(earlier: Path) -> None:
    require_replaceable(earlier)
    (earlier / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="the folder is not empty and is not an earlier export"):
        require_replaceable(earlier)


@pytest.mark.parametrize(
    "error", [safetensors.SafetensorError("I/O error: No space left"), OSError(28, "No space left")]
)
def test_a_full_disk_is_one_line(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(safetensors.torch, "save_file", fails)
    assert run([*ARGUMENTS, str(tmp_path / "model")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("separation: error: cannot write ")
    assert "No space left" in captured.err
    assert captured.err.count("\n") == 1
    assert not list(tmp_path.iterdir())
