"""Rows measured in a process whose matrix products keep to one thread.

In two threads small products mostly wait for each other, which costs more than the products and shows nothing but the
load of the machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from separation.bench.measuring import ONE_THREAD, best_process
from separation.bench.report import Row


def rows_in_one_thread(module: str, *numbers: int) -> list[Row]:
    """What `python -m MODULE NUMBERS` hands to print_rows."""
    rows: list[Row] = json.loads(best_process(["-m", module, *map(str, numbers)], settings=ONE_THREAD).output)
    return rows


def print_rows(rows: Sequence[Row]) -> None:
    """The other end of rows_in_one_thread."""
    print(json.dumps(rows))
