"""Seconds of a call, seconds and peak memory of a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import separation

# A child's peak counts the memory of whoever forked it, so a small process stands between this one and the measured.
_WATCHER = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
seconds = time.perf_counter() - start
if done.returncode:
    sys.exit(done.stderr.strip() or f"exit code {done.returncode}")
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
unit = 2**20 if sys.platform == "darwin" else 2**10
print(json.dumps({"seconds": seconds, "megabytes": peak / unit, "output": done.stdout}))
"""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Settings for a process whose matrix products stay on one core."""


@dataclass(frozen=True)
class Process:
    """What a finished process took, and what it printed."""

    seconds: float
    megabytes: float
    output: str


class ProcessFailed(RuntimeError):
    """A measured process ended with an error; the text is the last line that it wrote about it."""


def best_seconds(
    *actions: Callable[[], object], repeats: int = 3, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """The least time of each action: what else the machine does can only add to it.

    The actions take turns, so that a change of the machine's load meets all of them.
    """
    best = [float("inf")] * len(actions)
    for _ in range(repeats):
        for place, action in enumerate(actions):
            start = clock()
            action()
            best[place] = min(best[place], clock() - start)
    return best


def best_process(arguments: Sequence[str], repeats: int = 1, settings: Mapping[str, str] | None = None) -> Process:
    """`SETTINGS python ARGUMENTS` in a process of its own, the quickest of several."""
    environment = {**python_environment(), **(settings or {})}
    return min((_process(arguments, environment) for _ in range(repeats)), key=lambda process: process.seconds)


def python_environment() -> dict[str, str]:
    """The environment for a child that imports this very package, installed or not."""
    root = str(Path(separation.__file__).resolve().parents[1])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _process(arguments: Sequence[str], environment: Mapping[str, str]) -> Process:
    command = [sys.executable, "-c", _WATCHER, sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise ProcessFailed((done.stderr.strip() or "no message").splitlines()[-1])
    return Process(**json.loads(done.stdout))
