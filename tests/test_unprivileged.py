"""What a user who may not do everything meets: no permission is one line and exit 2, and nothing is left.

Where the tests run as root, which may read and write everything, the commands run as `nobody`: every module that they
need is loaded first, as `nobody` may not be able to read the folder of the interpreter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "setuid"), reason="users are a matter of POSIX")

PROGRAM = """
import json, os, sys
from separation.verbs.command_line import run
os.chdir(sys.argv[1])
lines = json.loads(sys.argv[2])
null = open(os.devnull, "w")
shown, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), null, null
for line in lines:  # once as whoever started this, with names that are good
    run([word.replace("locked", "open").replace("secret", "plain") for word in line])
sys.stdout, sys.stderr = shown
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
print("as", os.geteuid(), flush=True)
for line in lines:
    print("exit", run(line), flush=True)
"""
LINES = (
    ("prove C1 --L 1 --out locked/c.json", "the folder is not writable"),
    ("simulate C1 --L 1 --figure locked/c.svg --out locked/c.jsonl", "the folder is not writable"),
    ("bound --L 2 --beta 8 --lambda 0 --out locked/b.json", "the folder is not writable"),
    ("check secret.json", "Permission denied"),
    ("prove --model secret.json", "Permission denied"),
    ("solve C1 --instance secret.json", "Permission denied"),
    ("prove C1 --L 1 --out shut/in/c.json", "Permission denied"),
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that `nobody` may enter; pytest's own belong to one user alone."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        for part, mode in (("locked", 0o555), ("open", 0o777), ("shut", 0o000)):
            (root / part).mkdir()
            (root / part).chmod(mode)
        for part, mode in (("secret.json", 0o000), ("plain.json", 0o644)):
            (root / part).write_text("{}")
            (root / part).chmod(mode)
        yield root
        (root / "shut").chmod(0o755)


def test_no_permission_is_one_line(folder: Path) -> None:
    lines = [line.split() for line, _ in LINES]
    command = [sys.executable, "-c", PROGRAM, str(folder), json.dumps(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    user, *ends = done.stdout.splitlines()
    assert user != "as 0"
    assert ends == ["exit 2"] * len(LINES), done.stderr
    said = done.stderr.splitlines()
    assert len(said) == len(LINES)
    for line, (asked, part) in zip(said, LINES, strict=True):
        assert line.startswith("separation: error: "), asked
        assert part in line, asked
    assert not list((folder / "locked").iterdir())
