"""Calls of a solver, each with a time limit that is kept.

The solver runs in a child process of its own, a fork of this one: whatever it does, it is ended (its whole process
group, by SIGKILL) when a call takes longer than the limit, and the next call starts a new child. So a solver does not
share what it changes with the caller, and standard output of the child is standard error. Without a limit the solver
is called in this process, and nothing ends it.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from separation.files import InputError
from separation.tasks import AnyTask, task_of
from separation.tasks.task import Array
from separation.testing.replies import DIED, NEVER_RETURNED, Reply, failed, line, replies, text_replies, text_reply
from separation.testing.text import write_prompts

INSTANCES, TOKENS, TEXT = "instances", "tokens", "text"
READS = (INSTANCES, TOKENS, TEXT)
"""What a solver is given: a list of instances, of lists of token ids, or of texts."""
LOADING_SECONDS = 300.0
_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl."""


@dataclass(frozen=True)
class Form:
    """How a solver is asked: what it reads; of text, after how many worked examples, and how replies are read."""

    reads: str = INSTANCES
    shots: int = 0
    strict: bool = False


Solver = Callable[..., Any]
"""solver(list of inputs); one with the attribute ``wants_numbers`` also learns how many numbers an answer has."""
Maker = Callable[[], Any]


class Caller:
    """Asks a solver about prompts of one task: a reply for each, or one for all if the call failed."""

    def ready(self) -> None:
        """Load the solver, so that no call has to wait for it."""

    def call(self, task: AnyTask, prompts: Array, numbers: int | None) -> list[Reply] | Reply:
        raise NotImplementedError

    def close(self) -> None:
        """End what is open."""


class Here(Caller):
    """The solver in this process, without a limit."""

    def __init__(self, solver: Solver, form: Form) -> None:
        self.solver, self.form = solver, form

    def call(self, task: AnyTask, prompts: Array, numbers: int | None) -> list[Reply] | Reply:
        return _asked(self.solver, self.form, task, prompts, numbers)


class Pool(Caller):
    """A solver that answers one text at a time, asked ``workers`` of them at the same time: a server."""

    def __init__(self, solver: Any, form: Form) -> None:
        self.solver, self.form, self.workers = solver, form, int(solver.workers)
        self.threads = ThreadPoolExecutor(self.workers)

    def submit(self, task: AnyTask, prompts: Array, numbers: int | None) -> list[Future[Reply]]:
        """A reply for each prompt, in time."""
        texts = write_prompts(task, prompts, shots=self.form.shots) if len(prompts) else []
        return [self.threads.submit(self._reply, text, numbers) for text in texts]

    def _reply(self, text: str, numbers: int | None) -> Reply:
        return text_reply(self.solver.reply(text), numbers, self.form.strict)

    def call(self, task: AnyTask, prompts: Array, numbers: int | None) -> list[Reply] | Reply:
        return [future.result() for future in self.submit(task, prompts, numbers)]

    def close(self) -> None:
        self.threads.shutdown(cancel_futures=True)


class Child(Caller):
    """The solver in a child process that is ended when a call takes longer than ``limit`` seconds."""

    def __init__(self, make: Maker, form: Form, limit: float = 5.0) -> None:
        if "fork" not in multiprocessing.get_all_start_methods():
            raise InputError("this system cannot fork, so no call can be ended: give no limit")
        self.make, self.form, self.limit = make, form, limit
        self.process: Any = None
        self.pipe: Connection | None = None

    def ready(self) -> None:
        if self.pipe is None:
            self._start()

    def call(self, task: AnyTask, prompts: Array, numbers: int | None) -> list[Reply] | Reply:
        pipe = self.pipe or self._start()
        try:
            pipe.send((task.sizes, prompts, numbers))
            if not pipe.poll(self.limit):
                self.close()
                return Reply(NEVER_RETURNED, None, f"no answer within {self.limit:g} s")
            found: list[Reply] | Reply = pipe.recv()
        except (EOFError, OSError):
            return self._died()
        return found

    def close(self) -> None:
        """End the child, and whatever it has started."""
        process, self.process = self.process, None
        pipe, self.pipe = self.pipe, None
        if process is None:
            return
        if pipe is not None:
            pipe.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.join()
        process.close()

    def _start(self) -> Connection:
        ours, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork")
        self.process = context.Process(target=_serve, args=(self.make, self.form, theirs, ours))
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # Python warns of a fork beside other threads; the child touches nothing of theirs.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        theirs.close()
        self.pipe = ours
        if not ours.poll(LOADING_SECONDS):
            self.close()
            raise InputError(f"the solver was not ready within {LOADING_SECONDS:g} s")
        try:
            ready = ours.recv()
        except (EOFError, OSError):
            ready = f"its process died: {self._died().detail}"
        if ready is not None:
            self.close()
            raise InputError(str(ready))
        return ours

    def _died(self) -> Reply:
        self.process.join(1.0)
        code = self.process.exitcode
        self.close()
        how = f"by signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"with exit code {code}"
        return Reply(DIED, None, f"the solver ended its process {how}")


def caller_of(make: Maker, form: Form, limit: float | None) -> Caller:
    """In a child process with a limit, in this one without; one that replies to single texts in a pool of threads."""
    if limit is not None:
        return Child(make, form, limit)
    solver = make()
    return Pool(solver, form) if hasattr(solver, "reply") else Here(solver, form)


def _serve(make: Maker, form: Form, pipe: Connection, other: Connection) -> None:
    """The child: makes the solver, says that it is ready, then answers call after call until the pipe is closed."""
    os.setsid()
    _end_with_parent()
    other.close()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.dup2(2, 1)  # what the solver prints is no part of a report
    sys.stdout = sys.stderr
    if "torch" in sys.modules:  # the threads of a pool do not survive a fork
        sys.modules["torch"].set_num_threads(1)
    try:
        solver = make()
    except BaseException as error:
        text = (
            str(error)
            if isinstance(error, InputError)
            else f"the solver could not be made: {type(error).__name__}: {error}"
        )
        pipe.send(line(text))
        return
    pipe.send(None)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            sizes, prompts, numbers = pipe.recv()
            pipe.send(_asked(solver, form, task_of(sizes), prompts, numbers))


def _end_with_parent() -> None:
    """Where the system can do it (Linux), the child is killed when its parent is: a solver may never return."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _asked(solver: Solver, form: Form, task: AnyTask, prompts: Array, numbers: int | None) -> list[Reply] | Reply:
    """One call; whatever it raises is a reply."""
    if form.reads == TOKENS:
        given: list[Any] = prompts.tolist()
    elif form.reads == TEXT:
        given = write_prompts(task, prompts, shots=form.shots)
    else:
        given = [task.instance(prompt) for prompt in prompts]
    try:
        outputs = solver(given, numbers) if getattr(solver, "wants_numbers", False) else solver(given)
        if form.reads == TEXT:
            return text_replies(outputs, len(prompts), numbers, form.strict)
        return replies(outputs, len(prompts), numbers)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a solver that calls sys.exit has not answered either
        return failed(error)
