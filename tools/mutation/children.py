"""Work in forked children: what a mutant does to memory, threads or the interpreter dies with its child."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

Job = TypeVar("Job")
Say = Callable[[str], None]

MEMORY = 2 << 30  # bytes a child may take beyond what it is born with
PATIENCE = 3600.0  # seconds by the clock after which a child that only waits is ended; a timer counts its own time
POLL = 0.002


@dataclass(frozen=True)
class Ended(Generic[Job]):
    """A child's exit status (minus the signal that ended it) and the last line it said."""

    job: Job
    status: int
    said: str


@dataclass
class _Child(Generic[Job]):
    job: Job
    pipe: int
    folder: Path
    since: float = field(default_factory=time.monotonic)
    said: str = ""

    def listen(self) -> None:
        """Keep the last whole line; a child that says much must not wait for a full pipe to be emptied."""
        try:
            lines = os.read(self.pipe, 1 << 20).decode(errors="replace").splitlines()
        except BlockingIOError:  # nothing new, or a process that the child left behind holds the other end
            lines = []
        self.said = lines[-1] if lines else self.said


def in_children(jobs: Iterable[Job], work: Callable[[Job, Say], int], workers: int) -> Iterator[Ended[Job]]:
    """Runs work(job, say) in a child each, `workers` at a time; yields them as they end."""
    running: dict[int, _Child[Job]] = {}
    waiting = iter(jobs)
    more = True
    while more or running:
        while more and len(running) < workers:
            try:
                job = next(waiting)
            except StopIteration:
                more = False
                break
            pid, child = _start(job, work)
            running[pid] = child
        for pid in list(running):
            done, status = os.waitpid(pid, os.WNOHANG)
            running[pid].listen()
            if done:
                yield _ended(running.pop(pid), os.waitstatus_to_exitcode(status))
            elif time.monotonic() - running[pid].since > PATIENCE:
                os.kill(pid, signal.SIGPROF)
        time.sleep(POLL)


def _start(job: Job, work: Callable[[Job, Say], int]) -> tuple[int, _Child[Job]]:
    reading, writing = os.pipe()
    folder = Path(tempfile.mkdtemp(prefix="mutant-"))
    pid = os.fork()
    if pid == 0:
        status = 1  # whatever escapes from the work is a failure of the mutant
        try:
            os.close(reading)
            os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
            tempfile.tempdir = str(folder)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            _limit_memory()
            status = work(job, lambda text: _write(writing, text))
        except BaseException as error:
            _write(writing, f"{type(error).__name__} outside a test: {error}".splitlines()[0])
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(status)
    os.close(writing)
    os.set_blocking(reading, False)
    return pid, _Child(job, reading, folder)


def _write(pipe: int, text: str) -> None:
    os.write(pipe, text.encode()[:4000] + b"\n")


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    if pages:  # elsewhere the timer alone ends what runs away
        limit = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _ended(child: _Child[Job], status: int) -> Ended[Job]:
    os.close(child.pipe)
    shutil.rmtree(child.folder, ignore_errors=True)
    return Ended(child.job, status, child.said)
