"""A local Dask cluster of real processes: a worker is killed with SIGKILL in the middle, and nothing is lost.

python tests/test_cluster.py prints {"found": …, "killed_after": share done}.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from separation.pieces import results_as_finished

NUMBERS = range(20)


def slow_square(number: int) -> int:
    time.sleep(0.3)
    return number * number


def main() -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        victims = [next(iter(cluster.workers.values())).pid]
        found: dict[int, int] = {}
        lost: list[float] = []
        for place, square in results_as_finished(slow_square, NUMBERS, dask=cluster.scheduler_address):
            found[place] = square
            if victims:
                lost.append(len(found) / len(NUMBERS))
                os.kill(victims.pop(), signal.SIGKILL)
    print(json.dumps({"found": [found[place] for place in NUMBERS], "killed_after": lost}))


@pytest.mark.slow
def test_a_killed_worker_of_a_cluster_loses_nothing(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    tests = Path(__file__).parent
    paths = os.pathsep.join([str(tests), str(tests.parent), os.environ.get("PYTHONPATH", "")])
    env = os.environ | {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, __file__], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["killed_after"]) == 1, "nobody was killed"
    assert told["found"] == [number * number for number in NUMBERS]


if __name__ == "__main__":
    # Workers look up functions by the name of their module, and this one is not theirs to run.
    import test_cluster

    test_cluster.main()
