"""What a run would take, estimated before it starts: more memory than is free, or more than an hour, is refused.

Measured on the constructions at the sizes in tests/test_cost.py, and rounded up: the width of a construction for
FuncComp is about 5.2 coordinates for each bit of the largest table, its weights 3.5·(L+1)·width² numbers (C3 also
keeps a feature for each entry), and the proof takes 400 bytes and 30 µs for each of them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from separation.files import InputError

if TYPE_CHECKING:  # every verb loads this file
    from separation.models import Model
    from separation.tasks import TaskSizes
    from separation.tasks.funccomp import Sizes
    from separation.tasks.two_sum import TwoSumSizes

HOUR = 3600.0
WIDTH_PER_BIT = 5.2
WEIGHTS = 3.5
BYTES_PER_WEIGHT = 400
SECONDS_PER_WEIGHT = 3e-5


def free_memory() -> int | None:
    """Bytes that may be taken without harm to others, as far as the system says."""
    try:
        with open("/proc/meminfo", "rb") as file:
            for line in file:
                if line.startswith(b"MemAvailable:"):
                    return int(line.split()[1]) * 1024
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (OSError, ValueError, AttributeError):
        return None


def require_affordable(what: str, memory: float, seconds: float, force: bool | None = False) -> None:
    """Refuse what needs more memory than is free, or more than an hour; ``force`` starts it all the same."""
    free = free_memory()
    if force or (seconds <= HOUR and (free is None or memory <= free)):
        return
    has = "" if free is None else f" ({_gigabytes(free)} are free)"
    raise InputError(
        f"{what} would take about {_gigabytes(memory)} of memory{has} and {_hours(seconds)}; "
        "take smaller sizes, or --force"
    )


def weights_of(name: str, sizes: TaskSizes) -> float:
    """About how many numbers the weights of a construction have, before it is built."""
    from separation.tasks.catalogue import prompt_tokens
    from separation.tasks.funccomp import Sizes
    from separation.tasks.two_sum import TwoSumSizes

    if isinstance(sizes, TwoSumSizes):
        return WEIGHTS * 2 * (WIDTH_PER_BIT * (2.0 * sizes.modulus.bit_length() + 2)) ** 2
    if not isinstance(sizes, Sizes):  # a task of one's own: its look-ups are as wide as the code of a position
        return WEIGHTS * 2 * (WIDTH_PER_BIT * prompt_tokens(sizes).bit_length()) ** 2
    width = WIDTH_PER_BIT * max(sizes.N[-1].bit_length(), sizes.L)
    features = 4 * width * _bounded(sizes.length) if name == "C3" else 0.0
    return WEIGHTS * (sizes.L + 1) * width**2 + features


def require_affordable_construction(name: str, sizes: TaskSizes, force: bool | None = False) -> None:
    """Refuse to build and prove a construction at sizes that this machine cannot hold, or not within an hour."""
    weights = weights_of(name, sizes)
    memory, seconds = weights * BYTES_PER_WEIGHT, weights * SECONDS_PER_WEIGHT
    require_affordable(f"{name} at these sizes, with about {weights:.1g} weights,", memory, seconds, force)


def require_affordable_model(name: str, model: Model, force: bool | None = False) -> None:
    """The same for a model that is read from a file: thousands of layers or heads, say."""
    weights = _bounded(model.parameters)
    memory, seconds = weights * BYTES_PER_WEIGHT, weights * SECONDS_PER_WEIGHT
    what = f"{name}, with {len(model.layers):,} layers and about {weights:.1g} weights,"
    require_affordable(what, memory, seconds, force)


def require_affordable_table(names: list[str], sizes: Sizes, search: TwoSumSizes, force: bool | None = False) -> None:
    """The same for a table in which each of these constructions is built and proved, one after the other."""
    from constructions import SEARCHES

    weights = [weights_of(name, search if name in SEARCHES else sizes) for name in names if name != "C3"]
    memory, seconds = max(weights) * BYTES_PER_WEIGHT, sum(weights) * SECONDS_PER_WEIGHT
    require_affordable("the table at these sizes", memory, seconds, force)


def _bounded(number: int) -> float:
    return float(min(number, 10**300))


def _gigabytes(size: float) -> str:
    return f"{size / 2**30:,.1f} GB" if size < 1e15 else f"{size / 2**30:.1e} GB"


def _hours(seconds: float) -> str:
    return f"{seconds:,.0f} s" if seconds < HOUR else f"{seconds / HOUR:,.1f} hours"
