"""corpus/run.py: agrees with the kernel, and finds out checkers that are broken in every way a program can be."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from corpus_cases import CORPUS, FILES, MANIFEST, NEXT_FILE, twin

from separation.proving import kernel

KERNEL = [sys.executable, "-I", "-S", str(kernel.__file__)]


def run(*arguments: str) -> tuple[int, str, str]:
    """The runner in a process of its own, without the project: status, output, errors."""
    command = [sys.executable, "-I", "-S", str(CORPUS / "run.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=CORPUS)
    return done.returncode, done.stdout, done.stderr


def count(kind: str, expect: str) -> int:
    return sum(entry["kind"] == kind and entry["expect"] == expect for entry in MANIFEST)


def test_the_kernel_agrees_on_a_kind() -> None:
    status, out, _ = run("--kind", "decision", *KERNEL)
    assert status == 0
    assert out.endswith("all verdicts agree\n")
    for expect in ("accept", "reject", "malformed", "decline"):
        files = count("decision", expect)
        assert f"{'decision':<14}{expect:<12}{files:>6}{files:>7}\n" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.slow
def test_the_kernel_agrees_on_everything() -> None:
    status, out, _ = run(*KERNEL)
    assert (status, f"{'all':<26}{len(MANIFEST):>6}{len(MANIFEST):>7}\n" in out) == (0, True)


def test_the_file_may_stand_anywhere_in_the_command(tmp_path: Path) -> None:
    """A command that looks at the name of the file: 2 for the declined one."""
    script = tmp_path / "name.py"
    script.write_text("import sys; assert sys.argv[2] == 'end'; sys.exit(2 if 'declined' in sys.argv[1] else 0)")
    chosen = ("--kind", "decision", "--expect", "decline")
    assert run(*chosen, "--", sys.executable, str(script), "{file}", "end")[0] == 0


TWINS = {
    "accepts everything": ("import sys; sys.exit(0)", "exit 0, accepts"),
    "rejects everything": ("import sys; sys.exit(1)", "exit 1, rejects"),
    "declines everything": ("import sys; sys.exit(2)", "exit 2, malformed or declined"),
    "has a status of its own": ("import sys; sys.exit(3)", "exit 3"),
    "is ended by a signal": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9"),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_checker_that_never_looks_is_found_out(name: str) -> None:
    code, shown = TWINS[name]
    status, out, _ = run("--kind", "wrong", sys.executable, "-I", "-S", "-c", code)
    assert status == 1
    assert f", {shown}\n  " in out
    assert f" of {sum(entry['kind'] == 'wrong' for entry in MANIFEST)} verdicts disagree" in out


def test_a_checker_that_hangs_is_ended() -> None:
    """With its children, and long before they would end themselves."""
    begin = time.monotonic()
    nap = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
    chosen = ("--kind", "decision", "--expect", "decline", "--seconds", "0.5")
    status, out, _ = run(*chosen, sys.executable, "-c", nap)
    assert status == 1
    assert "no answer in" in out
    assert time.monotonic() - begin < 60


def test_a_kernel_without_a_rule_is_found_out(tmp_path: Path) -> None:
    """The depth of a word: the files that claim too much of one are named, with the reason why they are false."""
    broken = tmp_path / "kernel.py"
    texts = twin(("refuse(depth < L,", "refuse(False and depth < L,")).split(NEXT_FILE)
    for file, text in zip(FILES, texts, strict=True):
        (tmp_path / f"{file}.py").write_text(text)
    status, out, _ = run("--kind", "decision", "--expect", "reject", sys.executable, "-I", "-S", str(broken))
    named = [line.split(":")[0] for line in out.splitlines() if "expected reject, exit 0, accepts" in line]
    reasons = {entry["file"]: entry["why"] for entry in MANIFEST}
    assert status == 1
    assert named
    assert all(reasons[file] in " ".join(out.split()) for file in named)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--workers", "0", "true"],
        ["--seconds", "0", "true"],
        ["--seconds", "nan", "true"],
        ["--kind", "theorem", "true"],
        ["no-such-command-at-all"],
        ["--kind", "text", "--expect", "decline", "true"],
    ],
)
def test_bad_usage(arguments: list[str]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert "run.py: error: " in err
