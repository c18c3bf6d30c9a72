"""Tests run inside a process that has collected them already."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tools.mutation.children import Say

SLOWER, AT_LEAST = 10.0, 3.0  # a test has this many times its own time, and at least these seconds of processor time


class Collected:
    """A pytest plugin: hands the collected items to `use` instead of running them."""

    def __init__(self, use: Any) -> None:
        self.use = use
        self.failed: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.use(self, list(session.items))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def first_failure(self, items: Sequence[pytest.Item], seconds: dict[str, float], say: Say) -> bool:
        """Runs items until one fails; each says its name before it starts, and its timer ends the process."""
        for item, following in zip(items, [*items[1:], None], strict=True):
            say(item.nodeid)
            signal.setitimer(signal.ITIMER_PROF, AT_LEAST + SLOWER * seconds.get(item.nodeid, 1.0))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return True
        signal.setitimer(signal.ITIMER_PROF, 0)
        return False


def collect(root: Path, files: Sequence[str], use: Any) -> int:
    """Collects the test files and calls use(plugin, items) inside the session."""
    options = ["-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", f"--rootdir={root}"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is imported before pytest starts
    return int(pytest.main([*options, *files], plugins=[Collected(use)]))


def same_each_time() -> None:
    """hypothesis draws the same examples in every child, and does not judge how fast it can draw them."""
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "mutation", derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    settings.load_profile("mutation")


class TooSlow(BaseException):
    """Ends a test that takes longer than it may; no Exception, so that the test itself does not catch it."""


def seconds_of(item: pytest.Item, most: float) -> float | None:
    """Processor time of one test with all of its fixtures, which are torn down after it; None if it took `most`."""
    ended = False

    def end(*_: object) -> None:
        nonlocal ended
        ended = True
        raise TooSlow

    start = time.process_time()
    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, most)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None if ended else time.process_time() - start
