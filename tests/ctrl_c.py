"""Ctrl-C while a command is at work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def stopped_by_ctrl_c(
    arguments: Sequence[str], folder: Path | None = None, once: str = "separation: ", group: bool = False
) -> None:
    """Runs a command in ``folder`` until it says ``once``, stops it or its whole ``group``, and asks for a good end."""
    command, pipe = [sys.executable, "-m", "separation", *arguments], subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True, preexec_fn=_heeds) as process:
        assert process.stderr is not None
        while once not in process.stderr.readline():
            assert process.poll() is None
        (os.killpg if group else os.kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "separation: stopped"
    assert "Traceback" not in err


def _heeds() -> None:
    """In a group of its own, like a command that is typed; a shell starts background jobs with SIGINT ignored."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
