"""Pieces of work: the same results for any number of workers, on a cluster too, and whoever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from separation.files import InputError
from separation.pieces import finished_pieces

ITEMS = list(range(7))


def squared(number: int) -> int:
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


@pytest.mark.parametrize("workers", [1, 2])
def test_results_do_not_depend_on_the_number_of_workers(workers: int) -> None:
    found = dict(finished_pieces(squared, ITEMS, workers=workers))
    assert found == {index: index * index for index in ITEMS}


def test_any_executor_will_do() -> None:
    with ThreadPoolExecutor(3) as executor:
        assert dict(finished_pieces(squared, ITEMS, executor=executor)) == {index: index * index for index in ITEMS}


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    items = [(str(tmp_path), number) for number in ITEMS]
    assert dict(finished_pieces(killed_once, items, workers=2)) == {index: index * index for index in ITEMS}
    assert (tmp_path / "died").exists()


def test_workers_that_always_die_are_reported() -> None:
    with pytest.raises(BrokenProcessPool):
        dict(finished_pieces(always_killed, ITEMS[:2], workers=2))


def test_an_address_where_nobody_answers_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("separation.pieces.CONNECT_SECONDS", 1)
    pytest.importorskip("distributed", reason="Dask is not installed")
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        dict(finished_pieces(squared, ITEMS, dask="tcp://127.0.0.1:9"))


CLUSTER = """
import os, signal, sys, threading, time
from distributed import LocalCluster
from separation.pieces import finished_pieces
from slow_square import slow_square

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        victim = next(iter(cluster.workers.values())).pid
        threading.Timer(1.0, os.kill, (victim, signal.SIGKILL)).start()
        found = dict(finished_pieces(slow_square, list(range(20)), dask=cluster.scheduler_address))
    assert found == {k: k * k for k in range(20)}, found
    print("the same")
"""


@pytest.mark.slow
def test_a_killed_worker_of_a_cluster_loses_nothing(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    (tmp_path / "slow_square.py").write_text(
        "import time\n\ndef slow_square(k):\n    time.sleep(0.3)\n    return k * k\n"
    )
    (tmp_path / "script.py").write_text(CLUSTER)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "the same", done.stderr
