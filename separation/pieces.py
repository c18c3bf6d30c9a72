"""Independent pieces of work, shared by processes here or by a Dask cluster; results are those of one process.

    results[k] = function(items[k])

where the function is importable by name (it is sent to other processes) and its result follows from the item alone. A
worker that dies loses nothing: what it had not finished is done again by others. Whatever the project does in several
processes goes through `results_as_finished` or `pieces_in_order`.
"""

from __future__ import annotations

import hashlib
import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from itertools import islice
from multiprocessing import active_children, get_context
from pathlib import Path
from threading import Lock
from typing import Any, TypedDict, TypeVar, Unpack
from urllib.parse import urlsplit

from separation.files import InputError
from separation.version import VERSION

Item = TypeVar("Item")
Result = TypeVar("Result")

CONNECT_SECONDS = 10
MAX_WORKERS = 4096
"""More than any machine has cores; beyond a C int no pool can be made."""
MOST_LOSSES = 3
"""How often in a row workers may die without finishing a single piece."""
AHEAD = 2
"""Pieces for each worker that are sent out at a time."""
UNKNOWN_WORKERS = 64
"""Of an executor that does not say how many it has."""
DASK_LOSSES = ("KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError", "FutureLostError")
"""By name: Dask is imported only where it is asked for."""

_ONE_AT_A_TIME = Lock()


class Sharing(TypedDict, total=False):
    """Who does the work: so many processes here, the Dask cluster at an address, or an executor of the caller's."""

    workers: int | None
    dask: str | None
    executor: Executor | None


class _TimeIsUp(Exception):
    """No piece was finished in time."""


def results_as_finished(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
    until: float | None = None,
) -> Iterator[tuple[int, Result]]:
    """(k, function(items[k])) in the order in which they are finished; with one worker in the order of the items.

    Items are taken one by one as workers become free, so there may be any number of them. Nobody waits for a piece
    ``until`` later than that, on the clock time.monotonic().
    """
    sharing(workers, dask, executor)
    few = isinstance(items, Sized) and len(items) <= 1
    if executor is None and dask is None and (workers == 1 or few):
        yield from ((index, function(item)) for index, item in enumerate(items))
        return
    supply, losses = enumerate(items), 0
    left: dict[int, Item] = {}
    while True:
        futures: dict[Future[Result], int] = {}
        try:
            with executor_for(_fewer(workers, losses), dask, executor) as (pool, most):
                futures |= {pool.submit(one_piece, function, item): index for index, item in left.items()}
                while True:
                    for index, item in islice(supply, max(0, most - len(futures))):
                        left[index] = item
                        futures[pool.submit(one_piece, function, item)] = index
                    if not futures:
                        return
                    for future in _finished(futures, until):
                        result = future.result()
                        index = futures.pop(future)
                        del left[index]
                        losses = 0
                        yield index, result
        except _TimeIsUp:
            return
        except Exception as error:
            if executor is not None or not _is_loss(error):
                raise
            losses += 1
            if losses >= MOST_LOSSES:
                if dask is None:
                    raise
                raise InputError(
                    f"workers of the cluster at {dask} were lost again and again: {_first(error)}"
                ) from None
        finally:
            for future in futures:
                future.cancel()


def one_piece(function: Callable[[Item], Result], item: Item) -> Result:
    """One at a time in a process, whose threads share what a piece may change for a while (torch's threads, a rule)."""
    with _ONE_AT_A_TIME:
        return function(item)


def pieces_in_order(
    function: Callable[[Item], Result], items: Iterable[Item], *, until: float | None = None, **shared: Unpack[Sharing]
) -> Iterator[Result]:
    """function(item) for all items in their order; what is finished early waits for its turn."""
    early: dict[int, Result] = {}
    shown = 0
    for index, result in results_as_finished(function, items, **shared, until=until):
        early[index] = result
        while shown in early:
            yield early.pop(shown)
            shown += 1


