"""How long the teaching page takes until it can be used, in Chromium, over an empty page in the same browser.

"Usable" is the page's own mark: all sections drawn, C1 run and proved. It must come within a second.
"""

from __future__ import annotations

import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from separation.bench.measuring import Report, compared
from separation.lesson import lesson_page

WITHIN_SECONDS = 1.0
EMPTY = "<!doctype html><title>empty</title><script>performance.mark('usable')</script>"
INSTALL = "needs Chromium and playwright: apt-get install chromium; pip install 'separation[browser]'"
MARK = "performance.getEntriesByName('usable')[0].startTime / 1000"


def run(quick: bool) -> Report:
    """The best of a few loads of each page, taking turns."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    title = "time until the page is usable / an empty page"
    if chromium is None or find_spec("playwright") is None:
        return Report("lesson_page", title, (), (INSTALL,))
    text = lesson_page()
    with tempfile.TemporaryDirectory() as folder:
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
