"""Whole processes: the start of the command over an empty Python, two workers over one, the lesson over an empty page.

`separation --help`, and `separation check` of a small certificate, C1's at L = 3: without compiled files next to the
modules (an installed package has them) the source is compiled every time, and that is what is measured then. Workers
prove pieces, as in `verify`, and are processes that are running already; what they take to start has a column of its
own. Two workers cannot be twice as fast where less than two processors are free: notes say how many and how busy.
The lesson is "usable" by its own mark, all sections drawn, C1 run and proved, which must come within a second.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import separation
from constructions.c1 import build
from separation.bench.measuring import Report, best_seconds, compared
from separation.lesson import lesson_page as page_of_the_lesson
from separation.packages import is_installed
from separation.pieces import results_as_finished
from separation.proving import certified_proof
from separation.tasks.funccomp import Sizes

COMMAND = "from separation.verbs.command_line import main; main()"
"""What the installed command runs."""
PIECES, QUICK_PIECES, REPEATS = 12, 4, 2
SIZES, QUICK_SIZES = Sizes(8, (8, 8)), Sizes(4, (4,))
WITHIN_SECONDS = 1.0
EMPTY = "<!doctype html><title>empty</title><script>performance.mark('usable')</script>"
INSTALL = "needs Chromium and playwright: apt-get install chromium; pip install 'separation[browser]'"
MARK = "performance.getEntriesByName('usable')[0].startTime / 1000"


def start_up(quick: bool) -> Report:
    from separation.verbs.prove import prove

    with TemporaryDirectory() as folder:
        file = Path(folder) / "c1.json"
        prove("C1", L=3, m=4, n=(4, 4), out=file)
        commands = {
            "python -c pass": ["-c", "pass"],
            "separation --help": ["-m", "separation", "--help"],
            "separation check c1.json": ["-c", COMMAND, "check", str(file)],
        }
        actions = [partial(_finished, arguments) for arguments in commands.values()]
        best = dict(zip(commands, best_seconds(*actions, repeats=2 if quick else 7), strict=True))
    rows = compared(best, "python -c pass", "python")
    return Report("start_up", "time of --help and of check / that of an empty Python", tuple(rows))


def _finished(arguments: Sequence[str]) -> None:
    """`python ARGUMENTS` in a process that imports this very package, installed or not."""
    root = str(Path(separation.__file__).resolve().parents[1])
    paths = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": paths}
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip() or "no message").splitlines()[-1])


def workers(quick: bool) -> Report:
    items = [QUICK_SIZES] * QUICK_PIECES if quick else [SIZES] * PIECES
    with ProcessPoolExecutor(1, get_context("spawn")) as one, ProcessPoolExecutor(2, get_context("spawn")) as two:
        return workers_compared(items, one, two, 1 if quick else REPEATS)


def proved_piece(sizes: Sizes) -> bool:
    return certified_proof(build(sizes)).ok


def workers_compared(items: Sequence[Sizes], one: Executor, two: Executor, repeats: int) -> Report:
    """The best of several turns of each, after a first one in which workers are started."""
    best: dict[str, float] = {}
    first: dict[str, float] = {}
    for _ in range(1 + repeats):
        for name, pool in (("this process", None), ("one worker", one), ("two workers", two)):
            start = time.perf_counter()
            found = dict(results_as_finished(proved_piece, items, workers=1 if pool is None else None, executor=pool))
            seconds = time.perf_counter() - start
            if len(found) < len(items) or not all(found.values()):
                raise RuntimeError(f"{name}: a piece is missing, or not proved")
            if name in first:
                best[name] = min(best.get(name, seconds), seconds)
            first.setdefault(name, seconds)
    rows = compared(best, "one worker", "one_worker")
    for row in rows:
        row |= {"speed_up": best["one worker"] / best[str(row["what"])], "first_time_seconds": first[str(row["what"])]}
    notes = (
        f"{len(items)} pieces; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} when it was measured",
        "first time: with the start of the processes",
    )
    return Report("workers", "time of two workers / time of one", tuple(rows), notes)


def lesson_page(quick: bool) -> Report:
    """The best of a few loads of each page, taking turns."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    title = "time until the page is usable / an empty page"
    if chromium is None or not is_installed("playwright"):
        return Report("lesson_page", title, (), (INSTALL,))
    text = page_of_the_lesson()
    with TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{name}.html" for name in ("empty", "lesson")}
        for name, page in (("empty", EMPTY), ("lesson", text)):
            files[name].write_text(page, encoding="utf-8")
        best = _loads(chromium, files, 3 if quick else 7)
    rows = compared(best, "empty", "an_empty_page")
    for row, page in zip(rows, (EMPTY, text), strict=True):
        row["kB"] = len(page.encode()) // 1000
    within = best["lesson"] < WITHIN_SECONDS
    note = f"usable {'within' if within else 'NOT within'} {WITHIN_SECONDS:g} s: {best['lesson']:.2f} s"
    return Report("lesson_page", title, tuple(rows), (note,))


def _loads(chromium: str, files: dict[str, Path], repeats: int) -> dict[str, float]:
    from playwright.sync_api import sync_playwright

    best = dict.fromkeys(files, float("inf"))
    with sync_playwright() as driver:
        browser: Any = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(repeats):
            for name, file in files.items():
                page = browser.new_page()
                page.goto(file.as_uri())
                page.wait_for_function("performance.getEntriesByName('usable').length > 0")
                best[name] = min(best[name], float(page.evaluate(MARK)))
                page.close()
        browser.close()
    return best
