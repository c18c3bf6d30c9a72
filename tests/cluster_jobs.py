"""Work that is given to a local Dask cluster of real processes, one of which is killed with SIGKILL.

python tests/cluster_jobs.py JOB FOLDER prints {"found": …, "killed_after": share done}.
"""

from __future__ import annotations

import csv
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import separation
from separation.pieces import results_as_finished
from separation.progress import Progress

PLAN = """
title = "tiny"
[recipe]
batch = 16
interval = 5
[[full]]
words = ["RF", "R"]
m = 4
seeds = [0, 1]
steps = 60
settings = { bits = 2, width = 16, head = 4, inner = 16 }
"""


def slow_square(number: int) -> int:
    time.sleep(0.3)
    return number * number


def pieces(folder: Path, progress: Progress, **shared: Any) -> Any:  # noqa: ARG001
    found: dict[int, int] = {}
    for place, square in results_as_finished(slow_square, range(20), **shared):
        found[place] = square
        progress(len(found) / 20, "")
    return [found[place] for place in range(20)]


def experiment(folder: Path, progress: Progress, **shared: Any) -> Any:
    plan = folder / "plan.toml"
    plan.write_text(PLAN)
    report = separation.experiment("depth", plan=plan, out=folder / "-".join(shared), progress=progress, **shared)
    with report.csv.open() as file:
        return [{name: value for name, value in row.items() if name != "cpu_seconds"} for row in csv.DictReader(file)]


JOBS = {"pieces": pieces, "experiment": experiment}


def main(job: str, folder: str) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        victims = [next(iter(cluster.workers.values())).pid]
        lost: list[float] = []

        def kill_one(done: float, _what: str) -> None:
            if 0 < done < 1 and victims:
                lost.append(done)
                os.kill(victims.pop(), signal.SIGKILL)

        found = JOBS[job](Path(folder), kill_one, dask=cluster.scheduler_address)
    print(json.dumps({"found": found, "killed_after": lost}))


if __name__ == "__main__":
    # Workers look up functions by the name of their module, and this one is not theirs to run.
    import cluster_jobs

    cluster_jobs.main(*sys.argv[1:])
