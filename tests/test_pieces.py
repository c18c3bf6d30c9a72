"""Pieces of work: the same results whoever does them and whoever is killed, and one line where nobody can."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from inline_executor import Inline

from separation.files import InputError
from separation.pieces import AHEAD, _require_same_code, pieces_in_order, results_as_finished, running_code

ITEMS = list(range(7))
SQUARES = {number: number * number for number in ITEMS}


def squared(number: int) -> int:
    return number * number


def later_first(number: int) -> int:
    if number % 3 == 0:
        Event().wait(0.01)
    return number * number


def killed_once(item: tuple[str, int]) -> int:
    """The first process that meets number 3 dies, as by the system's lack of memory; whoever comes next does it."""
    folder, number = item
    if number == 3:
        try:
            Path(folder, "died").touch(exist_ok=False)
        except FileExistsError:
            return number * number
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def always_killed(_item: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def differences(function: Callable[[int], Any]) -> list[str]:
    """In which ways of sharing the work the results are not those of one process."""
    alone = dict(results_as_finished(function, ITEMS, workers=1))
    with ThreadPoolExecutor(3) as threads:
        ways: dict[str, dict[str, Any]] = {
            "two workers": {"workers": 2},
            "threads": {"executor": threads},
            "this process": {"executor": Inline()},
        }
        return [name for name, shared in ways.items() if dict(results_as_finished(function, ITEMS, **shared)) != alone]


def test_results_do_not_depend_on_who_does_the_work() -> None:
    assert differences(squared) == []


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    items = [(str(tmp_path), number) for number in ITEMS]
    assert dict(results_as_finished(killed_once, items, workers=2)) == SQUARES
    assert (tmp_path / "died").exists()


def test_workers_that_always_die_are_reported() -> None:
    with pytest.raises(BrokenProcessPool):
        dict(results_as_finished(always_killed, ITEMS[:2], workers=2))


def test_items_are_taken_as_workers_become_free() -> None:
    """An endless supply is no trouble, and what is ready early waits for its turn."""
    taken: list[int] = []

    def supply() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield number

    with ThreadPoolExecutor(3) as executor:
        found = list(islice(pieces_in_order(later_first, supply(), executor=executor), 9))
    assert found == [number * number for number in range(9)]
    assert len(taken) <= 9 + 10 * AHEAD * 3


def test_nobody_waits_longer_than_asked() -> None:
    stop = Event()
    with ThreadPoolExecutor(2) as executor:
        pieces = results_as_finished(stop.wait, [60.0] * 4, executor=executor, until=time.monotonic() - 1)
        assert list(pieces) == []
        stop.set()


def test_a_mistake_in_a_piece_is_raised_and_most_of_the_rest_is_not_started() -> None:
    done: list[int] = []

    def fails(number: int) -> int:
        done.append(number)
        return 1 // (number - 2)

    with pytest.raises(ZeroDivisionError):
        dict(results_as_finished(fails, range(1000), executor=Inline()))
    assert len(done) < 500


def test_no_workers_are_refused() -> None:
    with pytest.raises(InputError, match="workers is 0; at least 1 is needed"):
        dict(results_as_finished(squared, ITEMS, workers=0))
    with pytest.raises(InputError, match="workers is more than 4096"):
        dict(results_as_finished(squared, ITEMS, workers=2**63))


def test_dask_is_loaded_only_where_it_is_asked_for() -> None:
    program = "import sys, separation.pieces, separation.verbs.sweep, separation.verbs.verify, separation.fooling\n"
    program += "sys.exit('distributed' in sys.modules or 'dask' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_workers_with_other_code_are_refused() -> None:
    _require_same_code({"tcp://a": running_code()})
    version, digest = running_code()
    for other in ((version, digest[::-1]), ("0.0.1", digest)):
        with pytest.raises(InputError, match="worker tcp://a runs other code"):
            _require_same_code({"tcp://a": other})
    with pytest.raises(InputError, match="worker tcp://b cannot run separation: No module named 'separation'"):
        _require_same_code({"tcp://a": running_code(), "tcp://b": ModuleNotFoundError("No module named 'separation'")})
