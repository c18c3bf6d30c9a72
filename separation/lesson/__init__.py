"""The teaching page, and what a reader without Python gets: a second kernel, that runs in Node and in a browser.

| file | what it holds |
|---|---|
| `kernel.mjs` | checks certificates of every kind; written from docs/certificates.md, no code of the first kernel |
| `kernel_programs.mjs`, `kernel_runs.mjs` | its rules for programs, and what it runs |
| `src/` | the page: its frame, its style, and one module for each section |
| `record.json` | what the page shows and does not compute itself; written by `python -m tools.lesson` |
| `page.py` | frame, style, record and all modules, as one script, in one HTML file |
"""

from separation.lesson.page import MAX_BYTES, lesson_page

__all__ = ["MAX_BYTES", "lesson_page"]
