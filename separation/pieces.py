"""Independent pieces of work, shared by processes here or by a Dask cluster; results are those of one process.

    results[k] = function(items[k])

where the function is importable by name (it is sent to other processes). A worker that dies loses nothing: what it had
not finished is done again by others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

from separation.files import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

CONNECT_SECONDS = 10
MOST_RESTARTS = 3
"""How often in a row a pool may die without finishing a single piece."""


def finished_pieces(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
) -> Iterator[tuple[int, Result]]:
    """(k, function(items[k])) in the order in which they are finished; with one worker in the order of the items."""
    if executor is None and dask is None and (workers == 1 or len(items) <= 1):
        yield from ((index, function(item)) for index, item in enumerate(items))
        return
    left, idle = dict(enumerate(items)), 0
    while left:
        before = len(left)
        with executor_for(workers, dask, executor) as pool:
            futures = {pool.submit(function, item): index for index, item in left.items()}
            try:
                for future in as_completed(futures):
                    result = future.result()
                    del left[futures[future]]
                    yield futures[future], result
            except BrokenProcessPool:
                idle = idle + 1 if len(left) == before else 0
                if executor is not None or idle >= MOST_RESTARTS:
                    raise


@contextmanager
def executor_for(workers: int | None, dask: str | None, given: Executor | None = None) -> Iterator[Executor]:
    """The given executor, one of the Dask cluster at an address, or a pool of processes here."""
    if given is not None:
        yield given
    elif dask is not None:
        with _cluster(dask) as executor:
            yield executor
    else:
        count = workers or os.cpu_count() or 1
        with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
            yield pool


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--dask needs Dask: pip install 'separation[cluster]'") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"no Dask scheduler answers at {address}: {str(error).splitlines()[0][:120]}") from None
    with client:
        yield client.get_executor()
