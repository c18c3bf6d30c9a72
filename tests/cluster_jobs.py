"""Work that is given to a local Dask cluster of real processes, one of which is killed with SIGKILL.

python tests/cluster_jobs.py prints {"found": …, "killed_after": share done}.
"""

from __future__ import annotations

import json
import os
import signal
import time

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


if __name__ == "__main__":
    # Workers look up functions by the name of their module, and this one is not theirs to run.
    import cluster_jobs

    cluster_jobs.main()
