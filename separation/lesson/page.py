"""The lesson as one HTML file: the frame, the style, the record of what Python found, and all modules in one script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separation.files import json_text, read_json
from separation.lesson.bundle import bundle
from separation.version import VERSION

FOLDER = Path(__file__).parent
SOURCE = FOLDER / "src"
RECORD = FOLDER / "record.json"
MAX_BYTES = 3_000_000


def stored_record() -> dict[str, Any]:
    """What the page shows and does not compute itself; written by ``python -m tools.lesson``."""
    return dict(read_json(RECORD))


def lesson_page(record: dict[str, Any] | None = None) -> str:
    """The page; ``record`` in place of the stored one."""
    frame = (SOURCE / "page.html").read_text(encoding="utf-8")
    facts = {**(stored_record() if record is None else record), "version": VERSION}
    parts = {
        "<!-- style -->": f"<style>\n{(SOURCE / 'style.css').read_text(encoding='utf-8')}</style>",
        "<!-- record -->": f'<script type="application/json" id="record">{embedded(facts)}</script>',
        "<!-- script -->": f'<script type="module">\n{bundle(SOURCE / "main.mjs")}\n</script>',
    }
    for place, text in parts.items():
        before, after = frame.split(place)
        frame = before + text + after
    return frame


def embedded(value: Any) -> str:
    """JSON that cannot end the element that it stands in: < is spelled, and so are the line ends of JavaScript."""
    text = json_text(value)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


__all__ = ["MAX_BYTES", "RECORD", "SOURCE", "embedded", "lesson_page", "stored_record"]
