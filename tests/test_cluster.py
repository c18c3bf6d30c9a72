"""A local Dask cluster of real processes: a worker is killed with SIGKILL in the middle, and nothing is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cluster_jobs
import pytest


@pytest.mark.slow
def test_a_killed_worker_of_a_cluster_loses_nothing(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    tests = Path(__file__).parent
    paths = os.pathsep.join([str(tests), str(tests.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, cluster_jobs.__file__],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["killed_after"]) == 1, "nobody was killed"
    assert told["found"] == [number * number for number in cluster_jobs.NUMBERS]
