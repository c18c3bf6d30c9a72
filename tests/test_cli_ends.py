"""How a command ends when the world is against it: one line, the right status, nothing half-written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ctrl_c import stopped_by_ctrl_c

from separation.verbs.command_line import run

FULL = Path("/dev/full")
SHOW = ("show", "C1", "--L", "2")


def command(*arguments: str, before: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, ``before`` run first."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8", **options}
    environment = {**os.environ, "PYTHONUTF8": "1", **options.pop("env", {})}
    program = [sys.executable, "-c", f"{before}\nfrom separation.verbs.command_line import main; main()"]
    return subprocess.run([*program, *arguments], env=environment, check=False, **options)


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    assert text.startswith("separation: ")
    return text.rstrip("\n")


ONE_AFTER_ANOTHER = """
import json, os, sys
import separation.verbs.fool, separation.verbs.show, rich.console, rich.table
from separation.verbs.command_line import main
for arguments in json.loads(sys.argv[1]):
    child = os.fork()
    if not child:
        sys.argv[1:] = arguments
        main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=sys.stderr, flush=True)
"""
CHECK = ("check", str(Path(__file__).parents[1] / "corpus" / "bound" / "d.json"))
PRINTED = (SHOW, (*SHOW, "--latex"), (*SHOW, "--json"), CHECK, ("--help",), ("show", "--help"))
FAILED_CLAIM = ("fool", "--samples", "1", "--m", "4", "--state-bits", "6", "--json")


def ends_of(*commands: tuple[str, ...], stdout: int) -> list[str]:
    """What each command leaves on standard error, and its status, a line each; one process has loaded all of it."""
    program = [sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(commands)]
    return subprocess.run(program, stdout=stdout, stderr=subprocess.PIPE, text=True, check=True).stderr.splitlines()


def test_a_reader_who_has_seen_enough_is_no_error_and_makes_no_failed_claim_hold(tmp_path: Path) -> None:
    rejected = tmp_path / "c1.json"
    assert run(["prove", "C1", "--L", "1", "--m", "2", "--out", str(rejected)]) == 0
    rejected.write_text(rejected.read_text().replace('"margin":2', '"margin":3'))
    failed = (FAILED_CLAIM, ("check", str(rejected)), ("check", str(rejected), "--json"))
    reader, writer = os.pipe()
    os.close(reader)  # `| head -0`: gone before a byte is written
    try:
        assert ends_of(*PRINTED, *failed, stdout=writer) == ["0"] * len(PRINTED) + ["1"] * len(failed)
    finally:
        os.close(writer)


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_a_full_device_behind_standard_output() -> None:
    with FULL.open("w") as full:
        said = ends_of(*PRINTED, ("--version",), stdout=full.fileno())
    assert said[1::2] == ["2"] * (len(PRINTED) + 1)
    assert all(re.fullmatch("separation: error: (.*: )?No space left on device", line) for line in said[::2])


@pytest.mark.parametrize(
    ("redirected", "arguments", "status"), [(">&-", "show C1 --L 1", 0), (">&- 2>&-", "show C1 --L 0", 2)]
)
def test_closed_outputs_leave_the_status(redirected: str, arguments: str, status: int) -> None:
    line = f"exec \"$0\" -c 'from separation.verbs.command_line import main; main()' {arguments} {redirected}"
    assert subprocess.run(["sh", "-c", line, sys.executable], capture_output=True).returncode == status


NAMING = (
    "prove C1 --out", "prove C1 --write-model", "check", "prove --model", "solve C1 --instance", "simulate C1 --figure",
    "audit", "bound --config",
)  # fmt: skip


@pytest.mark.parametrize("name", ["a" * 252 + ".svg", "é" * 126 + ".svg"])
def test_a_name_longer_than_255_bytes(name: str, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for words in NAMING:
        assert run([*words.split(), str(tmp_path / name)]) == 2, words
        captured = capfd.readouterr()
        assert captured.out == ""
        assert "File name too long" in one_line(captured.err)
        assert not list(tmp_path.iterdir())


def test_a_name_of_255_bytes_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 250 + ".json")
    assert run(["prove", "C1", "--L", "1", "--out", str(path)]) == 0
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_worker_killed_by_the_system(tmp_path: Path) -> None:
    """The worker imports `lost`, whose function ends it as the system does when memory runs out.

    The first statement is checked before there are workers, and is left alone.
    """
    (tmp_path / "lost.py").write_text(
        "import os\nfrom separation.verbs.verify import FIRST, _row\n\n"
        "def killed(job, full):\n    return _row(job, full) if job == FIRST else os.kill(os.getpid(), 9)\n"
    )
    before = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import lost, separation.verbs.verify as verify\n"
    before += "verify._row, verify.CASES = lost.killed, ()"
    done = command("verify", "--workers", "2", "--json", before=before, env={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (2, "")
    *progress, line = done.stderr.splitlines()
    assert "--workers 1" in one_line(f"{line}\n")
    assert all("%" in each for each in progress)


INTERRUPTED_IMPORT = """
import sys
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stop())
"""


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("typer", "show -h"), ("separation.verbs.show", "show C1"), ("separation.proving.kernel", "check x.json")],
)
def test_ctrl_c_while_anything_is_loaded(name: str, arguments: str) -> None:
    done = command(*arguments.split(), before=INTERRUPTED_IMPORT.format(name=name))
    assert (done.returncode, done.stdout) == (130, "")
    assert one_line(done.stderr) == "separation: stopped"


@pytest.mark.slow
def test_ctrl_c_ends_all_workers_of_verify() -> None:
    stopped_by_ctrl_c(["verify", "--workers", "2"], group=True)


BROKEN = {
    "torch": ("crosscheck C1 --L 1", "raise OSError('libtorch_cpu.so: cannot open shared object file')"),
    "torch with an old numpy": ("export C1 x --to gpt2 --L 1", "import numpy; numpy.no_such_name"),
    "flint": ("show C1", "raise OSError('libflint.so is missing')"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_package_that_fails_to_import_is_named(broken: str, tmp_path: Path) -> None:
    package, (line, source) = broken.partition(" ")[0], BROKEN[broken]
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text(f"{source}\n")
    done = command(*line.split(), env={"PYTHONPATH": str(tmp_path)}, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{package} is installed but cannot be imported: " in one_line(done.stderr)
    assert [entry.name for entry in tmp_path.iterdir()] == [package]


def too_few_bits(tmp_path: Path) -> Path:
    """A model whose activations do not fit into its own bits."""
    path = tmp_path / "model.json"
    assert run(["prove", "C1", "--L", "2", "--m", "3", "--n", "2", "--write-model", str(path)]) == 0
    document = json.loads(path.read_text())
    document["layers"][0]["heads"][0]["W_K"]["entries"][0][2] = 10**9
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("verb", ["solve", "fool", "crosscheck", "simulate"])
def test_a_number_too_large_is_bad_input_everywhere(
    verb: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if verb == "crosscheck":
        pytest.importorskip("torch", reason="torch is not installed")
    path = too_few_bits(tmp_path)
    capfd.readouterr()
    assert run([verb, "--model", str(path)]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "bits" in one_line(captured.err)
    assert run([verb, "--model", str(path), "--json"]) == 2
    captured = capfd.readouterr()
    document = json.loads(captured.out)
    assert document["ok"] is False
    assert document["error"] in one_line(captured.err)
