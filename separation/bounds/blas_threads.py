"""One BLAS thread for a while: on matrices of twenty rows, threads that wait for each other cost ten times the work."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

_MAPS = Path("/proc/self/maps")
_PREFIXES = ("scipy_openblas", "openblas")
_SUFFIXES = ("64_", "")


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Every OpenBLAS that is loaded runs on one thread inside, and on as many as before afterwards.

    Where none is found (another BLAS, another system) nothing changes but the time.
    """
    before = [(library, name, getattr(library, name.replace("set", "get"))()) for library, name in _libraries()]
    for library, name, _ in before:
        getattr(library, name)(1)
    try:
        yield
    finally:
        for library, name, threads in before:
            getattr(library, name)(threads)


@cache
def _libraries() -> list[tuple[ctypes.CDLL, str]]:
    """(library, name of its set_num_threads) of every OpenBLAS of this process."""
    try:
        paths = {line.split()[-1] for line in _MAPS.read_text().splitlines() if "openblas" in line}
    except OSError:
        return []
    found = []
    for path in sorted(paths):
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        names = [f"{prefix}_set_num_threads{suffix}" for prefix in _PREFIXES for suffix in _SUFFIXES]
        found += [(library, name) for name in names if hasattr(library, name)][:1]
    return found
