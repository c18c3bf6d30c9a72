"""The command line as a stranger uses it: exit codes, one line for bad input, one JSON document."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from separation.verbs.command_line import run


def run_cli(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(list(arguments))
    captured = capfd.readouterr()
    return code, captured.out, captured.err


def test_every_verb_reads_files_with_the_same_limits(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What is refused, and how: test_files.py. 100 MB of zeros are refused before they are read."""
    path = tmp_path / "bad.json"
    for content, said in ((b"[" * 200_000, "nests too deeply"), (b"", "at most")):
        path.write_bytes(content)
        os.truncate(path, len(content) or 100 << 20)
        for verb in (["prove", "--model"], ["solve", "C1", "--instance"]):
            code, out, err = run_cli(capfd, *verb, str(path))
            assert (code, out, err.count("\n"), said in err) == (2, "", 1, True), (verb, err)


def test_version_and_help(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_cli(capfd, "--version")
    assert code == 0
    assert out.startswith("separation ")
    for arguments in ([], ["--help"]):
        code, out, _ = run_cli(capfd, *arguments)
        assert code == 0
        assert all(verb in out for verb in ("verify", "prove", "solve", "check"))


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from separation.verbs.command_line import run; run(['--help']); "
        "heavy = {'numpy', 'flint', 'sympy', 'torch', 'matplotlib', 'safetensors'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


def test_a_verdict_is_written_whole(tmp_path: Path) -> None:
    """`check` ends without taking the interpreter down; where it cannot be written: test_cli_ends."""
    file, main = tmp_path / "c1.json", "from separation.verbs.command_line import main; main()"
    assert run(["prove", "C1", "--L", "2", "--m", "2", "--n", "2", "--out", str(file)]) == 0
    command = [sys.executable, "-c", main, "check", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env={"PYTHONUTF8": "1"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("✓ the kernel accepts the certificate\n")
