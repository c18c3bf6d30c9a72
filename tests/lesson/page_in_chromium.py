"""Chromium with the page open, for tests that press its buttons."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def reason_to_skip() -> str | None:
    """Why no browser can be driven here."""
    if CHROMIUM is None:
        return "chromium is not installed"
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed: pip install 'separation[browser]'"
    return None


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


class Opened:
    """The page in a window of some width; what it said to the console and asked of the network is kept."""

    def __init__(
        self, browser: Any, file: Path, width: int = 1200, scheme: str = "light", motion: str = "reduce"
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion=motion
        )
        self.context.set_default_timeout(30_000)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def named(self, name: str) -> Any:
        return self.page.locator(f'[data-name="{name}"]')

    def press(self, name: str) -> None:
        self.named(name).click()

    def slide(self, name: str, value: int) -> None:
        self.named(name).evaluate(
            "(node, value) => { node.value = value; node.dispatchEvent(new Event('input')); }", value
        )

    def type(self, name: str, text: str) -> None:
        box = self.named(name)
        box.fill(text)
        box.dispatch_event("change")

    def text(self, name: str) -> str:
        return str(self.named(name).inner_text())

    def until(self, condition: str) -> None:
        self.page.wait_for_function(condition)
