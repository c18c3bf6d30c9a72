"""What each test executes and how long it takes, without any mutant."""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tools.mutation.children import Say, in_children
from tools.mutation.inject import memories
from tools.mutation.running import Collected, collect, seconds_of
from tools.mutation.targets import Target

TRACED = 3.0  # a test is this much slower while its lines are recorded, at most about


@dataclass(frozen=True)
class Baseline:
    """Seconds of every test, and the tests that execute a line of a file, fastest first."""

    seconds: dict[str, float]
    tests: dict[tuple[str, int], list[str]]

    def reaching(self, path: str, first: int, last: int) -> list[str]:
        """The tests that execute one of these lines, fastest first."""
        found = {test for line in range(first, last + 1) for test in self.tests.get((path, line), ())}
        return sorted(found, key=lambda test: (self.seconds[test], test))

    def importing(self, path: str) -> list[str]:
        """All tests: those that execute anything of a file before those that may use its names alone; fastest first."""
        found = {test for (name, _), tests in self.tests.items() if path == name for test in tests}
        return sorted(self.seconds, key=lambda test: (test not in found, self.seconds[test], test))


def measured(root: Path, target: Target, jobs: Sequence[tuple[str, Path]], workers: int) -> Iterator[str]:
    """Writes what each test file (with the file to write) executes; yields the name of each that is done."""

    def work(job: tuple[str, Path], say: Say) -> int:
        records: dict[str, Any] = {}
        status = collect(root, [job[0]], lambda plugin, items: records.update(_trace(root, target, plugin, items)))
        if status not in (0, 1) or not records:  # 1: a test failed, or was ended
            say(f"{job[0]}: pytest ended with {status} before any test ran")
            return 1
        if records["failed"]:
            say(f"fails without any mutant: {', '.join(records['failed'])}")
            return 1
        job[1].write_text(json.dumps(records))
        return 0

    for ended in in_children(jobs, work, workers):
        if ended.status:
            raise RuntimeError(ended.said or f"{ended.job[0]} ended with {ended.status}")
        yield ended.job[0]


def _trace(root: Path, target: Target, plugin: Collected, items: Sequence[pytest.Item]) -> dict[str, Any]:
    """Lines by test; fixtures are set up and memories filled anew for each test: each is charged all that it uses."""
    from coverage import Coverage

    files = [str(root / path) for path in target.files(root)]
    cover = Coverage(data_file=None, include=files, config_file=False)
    forgotten = memories(target.caches)
    seconds = {}
    cover.start()
    for item in items:
        for memory in forgotten:
            memory.cache_clear()
        cover.switch_context(item.nodeid)
        taken = seconds_of(item, TRACED * target.slowest)
        if taken is not None:
            seconds[item.nodeid] = taken
        else:
            plugin.failed = [name for name in plugin.failed if name != item.nodeid]
    with warnings.catch_warnings():  # of a file whose tests execute nothing here
        warnings.simplefilter("ignore")
        cover.stop()
        data = cover.get_data()
    lines: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for path in target.files(root):
        for line, tests in data.contexts_by_lineno(str(root / path)).items():
            for test in tests:
                lines[test].setdefault(path.as_posix(), []).append(line)
    return {"seconds": seconds, "lines": lines, "failed": plugin.failed}


def load(files: Sequence[Path], slowest: float) -> Baseline:
    """The records of all test files as one; tests slower than `slowest` are left out."""
    seconds: dict[str, float] = {}
    tests: dict[tuple[str, int], list[str]] = defaultdict(list)
    for file in files:
        record = json.loads(file.read_text())
        seconds |= {test: taken for test, taken in record["seconds"].items() if taken <= slowest}
        for test, by_path in record["lines"].items():
            for path, lines in by_path.items():
                for line in lines if test in seconds else ():
                    tests[path, line].append(test)
    return Baseline(seconds, tests)