def sharing(workers: int | None, dask: str | None, executor: Executor | None, usual: int | None = None) -> Sharing:
    """Who was named; so many workers as is ``usual`` if nobody was. Two at once contradict each other."""
    given = {"workers": workers, "dask": dask, "executor": executor}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise InputError(f"{' and '.join(named)} do not go together: one of them shares out the work")
    if workers is not None and workers < 1:
        raise InputError(f"workers is {workers}; at least 1 is needed")
    if workers is not None and workers > MAX_WORKERS:
        raise InputError(f"workers is more than {MAX_WORKERS}: that many processes are of no use")
    return {"workers": workers if named else usual, "dask": dask, "executor": executor}


def _finished(futures: dict[Future[Result], int], until: float | None) -> list[Future[Result]]:
    """At least one future that is done, in the order of the items."""
    done, _ = wait(futures, None if until is None else max(0.0, until - time.monotonic()), FIRST_COMPLETED)
    if not done:
        raise _TimeIsUp
    return sorted(done, key=futures.__getitem__)


def _fewer(workers: int | None, losses: int) -> int | None:
    """Where workers were lost for want of memory, half as many may do."""
    return workers if not losses else max(1, (workers or os.cpu_count() or 1) >> losses)


def _is_loss(error: Exception) -> bool:
    return isinstance(error, BrokenProcessPool | CancelledError) or type(error).__name__ in DASK_LOSSES


def _first(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:120]


@contextmanager
def executor_for(workers: int | None, dask: str | None, given: Executor | None) -> Iterator[tuple[Executor, int]]:
    """An executor, and how many pieces it gets at a time."""
    if given is not None:
        known = getattr(given, "_max_workers", None)
        yield given, AHEAD * (known if isinstance(known, int) else UNKNOWN_WORKERS)
    elif dask is not None:
        with _cluster(dask) as (executor, count):
            yield executor, AHEAD * count
    else:
        count = workers or os.cpu_count() or 1
        with _processes(count) as pool:
            yield pool, AHEAD * count


@contextmanager
def _processes(count: int) -> Iterator[Executor]:
    """Processes that this one ends as soon as anything goes wrong; Ctrl-C reaches all, and this one answers it."""
    others = {process.pid for process in active_children()}
    pool = ProcessPoolExecutor(count, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            if process.pid not in others:
                process.terminate()
        raise
    pool.shutdown()


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The cluster's executor and its number of workers, once somebody answers and every worker runs this very code."""
    _require_answer(address)
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--dask needs Dask: pip install 'separation[cluster]'") from None
    with _quiet_dask():
        try:
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(f"no Dask scheduler answers at {address}: {_first(error)}") from None
        with client:
            yield _checked_executor(client, address), max(1, len(client.nthreads()))


@contextmanager
def _quiet_dask() -> Iterator[None]:
    """Dask reports lost connections with tracebacks; the caller who waits for a result learns of them in one line."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _checked_executor(client: Any, address: str) -> Executor:
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError:
        raise InputError(f"the Dask cluster at {address} has no workers") from None
    _require_same_code(client.run(running_code, on_error="return"))
    found: Executor = client.get_executor(pure=False)
    return found


def _require_answer(address: str) -> None:
    """Dask tries for a while where nobody listens; a user who has mistyped an address wants to know at once."""
    try:
        place = urlsplit(address if "://" in address else f"tcp://{address}")
        host, port = place.hostname, place.port
    except ValueError:
        host = port = None
    if host is None or port is None:
        raise InputError(f"{address!r} is no address of a Dask scheduler; one looks like tcp://127.0.0.1:8786")
    try:
        socket.create_connection((host, port), CONNECT_SECONDS).close()
    except OSError as error:
        raise InputError(f"no Dask scheduler answers at {address}: {error.strerror or error}") from None


def _require_same_code(by_worker: dict[str, Any]) -> None:
    for worker, code in by_worker.items():
        if isinstance(code, Exception):
            raise InputError(f"worker {worker} cannot run separation: {_first(code)}")
        if code != running_code():
            raise InputError(f"worker {worker} runs other code ({code[0]}) than this ({VERSION}): results could differ")


@cache
def running_code() -> tuple[str, str]:
    """The version, and a digest of all modules of the three packages: equal where the same code runs."""
    root, digest = Path(__file__).parents[1], hashlib.sha256()
    for package in ("separation", "constructions", "proofs_checks"):
        for path in sorted((root / package).rglob("*.py")):
            digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return VERSION, digest.hexdigest()
